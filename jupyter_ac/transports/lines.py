"""Line-based transports: one connection per stream, or many that share it.

All of them write through one `LineWriter`, in turns, each from a queue of its own that is bounded
in bytes: a connection that lets it fill is cut off with 1013, the others go on. One that has the
stream for itself may be more patient: its calls wait until what was answered has been read. What
arrives is split into lines by `LineSplitter`.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.codec import utf8_bytes
from jupyter_ac.rpc.outbox import Outbox, as_text
from jupyter_ac.rpc.transport import EndOfInput, Take
from jupyter_ac.transports.inbox import Inbox
from jupyter_ac.transports.link_lines import NORMAL, close_line, frame_line

logger = logging.getLogger(__name__)

OVERLOADED: Final = 1013

_MIB: Final = 1 << 20
_HIGH_WATER: Final = _MIB // 4
_FLUSH_S: Final = 2.0

PATIENCE_S: Final = 60.0
"""How long a reader may read nothing before `LineWriter.finish` gives up."""


@dataclass(frozen=True, slots=True)
class LineLimits:
    """Bounds of one connection.

    Attributes:
        frame_bytes: a longer line ends the connection with 1009.
        inbox_frames: incoming frames that wait before reading waits.
        inbox_bytes: the same in bytes.
        outbox_bytes: outgoing bytes that wait before the connection is cut off with 1013.
        pause_bytes: outgoing bytes that wait before incoming frames do; None: they never do.
    """

    frame_bytes: int = 64 * _MIB
    inbox_frames: int = 1024
    inbox_bytes: int = 64 * _MIB
    outbox_bytes: int = 64 * _MIB
    pause_bytes: int | None = None


_DEFAULTS: Final = LineLimits()


class LineWriter:
    """Writes the lines of all connections that share a stream.

    Args:
        stream: where they go; closed with the writer.
    """

    def __init__(self, stream: asyncio.StreamWriter) -> None:
        self._stream = stream
        self._waiting: deque[Outbox] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._is_closed = False

    @property
    def is_open(self) -> bool:
        """Whether written lines can still arrive."""
        return not self._is_closed and not self._stream.is_closing()

    @property
    def has_room(self) -> bool:
        """Whether a line may be written now, before no other one."""
        buffered = self._stream.transport.get_write_buffer_size()
        return self._pump is None and buffered < _HIGH_WATER

    def write(self, line: str) -> None:
        """Write a line at once; after the end it is dropped."""
        if self.is_open:
            self._stream.write(line.encode("utf-8", "surrogatepass") + b"\n")

    def enlist(self, queue: Outbox) -> None:
        """Write what is in this queue, and what will be in it, as soon as there is room."""
        if queue not in self._waiting:
            self._waiting.append(queue)
        if self._pump is None:
            self._pump = asyncio.get_running_loop().create_task(self._drain(), name="line writer")

    async def finish(self) -> bool:
        """Write the rest and close the stream; continues as long as the other side reads.

        Returns:
            Whether the other side has read all of it, or has closed.

        Raises:
            OSError: it can't be written, as on a full disk.
        """
        finishing = asyncio.ensure_future(self._finish())
        try:
            while not finishing.done():
                left = self._left_bytes()
                await asyncio.wait({finishing}, timeout=PATIENCE_S)
                if not finishing.done() and self._left_bytes() == left:
                    self._stream.transport.abort()
                    return False
        finally:
            finishing.cancel()
        await finishing
        return True

    async def aclose(self) -> None:
        """Write the rest, as far as that goes within seconds, and close the stream."""
        if self._pump is not None:
            await asyncio.wait({self._pump}, timeout=_FLUSH_S)
        self._is_closed = True
        if self._pump is not None:
            self._pump.cancel()
        self._stream.close()
        # Not `asyncio.timeout`: before Python 3.11.3 it doesn't work in a cancelled task.
        closing = asyncio.ensure_future(self._stream.wait_closed())
        await asyncio.wait({closing}, timeout=_FLUSH_S)
        if not closing.done():
            closing.cancel()
            self._stream.transport.abort()
        elif isinstance(closing.exception(), OSError):
            logger.debug("the other side was gone first")
        else:
            closing.result()

    async def _finish(self) -> None:
        if self._pump is not None:
            await asyncio.wait({self._pump})
        self._stream.close()
        with suppress(ConnectionError):
            await asyncio.shield(self._stream.wait_closed())

    def _left_bytes(self) -> int:
        queued = sum(queue.size_bytes for queue in self._waiting)
        return queued + self._stream.transport.get_write_buffer_size()

    async def _drain(self) -> None:
        try:
            with suppress(OSError):
                while self._waiting and self.is_open:
                    await self._stream.drain()
                    queue = self._waiting.popleft()
                    await self._write_one(queue)
                    if len(queue) and queue not in self._waiting:
                        self._waiting.append(queue)
        finally:
            self._waiting.clear()
            self._pump = None

    async def _write_one(self, queue: Outbox) -> None:
        if not len(queue):  # its connection was cut off meanwhile
            return
        self.write(await as_text(queue.pop()))


class LineTransport:
    """The transport of one connection.

    The host calls `deliver` for each frame that comes, and `lost` when no more will.

    Args:
        writer: shared by all connections of the stream; closed by the host.
        limits: the bounds.
        link: its name among those that share the stream; None: the stream is its own.
        on_end: called when nothing more can be sent.
    """

    def __init__(
        self,
        writer: LineWriter,
        limits: LineLimits = _DEFAULTS,
        link: str | None = None,
        on_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._writer = writer
        self._limits = limits
        self._link = link
        self._on_end = on_end
        self._inbox = Inbox(limits.inbox_frames, limits.inbox_bytes)
        self._outbox = Outbox(self._let_in)
        self._room: asyncio.Future[None] | None = None
        self._take: Take | None = None
        self._has_ended = False
        self._was_cut = False

    @property
    def was_cut(self) -> bool:
        """Whether it was ended because the other side didn't keep up or broke a rule."""
        return self._was_cut

    @property
    def queued_bytes(self) -> int:
        """Bytes that have not been handed to the stream yet."""
        return self._outbox.size_bytes

    def deliver(self, frame: bytes) -> Awaitable[None] | None:
        """Take a frame; returns what to wait for before the next one, or None."""
        return self._inbox.put(frame)

    def lost(self, ended: ConnectionClosed) -> None:
        """Record the end of the input; earlier frames are still delivered.

        Args:
            ended: why. After `EndOfInput` answers still go out, after any other one nothing does.
        """
        if isinstance(ended, EndOfInput):
            self._inbox.end(ended, drop=False)
            return
        self._outbox.clear()
        self._end(ended, drop=False)

    async def receive(self) -> str | bytes:
        """Wait for the next frame, and before it for room for what it may bring about."""
        while self._is_full():
            self._room = self._room or asyncio.get_running_loop().create_future()
            await asyncio.shield(self._room)
        self._inbox.push_to(self._take)
        return await self._inbox.get()

    def push_to(self, take: Take | None) -> None:
        """Hand frames to `take` from within `deliver`, as long as `receive` waits for one."""
        self._take = take
        self._inbox.push_to(None if self._is_full() else take)

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Write a frame, or queue it behind those that wait."""
        if self._has_ended:
            return
        self._write(self._line(frame), newest_key)

    def send_encoding(
        self, spell: Callable[[], str], size_bytes: int, *, at_once: bool = True
    ) -> None:
        """Queue a frame that a worker thread serializes, immediately or when its turn comes."""
        if self._has_ended:
            return
        if at_once:
            self._outbox.push_spelling(lambda: self._line(spell()), size_bytes, self._queued)
        else:
            self._outbox.push(lambda: self._line(spell()), size_bytes)
        self._queued()

    async def close(self, code: int = NORMAL, reason: str = "") -> None:
        """End the connection; what is queued is still written."""
        if self._has_ended:
            return
        if self._link is not None:
            self._write(close_line(self._link, code, reason))
        self._end(_closed(code, reason), drop=True)

    def cut(self, code: int, reason: str) -> None:
        """End the connection and forget what is queued for it."""
        if self._has_ended:
            return
        self._was_cut = True
        self._outbox.clear()
        if self._link is not None:
            line = close_line(self._link, code, reason)
            self._outbox.push(line, len(line))
            self._writer.enlist(self._outbox)
        self._end(_closed(code, reason), drop=True)

    def _line(self, frame: str) -> str:
        return frame if self._link is None else frame_line(self._link, frame)

    def _write(self, line: str, newest_key: str | None = None) -> None:
        if not len(self._outbox) and self._writer.has_room:
            self._writer.write(line)
        else:
            self._outbox.push(line, utf8_bytes(line), newest_key)
            self._queued()

    def _end(self, ended: ConnectionClosed, *, drop: bool) -> None:
        self._has_ended = True
        self._let_in()
        self._inbox.end(ended, drop=drop)
        self._on_end()

    def _queued(self) -> None:
        """See to what has just been queued, or has just been counted."""
        if self._has_ended:
            return
        # One line alone is no queue: what is too large for any connection is refused as an answer.
        if self._outbox.size_bytes > self._limits.outbox_bytes and len(self._outbox) > 1:
            logger.warning("a receiver is too slow: %d bytes wait", self._outbox.size_bytes)
            self.cut(OVERLOADED, "too much is waiting to be read; reconnect")
            return
        self._writer.enlist(self._outbox)
        if self._is_full():
            self._inbox.push_to(None)

    def _let_in(self) -> None:
        if self._room is not None and not self._is_full():
            room, self._room = self._room, None
            if not room.done():
                room.set_result(None)

    def _is_full(self) -> bool:
        pause_bytes = self._limits.pause_bytes
        if pause_bytes is None or self._has_ended or not self._writer.is_open:
            return False
        return self._outbox.size_bytes > pause_bytes


def _closed(code: int, reason: str) -> ConnectionClosed:
    return ConnectionClosed(reason or "the connection is closed", code)


_START_BYTES: Final = 128


@dataclass(frozen=True, slots=True)
class Oversize:
    """A line that was too long to keep.

    Attributes:
        start: its first bytes.
    """

    start: bytes


class LineSplitter:
    """Splits a stream of bytes into lines, without their ends; blank lines are left out.

    Args:
        max_bytes: a longer line is dropped, and reported at its end.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._parts: list[bytes] = []
        self._size = 0
        self._dropped: bytes | None = None

    def feed(self, data: bytes) -> Iterator[bytes | Oversize]:
        """Take what came and give the lines that it completes; to be read to the end."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            self._add(part)
            line = self._take()
            if isinstance(line, Oversize) or (line and not line.isspace()):
                yield line
        self._add(rest)

    def rest(self) -> bytes | Oversize | None:
        """Give what came after the last line's end; None when that is nothing."""
        line = self._take()
        return line if isinstance(line, Oversize) or line.strip() else None

    def _add(self, part: bytes) -> None:
        self._size += len(part)
        if self._dropped is None and part:
            self._parts.append(part)
            if self._size > self._max_bytes:
                self._dropped = b"".join(self._parts)[:_START_BYTES]
                self._parts = []

    def _take(self) -> bytes | Oversize:
        parts, dropped = self._parts, self._dropped
        self._parts, self._dropped, self._size = [], None, 0
        if dropped is not None:
            return Oversize(dropped)
        return parts[0] if len(parts) == 1 else b"".join(parts)
