"""Frames from a bare client, in every kind of pieces, against a real server."""

import asyncio
import os
import struct
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application
from tornado.websocket import WebSocketProtocol13

from jupyter_ac.hosts.sockets.frame_reader import BulkProtocol, in_bulk
from jupyter_ac.hosts.sockets.handler import FrameSocketHandler
from jupyter_ac.transports.websocket import TransportLimits
from tests.support.examples import examples

WAIT_S = 90.0
TEXT, BINARY, CONTINUED, CLOSE, PING = 0x1, 0x2, 0x0, 0x8, 0x9
LIMITS = TransportLimits(frame_bytes=1 << 20)


class Echo(FrameSocketHandler):
    """Sends every message back through the transport, as calls are answered."""

    @property
    def max_message_size(self) -> int:
        return 1 << 20

    def check_origin(self, origin: str) -> bool:
        del origin
        return True

    def open(self, *_args: str, **_kwargs: str) -> None:
        self._echo = self.carry(LIMITS)
        assert isinstance(self.ws_connection, BulkProtocol)

    def on_message(self, message: str | bytes) -> Awaitable[None] | None:
        self._echo.send(message if isinstance(message, str) else f"{len(message)} bytes")
        return None


def frame(opcode: int, payload: bytes, *, is_last: bool = True) -> bytes:
    """A client's frame."""
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
    head = bytes([(0x80 if is_last else 0) | opcode])
    size = len(payload)
    if size < 126:
        return head + bytes([0x80 | size]) + mask + masked
    if size < 1 << 16:
        return head + struct.pack("!BH", 0x80 | 126, size) + mask + masked
    return head + struct.pack("!BQ", 0x80 | 127, size) + mask + masked


async def receive(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head, size = await reader.readexactly(2)
    if size == 126:
        (size,) = struct.unpack("!H", await reader.readexactly(2))
    elif size == 127:
        (size,) = struct.unpack("!Q", await reader.readexactly(8))
    return head & 0x0F, await reader.readexactly(size)


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    listener, port = bind_unused_port()
    server = HTTPServer(Application([("/", Echo)]))
    server.add_socket(listener)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    try:
        async with asyncio.timeout(WAIT_S):
            assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
            yield reader, writer
    finally:
        writer.close()
        server.stop()
        await server.close_all_connections()


SIZES = st.sampled_from([0, 1, 5, 125, 126, 127, 3000, 65_535, 65_536, 70_000])
KINDS = st.sampled_from(["text", "binary", "ping", "pieces"])


def spelt(kind: str, size: int, number: int) -> tuple[bytes, tuple[int, bytes]]:
    """A message as it is sent, and what comes back."""
    payload = (b"%d " % number * (size // 2 + 1))[:size]
    if kind == "binary":
        return frame(BINARY, payload), (TEXT, b"%d bytes" % size)
    if kind == "ping":
        return frame(PING, payload[:125]), (0xA, payload[:125])
    if kind == "pieces":
        half = size // 2
        first = frame(TEXT, payload[:half], is_last=False)
        # A control frame may stand in between; its answer is not looked for.
        return first + frame(CONTINUED, payload[half:]), (TEXT, payload)
    return frame(TEXT, payload), (TEXT, payload)


@settings(deadline=None, max_examples=examples(25))
@given(
    messages=st.lists(st.tuples(KINDS, SIZES), max_size=12),
    cuts=st.lists(st.integers(1, 4000), min_size=1, max_size=8),
)
def test_every_message_arrives_however_it_is_cut(
    messages: list[tuple[str, int]], cuts: list[int]
) -> None:
    sent = [spelt(kind, size, number) for number, (kind, size) in enumerate(messages)]
    stream = b"".join(data for data, _ in sent)

    async def talk() -> list[tuple[int, bytes]]:
        async with connected() as (reader, writer):
            at, turn = 0, 0
            while at < len(stream):
                step = cuts[turn % len(cuts)]
                writer.write(stream[at : at + step])
                if turn < 40:
                    await writer.drain()
                    await asyncio.sleep(0)
                at, turn = at + step, turn + 1
            return [await receive(reader) for _ in sent]

    answers = asyncio.run(talk())
    # Tornado may leave out a pong when pings follow each other closely.
    texts = [answer for answer in answers if answer[0] == TEXT]
    expected = [answer for _, answer in sent if answer[0] == TEXT]
    assert texts == expected


async def test_a_burst_is_answered_in_order() -> None:
    async with connected() as (reader, writer):
        count = 2000
        writer.write(b"".join(frame(TEXT, b"%d" % number) for number in range(count)))
        assert [(await receive(reader))[1] for _ in range(count)] == [
            b"%d" % number for number in range(count)
        ]


@pytest.mark.parametrize(
    "broken",
    [
        frame(TEXT, b"\xff\xfe"),
        b"\xf1\x80" + b"\0" * 4,
        frame(CONTINUED, b"of nothing"),
        frame(0x3, b"unknown"),
    ],
    ids=["not UTF-8", "reserved bits", "continued", "unknown"],
)
async def test_what_breaks_the_protocol_ends_the_connection(broken: bytes) -> None:
    async with connected() as (reader, writer):
        writer.write(frame(TEXT, b"before") + broken + frame(TEXT, b"after"))
        assert await receive(reader) == (TEXT, b"before")
        rest = await reader.read()
        assert b"after" not in rest


async def test_a_close_in_a_burst_is_behind_the_answers() -> None:
    async with connected() as (reader, writer):
        end = frame(CLOSE, struct.pack("!H", 1000))
        writer.write(frame(TEXT, b"one") + frame(TEXT, b"two") + end + frame(TEXT, b"three"))
        assert [await receive(reader) for _ in range(3)] == [
            (TEXT, b"one"),
            (TEXT, b"two"),
            (CLOSE, struct.pack("!H", 1000)),
        ]


def test_another_protocol_is_left_alone() -> None:
    class Other(WebSocketProtocol13):
        """One that a handler chose for itself."""

    other = object.__new__(Other)
    handler = object.__new__(Echo)
    assert in_bulk(None, handler) is None
    assert in_bulk(other, handler) is other
