"""The transport of a plugin's pipe at the host's end: it may be hostile, or only too fast.

What comes too fast is left in the pipe, so that the plugin waits; what it doesn't read is kept up
to a bound, at which the connection ends.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.codec import utf8_bytes
from jupyter_ac.rpc.transport import Transport

MAX_FRAME_BYTES: Final = 2 << 20
"""A longer message of a plugin ends its connection; a tree has at most half of it."""

MAX_QUEUED_BYTES: Final = 8 << 20
"""What a plugin may leave unread."""

FRAMES_PER_S: Final = 1_000
BYTES_PER_S: Final = 16 << 20

BURST_S: Final = 0.25
"""What has not been used up, for a burst."""

_TOO_LARGE: Final = 1009
_OVERLOADED: Final = 1013


class QueueingTransport(Transport, Protocol):
    """A transport that counts what it has yet to send."""

    @property
    def queued_bytes(self) -> int:
        """Bytes that wait for the other side to read."""


class Pace:
    """Says how long to wait before more is read.

    Args:
        clock: returns seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._paid_s = clock() - BURST_S

    def count(self, size_bytes: int) -> float:
        """Count a frame; returns the seconds to wait before it is handled."""
        now = self._clock()
        cost_s = 1 / FRAMES_PER_S + size_bytes / BYTES_PER_S
        self._paid_s = max(self._paid_s, now - BURST_S) + cost_s
        return max(0.0, self._paid_s - now)


class PluginTransport:
    """A transport with bounds around another one.

    Args:
        inner: carries the frames; closed with this one.
        on_text: is given what isn't a message, such as lines that a plugin prints; None: all of it
            goes to the peer.
        on_overflow: called when too much is left unread: ends the other side.
        sleep: waits for some seconds.
    """

    def __init__(
        self,
        inner: QueueingTransport,
        on_text: Callable[[bytes], None] | None = None,
        on_overflow: Callable[[], None] = lambda: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._inner = inner
        self._on_overflow = on_overflow
        self._on_text = on_text
        self._sleep = sleep
        self._pace = Pace(asyncio.get_running_loop().time)
        self._ended: ConnectionClosed | None = None
        self._closing: asyncio.Task[None] | None = None

    async def receive(self) -> str | bytes:
        """Wait for the next message, and for its turn.

        Raises:
            ConnectionClosed: there is none, it is too long, or too much was left unread.
        """
        while True:
            if self._ended is not None:
                raise self._ended
            frame = await self._receive()
            size_bytes = utf8_bytes(frame) if isinstance(frame, str) else len(frame)
            if size_bytes > MAX_FRAME_BYTES:
                most = MAX_FRAME_BYTES >> 20
                raise ConnectionClosed(f"it sent a message of more than {most} MiB", _TOO_LARGE)
            wait_s = self._pace.count(size_bytes)
            if wait_s:
                await self._sleep(wait_s)
            if self._on_text is None or _is_message(frame):
                return frame
            self._on_text(frame.encode() if isinstance(frame, str) else frame)

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Enqueue a frame, unless too much waits already."""
        if self._inner.queued_bytes > MAX_QUEUED_BYTES and self._ended is None:
            self._ended = ConnectionClosed("it does not read what it is sent", _OVERLOADED)
            close = self._inner.close(_OVERLOADED, "what it was sent was not read")
            self._closing = asyncio.get_running_loop().create_task(close)
            self._on_overflow()
        if self._ended is None:
            self._inner.send(frame, newest_key=newest_key)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the connection; idempotent."""
        await self._inner.close(code, reason)

    async def _receive(self) -> str | bytes:
        try:
            return await self._inner.receive()
        except ConnectionClosed:
            if self._ended is not None:
                raise self._ended from None
            raise


def _is_message(frame: str | bytes) -> bool:
    start: str | bytes = frame.lstrip()[:1]
    return start in {"{", "[", b"{", b"["}
