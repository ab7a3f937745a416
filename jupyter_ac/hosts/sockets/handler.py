"""A tornado WebSocket that carries frames to a transport, and nothing else.

Who may connect, and what is served, is the subclass's: it calls `carry` when it has decided.
"""

import logging
import struct
from asyncio import Task
from collections.abc import Awaitable
from typing import Final

from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketHandler

from jupyter_ac.errors import AcError, ConnectionClosed
from jupyter_ac.hosts.sockets.codes import FAILED, LOGGED, close_code
from jupyter_ac.transports.websocket import Limits, WebSocketTransport

logger = logging.getLogger(__name__)

REASON_BYTES: Final = 123
ABNORMAL: Final = 1006

# RFC 6455, section 5.2.
_WHOLE_TEXT: Final = 0x81
_TWO_BYTES_FROM: Final = 126
_EIGHT_BYTES_FROM: Final = 1 << 16


class FrameSocketHandler(WebSocketHandler):
    """One socket; its frames go to the transport that `carry` made."""

    # Read before the first `carry` when the client is quick or the handshake fails.
    _transport: WebSocketTransport | None = None

    def get_compression_options(self) -> None:
        """Leave compression off: deflating each small frame halves the throughput."""

    def carry(self, limits: Limits) -> WebSocketTransport:
        """Begin to carry frames; what came before is lost, so call it in `open`."""
        self.set_nodelay(True)
        self._transport = WebSocketTransport(TornadoSocket(self), limits)
        return self._transport

    def on_message(self, message: str | bytes) -> Awaitable[None] | None:
        """Enqueue a frame; only when the inbox is full is there something to wait for."""
        return None if self._transport is None else self._transport.deliver(message)

    def on_close(self) -> None:
        """Tell the peer; the task that serves it ends by that."""
        if self._transport is not None:
            self._transport.lost(self.close_code or ABNORMAL, self.close_reason or "")

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


class TornadoSocket:
    """tornado's socket, as the transport takes it."""

    def __init__(self, handler: WebSocketHandler) -> None:
        self._handler = handler

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
        try:
            written = stream.write(spell_frame(text.encode()))
        except StreamClosedError as error:
            raise ConnectionClosed from error
        return written if stream.writing() else None

    def close(self, code: int, reason: str) -> None:
        """Begin the closing handshake."""
        self._handler.close(code, reason)


def spell_frame(payload: bytes) -> bytes:
    """Spell a text message as one frame from a server: whole, not masked, not compressed."""
    size = len(payload)
    if size < _TWO_BYTES_FROM:
        return bytes((_WHOLE_TEXT, size)) + payload
    if size < _EIGHT_BYTES_FROM:
        return struct.pack("!BBH", _WHOLE_TEXT, _TWO_BYTES_FROM, size) + payload
    return struct.pack("!BBQ", _WHOLE_TEXT, _TWO_BYTES_FROM + 1, size) + payload


def shorten(reason: str) -> str:
    """Fit a sentence into a close frame."""
    encoded = reason.encode()
    if len(encoded) <= REASON_BYTES:
        return reason
    return encoded[: REASON_BYTES - 3].decode(errors="ignore") + "…"
