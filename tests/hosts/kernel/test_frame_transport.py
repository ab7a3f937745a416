"""A peer's frames between a kernel's handlers and the thread that serves them."""

import asyncio

import pytest

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.kernel.frame_transport import FrameTransport
from tests.hosts.kernel.plugins.shown import loop_thread, until
from tests.rpc.pairs import WAIT_S


class Ends:
    """What a transport sends, and how it has ended."""

    def __init__(self) -> None:
        self.frames: list[str] = []
        self.closed: list[tuple[int, str]] = []

    def close(self, code: int, reason: str) -> None:
        self.closed.append((code, reason))


async def test_frames_come_in_their_order_on_the_thread() -> None:
    ends = Ends()
    async with loop_thread() as thread:
        transport = FrameTransport(thread, ends.frames.append, ends.close, lambda: 7)
        for number in range(100):
            transport.put(str(number))

        async def received() -> list[str | bytes]:
            assert thread.is_here
            return [await transport.receive() for _ in range(100)]

        found = await asyncio.wrap_future(thread.submit(received()))
        assert found == [str(number) for number in range(100)]
        transport.send("out", newest_key="k")
        assert (ends.frames, transport.queued_bytes) == (["out"], 7)
        await asyncio.wrap_future(thread.submit(transport.close(1000, "done")))
        await asyncio.wrap_future(thread.submit(transport.close(1000, "done")))
        transport.send("late")
        assert (ends.frames, ends.closed) == (["out"], [(1000, "done")])


async def test_the_other_side_ends_it_without_being_told() -> None:
    ends = Ends()
    async with loop_thread() as thread:
        transport = FrameTransport(thread, ends.frames.append, ends.close)
        assert transport.queued_bytes == 0
        transport.put("lost")
        transport.end()
        with pytest.raises(ConnectionClosed, match="the page has closed the connection"):
            await asyncio.wrap_future(thread.submit(transport.receive()))
        transport.put("later")
        await asyncio.wrap_future(thread.submit(transport.close()))
    assert ends.closed == []


async def test_too_many_frames_end_it() -> None:
    ends = Ends()
    async with loop_thread() as thread:
        transport = FrameTransport(thread, ends.frames.append, ends.close)
        for _ in range(1002):
            transport.put("x")
        async with asyncio.timeout(WAIT_S):
            await until(lambda: bool(ends.closed))
        assert ends.closed == [(1013, "Too many calls are waiting.")]
        with pytest.raises(ConnectionClosed, match="too many calls"):
            await asyncio.wrap_future(thread.submit(transport.receive()))
