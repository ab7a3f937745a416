"""`{base_url}jupyter-ac/rpc`: the WebSocket and the POST through which a workspace is used.

Who comes without a login is refused at the handshake, or before a body is read. Every other refusal
of a socket opens it first and closes it with a code and one sentence, because a browser hides why a
handshake failed; a POST gets a status.
"""

from collections.abc import Awaitable
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING

from jupyter_server.auth.decorator import ws_authenticated
from jupyter_server.base.websocket import WebSocketMixin
from tornado.web import HTTPError

from jupyter_ac.errors import AcError
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.connections import Connections
from jupyter_ac.hosts.edge.post import Exchange, PostDoor, profile_of
from jupyter_ac.hosts.edge.request_body import HttpRefusal
from jupyter_ac.hosts.server.access import (
    AUTH_RESOURCE,
    AllowedFolders,
    asked_repository,
    authorization,
    identity_of,
    refusal_code,
    require_access,
)
from jupyter_ac.hosts.server.post_handler import ALLOWED, PostHandler
from jupyter_ac.hosts.sockets.handler import FrameSocketHandler, longest_read
from jupyter_ac.hosts.sockets.local_access import is_client_name
from jupyter_ac.ids import ClientId
from jupyter_ac.rpc.context import Caller, Remote
from jupyter_ac.rpc.dialect import JRPC_OO
from jupyter_ac.rpc.methods import Access
from jupyter_ac.transports.websocket import TransportLimits

if TYPE_CHECKING:
    import asyncio


class JupyterSocketHandler(WebSocketMixin, FrameSocketHandler, PostHandler):
    """One connection or one POST. The mixin comes first: it holds Jupyter's rules about origins."""

    auth_resource = AUTH_RESOURCE
    _profile = JRPC_OO

    def initialize(self, connections: Connections, territory: AllowedFolders) -> None:
        """Take what the extension passes to each request."""
        self._connections = connections
        self._territory = territory

    @property
    def max_message_size(self) -> int:
        """Bytes; for this handler only, the server's own sockets keep their limit."""
        return longest_read(self._connections.max_message_bytes)

    @ws_authenticated
    async def get(self, *args: object, **kwargs: object) -> None:
        """Answer the handshake.

        Raises:
            HTTPError: the client's name is none.
        """
        if "Upgrade" not in self.request.headers:
            self.set_header("Allow", ALLOWED)
            self.set_status(HTTPStatus.METHOD_NOT_ALLOWED)
            say = "Open a WebSocket here, or send JSON-RPC by POST."
            self.finish({"message": say})
            return
        if not is_client_name(self.get_query_argument("client", "")):
            # As the reason: a message would be logged with the URL, and that holds the token.
            raise HTTPError(400, reason="client must be up to 64 of A-Z a-z 0-9 _ . -")
        try:
            self._profile = profile_of(self.get_query_argument("profile", ""), JRPC_OO)
        except HttpRefusal as refusal:
            raise HTTPError(refusal.status, reason=refusal.sentence) from refusal
        await super().get(*args, **kwargs)

    async def prepare(self, **kwargs: bool) -> None:
        """Refuse a POST of who has no login, or that is no JSON, before its body is read.

        Raises:
            HTTPError: there is no login.
        """
        await super().prepare(**kwargs)
        if self.request.method != "POST" or self._finished:
            return
        if self.current_user is None:
            raise HTTPError(HTTPStatus.FORBIDDEN)
        self._door = PostDoor(self)
        try:
            self._door.begin(self._connections.max_message_bytes)
        except HttpRefusal as refusal:
            self._door.refuse(refusal)

    @ws_authenticated
    async def post(self) -> None:
        """Carry out the calls in the body and answer them."""
        if self._door is not None:
            await self._door.answer(self._serve_exchange)

    def on_connection_close(self) -> None:
        """Stop the calls of a POST whose client doesn't wait for their answers."""
        if self._door is not None:
            self._door.leave()
        super().on_connection_close()

    async def open(self, *args: object, **kwargs: object) -> None:
        """Find the workspace that the client asks for and serve it."""
        super().open(*args, **kwargs)  # starts the pings
        try:
            await require_access(self, Access.READ)
            self._connections.require_room(identity_of(self))
            repository = await self._find_repository()
        except AcError as error:
            self._refuse(error)
            return
        limits = TransportLimits(frame_bytes=self._connections.max_message_bytes)
        transport = self.carry(limits)
        try:
            serving = self._connections.serve(
                repository, transport, self._panel(), self._allow, self._profile
            )
        except AcError as error:
            self._refuse(error)
            return
        serving.add_done_callback(self.served)

    async def _find_repository(self) -> Repository:
        """Return the repository that the address names, if the kernel sees the same files."""
        return await asked_repository(self, self._territory)

    async def _serve_exchange(self, exchange: Exchange) -> "asyncio.Task[None]":
        await require_access(self, Access.READ)
        return self._connections.serve_exchange(
            await self._find_repository(),
            exchange.transport,
            self._remote(),
            self._allow,
            exchange.profile,
            takes_events=exchange.takes_events,
        )

    def _panel(self) -> Remote:
        # jrpc-oo's clients, such as the panel, can't sign.
        return replace(self._remote(), signs=self._profile is not JRPC_OO)

    def _remote(self) -> Remote:
        client = self.get_query_argument("client", "")
        return Remote(identity_of(self), ClientId(client))

    def _allow(self, _caller: Caller, access: Access) -> bool | Awaitable[bool]:
        if access is not Access.READ:
            self._connections.note_activity()
        return authorization(self, access)

    def _refuse(self, error: AcError) -> None:
        self.refuse(refusal_code(error), str(error))
