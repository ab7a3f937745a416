"""Accepts a server's TCP connections within limits, also before authentication.

A connection is *pending* until its WebSocket has shown the token. Pending ones have a small budget
of their own, and a new one replaces the oldest: sockets that a stranger opens and leaves never
block a client with the token. A replaced connection gets a 503, and so does a new one for which the
process has no descriptor. Tornado's own accept loop has no limit, and when the process runs out of
descriptors it fails, with a traceback, in each iteration of the event loop.
"""

import asyncio
import errno
import logging
import os
import socket
import ssl
from typing import Final

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream, SSLIOStream
from tornado.netutil import ssl_wrap_socket

from jupyter_ac.hosts.sockets.connection_limits import (
    ConnectionLimits,
    RefusableStream,
    SpareDescriptor,
    refuse,
)

INTERVAL_S: Final = 60.0


class RepeatedLog:
    """Logs the first event of a cause at once, and then one line an interval with their number.

    Belongs to the running event loop.

    Args:
        logger: where the lines go.
        interval_s: the least time between two lines of one cause.
    """

    def __init__(self, logger: logging.Logger, interval_s: float = INTERVAL_S) -> None:
        self._logger = logger
        self._interval_s = interval_s
        self._counts: dict[str, int] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def count(self, sentence: str) -> None:
        """Log a warning, or count it; the sentence names the cause and holds no changing detail."""
        if sentence in self._counts:
            self._counts[sentence] += 1
            return
        self._logger.warning("%s", sentence)
        self._wait(sentence)

    def close(self) -> None:
        """Log what has been counted, and nothing more."""
        for timer in self._timers.values():
            timer.cancel()
        for sentence, count in self._counts.items():
            self._log_count(sentence, count)
        self._timers.clear()
        self._counts.clear()

    def _wait(self, sentence: str) -> None:
        self._counts[sentence] = 0
        loop = asyncio.get_running_loop()
        self._timers[sentence] = loop.call_later(self._interval_s, self._report, sentence)

    def _report(self, sentence: str) -> None:
        count = self._counts.pop(sentence)
        del self._timers[sentence]
        if count:
            self._log_count(sentence, count)
            self._wait(sentence)

    def _log_count(self, sentence: str, count: int) -> None:
        if count:
            self._logger.warning("%s (%d more times)", sentence, count)


_logger = logging.getLogger(__name__)

RECEIVE_BYTES: Final = 256 * 1024
"""The kernel's buffer of one connection: the age of unread data in it can't be measured."""

_FULL_S: Final = 0.05
"""Delay before the next check for a free slot; connections wait in the system's queue."""

_EXHAUSTED: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class PendingConnections:
    """The connections that have not shown a token, oldest first.

    Attributes:
        limits: how many there may be, and for how long.
        log: records each replaced connection.

    Args:
        limits: as the attribute.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self.log = RepeatedLog(_logger)
        self._opened: dict[IOStream, float] = {}
        self._sweeping: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._opened)

    @property
    def has_room(self) -> bool:
        """Whether another one may come: a slot is free, or the oldest is past its grace period."""
        if len(self._opened) >= self.limits.pending:
            self._forget_closed()
        if len(self._opened) < self.limits.pending:
            return True
        age_s = asyncio.get_running_loop().time() - next(iter(self._opened.values()))
        return age_s >= self.limits.grace_s

    def add(self, stream: IOStream) -> None:
        """Count a new connection in; the oldest one goes if there is no room."""
        if len(self._opened) >= self.limits.pending:
            self.log.count(
                f"More than {self.limits.pending} connections without a token are open; the oldest "
                "are closed. Users who have the token still get in."
            )
            self.refuse_oldest()
        self._opened[stream] = asyncio.get_running_loop().time()
        self._sweep_later()

    def admit(self, stream: IOStream) -> None:
        """Count a connection out: it has shown its token and is served."""
        self._opened.pop(stream, None)

    def refuse_oldest(self) -> bool:
        """Close the oldest connection and tell it why; False when there is none."""
        stream = self._pop_oldest()
        if stream is not None:
            refuse(stream)
        return stream is not None

    def close(self) -> None:
        """Close all of them."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        while (stream := self._pop_oldest()) is not None:
            stream.close()
        self.log.close()

    def _pop_oldest(self) -> IOStream | None:
        stream = next(iter(self._opened), None)
        if stream is not None:
            del self._opened[stream]
        return stream

    def _forget_closed(self) -> None:
        for stream in [stream for stream in self._opened if stream.closed()]:
            del self._opened[stream]

    def _sweep_later(self) -> None:
        if self._sweeping is None and self._opened:
            oldest = next(iter(self._opened.values()))
            loop = asyncio.get_running_loop()
            self._sweeping = loop.call_at(oldest + self.limits.pending_s, self._sweep)

    def _sweep(self) -> None:
        self._sweeping = None
        self._forget_closed()
        latest = asyncio.get_running_loop().time() - self.limits.pending_s
        while self._opened and next(iter(self._opened.values())) <= latest:
            stream = self._pop_oldest()
            if stream is not None:
                stream.close()
        self._sweep_later()


