import asyncio
import os
import signal

import pytest

from jupyter_ac.errors import ConnectionClosed, TimedOut, Unsupported
from jupyter_ac.planner.validation.syntax_client import SyntaxClient
from jupyter_ac.workers.process import Worker


class StuckWorker(Worker):
    """A worker without a process."""

    def __init__(self) -> None:
        super().__init__("syntax")
        self.is_ended = asyncio.Event()

    async def call(self, name: str, *args: object, timeout_s: float = 60.0) -> object:
        raise TimedOut(f"{name} {args} {timeout_s}")

    async def aclose(self) -> None:
        self.is_ended.set()


async def test_a_worker_that_is_stuck_is_replaced() -> None:
    made: list[StuckWorker] = []

    def make() -> Worker:
        made.append(StuckWorker())
        return made[-1]

    client = SyntaxClient(make)
    with pytest.raises(TimedOut):
        await client.find("json", "{}", 1.0)
    async with asyncio.timeout(60):
        await made[0].is_ended.wait()
    assert len(made) == 2
    assert not made[1].is_ended.is_set()
    await client.aclose()
    assert made[1].is_ended.is_set()


class DyingWorker(StuckWorker):
    async def call(self, name: str, *args: object, timeout_s: float = 60.0) -> object:
        raise ConnectionClosed(f"{name} {args} {timeout_s}")


async def test_a_text_on_which_the_worker_dies_is_refused() -> None:
    client = SyntaxClient(DyingWorker)
    with pytest.raises(Unsupported, match="gave up"):
        await client.find("json", "{}", 1.0)
    await client.aclose()


async def test_lone_surrogates_and_unknown_languages() -> None:
    client = SyntaxClient()
    try:
        assert (await client.find("json", '"\ud800"', 120.0)).diagnostics == []
        with pytest.raises(Unsupported, match="no parser"):
            await client.find("klingon", "", 120.0)
    finally:
        await client.aclose()


async def test_it_is_started_once_and_again_after_a_crash() -> None:
    client = SyntaxClient()
    try:
        await client.start()
        first = client._worker.pid
        await client.start()
        assert client._worker.pid == first is not None
        os.kill(first, signal.SIGKILL)
        async with asyncio.timeout(120):
            while client._worker.pid == first:
                await asyncio.sleep(0.02)
        await client.start()
        assert client._worker.pid not in {first, None}
    finally:
        await client.aclose()
