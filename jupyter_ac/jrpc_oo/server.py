"""`JRPCServer`: a WebSocket server on which both sides call each other's objects."""

import asyncio
import errno
import logging
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.web import Application, RequestHandler

from jupyter_ac.errors import AccessDenied, AcError, AlreadyExists, Busy, NotReady
from jupyter_ac.hosts.sockets import local_access
from jupyter_ac.hosts.sockets.acceptor import Acceptor, PendingConnections
from jupyter_ac.hosts.sockets.codes import OVERLOADED
from jupyter_ac.hosts.sockets.connection_limits import ConnectionLimits, connection_limits
from jupyter_ac.hosts.sockets.handler import FrameSocketHandler, longest_read, read_buffer
from jupyter_ac.hosts.sockets.heartbeat import HeartbeatTiming
from jupyter_ac.jrpc_oo.endpoint import Endpoint
from jupyter_ac.jrpc_oo.hub import END_S
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.transports.websocket import TransportLimits

if TYPE_CHECKING:
    from collections.abc import Coroutine


LIMITS: Final = TransportLimits()
_FORBIDDEN: Final = 403


@dataclass(frozen=True, slots=True)
class ConnectionGuard:
    """The rules for access.

    Attributes:
        token: the required token; "" for none.
        is_loopback: only this machine can connect, so foreign host names and origins are refused.
    """

    token: str
    is_loopback: bool


class ObjectSocketHandler(FrameSocketHandler):
    """One connection, at any path."""

    def initialize(
        self,
        guard: ConnectionGuard,
        serve: Callable[[Transport], None],
        admit: Callable[[IOStream], None],
    ) -> None:
        """Store the arguments that the server passes for each request."""
        self._guard = guard
        self._serve = serve
        self._admit = admit

    @property
    def max_message_size(self) -> int:
        """Read limit in bytes; higher than allowed, to refuse long frames with a close code."""
        return longest_read(LIMITS.frame_bytes)

    def prepare(self) -> None:
        """Refuse clients without access, before the handshake."""
        # The arguments are parsed already; from here on the token can't appear in logs.
        self.request.uri = local_access.without_query(self.request.uri or "")
        try:
            self._check()
        except AccessDenied as error:
            self.set_status(_FORBIDDEN)
            self.set_header("Content-Type", "text/plain; charset=utf-8")
            self.finish(error.message)

    def check_origin(self, origin: str) -> bool:
        """Return True: the origin was checked in `prepare`."""
        del origin
        return True

    def open(self, *_args: str, **_kwargs: str) -> None:
        """Start serving."""
        transport = self.carry(LIMITS)
        self.watch(HeartbeatTiming())
        if self.stream is not None:
            self._admit(self.stream)
        self._serve(transport)

    def _check(self) -> None:
        headers = self.request.headers
        if self._guard.is_loopback:
            local_access.check_local(headers)
        authorization = ",".join(headers.get_list("Authorization"))
        local_access.check_token(
            self._guard.token, authorization, self.get_query_arguments("token")
        )


_logger = logging.getLogger(__name__)

_GOING_AWAY: Final = 1001
_STOPS: Final = "the server stops"
_BACKLOG: Final = 128
BODY_BYTES: Final = 1 << 16
"""Limit for plain requests, which have no body; frames have their own limit."""
_HIGHEST_PORT: Final = 65535
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


