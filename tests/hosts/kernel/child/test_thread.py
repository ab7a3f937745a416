"""The loop that isn't the user's."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.hosts.kernel.child.thread import NAME, LoopThread

LIMIT_S = 90.0


def named() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == NAME}


@pytest.fixture
def others() -> set[threading.Thread]:
    """Those of children that other tests have not ended yet."""
    return named()


@pytest.fixture
def thread() -> Iterator[LoopThread]:
    made = LoopThread()
    yield made
    made.stop()
    made.join(LIMIT_S)


async def name_of_thread() -> str:
    return threading.current_thread().name


def test_a_coroutine_runs_on_a_daemon_thread_of_its_own(
    others: set[threading.Thread], thread: LoopThread
) -> None:
    assert thread.submit(name_of_thread()).result(LIMIT_S) == NAME
    (found,) = named() - others
    assert found.daemon
    assert not thread.is_here


def test_functions_run_in_the_order_of_their_calls(thread: LoopThread) -> None:
    seen: list[int] = []
    for number in range(100):
        assert thread.call(seen.append, number)
    thread.submit(asyncio.sleep(0)).result(LIMIT_S)
    assert seen == list(range(100))


def test_at_its_end_what_runs_is_cancelled_and_nothing_is_taken_any_more() -> None:
    thread = LoopThread()
    ended: list[str] = []

    async def long() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    future = thread.submit(long())
    thread.submit(asyncio.sleep(0)).result(LIMIT_S)
    thread.stop()
    thread.join(LIMIT_S)
    assert ended == ["cancelled"]
    assert future.cancelled()
    assert not thread.call(print)
    with pytest.raises(NotReady):
        thread.submit(name_of_thread())
