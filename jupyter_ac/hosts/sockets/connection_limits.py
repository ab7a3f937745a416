"""Limits a server's connections, by its process's limit of open files, and refuses excess ones.

A browser and a script understand a 503 that says when to come again; a connection that is closed
without a word, or waits in the system's queue, could mean anything.
"""

import os
import resource
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tornado.iostream import IOStream, StreamClosedError

if TYPE_CHECKING:
    from tornado.concurrent import Future


MAX_OPEN: Final = 1024
MAX_PENDING: Final = 256
MAX_EACH: Final = 256
"""Of one identity, where a server tells several apart."""

MAX_STREAMS: Final = 1024
"""Event streams; they are counted apart, so that they never keep a page from connecting."""

USUAL_DESCRIPTORS: Final = 4096
"""What a Jupyter server gives itself as well; room for all of the above."""

HANDSHAKE_S: Final = 10.0
PENDING_S: Final = 60.0
GRACE_S: Final = 0.5

_LEAST_RESERVE: Final = 64


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Bounds on the connections of one server.

    Attributes:
        open: WebSockets that have shown their token.
        streams: event streams that have shown it.
        total: both together.
        pending: other connections: not yet, or never to become, such a WebSocket. A newcomer takes
            the place of the oldest of them.
        grace_s: how old the oldest must be for that; until then newcomers wait to be accepted.
        each: WebSockets of one identity.
        handshake_s: how long a request's head, and then its body, may take to arrive.
        pending_s: how long a connection may stay pending, whatever it does.
        pause_s: how long nothing is accepted after the system has refused another descriptor.
    """

    open: int = MAX_OPEN
    streams: int = MAX_STREAMS
    total: int = MAX_OPEN + MAX_STREAMS
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
    total = max(1, room - pending)
    most = min(MAX_OPEN, total)
    return ConnectionLimits(
        open=most,
        # Where there are few, a quarter of them is for pages only.
        streams=min(MAX_STREAMS, total * 3 // 4),
        total=min(total, MAX_OPEN + MAX_STREAMS),
        pending=pending,
        each=min(each, most),
    )


def allow_usual_descriptors() -> None:
    """Raise this process's limit of open files to what is usual, as far as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= USUAL_DESCRIPTORS:
        return
    wanted = USUAL_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, USUAL_DESCRIPTORS)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


RETRY_AFTER_S: Final = 2

_WORDS: Final = b"The server has no room for another connection; try again in a moment.\n"
REFUSAL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"Retry-After: %d\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: %d\r\n"
    b"Connection: close\r\n\r\n%s"
) % (RETRY_AFTER_S, len(_WORDS), _WORDS)

_UNREAD: Final = 64 * 1024


class RefusableStream(IOStream):
    """A connection without TLS that can be refused as long as nothing was written to it.

    It spares the read of a socket that has just been emptied: tornado reads until there is nothing
    left, which is every second system call of a connection that sends small frames.
    """

    has_answered = False
    _is_drained = False

    def read_from_fd(self, buf: bytearray | memoryview) -> int | None:
        """Read what has come; None: nothing.

        A read that didn't fill the buffer has emptied the socket, so the next one says None at
        once. It may be wrong then: the selector, which is level-triggered, calls again.
        """
        if self._is_drained:
            self._is_drained = False
            return None
        count = super().read_from_fd(buf)
        self._is_drained = count is not None and 0 < count < len(buf)
        return count

    def write(self, data: bytes | memoryview) -> "Future[None]":
        """Write, as any stream does."""
        self.has_answered = True
        return super().write(data)


def refuse(stream: IOStream) -> None:
    """Close a connection, and say why where that can be read as an answer."""
    if isinstance(stream, RefusableStream) and not stream.has_answered:
        connection = stream.socket
        # What doesn't leave at once is dropped: nobody waits for a receiver that doesn't read.
        with suppress(StreamClosedError, OSError):
            stream.write(REFUSAL)
            _end_readably(connection)
    stream.close()


def _end_readably(connection: socket.socket) -> None:
    """Send nothing more, and take what has come.

    Closed with something unread, a connection is reset, and the answer might be thrown away on its
    way.
    """
    connection.shutdown(socket.SHUT_WR)
    connection.recv(_UNREAD)


class SpareDescriptor:
    """A reserved descriptor with which to accept and refuse when the process has no other."""

    def __init__(self) -> None:
        self._fd: int | None = None
        self._take()

    def refuse_next(self, listener: socket.socket) -> bool:
        """Answer the connection that waits longest, and close it; False when none could be."""
        self.close()
        try:
            connection, _ = listener.accept()
        except OSError:
            return False
        else:
            with connection, suppress(OSError):
                connection.settimeout(0)
                connection.send(REFUSAL)
                _end_readably(connection)
            return True
        finally:
            self._take()

    def close(self) -> None:
        """Give it back."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _take(self) -> None:
        with suppress(OSError):
            self._fd = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
