"""A tornado WebSocket that carries frames to a transport, and nothing else.

Who may connect, and what is served, is the subclass's: it calls `carry` when it has decided.
"""

import logging
import struct
from asyncio import Task
from collections.abc import Awaitable
from contextlib import suppress
from typing import Final

from tornado.iostream import IOStream, StreamClosedError
from tornado.websocket import WebSocketClosedError, WebSocketHandler, WebSocketProtocol

from jupyter_ac.errors import AcError, ConnectionClosed
from jupyter_ac.hosts.sockets.codes import FAILED, LOGGED, close_code
from jupyter_ac.hosts.sockets.frame_reader import BulkProtocol, in_bulk
from jupyter_ac.hosts.sockets.heartbeat import Heartbeat, HeartbeatTiming
from jupyter_ac.transports.websocket import TransportLimits, WebSocketTransport

logger = logging.getLogger(__name__)

REASON_BYTES: Final = 123
ABNORMAL: Final = 1006
GONE: Final = 1011
SILENT: Final = "Nothing was heard from the other end for too long; connect again."

_CHUNK: Final = 1 << 20
_HELD_BYTES: Final = 1 << 16

# RFC 6455, section 5.2.
_WHOLE_TEXT: Final = 0x81
_TWO_BYTES_FROM: Final = 126
_EIGHT_BYTES_FROM: Final = 1 << 16


class FrameSocketHandler(WebSocketHandler):
    """One socket; its frames go to the transport that `carry` made."""

    # Read before the first `carry` when the client is quick or the handshake fails.
    _transport: WebSocketTransport | None = None
    _heartbeat: Heartbeat | None = None

    def get_compression_options(self) -> None:
        """Leave compression off: deflating each small frame halves the throughput."""

    def carry(self, limits: TransportLimits) -> WebSocketTransport:
        """Begin to carry frames; what came before is lost, so call it in `open`."""
        self.set_nodelay(True)
        socket = TornadoSocket(self)
        if isinstance(self.ws_connection, BulkProtocol):
            self.ws_connection.gathering = socket
        self._transport = WebSocketTransport(socket, limits)
        return self._transport

    def get_websocket_protocol(self) -> WebSocketProtocol | None:
        """Read frames in bulk, where this tornado can be taught to."""
        return in_bulk(super().get_websocket_protocol(), self)

    def watch(self, pace: HeartbeatTiming) -> None:
        """Start to send pings, and close the socket when its other end is dead."""
        self._heartbeat = Heartbeat(self._send_ping, self._is_held, self._give_up, pace)

    def on_message(self, message: str | bytes) -> Awaitable[None] | None:
        """Enqueue a frame; only when the inbox is full is there something to wait for."""
        if self._heartbeat is not None:
            self._heartbeat.is_silent = False
        return None if self._transport is None else self._transport.deliver(message)

    def on_pong(self, data: bytes) -> None:
        """Record a sign of life."""
        del data
        if self._heartbeat is not None:
            self._heartbeat.is_silent = False

    def on_close(self) -> None:
        """Notify the peer, which ends the task that serves it."""
        if self._heartbeat is not None:
            self._heartbeat.stop()
        if self._transport is not None:
            self._transport.lost(self.close_code or ABNORMAL, self.close_reason or "")
        # They refer to this handler.
        self._heartbeat = self._transport = None

    @property
    def stream(self) -> IOStream | None:
        """The open connection below the socket."""
        return None if self.ws_connection is None else self.ws_connection.stream

    def refuse(self, code: int, reason: str) -> None:
        """Close an open socket with a code and one sentence, cut where a close frame ends."""
        self.close(code, shorten(reason))

    def served(self, task: Task[None]) -> None:
        """Close the socket when what was to serve it failed; for the task's callback."""
        error = None if task.cancelled() else task.exception()
        if isinstance(error, AcError):
            self.refuse(close_code(error), str(error))
        elif error is not None:
            logger.error("a connection failed", exc_info=error)
            self.refuse(FAILED, LOGGED)

    def _send_ping(self) -> None:
        with suppress(WebSocketClosedError):
            self.ping()

    def _is_held(self) -> bool:
        return self._transport is not None and not self._transport.has_room

    def _give_up(self) -> None:
        # Whoever serves it learns at once; tornado waits for an answer to the close frame first.
        if self._transport is not None:
            self._transport.lost(ABNORMAL, SILENT)
        self.refuse(GONE, SILENT)


class TornadoSocket:
    """tornado's socket, as the transport takes it.

    While frames are held, small ones are gathered and leave in one write.
    """

    def __init__(self, handler: WebSocketHandler) -> None:
        self._handler = handler
        self._is_holding = False
        self._held: list[bytes] = []
        self._held_bytes = 0

    def send_text(self, text: str) -> Awaitable[None] | None:
        """Send a frame; something to wait for only while the network holds it back.

        Straight to the stream: `write_message` makes a task for each frame.

        Raises:
            ConnectionClosed: the socket is closed.
        """
        connection = self._handler.ws_connection
        if connection is None or connection.is_closing() or connection.stream is None:
            raise ConnectionClosed
        stream = connection.stream
        frame = spell_frame(text.encode())
        if self._is_holding or self._held:
            self._held.append(frame)
            self._held_bytes += len(frame)
            if self._is_holding and self._held_bytes < _HELD_BYTES and not stream.writing():
                return None
            frame = self._take_held()
        try:
            written = stream.write(frame)
        except StreamClosedError as error:
            raise ConnectionClosed from error
        return written if stream.writing() else None

    def hold(self) -> None:
        """Gather frames until `release`, or until there are enough of them."""
        self._is_holding = True

    def release(self) -> None:
        """Write what was gathered; frames are written one by one again."""
        self._is_holding = False
        if not self._held:
            return
        frames = self._take_held()
        connection = self._handler.ws_connection
        if connection is None or connection.is_closing() or connection.stream is None:
            return
        with suppress(StreamClosedError):
            connection.stream.write(frames)

    def close(self, code: int, reason: str) -> None:
        """Begin the closing handshake, behind what was gathered."""
        self.release()
        self._handler.close(code, reason)

    def _take_held(self) -> bytes:
        frames, self._held, self._held_bytes = b"".join(self._held), [], 0
        return frames


def spell_frame(payload: bytes) -> bytes:
    """Serialize a text message as one server frame: whole, not masked, not compressed."""
    size = len(payload)
    if size < _TWO_BYTES_FROM:
        return bytes((_WHOLE_TEXT, size)) + payload
    if size < _EIGHT_BYTES_FROM:
        return struct.pack("!BBH", _WHOLE_TEXT, _TWO_BYTES_FROM, size) + payload
    return struct.pack("!BBQ", _WHOLE_TEXT, _TWO_BYTES_FROM + 1, size) + payload


def longest_read(frame_bytes: int) -> int:
    """Return how long a frame may be for tornado to read it.

    Twice what is allowed: tornado cuts the connection in the middle of a longer one, and the client
    sees a broken connection. What is read whole is refused by the transport, with 1009.
    """
    return 2 * frame_bytes


def read_buffer(frame_bytes: int) -> int:
    """Return the buffer that a server needs for that; tornado's own ends in between."""
    return longest_read(frame_bytes) + _CHUNK


def shorten(reason: str) -> str:
    """Fit a sentence into a close frame."""
    encoded = reason.encode()
    if len(encoded) <= REASON_BYTES:
        return reason
    return encoded[: REASON_BYTES - 3].decode(errors="ignore") + "…"
