"""A plugin's end of a WebSocket to a running server."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from jupyter_ac.errors import AccessDenied, NotConnected
from jupyter_ac.hosts.sockets.codes import (
    NO_REPOSITORY,
    NOT_ALLOWED,
    NOT_THE_SAME_FILES,
    REPOSITORY_NOT_ALLOWED,
)
from jupyter_ac.transports.websocket import TransportLimits, WebSocketTransport

OPEN_S: Final = 10.0

FINAL_CODES: Final = frozenset(
    {NOT_ALLOWED, REPOSITORY_NOT_ALLOWED, NO_REPOSITORY, NOT_THE_SAME_FILES}
)
"""Close codes after which trying again is of no use."""

_REFUSALS: Final = frozenset({400, 401, 403, 404})
_LIMITS: Final = TransportLimits()
_CLOSE_S: Final = 1.0
_ABNORMAL: Final = 1006


class _Socket:
    """The library's socket, as the transport takes it."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._closing: asyncio.Task[None] | None = None

    def send_text(self, text: str) -> Awaitable[None]:
        """Send a frame."""
        return self._connection.send(text)

    def close(self, code: int, reason: str) -> None:
        """Begin the closing handshake."""
        closing = self._connection.close(code, reason)
        self._closing = asyncio.get_running_loop().create_task(closing)


@asynccontextmanager
async def open_socket(url: str) -> AsyncIterator[WebSocketTransport]:
    """Connect, as long as the block runs.

    Args:
        url: with its query.

    Raises:
        NotConnected: nothing answers there.
        AccessDenied: the server refuses the connection.
    """
    try:
        connection = await connect(
            url,
            compression=None,
            max_size=_LIMITS.frame_bytes,
            open_timeout=OPEN_S,
            close_timeout=_CLOSE_S,
        )
    except InvalidStatus as error:
        status = error.response.status_code
        if status in _REFUSALS:
            raise AccessDenied(
                f"The server refuses this panel (HTTP status {status}); copy its address with the "
                "token, and see that it has jupyter_ac."
            ) from None
        raise NotConnected(f"The server answers with the HTTP status {status}.") from None
    except (OSError, TimeoutError, InvalidHandshake, InvalidURI) as error:
        raise NotConnected("No server answers at this address.") from error
    transport = WebSocketTransport(_Socket(connection), _LIMITS)
    reading = asyncio.create_task(_read(connection, transport), name="panel socket")
    try:
        yield transport
    finally:
        await connection.close()
        reading.cancel()
        await asyncio.wait({reading})


async def _read(connection: ClientConnection, transport: WebSocketTransport) -> None:
    try:
        async for frame in connection:
            waits = transport.deliver(frame)
            if waits is not None:
                await waits
    except ConnectionClosed:
        pass
    finally:
        transport.lost(connection.close_code or _ABNORMAL, connection.close_reason or "")
