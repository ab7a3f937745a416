"""Which line is whose, and what one link can do to the others."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import AccessDenied, AcError, ConnectionClosed, NotFound, NotReady
from jupyter_ac.hosts.sockets.codes import LOGGED
from jupyter_ac.hosts.stdio import multiplexer
from jupyter_ac.hosts.stdio.multiplexer import Serve, StdioMultiplexer
from jupyter_ac.hosts.stdio.streams import open_streams
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.transports.lines import LineLimits, LineWriter
from jupyter_ac.transports.multiplexing import Opened, close_line, frame_line, open_line
from jupyter_ac.transports.splitter import Oversize

WAIT_S = 90


class Board:
    """A switchboard, and what it wrote."""

    def __init__(self, board: StdioMultiplexer, written: asyncio.StreamReader) -> None:
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
async def switching(serve: Serve, limits: LineLimits | None = None) -> AsyncIterator[Board]:
    read_fd, write_fd = os.pipe()
    back_fd, unused_fd = os.pipe()
    streams = await open_streams(back_fd, write_fd)
    written = await open_streams(read_fd, unused_fd)
    writer = LineWriter(streams.writer)
    board = StdioMultiplexer(writer, limits or LineLimits(), serve)
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


async def test_the_client_and_its_seat_are_told_to_who_serves() -> None:
    async def tell(transport: Transport, opened: Opened) -> None:
        transport.send(json.dumps([opened.link, opened.client, opened.aside]))
        await echo(transport, opened)

    async with switching(tell) as lines:
        await lines.take(open_line("a", "page-1", "cells"))
        assert await lines.line() == ["a", ["a", "page-1", "cells"]]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NotFound("There is none."), 4404),
        (AccessDenied("No."), 4403),
        (NotReady("Later."), 1012),
        (AcError("Broken."), 1011),
        (ZeroDivisionError("a slip"), 1011),
    ],
)
async def test_what_keeps_a_link_from_being_served_closes_it(error: Exception, code: int) -> None:
    async def refuse(_transport: Transport, _opened: Opened) -> None:
        raise error

    async with switching(refuse) as lines:
        await lines.take(open_line("a"))
        line = await lines.line()
        assert isinstance(line, list)
        said = line[2]["close"]
        assert said["code"] == code
        assert said["reason"] == (str(error) if isinstance(error, AcError) else LOGGED)
        assert len(lines.board) == 0


async def test_a_link_that_does_not_keep_up_is_closed_and_the_others_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(multiplexer, "ROOM_S", 0.05)
    monkeypatch.setattr(multiplexer, "_END_S", 0.05)

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
    monkeypatch.setattr(multiplexer, "MAX_LINKS", 2)
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
    monkeypatch.setattr(multiplexer, "_END_S", 0.05)
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
