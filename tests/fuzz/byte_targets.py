"""What decoders of bytes must keep to, however the network cuts what comes."""

import asyncio
import gzip
import json
import random
import zlib
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias
from unittest.mock import MagicMock

from tornado.httputil import HTTPHeaders
from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketProtocol13, _WebSocketParams

from jupyter_ac.hosts.edge.request_body import HttpRefusal, RequestBody
from jupyter_ac.hosts.kernel.relay.endpoint import End
from jupyter_ac.hosts.kernel.relay.envelopes import Carrying, carrying, read_message
from jupyter_ac.hosts.sockets.frame_reader import BulkProtocol
from jupyter_ac.http_client.server_events import EventParser
from jupyter_ac.transports.lines import LineSplitter, Oversize
from jupyter_ac.transports.link_lines import (
    Closed,
    Framed,
    LinkFault,
    Opened,
    close_line,
    frame_line,
    link_of,
    open_line,
    read_line,
)

LINE_BYTES: Final = 1 << 12
BODY_BYTES: Final = 1 << 12
MESSAGE_BYTES: Final = 1 << 12


Cut: TypeAlias = Callable[[bytes], Iterator[bytes]]
"""Cuts data into pieces as a network does."""


def small_pieces(data: bytes) -> Iterator[bytes]:
    """Cut data into pieces of 40 bytes."""
    return (data[at : at + 40] for at in range(0, len(data), 40))


def any_pieces(data: bytes) -> Iterator[bytes]:
    """Cut data into pieces of all sizes, always the same ones for the same data."""
    chance = random.Random(zlib.crc32(data))
    longest = chance.choice((1, 3, 40, 1 << 12, 1 << 17))
    if len(data) > 1 << 14:
        longest = max(longest, 1 << 12)
    at = 0
    while at < len(data):
        end = at + chance.randint(1, longest)
        yield data[at:end]
        at = end


class LinesTarget:
    """Lines come out as they went in, and one that is too long without what was in it."""

    def __init__(self, cut: Cut) -> None:
        self._cut = cut

    def check(self, data: bytes) -> None:
        splitter = LineSplitter(LINE_BYTES)
        found = [line for piece in self._cut(data) for line in splitter.feed(piece)]
        rest = splitter.rest()
        whole = [*found, *([] if rest is None else [rest])]
        expected = [line for line in data.split(b"\n") if len(line) > LINE_BYTES or line.strip()]
        assert len(whole) == len(expected)
        for line, was in zip(whole, expected, strict=True):
            if isinstance(line, Oversize):
                assert len(was) > LINE_BYTES
                assert was.startswith(line.start)
                assert link_of(line.start) is not None
            else:
                assert line == was


class LinkTarget:
    """A line of a link is read, or refused; what was read is written as the same line."""

    def check(self, data: bytes) -> None:
        for line in (data, data.decode("utf-8", "surrogateescape"), b'["a",%s]' % data):
            try:
                read = read_line(line)
            except LinkFault:
                continue
            if isinstance(read, Framed):
                assert read.frame in (
                    line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")
                )
            else:
                self._written(read)
        text = data.decode("utf-8", "replace")
        framed = frame_line("a", text)
        assert "\n" not in framed
        assert isinstance(read_line(framed), Framed)

    def _written(self, read: Opened | Closed) -> None:
        if isinstance(read, Opened):
            assert read_line(open_line(read.link, read.client, read.aside)) == read
        else:
            again = read_line(close_line(read.link, read.code, read.reason))
            assert again == read


class RelayTarget:
    """A message of the comm is read or not; both ends of a link stay within their windows."""

    def __init__(self) -> None:
        self._end, self._now = End(), 0.0

    def check(self, data: bytes) -> None:
        try:
            content: object = json.loads(data)
        except (ValueError, RecursionError):
            return
        for each in content if isinstance(content, list) else [content]:
            message = read_message(each)
            if isinstance(message, Carrying):
                self._carry(message)

    def _carry(self, message: Carrying) -> None:
        assert read_message(carrying(message.link, message.envelope)) == message
        self._now += 0.5
        frames = self._end.receive(message.envelope, self._now)
        assert all(isinstance(frame, str) for frame in frames)
        self._end.push("x")
        while self._end.poll(self._now) is not None:
            pass
        if self._end.is_gone or self._end.incoming.received > 1000 or self._end.outgoing.last > 500:
            self._end = End()


