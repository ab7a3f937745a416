"""Connection limits of a server, derived from its process's limit of open files."""

import resource
from dataclasses import dataclass
from typing import Final

MAX_OPEN: Final = 1024
MAX_PENDING: Final = 256
MAX_EACH: Final = 256
"""Of one identity, where a server tells several apart."""

HANDSHAKE_S: Final = 10.0
PENDING_S: Final = 60.0
GRACE_S: Final = 0.5

_LEAST_RESERVE: Final = 64


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Bounds on the connections of one server.

    Attributes:
        open: WebSockets that have shown their token.
        pending: other connections: not yet, or never to become, such a WebSocket. A newcomer takes
            the place of the oldest of them.
        grace_s: how old the oldest must be for that; until then newcomers wait to be accepted.
        each: WebSockets of one identity.
        handshake_s: how long a request's head, and then its body, may take to arrive.
        pending_s: how long a connection may stay pending, whatever it does.
        pause_s: how long nothing is accepted after the system has refused another descriptor.
    """

    open: int = MAX_OPEN
    pending: int = MAX_PENDING
    each: int = MAX_OPEN
    grace_s: float = GRACE_S
    handshake_s: float = HANDSHAKE_S
    pending_s: float = PENDING_S
    pause_s: float = 1.0

    @property
    def batch(self) -> int:
        """Connections accepted in a row, before those that are open get a turn."""
        return max(1, self.pending // 8)


def connection_limits(each: int = MAX_OPEN) -> ConnectionLimits:
    """Return the limits that leave room for the files and children of this process.

    A quarter of the descriptors, 64 at least, stays free.

    Args:
        each: WebSockets of one identity at most.
    """
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return ConnectionLimits(each=each)
    room = max(2, soft - max(_LEAST_RESERVE, soft // 4))
    pending = max(1, min(MAX_PENDING, room // 3))
    most = max(1, min(MAX_OPEN, room - pending))
    return ConnectionLimits(open=most, pending=pending, each=min(each, most))
