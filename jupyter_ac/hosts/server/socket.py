"""`{base_url}jupyter-ac/rpc`: the WebSocket through which a page uses a workspace.

Who comes without a login is refused at the handshake. Every other refusal opens the socket first
and closes it with a code and one sentence, because a browser hides why a handshake failed.
"""

import asyncio
from collections.abc import Awaitable

from jupyter_server.auth.decorator import ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado.web import HTTPError

from jupyter_ac.errors import AccessDenied, AcError
from jupyter_ac.hosts.connections import Connections
from jupyter_ac.hosts.server.access import (
    AUTH_RESOURCE,
    AllowedFolders,
    authorization,
    check_nonce,
    identity_of,
)
from jupyter_ac.hosts.sockets.codes import NOT_ALLOWED, close_code
from jupyter_ac.hosts.sockets.handler import FrameSocketHandler, longest_read
from jupyter_ac.hosts.sockets.local_access import is_client_name
from jupyter_ac.ids import ClientId
from jupyter_ac.rpc.context import Caller, Remote
from jupyter_ac.rpc.methods import Access
from jupyter_ac.transports.websocket import TransportLimits


class JupyterSocketHandler(WebSocketMixin, FrameSocketHandler, JupyterHandler):
    """One connection. The mixin comes first: it holds Jupyter's rules about origins."""

    auth_resource = AUTH_RESOURCE

    def initialize(self, connections: Connections, territory: AllowedFolders) -> None:
        """Take what the extension passes to each request."""
        self._connections = connections
        self._territory = territory

    @property
    def max_message_size(self) -> int:
        """Bytes; for this handler only, the server's own sockets keep their limit."""
        return longest_read(self._connections.max_message_bytes)

    def decode_argument(self, value: bytes, name: str | None = None) -> str:
        """Take a folder's name as it is, also when it is not UTF-8."""
        del name
        return value.decode("utf-8", "surrogateescape")

    @ws_authenticated
    async def get(self, *args: object, **kwargs: object) -> None:
        """Answer the handshake.

        Raises:
            HTTPError: the client's name is none.
        """
        if not is_client_name(self.get_query_argument("client", "")):
            # As the reason: a message would be logged with the URL, and that holds the token.
            raise HTTPError(400, reason="client must be up to 64 of A-Z a-z 0-9 _ . -")
        await super().get(*args, **kwargs)

    async def open(self, *args: object, **kwargs: object) -> None:
        """Find the workspace that the client asks for and serve it."""
        super().open(*args, **kwargs)  # starts the pings
        repo = self.get_query_argument("repo", None, strip=False)
        try:
            await self._require(Access.READ)
            self._connections.require_room(identity_of(self))
            repository = await self._territory.repository(repo)
            nonce = self.get_query_argument("nonce", "")
            if nonce:
                await asyncio.to_thread(check_nonce, repository, nonce)
        except AcError as error:
            self._refuse(error)
            return
        limits = TransportLimits(frame_bytes=self._connections.max_message_bytes)
        transport = self.carry(limits)
        try:
            serving = self._connections.serve(repository, transport, self._remote(), self._allow)
        except AcError as error:
            self._refuse(error)
            return
        serving.add_done_callback(self.served)

    def _remote(self) -> Remote:
        client = self.get_query_argument("client", "")
        return Remote(identity_of(self), ClientId(client))

    async def _require(self, access: Access) -> None:
        allowed = authorization(self, access)
        if not (allowed if isinstance(allowed, bool) else await allowed):
            raise _NotAllowed("This Jupyter server does not let you use jupyter_ac.")

    def _allow(self, _caller: Caller, access: Access) -> bool | Awaitable[bool]:
        if access is not Access.READ:
            self._connections.note_activity()
        return authorization(self, access)

    def _refuse(self, error: AcError) -> None:
        code = NOT_ALLOWED if isinstance(error, _NotAllowed) else close_code(error)
        self.refuse(code, str(error))


class _NotAllowed(AccessDenied):
    """The server's authorizer refuses the user, whatever the repository."""
