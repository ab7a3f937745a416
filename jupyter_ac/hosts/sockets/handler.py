"""A tornado WebSocket that carries frames to a transport, and nothing else.

Who may connect, and what is served, is the subclass's: it calls `carry` when it has decided.
"""

from collections.abc import Awaitable
from typing import Final

from tornado.websocket import WebSocketClosedError, WebSocketHandler

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.transports.websocket import Limits, WebSocketTransport

REASON_BYTES: Final = 123
ABNORMAL: Final = 1006


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


class TornadoSocket:
    """tornado's socket, as the transport takes it."""

    def __init__(self, handler: WebSocketHandler) -> None:
        self._handler = handler

    def send_text(self, text: str) -> Awaitable[None] | None:
        """Send a frame; something to wait for only while the network holds it back.

        Raises:
            ConnectionClosed: the socket is closed.
        """
        try:
            written = self._handler.write_message(text)
        except WebSocketClosedError as error:
            raise ConnectionClosed from error
        connection = self._handler.ws_connection
        stream = None if connection is None else connection.stream
        return written if stream is not None and stream.writing() else None

    def close(self, code: int, reason: str) -> None:
        """Begin the closing handshake."""
        self._handler.close(code, reason)


def shorten(reason: str) -> str:
    """Fit a sentence into a close frame."""
    encoded = reason.encode()
    if len(encoded) <= REASON_BYTES:
        return reason
    return encoded[: REASON_BYTES - 3].decode(errors="ignore") + "…"
