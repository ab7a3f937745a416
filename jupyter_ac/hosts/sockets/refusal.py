"""Refuses excess connections with an explicit answer, instead of leaving them open.

A browser and a script understand a 503 that says when to come again; a connection that is closed
without a word, or waits in the system's queue, could mean anything.
"""

import os
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from tornado.iostream import IOStream, StreamClosedError

if TYPE_CHECKING:
    from tornado.concurrent import Future

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
    """A connection without TLS that can be refused as long as nothing was written to it."""

    has_answered = False

    def write(self, data: bytes | memoryview) -> "Future[None]":
        """Write, as any stream does."""
        self.has_answered = True
        return super().write(data)


def refuse(stream: IOStream) -> None:
    """Close a connection, and say why where that can be read as an answer."""
    if isinstance(stream, RefusableStream) and not stream.has_answered:
        # What doesn't leave at once is dropped: nobody waits for a receiver that doesn't read.
        with suppress(StreamClosedError):
            stream.write(REFUSAL)
    stream.close()


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
                connection.shutdown(socket.SHUT_WR)
                # Closed with something unread, the answer might be thrown away on its way.
                connection.recv(_UNREAD)
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
