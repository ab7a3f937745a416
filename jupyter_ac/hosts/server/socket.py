"""`{base_url}jupyter-ac/rpc`: the WebSocket and the POST through which a workspace is used.

Who comes without a login is refused at the handshake, or before a body is read. Every other refusal
of a socket opens it first and closes it with a code and one sentence, because a browser hides why a
handshake failed; a POST gets a status.
"""

import asyncio
from collections.abc import Awaitable
from functools import partial
from http import HTTPStatus

from jupyter_server.auth.decorator import ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado.web import HTTPError, stream_request_body

from jupyter_ac.errors import AccessDenied, AcError
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.connections import Connections
from jupyter_ac.hosts.edge.post import (
    BodyTimer,
    Exchange,
    PostRequest,
    answer,
    profile_of,
    refusal_of,
    refuse_early,
)
from jupyter_ac.hosts.edge.request_body import HttpRefusal
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
from jupyter_ac.rpc.dialect import JRPC_OO
from jupyter_ac.rpc.methods import Access
from jupyter_ac.transports.websocket import TransportLimits


@stream_request_body
class JupyterSocketHandler(WebSocketMixin, FrameSocketHandler, JupyterHandler):
    """One connection or one POST. The mixin comes first: it holds Jupyter's rules about origins."""

    auth_resource = AUTH_RESOURCE
    _profile = JRPC_OO
    _posted: PostRequest | None = None
    _body_timer: BodyTimer | None = None
    _is_refused = False
    _is_gone = False
    _serving: "asyncio.Task[None] | None" = None

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
        try:
            self._profile = profile_of(self.get_query_argument("profile", ""), JRPC_OO)
        except HttpRefusal as refusal:
            raise HTTPError(refusal.status, reason=refusal.sentence) from refusal
        await super().get(*args, **kwargs)

    async def prepare(self, **kwargs: bool) -> None:
        """Refuse a POST of who has no login, or that is no JSON, before its body is read."""
        await super().prepare(**kwargs)
        if self.request.method != "POST" or self._finished:
            return
        if self.current_user is None:
            say = "Log in to this Jupyter server first."
            self._refuse_early(HttpRefusal(HTTPStatus.FORBIDDEN, say))
            return
        self._body_timer = BodyTimer(self)
        try:
            self._posted = PostRequest.of(self, self._connections.max_message_bytes)
        except HttpRefusal as refusal:
            self._refuse_early(refusal)

    def data_received(self, chunk: bytes) -> None:
        """Gather the body of a POST."""
        if self._is_refused or self._posted is None:
            return
        try:
            self._posted.body.add(chunk)
        except HttpRefusal as refusal:
            self._refuse_early(refusal)

    @ws_authenticated
    async def post(self) -> None:
        """Carry out the calls in the body and answer them."""
        self._stop_timer()
        if self._is_refused or self._posted is None:
            self.finish()
            return
        try:
            await self._require(Access.READ)
            repository = await self._find_repository()
            await answer(self, self._posted, partial(self._serve_exchange, repository))
        except HttpRefusal as refusal:
            self._refuse_post(refusal)
        except AcError as error:
            self._refuse_post(refusal_of(error))
        except asyncio.CancelledError:
            if not self._is_gone:
                raise

    def on_connection_close(self) -> None:
        """Stop the calls of a POST whose client doesn't wait for their answers."""
        self._is_gone = True
        self._stop_timer()
        if self._serving is not None:
            self._serving.cancel()
        super().on_connection_close()

    def write_error(self, status_code: int, **kwargs: object) -> None:
        """Answer a POST that failed with JSON; a socket's refusal is a page, as everywhere."""
        if self.request.method == "POST":
            self.finish({"message": f"{HTTPStatus(status_code).phrase}."})
        else:
            super().write_error(status_code, **kwargs)

    async def open(self, *args: object, **kwargs: object) -> None:
        """Find the workspace that the client asks for and serve it."""
        super().open(*args, **kwargs)  # starts the pings
        try:
            await self._require(Access.READ)
            self._connections.require_room(identity_of(self))
            repository = await self._find_repository()
        except AcError as error:
            self._refuse(error)
            return
        limits = TransportLimits(frame_bytes=self._connections.max_message_bytes)
        transport = self.carry(limits)
        try:
            serving = self._connections.serve(
                repository, transport, self._remote(), self._allow, self._profile
            )
        except AcError as error:
            self._refuse(error)
            return
        serving.add_done_callback(self.served)

    def _stop_timer(self) -> None:
        if self._body_timer is not None:
            self._body_timer.stop()

    async def _find_repository(self) -> Repository:
        """Return the repository that the address names, if the kernel sees the same files."""
        repo = self.get_query_argument("repo", None, strip=False)
        repository = await self._territory.repository(repo)
        nonce = self.get_query_argument("nonce", "")
        if nonce:
            await asyncio.to_thread(check_nonce, repository, nonce)
        return repository

    def _serve_exchange(self, repository: Repository, exchange: Exchange) -> Awaitable[None]:
        self._serving = self._connections.serve_exchange(
            repository,
            exchange.transport,
            self._remote(),
            self._allow,
            exchange.profile,
            takes_events=exchange.takes_events,
        )
        return self._serving

    def _refuse_early(self, refusal: HttpRefusal) -> None:
        self._is_refused = True
        refuse_early(self, refusal)

    def _refuse_post(self, refusal: HttpRefusal) -> None:
        self.set_status(refusal.status)
        for name, value in refusal.headers.items():
            self.set_header(name, value)
        self.finish({"message": refusal.sentence})

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
