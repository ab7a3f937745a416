"""A transport over a WebSocket, independent of the socket's library.

Reading: the socket's callback hands over whole frames and waits for what `deliver` returns, so that
a full inbox stops the socket itself from reading.

Writing: a frame goes straight to the socket as long as nothing waits before it. When the socket has
to wait for the network, or a frame is not serialized yet, one task empties the queue in order. The
queue is bounded in bytes; a receiver that lets it fill is cut off with 1013.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.codec import utf8_bytes
from jupyter_ac.rpc.outbox import Outbox, as_text
from jupyter_ac.rpc.transport import Take
from jupyter_ac.transports.inbox import Inbox

_logger = logging.getLogger(__name__)

_TOO_LARGE: Final = 1009
_OVERLOADED: Final = 1013
_ABNORMAL: Final = 1006
"""Means that there was no close frame; may not stand in one."""
_BROKEN: Final = 1011
_REASON_BYTES: Final = 123
_BURST: Final = 32
_FLUSH_S: Final = 2.0
_MIB: Final = 1 << 20


class Socket(Protocol):
    """The interface of a WebSocket that the transport needs."""

    def send_text(self, text: str) -> Awaitable[None] | None:
        """Send one text frame.

        Returns:
            None when the socket took it at once; else what to wait for before the next frame. A
            coroutine function fits, at the price of a task's turn for each frame.

        Raises:
            ConnectionClosed: the socket is closed; any other exception is taken the same way.
        """

    def close(self, code: int, reason: str) -> None:
        """Begin the closing handshake; never raises."""


@dataclass(frozen=True, slots=True)
class TransportLimits:
    """Bounds of one connection.

    Attributes:
        frame_bytes: a longer incoming frame closes the connection with 1009.
        inbox_frames: incoming frames that wait before the socket stops reading.
        inbox_bytes: the same in bytes.
        outbox_bytes: outgoing bytes that wait before the connection is closed with 1013.
        outbox_s: how long the socket may take nothing while frames wait, before the same.
    """

    frame_bytes: int = 64 * _MIB
    inbox_frames: int = 256
    inbox_bytes: int = 64 * _MIB
    outbox_bytes: int = 64 * _MIB
    outbox_s: float = 120.0


_DEFAULTS: Final = TransportLimits()


class WebSocketTransport:
    """The transport of one WebSocket.

    The host calls `deliver` for each frame and has the socket wait for what that returns, and calls
    `lost` when the socket has closed.

    Args:
        socket: the open socket.
        limits: the bounds.
    """

    def __init__(self, socket: Socket, limits: TransportLimits = _DEFAULTS) -> None:
        self._socket = socket
        self._limits = limits
        self._inbox = Inbox(limits.inbox_frames, limits.inbox_bytes)
        self._outbox = Outbox()
        self._drain: asyncio.Task[None] | None = None
        self._has_ended = False

    @property
    def has_room(self) -> bool:
        """Whether the next frame may be delivered now."""
        return self._inbox.has_room

    @property
    def queued_bytes(self) -> int:
        """Bytes that wait for the other side to read."""
        return self._outbox.size_bytes

    def deliver(self, frame: str | bytes) -> Awaitable[None] | None:
        """Take a frame from the socket; never blocks.

        Returns:
            What to wait for before the socket is read again; None: nothing. Either the inbox is
            full, or the frame set something in motion that should get its turn first: its answer
            then leaves before the socket is asked in vain for the next frame.
        """
        if _size(frame, self._limits.frame_bytes) > self._limits.frame_bytes:
            megabytes = self._limits.frame_bytes / _MIB
            self._close_now(_TOO_LARGE, f"a message may have at most {megabytes:g} MiB")
            return None
        return self._inbox.put(frame)

    async def wait_room(self) -> None:
        """Wait until the next frame may be delivered; ends with the connection at the latest."""
        await self._inbox.wait_room()

    def lost(self, code: int = _ABNORMAL, reason: str = "") -> None:
        """Note that the socket has closed; frames that came before it are still given."""
        self._end(code, reason, drop=False)

    async def receive(self) -> str | bytes:
        """Wait for the next frame."""
        return await self._inbox.get()

    def push_to(self, take: Take | None) -> None:
        """Hand frames to `take` from within `deliver`, as long as `receive` waits for one."""
        self._inbox.push_to(take)

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Send a frame, or queue it behind those that wait."""
        if self._has_ended:
            return
        if self._drain is not None:
            self._outbox.push(frame, utf8_bytes(frame), newest_key)
            self._check_outbox()
            return
        try:
            waits = self._socket.send_text(frame)
        except Exception as error:  # noqa: BLE001 - each socket library has its own
            self._fail(error)
            return
        if waits is not None:
            self._drain = asyncio.get_running_loop().create_task(self._empty(waits))

    def send_encoding(
        self, spell: Callable[[], str], size_bytes: int, *, at_once: bool = True
    ) -> None:
        """Queue a frame that a worker thread spells, from now on or when its turn comes."""
        if self._has_ended:
            return
        if at_once:
            self._outbox.push_spelling(spell, size_bytes, self._check_outbox)
        else:
            self._outbox.push(spell, size_bytes)
        self._check_outbox()
        if self._drain is None and not self._has_ended:
            self._drain = asyncio.get_running_loop().create_task(self._empty(None))

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Send what is queued, for two seconds at most, then close the socket."""
        if self._drain is not None and not self._has_ended:
            await asyncio.wait([self._drain], timeout=_FLUSH_S)
        self._close_now(code, reason)

    async def _empty(self, waits: Awaitable[None] | None) -> None:
        written = 0
        try:
            if waits is not None:
                await self._written(waits)
            while len(self._outbox) and not self._has_ended:
                waits = self._socket.send_text(await as_text(self._outbox.pop()))
                written += 1
                if waits is not None:
                    await self._written(waits)
                elif not written % _BURST:
                    await asyncio.sleep(0)
        except Exception as error:  # noqa: BLE001 - each socket library has its own
            self._fail(error)
        finally:
            self._drain = None

    async def _written(self, waits: Awaitable[None]) -> None:
        """Wait until the socket has taken a frame; cut a receiver off that has stopped reading."""
        # Shielded: socket libraries take a cancelled write for a fault of their own.
        try:
            async with asyncio.timeout(self._limits.outbox_s):
                await asyncio.shield(waits)
        except TimeoutError:
            self._cut_off()

    def _check_outbox(self) -> None:
        # One frame alone is no queue: what is too large for any connection is refused as an answer.
        if self._outbox.size_bytes > self._limits.outbox_bytes and len(self._outbox) > 1:
            self._cut_off()

    def _cut_off(self) -> None:
        _logger.warning("a receiver is too slow: %d bytes wait", self._outbox.size_bytes)
        self._close_now(_OVERLOADED, "too much is waiting to be sent; reconnect")

    def _fail(self, error: Exception) -> None:
        _logger.debug("the socket refused a frame: %r", error)
        code = error.close_code if isinstance(error, ConnectionClosed) else _ABNORMAL
        self._close_now(code, "")

    def _close_now(self, code: int, reason: str) -> None:
        if self._has_ended:
            return
        self._end(code, reason, drop=True)
        self._socket.close(_BROKEN if code == _ABNORMAL else code, _shorten(reason))

    def _end(self, code: int, reason: str, *, drop: bool) -> None:
        if self._has_ended:
            return
        self._has_ended = True
        self._outbox.clear()
        self._inbox.end(ConnectionClosed(reason or "the connection is closed", code), drop=drop)
        if self._drain is not None and self._drain is not asyncio.current_task():
            # Not at once: a task that never began would leave the socket's coroutine unawaited.
            asyncio.get_running_loop().call_soon(self._drain.cancel)


def _size(frame: str | bytes, limit: int) -> int:
    """Measure in bytes, but only where characters could hide that it matters."""
    if isinstance(frame, bytes) or len(frame) * 4 <= limit or len(frame) > limit:
        return len(frame)
    return len(frame.encode("utf-8", "surrogatepass"))


def _shorten(reason: str) -> str:
    """Fit a reason into a close frame."""
    return reason.encode()[:_REASON_BYTES].decode(errors="ignore")