class Acceptor:
    """Hands accepted connections to a Tornado server; belongs to the running event loop.

    Args:
        listener: listens already; closed by `stop`.
        server: answers; made without sockets of its own.
        pending: where connections are counted in; its limits hold.
        ssl_context: None for plain connections.
    """

    def __init__(
        self,
        listener: socket.socket,
        server: HTTPServer,
        pending: PendingConnections,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._listener = listener
        self._server = server
        self._pending = pending
        self._limits = pending.limits
        self._ssl_context = ssl_context
        self._loop = asyncio.get_running_loop()
        self._pausing: asyncio.TimerHandle | None = None
        self._spare = SpareDescriptor()
        listener.settimeout(0)
        # Those that are accepted inherit it.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)

    @property
    def address(self) -> tuple[str, int]:
        """The address on which it listens."""
        host, port = self._listener.getsockname()[:2]
        return str(host), int(port)

    def start(self) -> None:
        """Begin to accept, or begin again after a pause."""
        self._pausing = None
        self._loop.add_reader(self._listener, self._accept)

    def stop(self) -> None:
        """Stop accepting, and close the listener and all pending connections."""
        if self._pausing is not None:
            self._pausing.cancel()
        self._loop.remove_reader(self._listener)
        self._listener.close()
        self._spare.close()
        self._pending.close()

    def _accept(self) -> None:
        for _ in range(self._limits.batch):
            if not self._pending.has_room:
                self._resume_in(_FULL_S)
                return
            try:
                connection, address = self._listener.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionAbortedError:
                continue
            except OSError as error:
                self._pause(error)
                return
            self._take(connection, address)

    def _pause(self, error: OSError) -> None:
        """Accept nothing for a moment: the listener stays readable, and the loop would spin."""
        self._resume_in(self._limits.pause_s)
        reason = os.strerror(error.errno) if error.errno is not None else "unknown reason"
        self._pending.log.count(
            f"No connection can be accepted ({reason}); trying again every "
            f"{self._limits.pause_s:g} s. Close programs, or raise the limit (`ulimit -n`)."
        )
        if error.errno in _EXHAUSTED and not self._pending.refuse_oldest():
            self._refuse_waiting()

    def _refuse_waiting(self) -> None:
        """Answer those for whom nobody can make room; at the next attempt more of them."""
        for _ in range(self._limits.batch):
            if not self._spare.refuse_next(self._listener):
                return

    def _resume_in(self, pause_s: float) -> None:
        self._loop.remove_reader(self._listener)
        self._pausing = self._loop.call_later(pause_s, self.start)

    def _take(self, connection: socket.socket, address: object) -> None:
        try:
            stream = self._stream(connection)
            self._pending.add(stream)
            self._server.handle_stream(stream, address if isinstance(address, tuple) else ())
        except (OSError, ValueError) as error:
            # The other end was quick to leave, or there is no descriptor for the handshake.
            connection.close()
            _logger.debug("a connection could not be taken: %r", error)

    def _stream(self, connection: socket.socket) -> IOStream:
        buffer = self._server.max_buffer_size
        if self._ssl_context is None:
            return RefusableStream(connection, max_buffer_size=buffer)
        secured = ssl_wrap_socket(
            connection, self._ssl_context, server_side=True, do_handshake_on_connect=False
        )
        return SSLIOStream(secured, max_buffer_size=buffer)
