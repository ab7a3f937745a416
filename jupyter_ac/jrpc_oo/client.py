"""`JRPCClient`: one connection on which both sides call each other's objects."""

import asyncio
import ssl
from collections.abc import Awaitable
from typing import Final

from jupyter_ac.errors import AcError, Busy, ConnectionClosed
from jupyter_ac.jrpc_oo.dialling import OpenConnection, dial
from jupyter_ac.jrpc_oo.endpoint import Endpoint
from jupyter_ac.jrpc_oo.hub import END_S

_NORMAL: Final = 1000
_ENDED_WELL: Final = frozenset({_NORMAL, 1001})


class JRPCClient(Endpoint):
    """Calls the methods of a server, and exposes the public methods of objects to it.

    `remote_is_up`, `setup_done`, `setup_skip` and `remote_disconnected` may be overridden, as plain
    methods or coroutines.

    Args:
        server_uri: `ws://host:port/…` or `wss://…`.
        remote_timeout: seconds to wait for the connection, and for each answer.
        ssl_context: for `wss:`; None for the system's certificates.
        token: sent in the header `Authorization`; it may be in the URI instead.

    Raises:
        ValueError: the timeout is not positive.
    """

    def __init__(
        self,
        server_uri: str,
        remote_timeout: float = 60,
        ssl_context: ssl.SSLContext | None = None,
        token: str | None = None,
    ) -> None:
        super().__init__(remote_timeout, _not_connected, self._connecting)
        self.server_uri = server_uri
        self._timeout_s = remote_timeout
        self._ssl_context = ssl_context
        self._token = token
        self._session: asyncio.Future[None] | None = None
        self._dialling: asyncio.Task[OpenConnection] | None = None

    @property
    def connected(self) -> bool:
        """Whether the client is connected."""
        return not all(end.peer.closed for end in self.remotes.values())

    async def connect(self) -> None:
        """Connect, and serve until the connection ends; may be called again after that.

        Returns when either side has closed it normally. Cancelling it disconnects.

        Raises:
            Busy: already connected.
            ConnectionClosed: there is no server, or the connection was lost or ended with an error.
            AccessDenied: the server refuses the connection.
            TimedOut: the server does not answer.
            ValueError: the URI is not a WebSocket URI.
        """
        if self._session is not None:
            raise Busy("the client is connected already; await disconnect() first")
        self._session = asyncio.get_running_loop().create_future()
        self._hub.remotes.arrived.clear()
        try:
            connection = await self._open_connection()
            if connection is not None:
                await self._serve(connection)
        finally:
            session, self._session = self._session, None
            session.set_result(None)
            self._hub.remotes.arrived.set()  # wakes waiting callers: no remote will arrive

    async def disconnect(self) -> None:
        """Close the connection and wait until `connect` has returned; does nothing without one."""
        session = self._session
        if session is None:
            return
        if self._dialling is not None:
            self._dialling.cancel()
        await self._hub.disconnect(_NORMAL, "")
        if not self._hub.is_calling_back():
            await asyncio.wait([session], timeout=END_S)

    def setup_skip(self) -> Awaitable[None] | None:
        """Override: the connection could not be made; `connect` raises the reason."""

    async def _connecting(self) -> bool:
        """Wait while the connection is being made."""
        await asyncio.sleep(0)  # `connect` may have become a task just before
        session = self._session
        if session is None or session.get_loop() is not asyncio.get_running_loop():
            return False
        await self._hub.remotes.arrived.wait()
        return bool(self.remotes)

    async def _open_connection(self) -> OpenConnection | None:
        """Connect; None if `disconnect` was called meanwhile."""
        dialling = asyncio.create_task(
            dial(self.server_uri, self._timeout_s, self._ssl_context, self._token)
        )
        self._dialling = dialling
        try:
            await asyncio.wait([dialling])
        except asyncio.CancelledError:
            dialling.cancel()
            raise
        finally:
            self._dialling = None
        if dialling.cancelled():
            return None
        if dialling.exception() is not None:
            self._hub.notify(self.setup_skip)
        return dialling.result()

    async def _serve(self, connection: OpenConnection) -> None:
        reading = asyncio.create_task(connection.read(), name="jrpc_oo reading")
        try:
            ended = await self._hub.serve(connection.transport)
        finally:
            connection.drop()
            await asyncio.wait([reading], timeout=END_S)
            reading.cancel()
            await self._hub.release()
        if ended is not None and ended.close_code not in _ENDED_WELL:
            raise ended


def _not_connected() -> AcError:
    return ConnectionClosed("there is no connection to the server; run connect() first")
