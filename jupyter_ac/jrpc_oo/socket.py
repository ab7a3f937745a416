"""The server's side of a WebSocket: checks access, and connects it to a transport."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tornado.iostream import IOStream

from jupyter_ac.errors import AccessDenied
from jupyter_ac.hosts.sockets import local_access
from jupyter_ac.hosts.sockets.handler import FrameSocketHandler, longest_read
from jupyter_ac.hosts.sockets.heartbeat import HeartbeatTiming
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.transports.websocket import TransportLimits

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
