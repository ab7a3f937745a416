"""A loop that stands still is noticed from another thread."""

import asyncio
import queue
import threading

from jupyter_ac.hosts.kernel.child.host import LoopThread
from jupyter_ac.hosts.kernel.plugins.busy_watch import BusyWatch
from tests.hosts.kernel.plugins.shown import loop_thread
from tests.rpc.pairs import WAIT_S


async def test_a_held_up_loop_is_said_once_and_its_going_on_too() -> None:
    async with loop_thread() as thread:
        await noticed(thread)


async def noticed(thread: LoopThread) -> None:
    told: queue.SimpleQueue[bool] = queue.SimpleQueue()

    def tell(*, is_busy: bool) -> None:
        told.put(is_busy)

    watch = BusyWatch(asyncio.get_running_loop(), thread, tell, 0.01)
    watch.begin()
    assert told.get(timeout=WAIT_S) is True  # this holds the loop up
    found = await asyncio.to_thread(told.get, timeout=WAIT_S)
    assert found is False
    assert told.get(timeout=WAIT_S) is True
    watch.end()
    assert await asyncio.to_thread(told.get, timeout=WAIT_S) is False


async def test_without_a_cell_and_with_a_loop_that_turns_nothing_is_said() -> None:
    told: list[bool] = []
    async with loop_thread() as thread:
        loop = asyncio.get_running_loop()
        watch = BusyWatch(loop, thread, lambda *, is_busy: told.append(is_busy), 60)
        watch.begin()
        watch.end()
        watch.end()
        watch.begin()
        watch.end()
        done = threading.Event()
        thread.call(done.set)
        assert await asyncio.to_thread(done.wait, WAIT_S)
    assert told == []
