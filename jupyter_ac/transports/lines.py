"""Connections over lines: one to a stream, or many that share it.

All of them write through one `LineWriter`, in turns, each from a queue of its own that is bounded
in bytes: a connection that lets it fill is cut off with 1013, the others go on.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.outbox import Outbox
from jupyter_ac.rpc.transport import EndOfInput, Take
from jupyter_ac.transports.inbox import Inbox
from jupyter_ac.transports.links import NORMAL, close_line, frame_line

logger = logging.getLogger(__name__)

OVERLOADED: Final = 1013

_MIB: Final = 1 << 20
_HIGH_WATER: Final = _MIB // 4
_FLUSH_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class LineLimits:
    """Bounds of one connection.

    Attributes:
        frame_bytes: a longer line ends the connection with 1009.
        inbox_frames: incoming frames that wait before reading waits.
        inbox_bytes: the same in bytes.
        outbox_bytes: outgoing bytes that wait before the connection is cut off with 1013.
    """

    frame_bytes: int = 64 * _MIB
    inbox_frames: int = 1024
    inbox_bytes: int = 64 * _MIB
    outbox_bytes: int = 64 * _MIB


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
        """Whether what is written can still arrive."""
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

    async def aclose(self) -> None:
        """Write the rest, as far as that goes within seconds, and close the stream."""
        if self._pump is not None:
            await asyncio.wait({self._pump}, timeout=_FLUSH_S)
        self._is_closed = True
        if self._pump is not None:
            self._pump.cancel()
        self._stream.close()
        try:
            await asyncio.wait_for(self._stream.wait_closed(), _FLUSH_S)
        except TimeoutError:
            self._stream.transport.abort()
        except OSError:
            logger.debug("the other side was gone first")

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
        frame = queue.pop()
        self.write(frame if isinstance(frame, str) else await asyncio.to_thread(frame))


class LineTransport:
    """The transport of one connection.

    The host calls `deliver` for each frame that comes, and `lost` when no more will.

    Args:
        writer: shared by all connections of the stream; closed by the host.
        limits: the bounds.
        link: its name among those that share the stream; None: the stream is its own.
    """

    def __init__(
        self, writer: LineWriter, limits: LineLimits = _DEFAULTS, link: str | None = None
    ) -> None:
        self._writer = writer
        self._limits = limits
        self._link = link
        self._inbox = Inbox(limits.inbox_frames, limits.inbox_bytes)
        self._outbox = Outbox()
        self._has_ended = False

    def deliver(self, frame: bytes) -> Awaitable[None] | None:
        """Take a frame; returns what to wait for before the next one, or None."""
        return self._inbox.put(frame)

    def lost(self, ended: ConnectionClosed) -> None:
        """Note that nothing more comes; what came before is still given.

        Args:
            ended: why. After `EndOfInput` answers still go out, after any other one nothing does.
        """
        if not isinstance(ended, EndOfInput):
            self._has_ended = True
            self._outbox.clear()
        self._inbox.end(ended, drop=False)

    async def receive(self) -> str | bytes:
        """Wait for the next frame."""
        return await self._inbox.get()

    def push_to(self, take: Take | None) -> None:
        """Hand frames to `take` from within `deliver`, as long as `receive` waits for one."""
        self._inbox.push_to(take)

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Write a frame, or queue it behind those that wait."""
        if self._has_ended:
            return
        self._write(self._line(frame), newest_key)

    def send_encoding(self, spell: Callable[[], str], size_bytes: int) -> None:
        """Queue a frame that a worker thread spells when its turn comes."""
        if not self._has_ended:
            self._queue(lambda: self._line(spell()), size_bytes)

    async def close(self, code: int = NORMAL, reason: str = "") -> None:
        """End the connection; what is queued is still written."""
        if self._has_ended:
            return
        if self._link is not None:
            self._write(close_line(self._link, code, reason))
        self._has_ended = True
        self._inbox.end(_closed(code, reason), drop=True)

    def cut(self, code: int, reason: str) -> None:
        """End the connection and forget what is queued for it."""
        if self._has_ended:
            return
        self._has_ended = True
        self._outbox.clear()
        if self._link is not None:
            line = close_line(self._link, code, reason)
            self._outbox.push(line, len(line))
            self._writer.enlist(self._outbox)
        self._inbox.end(_closed(code, reason), drop=True)

    def _line(self, frame: str) -> str:
        return frame if self._link is None else frame_line(self._link, frame)

    def _write(self, line: str, newest_key: str | None = None) -> None:
        if not len(self._outbox) and self._writer.has_room:
            self._writer.write(line)
        else:
            self._queue(line, len(line), newest_key)

    def _queue(
        self, line: str | Callable[[], str], size_bytes: int, newest_key: str | None = None
    ) -> None:
        self._outbox.push(line, size_bytes, newest_key)
        if self._outbox.size_bytes > self._limits.outbox_bytes:
            logger.warning("a receiver is too slow: %d bytes wait", self._outbox.size_bytes)
            self.cut(OVERLOADED, "too much is waiting to be read; reconnect")
        else:
            self._writer.enlist(self._outbox)


def _closed(code: int, reason: str) -> ConnectionClosed:
    return ConnectionClosed(reason or "the connection is closed", code)
