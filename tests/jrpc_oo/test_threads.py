"""The thread pool for plain methods."""

import asyncio
import threading
from collections.abc import Callable
from contextvars import ContextVar

import pytest

from jupyter_ac.jrpc_oo.threads import THREADS, Threads
from tests.jrpc_oo.objects import until

NAME: ContextVar[str] = ContextVar("name")


@pytest.fixture
def running() -> Callable[[], int]:
    before = set(threading.enumerate())
    return lambda: len(set(threading.enumerate()) - before)


async def test_work_runs_elsewhere_and_sees_the_callers_context() -> None:
    threads = Threads()
    NAME.set("here")
    assert await threads.run(NAME.get) == "here"
    assert await threads.run(threading.get_ident) != threading.get_ident()
    threads.close()


async def test_errors_are_passed_on() -> None:
    threads = Threads()

    def fails() -> None:
        raise KeyError("k")

    with pytest.raises(KeyError):
        await threads.run(fails)
    threads.close()


async def test_one_after_another_need_one_thread_and_many_at_once_a_bounded_number(
    running: Callable[[], int],
) -> None:
    threads = Threads()
    for _ in range(20):
        await threads.run(int)
    assert running() == 1
    gate = threading.Event()
    waiting = [asyncio.create_task(threads.run(gate.wait)) for _ in range(THREADS + 20)]
    await until(lambda: running() == THREADS)
    gate.set()
    assert await asyncio.gather(*waiting) == [True] * (THREADS + 20)
    assert running() == THREADS
    threads.close()
    await until(lambda: not running())


async def test_waiting_can_be_cancelled_and_what_waits_for_a_thread_is_dropped(
    running: Callable[[], int],
) -> None:
    threads = Threads()
    gate = threading.Event()
    ran: list[int] = []
    block = [asyncio.create_task(threads.run(gate.wait)) for _ in range(THREADS)]
    late = asyncio.create_task(threads.run(lambda: ran.append(1)))
    await until(lambda: running() == THREADS)
    late.cancel()
    block[0].cancel()
    gate.set()
    await asyncio.wait([*block, late])
    assert late.cancelled()
    assert block[0].cancelled()
    assert await threads.run(lambda: 5) == 5
    assert ran == []
    threads.close()


async def test_closed_threads_finish_what_they_have_and_come_back_on_use(
    running: Callable[[], int],
) -> None:
    threads = Threads()
    gate = threading.Event()
    waiting = asyncio.create_task(threads.run(gate.wait))
    await until(running)
    threads.close()
    assert await threads.run(lambda: 5) == 5
    gate.set()
    assert await waiting is True
    threads.close()
    await until(lambda: not running())
    assert await threads.run(lambda: 6) == 6
    threads.close()