class JRPCServer(Endpoint):
    """Exposes the public methods of objects, and calls those of its clients.

    Belongs to the event loop on which it is started. `remote_is_up`, `setup_done` and
    `remote_disconnected` may be overridden, as plain methods or coroutines.

    Args:
        port: to listen on; 0 for any free one.
        remote_timeout: seconds to wait for each answer of a client.
        host: address to listen on; one that other machines can reach requires a token.
        ssl_context: to serve `wss:`.
        token: clients must send it as `?token=` or in the header `Authorization: token …`.

    Raises:
        ValueError: the port is invalid, the timeout is not positive, the token is empty, or there
            is no token although other machines can connect.
    """

    def __init__(
        self,
        port: int,
        remote_timeout: float = 60,
        host: str = "127.0.0.1",
        ssl_context: ssl.SSLContext | None = None,
        token: str | None = None,
    ) -> None:
        is_loopback = host in _LOOPBACK
        if not 0 <= port <= _HIGHEST_PORT:
            raise ValueError(f"port must be from 0 to {_HIGHEST_PORT}, not {port}")
        if token == "":
            raise ValueError("an empty token protects nothing; omit it or give one")
        if token is None and not is_loopback:
            raise ValueError(f"{host!r} can be reached from other machines: give a token")
        super().__init__(remote_timeout)
        self._guard = ConnectionGuard(token or "", is_loopback)
        self._address = (host, port)
        self._ssl_context = ssl_context
        self._http: HTTPServer | None = None
        self._acceptor: Acceptor | None = None
        self._limits = ConnectionLimits()
        self._stopping: asyncio.Task[None] | None = None
        self._port = port
        self._connections: set[asyncio.Task[object]] = set()

    @property
    def port(self) -> int:
        """The port that it listens on; before the start, the given one."""
        return self._port

    async def start(self) -> None:
        """Start listening.

        Raises:
            Busy: the server is already started.
            AlreadyExists: another program uses the port.
            NotReady: the address cannot be listened on.
        """
        if self._http is not None:
            raise Busy(f"the server already listens on port {self._port}")
        listener = _bind(*self._address)
        self._limits = connection_limits()
        pending = PendingConnections(self._limits)
        arguments = {"guard": self._guard, "serve": self._serve, "admit": pending.admit}
        self._http = HTTPServer(
            Application([("/.*", ObjectSocketHandler, arguments)], log_function=_log),
            max_buffer_size=read_buffer(LIMITS.frame_bytes),
            max_body_size=BODY_BYTES,
            idle_connection_timeout=self._limits.handshake_s,
            body_timeout=self._limits.handshake_s,
        )
        self._acceptor = Acceptor(listener, self._http, pending, self._ssl_context)
        self._acceptor.start()
        self._port = listener.getsockname()[1]
        _logger.info("listening on %s, port %d", self._address[0], self._port)

    async def stop(self) -> None:
        """Stop listening and close all connections; idempotent.

        Continues when it is cancelled, because a client's call may be what requested it.
        """
        if self._http is not None:
            self._stopping = asyncio.create_task(self._stop(self._http), name="jrpc_oo stop")
            self._http = None
        if self._stopping is not None:
            await asyncio.shield(self._stopping)

    async def _stop(self, http: HTTPServer) -> None:
        if self._acceptor is not None:
            self._acceptor.stop()
        await self._hub.disconnect(_GOING_AWAY, _STOPS)
        if self._connections:
            await asyncio.wait(self._connections, timeout=END_S)
        await http.close_all_connections()
        await self._hub.release()

    def _serve(self, transport: Transport) -> None:
        # A handshake may have been in progress when the server stopped.
        work: Coroutine[None, None, object]
        if self._http is None:
            work = transport.close(_GOING_AWAY, _STOPS)
        elif len(self._connections) >= self._limits.open:
            work = transport.close(OVERLOADED, f"{self._limits.open} connections are already open")
        else:
            work = self._hub.serve(transport)
        task: asyncio.Task[object] = asyncio.create_task(work, name="jrpc_oo connection")
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)


def _log(handler: RequestHandler) -> None:
    """Log a request; its query, which may contain the token, has been removed."""
    _logger.debug("%d for %s", handler.get_status(), handler.request.uri)


def _bind(host: str, port: int) -> socket.socket:
    """Listen; tornado's own function leaks a socket if the port is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise _refusal(host, port, error) from error
    listener.settimeout(0)
    return listener


def _refusal(host: str, port: int, error: OSError) -> AcError:
    if error.errno == errno.EADDRINUSE:
        return AlreadyExists(
            f"port {port} on {host} is in use; stop that program or give another port"
        )
    return NotReady(f"{host}, port {port}, cannot be listened on: {error.strerror or error}")
