"""The client's WebSocket: opens it, and connects it to a transport."""

import asyncio
import ssl
from collections.abc import Awaitable
from typing import Final
from urllib.parse import urlsplit

from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.iostream import StreamClosedError
from tornado.websocket import (
    WebSocketClientConnection,
    WebSocketClosedError,
    WebSocketError,
    WebSocketProtocol13,
    websocket_connect,
)

from jupyter_ac.errors import AccessDenied, AcError, ConnectionClosed, TimedOut
from jupyter_ac.transports.websocket import TransportLimits, WebSocketTransport

LIMITS: Final = TransportLimits()
PING_S: Final = 30
_ABNORMAL: Final = 1006
_REFUSED: Final = frozenset({401, 403})


class ClientSocket:
    """Adapts tornado's client connection to the transport."""

    def __init__(self, connection: WebSocketClientConnection) -> None:
        self._connection = connection

    def send_text(self, text: str) -> Awaitable[None] | None:
        """Send a frame; returns an awaitable only while the network is congested.

        Raises:
            ConnectionClosed: the socket is closed.
        """
        protocol = self._connection.protocol
        try:
            written = self._connection.write_message(text)
        except WebSocketClosedError as error:
            raise ConnectionClosed from error
        congested = isinstance(protocol, WebSocketProtocol13) and protocol.stream.writing()
        return written if congested else None

    def close(self, code: int, reason: str) -> None:
        """Start the closing handshake."""
        self._connection.close(code, reason)


class OpenConnection:
    """An open connection.

    Attributes:
        transport: the transport of its frames.
    """

    def __init__(self, connection: WebSocketClientConnection) -> None:
        self._connection = connection
        if connection.protocol is not None:
            connection.protocol.set_nodelay(True)
        self.transport = WebSocketTransport(ClientSocket(connection), LIMITS)

    async def read(self) -> None:
        """Pass incoming frames to the transport until the connection ends."""
        try:
            while (frame := await self._connection.read_message()) is not None:
                waits = self.transport.deliver(frame)
                if waits is not None:
                    await waits
        finally:
            code, reason = self._connection.close_code, self._connection.close_reason
            self.transport.lost(code or _ABNORMAL, reason or "")

    def drop(self) -> None:
        """Close it if it is open."""
        self._connection.close()


async def dial(
    uri: str, timeout_s: float, ssl_context: ssl.SSLContext | None, token: str | None
) -> OpenConnection:
    """Connect to a server.

    Raises:
        ConnectionClosed: there is no server, or it answers with something else than a WebSocket.
        AccessDenied: it refuses the connection.
        TimedOut: it does not answer.
        ValueError: the URI is not a WebSocket URI.
    """
    place = _without_secrets(uri)
    headers = {} if token is None else {"Authorization": f"token {token}"}
    request = HTTPRequest(
        uri,
        headers=headers,
        connect_timeout=timeout_s,
        request_timeout=timeout_s,
        ssl_options=ssl_context,
    )
    opening = asyncio.ensure_future(
        websocket_connect(request, ping_interval=PING_S, max_message_size=2 * LIMITS.frame_bytes)
    )
    try:
        async with asyncio.timeout(timeout_s):
            return OpenConnection(await asyncio.shield(opening))
    except BaseException as error:
        opening.add_done_callback(_close_late)
        if isinstance(error, _TROUBLE):
            raise _refusal(place, timeout_s, error) from error
        raise


_TROUBLE: Final = (HTTPClientError, OSError, StreamClosedError, WebSocketError, TimeoutError)


def _refusal(place: str, timeout_s: float, error: BaseException) -> AcError:
    if isinstance(error, TimeoutError):
        return TimedOut(f"{place} did not answer within {timeout_s:g} s")
    if isinstance(error, HTTPClientError) and error.code in _REFUSED:
        return AccessDenied(f"{place} refuses the connection ({error.code}); is the token right?")
    return ConnectionClosed(f"{place} cannot be reached: {error}; is the server running?")


def _close_late(opening: "asyncio.Future[WebSocketClientConnection]") -> None:
    """Close a connection that was made after the caller stopped waiting."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


def _without_secrets(uri: str) -> str:
    parts = urlsplit(uri)
    if parts.scheme not in {"ws", "wss"} or not parts.hostname:
        raise ValueError(
            f"{parts.scheme or 'it'} is not a WebSocket's URI: it begins with ws:// or wss://"
        )
    port = "" if parts.port is None else f":{parts.port}"
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"