class EventsTarget:
    """The same events come out however the stream is cut."""

    def __init__(self, cut: Cut) -> None:
        self._cut = cut

    def check(self, data: bytes) -> None:
        parser = EventParser()
        found = [event for piece in self._cut(data) for event in parser.feed(piece)]
        assert found == EventParser().feed(data)
        assert found == _events(data)


def _events(data: bytes) -> list[str]:
    """The events of a stream, as the standard's grammar has them."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    if data and not data.decode("utf-8", "ignore"):
        text = ""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:-1]
    found: list[str] = []
    waiting: list[str] = []
    for line in lines:
        if not line and waiting:
            found.append("\n".join(waiting))
            waiting = []
        name, _, value = line.partition(":")
        if name == "data":
            waiting.append(value.removeprefix(" "))
    return found


class BodyTarget:
    """A body is what was sent, unpacked, or is refused; it never passes its limit."""

    def __init__(self, cut: Cut) -> None:
        self._cut = cut

    def check(self, data: bytes) -> None:
        self._plain(data)
        self._packed(data)
        self._packed(gzip.compress(data, 1, mtime=0))

    def _plain(self, data: bytes) -> None:
        found = self._body(data, "")
        assert found == (data if len(data) <= BODY_BYTES else 413)

    def _packed(self, data: bytes) -> None:
        found = self._body(data, "gzip")
        unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            expected = unpacker.decompress(data, BODY_BYTES + 1)
        except zlib.error:
            assert found in {400, 413}
            return
        if len(expected) > BODY_BYTES:
            assert found in {400, 413}
        elif unpacker.eof and not unpacker.unused_data:
            assert found == expected
        else:
            assert found in {400, 413}

    def _body(self, data: bytes, encoding: str) -> bytes | int:
        headers = HTTPHeaders({"Content-Type": "application/json"})
        if encoding:
            headers["Content-Encoding"] = encoding
        body = RequestBody(headers, BODY_BYTES)
        try:
            for piece in self._cut(data):
                body.add(piece)
            return body.frame()
        except HttpRefusal as refusal:
            return int(refusal.status)


class BytesStream:
    """What a socket's protocol needs of tornado's stream, with everything that will come."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = list(pieces)[::-1]
        self._kept = b""
        self.is_closed = False
        self.io_loop = MagicMock()

    async def read_bytes(self, count: int, *, partial: bool = False) -> bytes:
        while len(self._kept) < (1 if partial else count):
            if not self._pieces or self.is_closed:
                raise StreamClosedError
            self._kept += self._pieces.pop()
        found, self._kept = self._kept[:count], self._kept[count:]
        return found

    def write(self, _data: bytes) -> "asyncio.Future[None]":
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    def closed(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True


class SocketTarget:
    """Frames read in bulk are the same messages as those that tornado reads one by one."""

    def __init__(self, cut: Cut, loop: asyncio.AbstractEventLoop) -> None:
        self._cut = cut
        self._loop = loop

    def check(self, data: bytes) -> None:
        run = self._loop.run_until_complete
        ours = run(_messages(BulkProtocol, self._cut(data)))
        theirs = run(_messages(WebSocketProtocol13, self._cut(data)))
        assert ours == theirs


class Taker:
    """Takes the messages of a protocol."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, str | bytes]] = []

    def on_message(self, message: str | bytes) -> None:
        self.taken.append(("message", message))

    def on_ping(self, data: bytes) -> None:
        self.taken.append(("ping", data))

    def on_pong(self, data: bytes) -> None:
        self.taken.append(("pong", data))

    def on_ws_connection_close(self, code: int | None = None, reason: str | None = None) -> None:
        self.taken.append(("closed", f"{code} {reason}"))

    def log_exception(self, *error: object) -> None:
        raise AssertionError(error)


async def _messages(
    kind: type[WebSocketProtocol13], pieces: Iterator[bytes]
) -> list[tuple[str, str | bytes]]:
    taker = Taker()
    params = _WebSocketParams(max_message_size=MESSAGE_BYTES)
    protocol = kind(taker, mask_outgoing=False, params=params)
    stream = BytesStream(pieces)
    object.__setattr__(protocol, "stream", stream)
    try:
        await protocol._receive_frame_loop()
    except UnicodeDecodeError:  # of the reason of a close; tornado then ends the connection
        taker.taken.append(("malformed", ""))
    return taker.taken
