"""Connections over lines, over a real pipe whose reader is slow."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.transport import EndOfInput, FastTransport
from jupyter_ac.transports import lines
from jupyter_ac.transports.lines import (
    LineLimits,
    LineSplitter,
    LineTransport,
    LineWriter,
    Oversize,
)
from jupyter_ac.transports.link_lines import close_line
from jupyter_ac.transports.streams import open_streams

WAIT_S = 90
PLENTY = "x" * 200_000


class Pipe:
    """A writer and the end where its lines come out, which nobody reads before `lines`."""

    def __init__(self, writer: LineWriter, read_fd: int) -> None:
        self.writer = writer
        self._read_fd = read_fd
        self.came = b""

    def read(self, at_most: int) -> None:
        """Read some of what was written."""
        self.came += os.read(self._read_fd, at_most)

    async def rest(self) -> list[bytes]:
        """Read what is left once the writer is closed."""
        return [await asyncio.to_thread(self._read_all)]

    async def lines(self) -> list[str]:
        """Close the writer and read everything that was written."""
        reading = asyncio.create_task(asyncio.to_thread(self._read_all))
        async with asyncio.timeout(WAIT_S):
            await self.writer.aclose()
            return (await reading).decode().splitlines()

    def _read_all(self) -> bytes:
        with os.fdopen(self._read_fd, "rb") as file:
            return file.read()


@asynccontextmanager
async def pipe() -> AsyncIterator[Pipe]:
    unused, write_fd = os.pipe()
    read_fd, ours = os.pipe()
    streams = await open_streams(unused, ours)
    yield Pipe(LineWriter(streams.writer), read_fd)
    os.close(write_fd)
    streams.close_input()


def transport(on: Pipe, link: str | None = None, limits: LineLimits | None = None) -> LineTransport:
    return LineTransport(on.writer, limits or LineLimits(), link)


async def test_frames_go_out_in_order_each_on_its_line() -> None:
    async with pipe() as out:
        alone = transport(out)
        for number in range(100):
            alone.send(str(number))
        assert await out.lines() == [str(number) for number in range(100)]


async def test_what_waits_goes_out_as_well_and_links_take_turns() -> None:
    async with pipe() as out:
        big, small = transport(out, "big"), transport(out, "small")
        for _ in range(10):
            big.send(f'"{PLENTY}"')
        for number in range(5):
            small.send(str(number))
        await small.close(1000, "done")
        lines = await out.lines()
        places = [at for at, line in enumerate(lines) if line.startswith('["small"')]
        assert [lines[at] for at in places] == [
            *(f'["small",{number}]' for number in range(5)),
            '["small",null,{"close": {"code": 1000, "reason": "done"}}]',
        ]
        assert sum(line.startswith('["big"') for line in lines) == 10
        assert not lines[-1].startswith('["small"')


async def test_of_frames_with_one_key_that_wait_the_newest_goes_out() -> None:
    async with pipe() as out:
        one, two = transport(out, "one"), transport(out, "two")
        for sender in (one, two):
            sender.send(f'"{PLENTY}"')
        for number in range(5):
            one.send(str(number), newest_key="k")
            two.send(str(10 + number), newest_key="k")
        lines = [line for line in await out.lines() if len(line) < 100]
        assert lines == ['["one",4]', '["two",14]']


async def test_a_frame_that_a_thread_spells_keeps_its_place() -> None:
    async with pipe() as out:
        sender = transport(out, "one")
        assert isinstance(sender, FastTransport)
        sender.send("1")
        sender.send_encoding(lambda: "2", 10)
        sender.send("3")
        assert await out.lines() == ['["one",1]', '["one",2]', '["one",3]']


async def test_who_lets_its_queue_fill_is_cut_off_and_the_others_are_not() -> None:
    async with pipe() as out:
        greedy = transport(out, "greedy", LineLimits(outbox_bytes=1_000_000))
        modest = transport(out, "modest")
        for _ in range(20):
            greedy.send(f'"{PLENTY}"')
        modest.send("1")
        with pytest.raises(ConnectionClosed) as caught:
            await greedy.receive()
        assert caught.value.close_code == 1013
        lines = await out.lines()
        assert '["modest",1]' in lines
        (close,) = [line for line in lines if "null" in line]
        reason = "too much is waiting to be read; reconnect"
        assert close == close_line("greedy", 1013, reason)
        assert len(lines) < 10


class TestPatience:
    """A connection that has the stream for itself."""

    LIMITS = LineLimits(outbox_bytes=1 << 30, pause_bytes=2 * len(PLENTY))

    async def full(self, out: Pipe) -> LineTransport:
        alone = transport(out, limits=self.LIMITS)
        alone.push_to(lambda _frame: True)
        for _ in range(10):
            alone.send(f'"{PLENTY}"')
        return alone

    async def test_calls_wait_until_what_was_answered_has_been_read(self) -> None:
        async with pipe() as out:
            alone = await self.full(out)
            alone.deliver(b"1")
            receiving = asyncio.create_task(alone.receive())
            await asyncio.wait({receiving}, timeout=0.05)
            assert not receiving.done()
            assert len(await out.lines()) == 10
            assert await receiving == b"1"

    async def test_none_is_handed_on_meanwhile_and_again_afterwards(self) -> None:
        async with pipe() as out:
            alone = transport(out, limits=self.LIMITS)
            handed: list[str | bytes] = []

            def take(frame: str | bytes) -> bool:
                handed.append(frame)
                return False

            alone.push_to(take)
            receiving = asyncio.create_task(alone.receive())
            await asyncio.sleep(0)
            alone.deliver(b"1")
            for _ in range(10):
                alone.send(f'"{PLENTY}"')
            alone.deliver(b"2")
            assert handed == [b"1"]
            assert await receiving == b"2"
            receiving = asyncio.create_task(alone.receive())
            assert len(await out.lines()) == 10
            await asyncio.sleep(0)
            alone.deliver(b"3")
            assert handed == [b"1", b"3"]
            receiving.cancel()

    @pytest.mark.parametrize("how", ["close", "cut", "lost"])
    async def test_whatever_ends_it_ends_the_waiting(self, how: str) -> None:
        async with pipe() as out:
            alone = await self.full(out)
            receiving = asyncio.create_task(alone.receive())
            await asyncio.sleep(0)
            match how:
                case "close":
                    await alone.close()
                case "cut":
                    alone.cut(1013, "full")
                case _:
                    alone.lost(ConnectionClosed("gone"))
            with pytest.raises(ConnectionClosed):
                await receiving
            assert alone.was_cut == (how == "cut")
            await out.lines()


async def test_the_rest_is_written_for_as_long_as_somebody_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lines, "PATIENCE_S", 0.05)
    async with pipe() as out:
        sender = transport(out)
        for _ in range(10):
            sender.send(f'"{PLENTY}"')
        finishing = asyncio.create_task(out.writer.finish())
        while not finishing.done():
            await asyncio.to_thread(out.read, 50_000)
            await asyncio.sleep(0.01)
        assert await finishing
        assert len((out.came + b"".join(await out.rest())).splitlines()) == 10


async def test_a_reader_that_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "PATIENCE_S", 0.05)
    async with pipe() as out:
        sender = transport(out)
        sender.send(f'"{PLENTY}"')
        assert not await out.writer.finish()
        await out.lines()


async def test_what_came_before_the_end_is_given_and_answers_still_go_out() -> None:
    async with pipe() as out:
        alone = transport(out)
        assert alone.deliver(b"1") is None
        alone.lost(EndOfInput("over"))
        assert await alone.receive() == b"1"
        with pytest.raises(EndOfInput):
            await alone.receive()
        alone.send("answer")
        assert await out.lines() == ["answer"]


async def test_after_a_loss_nothing_goes_out() -> None:
    async with pipe() as out:
        link = transport(out, "one")
        link.lost(ConnectionClosed("gone", 1001))
        link.send("1")
        link.send_encoding(lambda: "2", 1)
        await link.close(1000, "bye")
        link.cut(1013, "full")
        assert await out.lines() == []


async def test_closing_twice_says_it_once_and_drops_what_came() -> None:
    async with pipe() as out:
        link = transport(out, "one")
        link.deliver(b"1")
        await link.close(1000, "bye")
        await link.close(1001, "again")
        with pytest.raises(ConnectionClosed) as caught:
            await link.receive()
        assert caught.value.close_code == 1000
        assert await out.lines() == ['["one",null,{"close": {"code": 1000, "reason": "bye"}}]']


async def test_a_full_inbox_says_what_to_wait_for() -> None:
    async with pipe() as out:
        link = transport(out, "one", LineLimits(inbox_frames=2))
        assert link.deliver(b"1") is None
        waits = link.deliver(b"2")
        assert waits is not None
        await link.receive()
        async with asyncio.timeout(WAIT_S):
            await waits
        await out.lines()


async def test_a_reader_that_is_gone_stops_the_writer_quietly() -> None:
    unused_read, unused_write = os.pipe()
    read_fd, write_fd = os.pipe()
    streams = await open_streams(unused_read, write_fd)
    writer = LineWriter(streams.writer)
    sender = LineTransport(writer)
    sender.send(f'"{PLENTY}"')
    sender.send(f'"{PLENTY}"')
    os.close(read_fd)
    async with asyncio.timeout(WAIT_S):
        await streams.output_ended()
        sender.send("1")
        await writer.aclose()
    assert not writer.is_open
    os.close(unused_write)
    streams.close_input()


LIMIT = 20


def split(pieces: list[bytes], limit: int = LIMIT) -> list[bytes | Oversize]:
    splitter = LineSplitter(limit)
    return [line for piece in pieces for line in splitter.feed(piece)]


@st.composite
def cut_up(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    data = draw(
        st.lists(st.sampled_from([b"a", b"bc", b" ", b"\r", b"\n", b"\xff" * 9])).map(b"".join)
    )
    places = sorted(draw(st.lists(st.integers(0, len(data)))))
    pieces = [data[one:two] for one, two in zip([0, *places], [*places, len(data)], strict=True)]
    return data, pieces


@given(cut_up())
def test_it_does_not_matter_how_the_bytes_come(case: tuple[bytes, list[bytes]]) -> None:
    data, pieces = case
    lines = [line for line in data.split(b"\n")[:-1] if line and not line.isspace()]
    # A blank line that is too long is told of as well; nothing else can say that it was blank.
    blank = [line for line in data.split(b"\n")[:-1] if line.isspace() and len(line) > LIMIT]
    found = split(pieces)
    assert [line for line in found if isinstance(line, bytes)] == [
        line for line in lines if len(line) <= LIMIT
    ]
    assert sum(isinstance(line, Oversize) for line in found) == len(blank) + sum(
        len(line) > LIMIT for line in lines
    )


def test_a_line_that_is_too_long_is_dropped_and_the_next_one_is_whole() -> None:
    pieces = [b'["a",' + b"x" * 30, b"x" * 10_000, b"x\nshort\n", b"y" * 20 + b"\n"]
    first, *rest = split(pieces)
    assert isinstance(first, Oversize)
    assert first.start.startswith(b'["a",')
    assert rest == [b"short", b"y" * 20]


def test_of_a_line_that_never_ends_only_its_start_is_kept() -> None:
    splitter = LineSplitter(LIMIT)
    for _ in range(100):
        assert list(splitter.feed(b"z" * 1000)) == []
    assert len(b"".join(splitter._parts)) == 0
    (line,) = splitter.feed(b"\n")
    assert isinstance(line, Oversize)
    assert len(line.start) <= 1000


def test_the_rest_is_what_came_after_the_last_line() -> None:
    splitter = LineSplitter(LIMIT)
    assert splitter.rest() is None
    assert list(splitter.feed(b"one\n tw")) == [b"one"]
    assert list(splitter.feed(b"o")) == []
    assert splitter.rest() == b" two"
    assert list(splitter.feed(b"three\n  ")) == [b"three"]
    assert splitter.rest() is None
    assert list(splitter.feed(b"x" * 30)) == []
    assert isinstance(splitter.rest(), Oversize)
