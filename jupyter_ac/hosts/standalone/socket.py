"""The stand-alone server's WebSocket, at `/` and `/rpc`.

Strangers (`Host`, `Origin`) and who lacks the token are refused at the handshake. A repository that
isn't the served one opens the socket first and closes it with a code and a sentence, because a
browser hides why a handshake failed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from tornado.httputil import HTTPServerRequest
from tornado.iostream import IOStream
from tornado.routing import Matcher

from jupyter_ac.errors import AccessDenied, AcError, RefusedPath
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.assembly import allow_everything
from jupyter_ac.hosts.connections import Connections
from jupyter_ac.hosts.edge.post import profile_of
from jupyter_ac.hosts.edge.request_body import HttpRefusal
from jupyter_ac.hosts.sockets.codes import close_code
from jupyter_ac.hosts.sockets.handler import FrameSocketHandler, longest_read
from jupyter_ac.hosts.sockets.heartbeat import HeartbeatTiming
from jupyter_ac.hosts.sockets.local_access import is_client_name
from jupyter_ac.hosts.standalone.base_handler import LocalHandler
from jupyter_ac.ids import ClientId, Identity
from jupyter_ac.rpc.call_metrics import CallMetrics
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dialect import JRPC_OO
from jupyter_ac.transports.websocket import TransportLimits

MAX_PATH: Final = 4096

_NO_CLIENT: Final = "client must be up to 64 of A-Z a-z 0-9 _ . -"


def _nobody_counts(_stream: IOStream) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Served:
    """The objects that the server's WebSockets use.

    Attributes:
        connections: serves what comes in.
        repository: the only one.
        identity: whom all of them belong to.
        token: asked for; "" when none is.
        metrics: the counts of the host.
        admit: called for each connection that has shown it.
    """

    connections: Connections
    repository: Repository
    identity: Identity
    token: str
    metrics: CallMetrics
    admit: Callable[[IOStream], None] = _nobody_counts


class WantsSocket(Matcher):
    """Matches requests that ask for a WebSocket, so that `/` can be a page as well."""

    def match(self, request: HTTPServerRequest) -> dict[str, object] | None:
        """Return no arguments for the handler, or None where it isn't its turn."""
        wants = request.path in {"/", "/rpc"} and "Upgrade" in request.headers
        return {} if wants else None


class LocalSocketHandler(LocalHandler, FrameSocketHandler):
    """One connection."""

    _profile = JRPC_OO

    def initialize(self, served: Served) -> None:
        """Take what the application passes to each request."""
        self._served = served

    @property
    def max_message_size(self) -> int:
        """Bytes; more than is allowed, so that a frame that is too long is refused by its code."""
        return longest_read(self._served.connections.max_message_bytes)

    def decode_argument(self, value: bytes, name: str | None = None) -> str:
        """Take a folder's name as it is, also when it is not UTF-8."""
        del name
        return value.decode("utf-8", "surrogateescape")

    def check_origin(self, origin: str) -> bool:
        """Leave the origin to `prepare`, which has looked at it."""
        del origin
        return True

    async def get(self, *args: object, **kwargs: object) -> None:
        """Answer the handshake of who may come in."""
        try:
            self.require_token(self._served.token)
        except AccessDenied as error:
            self.refuse_request(HTTPStatus.FORBIDDEN, str(error))
            return
        if not is_client_name(self.get_query_argument("client", "")):
            self.refuse_request(HTTPStatus.BAD_REQUEST, _NO_CLIENT)
            return
        try:
            self._profile = profile_of(self.get_query_argument("profile", ""), JRPC_OO)
        except HttpRefusal as refusal:
            self.refuse_with(refusal)
            return
        await super().get(*args, **kwargs)

    def open(self, *_args: object, **_kwargs: object) -> None:
        """Serve the repository, unless the client wants another one."""
        served = self._served
        try:
            require_same(served.repository, self.get_query_argument("repo", "", strip=False))
        except AcError as error:
            self.refuse(close_code(error), str(error))
            return
        transport = self.carry(TransportLimits(frame_bytes=served.connections.max_message_bytes))
        self.watch(HeartbeatTiming())
        client = ClientId(self.get_query_argument("client", ""))
        # jrpc-oo's clients, such as the panel, can't sign.
        signs = self._profile is not JRPC_OO
        remote = Remote(served.identity, client, has_login=bool(served.token), signs=signs)
        try:
            serving = served.connections.serve(
                served.repository, transport, remote, allow_everything, self._profile
            )
        except AcError as error:
            self.refuse(close_code(error), str(error))
            return
        serving.add_done_callback(self.served)
        if self.stream is not None:
            served.admit(self.stream)


def require_same(repository: Repository, asked: str) -> None:
    """Make sure that a client means the served repository or a folder in it.

    Args:
        repository: the served one.
        asked: absolute, relative to its root, or "" for whatever is served.

    Raises:
        RefusedPath: it means something else.
    """
    if not asked:
        return
    refusal = RefusedPath(f"This server serves the repository {repository.name} only.")
    if len(asked) > MAX_PATH or "\0" in asked:
        raise refusal
    try:
        folder = (repository.root / asked).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise refusal from error
    if not folder.is_relative_to(repository.root) or not folder.is_dir():
        raise refusal
