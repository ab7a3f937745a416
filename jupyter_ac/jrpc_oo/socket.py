"""The server's side of a WebSocket: who may connect; then its frames go to the hub."""

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
    """Who comes in.

    Attributes:
        token: what callers must show; "" for none.
        is_loopback: only this machine can come, so that a foreign name or page is behind it.
    """

    token: str
    is_loopback: bool


class ObjectSocketHandler(FrameSocketHandler):
    """One connection, at any path."""

    def initialize(
        self,
        door: ConnectionGuard,
        serve: Callable[[Transport], None],
        admit: Callable[[IOStream], None],
    ) -> None:
        """Take what the server passes to each request."""
        self._door = door
        self._serve = serve
        self._admit = admit

    @property
    def max_message_size(self) -> int:
        """Bytes; more than is allowed, so that a frame that is too long is refused by its code."""
        return longest_read(LIMITS.frame_bytes)

    def prepare(self) -> None:
        """Refuse who may not connect, before the handshake."""
        # Its arguments are read. From here on nothing that logs it can show the token.
        self.request.uri = local_access.without_query(self.request.uri or "")
        try:
            self._check()
        except AccessDenied as error:
            self.set_status(_FORBIDDEN)
            self.set_header("Content-Type", "text/plain; charset=utf-8")
            self.finish(error.message)

    def check_origin(self, origin: str) -> bool:
        """Say yes: whoever comes here has passed `prepare`."""
        del origin
        return True

    def open(self, *_args: str, **_kwargs: str) -> None:
        """Serve it."""
        transport = self.carry(LIMITS)
        self.watch(HeartbeatTiming())
        if self.stream is not None:
            self._admit(self.stream)
        self._serve(transport)

    def _check(self) -> None:
        headers = self.request.headers
        if self._door.is_loopback:
            local_access.check_local(headers)
        authorization = ",".join(headers.get_list("Authorization"))
        local_access.check_token(self._door.token, authorization, self.get_query_arguments("token"))
