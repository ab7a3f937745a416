"""Which line is whose, and what one link can do to the others."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.transports import multiplexing
from jupyter_ac.transports.lines import LineLimits, LineWriter, Oversize
from jupyter_ac.transports.link_lines import LinkFault, Opened, close_line, frame_line, open_line
from jupyter_ac.transports.multiplexing import Accept, Multiplexer
from jupyter_ac.transports.streams import open_streams

WAIT_S = 90
PLENTY = "x" * 200_000


class Board:
    """A multiplexer, and what it wrote."""

    def __init__(self, board: Multiplexer, written: asyncio.StreamReader) -> None:
        self.board = board
        self._written = written

    async def take(self, *lines: str) -> None:
        for line in lines:
            async with asyncio.timeout(WAIT_S):
                await self.board.take(line.encode())

    async def line(self) -> object:
        async with asyncio.timeout(WAIT_S):
            value: object = json.loads(await self._written.readline())
            return value

    async def closed(self) -> tuple[object, object]:
        """Link and code of the close that comes next."""
        line = await self.line()
        assert isinstance(line, list)
        assert len(line) == 3
        return line[0], line[2]["close"]["code"]


@asynccontextmanager
async def switching(serve: Accept | None, limits: LineLimits | None = None) -> AsyncIterator[Board]:
    read_fd, write_fd = os.pipe()
    back_fd, unused_fd = os.pipe()
    streams = await open_streams(back_fd, write_fd)
    written = await open_streams(read_fd, unused_fd)
    writer = LineWriter(streams.writer)
    board = Multiplexer(writer, limits or LineLimits(), serve)
    try:
        yield Board(board, written.reader)
    finally:
        async with asyncio.timeout(WAIT_S):
            await board.aclose()
            await writer.aclose()
            written.writer.close()
            await written.output_ended()
            streams.close_input()
            written.close_input()


async def echo(transport: Transport, _opened: Opened) -> None:
    """Send back what comes, until the end."""
    while True:
        try:
            frame = await transport.receive()
        except ConnectionClosed:
            return
        transport.send(frame.decode() if isinstance(frame, bytes) else frame)


async def deaf(_transport: Transport, _opened: Opened) -> None:
    """Read nothing."""
    await asyncio.Event().wait()


async def test_each_link_gets_its_own_lines() -> None:
    async with switching(echo) as lines:
        await lines.take(open_line("a"), open_line("b"), frame_line("a", "1"), frame_line("b", "2"))
        assert sorted([str(await lines.line()), str(await lines.line())]) == [
            "['a', 1]",
            "['b', 2]",
        ]
        assert len(lines.board) == 2


async def test_a_cancellation_that_comes_with_the_room_is_not_lost() -> None:
    """Else a kernel that closes its links while frames come waits for good."""
    async with switching(deaf, LineLimits(inbox_frames=1)) as lines:
        await lines.take(open_line("a"))
        taking = asyncio.create_task(lines.board.take(frame_line("a", "1").encode()))
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_soon(taking.cancel)
        lines.board._links["a"]._inbox._make_room()
        await asyncio.wait({taking})
        assert taking.cancelled()


async def test_the_client_and_its_seat_are_told_to_who_serves() -> None:
    async def tell(transport: Transport, opened: Opened) -> None:
        transport.send(json.dumps([opened.link, opened.client, opened.aside]))
        await echo(transport, opened)

    async with switching(tell) as lines:
        await lines.take(open_line("a", "page-1", "cells"))
        assert await lines.line() == ["a", ["a", "page-1", "cells"]]


async def test_a_link_that_does_not_keep_up_is_closed_and_the_others_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(multiplexing, "ROOM_S", 0.05)
    monkeypatch.setattr(multiplexing, "_END_S", 0.05)

    async def serve(transport: Transport, opened: Opened) -> None:
        await (deaf if opened.link == "deaf" else echo)(transport, opened)

    async with switching(serve, LineLimits(inbox_frames=3)) as lines:
        await lines.take(open_line("deaf"), open_line("good"))
        await lines.take(*[frame_line("deaf", "0")] * 5, frame_line("good", "1"))
        assert await lines.closed() == ("deaf", 1013)
        assert await lines.line() == ["good", 1]
        # It is forgotten like any other: what still comes for it is no fault.
        await lines.take(frame_line("deaf", "0"), frame_line("good", "2"))
        assert await lines.line() == ["good", 2]


async def test_a_link_of_a_name_that_is_open_ends_both() -> None:
    async with switching(echo) as lines:
        await lines.take(open_line("a"), open_line("a"))
        assert await lines.closed() == ("a", 1002)
        await lines.take(frame_line("a", "1"), open_line("a"), frame_line("a", "2"))
        assert await lines.line() == ["a", 2]


async def test_there_is_a_limit_to_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiplexing, "MAX_LINKS", 2)
    async with switching(echo) as lines:
        await lines.take(open_line("a"), open_line("b"), open_line("c"))
        assert await lines.closed() == ("c", 1013)
        await lines.take(close_line("a"), open_line("c"), frame_line("c", "1"))
        assert await lines.line() == ["c", 1]


async def test_a_long_line_ends_its_link_and_a_nameless_one_none() -> None:
    async with switching(echo) as lines:
        await lines.take(open_line("a"))
        await lines.board.take(Oversize(b"xxxx"))
        await lines.board.take(Oversize(b'["a",{"x'))
        assert await lines.closed() == ("a", 1009)


async def test_a_faulty_line_ends_its_link() -> None:
    async with switching(echo) as lines:
        await lines.take(open_line("a"), "garbage", '["a",null,{"wave":1}]')
        assert await lines.closed() == ("a", 1002)


async def test_at_the_end_of_the_input_all_links_end_without_a_word() -> None:
    ended: list[str] = []

    async def serve(transport: Transport, opened: Opened) -> None:
        await echo(transport, opened)
        ended.append(opened.link)

    async with switching(serve) as lines:
        await lines.take(open_line("a"), open_line("b"))
        await lines.board.aclose()
        assert sorted(ended) == ["a", "b"]
        await lines.take(open_line("c"), frame_line("c", "1"))
        assert await lines.line() == ["c", 1]


async def test_what_does_not_end_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiplexing, "_END_S", 0.05)
    cancelled = asyncio.Event()

    async def stubborn(transport: Transport, opened: Opened) -> None:
        try:
            await deaf(transport, opened)
        finally:
            cancelled.set()

    async with switching(stubborn) as lines:
        await lines.take(open_line("a"))
        assert len(lines.board) == 1
        async with asyncio.timeout(WAIT_S):
            await lines.board.aclose()
            await cancelled.wait()
        assert len(lines.board) == 0


async def test_a_link_of_this_side_is_a_transport_like_any_other() -> None:
    async with switching(None) as lines:
        link = lines.board.open(Opened("a", "page-1", "cells"))
        link.send("1")
        opening = [await lines.line(), await lines.line()]
        assert opening == [["a", None, {"open": {"client": "page-1", "aside": "cells"}}], ["a", 1]]
        await lines.take(frame_line("a", "2"), close_line("a", 4404, "none here"))
        assert await link.receive() == b"2"
        with pytest.raises(ConnectionClosed, match="none here") as caught:
            await link.receive()
        assert caught.value.close_code == 4404
        assert len(lines.board) == 0


async def test_a_name_is_free_again_once_its_end_is_written() -> None:
    async with switching(None) as lines:
        first = lines.board.open(Opened("a"))
        with pytest.raises(LinkFault, match="a is open already"):
            lines.board.open(Opened("a"))
        for _ in range(10):
            first.send(f'"{PLENTY}"')
        await first.close()
        with pytest.raises(LinkFault, match="a is open already"):
            lines.board.open(Opened("a"))
        assert await lines.line() == ["a", None, {"open": {"client": "", "aside": ""}}]
        for _ in range(10):
            assert await lines.line() == ["a", PLENTY]
        assert await lines.closed() == ("a", 1000)
        lines.board.open(Opened("a")).send("1")
        assert await lines.line() == ["a", None, {"open": {"client": "", "aside": ""}}]
        assert await lines.line() == ["a", 1]


async def test_who_accepts_no_links_refuses_those_of_the_other_side() -> None:
    async with switching(None) as lines:
        await lines.take(open_line("a"))
        assert await lines.closed() == ("a", 1002)
        assert len(lines.board) == 0


async def test_after_the_other_side_s_end_no_link_is_opened() -> None:
    async with switching(None) as lines:
        link = lines.board.open(Opened("a"))
        await lines.board.aclose(1006, "the key is wrong")
        with pytest.raises(ConnectionClosed, match="the key is wrong"):
            await link.receive()
        with pytest.raises(ConnectionClosed, match="the key is wrong") as caught:
            lines.board.open(Opened("b"))
        assert caught.value.close_code == 1006
