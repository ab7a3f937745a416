import asyncio

import pytest

from jupyter_ac.errors import Cancelled
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.methods import Access, MethodTable, Namespace, method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.worker.jobs import Jobs, emitter

LIMIT_S = 90.0


class Work:
    def __init__(self, jobs: Jobs) -> None:
        self.jobs = jobs
        self.ended: list[str] = []

    @method(Access.READ)
    async def wait(self, channel: int) -> None:
        emit = emitter(channel)
        await self.jobs.run(channel, self._wait(emit=emit))

    async def _wait(self, *, emit: object) -> None:
        assert callable(emit)
        emit("waiting")
        try:
            await asyncio.sleep(LIMIT_S)
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            raise


class Host:
    def __init__(self) -> None:
        self.events: list[tuple[int, object]] = []

    @method(Access.READ)
    def event(self, channel: int, event: object) -> None:
        self.events.append((channel, event))


async def forever() -> None:
    await asyncio.sleep(LIMIT_S)


async def test_the_host_cancels_a_job_by_its_channel() -> None:
    jobs = Jobs()
    work, host = Work(jobs), Host()
    here, there = direct_pair()
    child = Peer(
        there, MethodTable(Namespace("Worker", jobs), Namespace("Work", work)), profile=JSONRPC2
    )
    parent = Peer(here, MethodTable(Namespace("Host", host)), profile=JSONRPC2)
    running = [asyncio.create_task(child.run()), asyncio.create_task(parent.run())]
    call = asyncio.create_task(parent.call("Work.wait", 7))
    async with asyncio.timeout(LIMIT_S):
        while not host.events:
            await asyncio.sleep(0)
    assert host.events == [(7, "waiting")]
    parent.notify("Worker.cancel", 7)
    with pytest.raises(Exception, match="cancelled by the host"):
        await asyncio.wait_for(call, LIMIT_S)
    assert work.ended == ["cancelled"]
    await parent.close()
    await asyncio.wait_for(asyncio.gather(*running), LIMIT_S)


async def test_a_job_that_is_cancelled_before_it_began_never_begins() -> None:
    jobs = Jobs()
    jobs.cancel(1)
    with pytest.raises(Cancelled):
        await jobs.run(1, forever())


async def test_cancelling_what_does_not_run_is_bounded() -> None:
    jobs = Jobs()
    for channel in range(5000):
        jobs.cancel(channel)
    assert len(jobs._cancelled_early) <= 1024


async def test_the_end_of_the_connection_cancels_the_work_too() -> None:
    jobs = Jobs()
    work = Work(jobs)
    waiting = asyncio.create_task(jobs.run(1, work._wait(emit=lambda _event: None)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    async with asyncio.timeout(LIMIT_S):
        while not work.ended:
            await asyncio.sleep(0)


async def test_running_counts_tasks() -> None:
    jobs = Jobs()
    before = jobs.running()
    task = asyncio.create_task(forever())
    assert jobs.running() == before + 1
    task.cancel()
