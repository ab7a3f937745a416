"""`GET …/events`: the state of a conversation as Server-Sent Events, the same at both servers.

A connection holds at most one frame that the network has not taken. What changes meanwhile is told
by the next frame, which leads to the newest state: a slow client costs the memory of one frame, and
delays nobody.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from tornado.http1connection import HTTP1Connection
from tornado.iostream import IOStream, StreamClosedError
from tornado.web import RequestHandler

from jupyter_ac.errors import AcError, Busy, NotReady
from jupyter_ac.hosts.edge.post import refusal_of
from jupyter_ac.hosts.edge.request_body import HttpRefusal, refuse_cross_site
from jupyter_ac.hosts.sockets.connection_limits import RETRY_AFTER_S
from jupyter_ac.hosts.sockets.local_access import is_client_name
from jupyter_ac.services.state_feed.feed import FeedCursor, StateFeed

if TYPE_CHECKING:
    from tornado.concurrent import Future

EVENTS_PATH: Final = "events(?:/stream)?"
"""The path's end, as an expression; seed 003's clients use the longer one."""

HEADERS: Final = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    # Proxies that gather answers (nginx) pass each frame on at once.
    "X-Accel-Buffering": "no",
}
KEEPALIVE: Final = b": keepalive\n\n"
UP_TO_DATE: Final = b": nothing has changed\n\n"

_NO_CLIENT: Final = "client must be up to 64 of A-Z a-z 0-9 _ . -"
_NO_FLAG: Final = "delta must be 1 or 0."
_FLAGS: Final = {"": False, "0": False, "false": False, "1": True, "true": True}


@dataclass(frozen=True, slots=True)
class StreamPace:
    """The times of a stream, in seconds.

    Attributes:
        keepalive_s: with nothing else to send for so long, a comment is sent within as long again.
        stalled_s: a connection that doesn't take a frame for so long is closed.
    """

    keepalive_s: float = 14.0
    stalled_s: float = 120.0


@dataclass(frozen=True, slots=True)
class EventsRequest:
    """What a client asks for.

    Attributes:
        deltas: changed fields only.
        last_event_id: what it has seen, from `Last-Event-ID`; "" for nothing.
    """

    deltas: bool
    last_event_id: str


def read_request(handler: RequestHandler) -> EventsRequest:
    """Read a request's parameters.

    Raises:
        HttpRefusal: a browser says that a page of another site asks, or a parameter has no valid
            value.
    """
    headers = handler.request.headers
    refuse_cross_site(headers)
    if not is_client_name(handler.get_query_argument("client", "")):
        raise HttpRefusal(HTTPStatus.BAD_REQUEST, _NO_CLIENT)
    deltas = _FLAGS.get(handler.get_query_argument("delta", "").lower())
    if deltas is None:
        raise HttpRefusal(HTTPStatus.BAD_REQUEST, _NO_FLAG)
    return EventsRequest(deltas, headers.get("Last-Event-ID", ""))


def as_refusal(error: AcError | HttpRefusal) -> HttpRefusal:
    """Return how an error is answered that comes before the first frame."""
    if isinstance(error, HttpRefusal):
        return error
    if isinstance(error, Busy | NotReady):
        retry = {"Retry-After": str(RETRY_AFTER_S)}
        return HttpRefusal(HTTPStatus.SERVICE_UNAVAILABLE, str(error), retry)
    return refusal_of(error)


Send = Callable[[bytes], "Future[None]"]
"""Writes bytes at once; the future is done when the network has taken them, or failed."""


class EventStream:
    """Sends a feed's frames to one client. Belongs to the event loop.

    Args:
        cursor: gives the frames.
        send: writes to the client.
        pace: times.
    """

    def __init__(self, cursor: FeedCursor, send: Send, pace: StreamPace) -> None:
        self._cursor = cursor
        self._send_bytes = send
        self._pace = pace
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._sent_at: float | None = None
        self._is_writing = False

    async def run(self) -> None:
        """Send what there is and what comes, until the client or the feed ends, or it stalls."""
        followers = self._cursor.feed.followers
        followers.add(self._wake)
        timer = self._loop.create_task(self._watch())
        try:
            self._wake()
            if self._sent_at is None:
                # The headers must go out: the client waits for them.
                self._send(UP_TO_DATE)
            await self._ended
        finally:
            followers.discard(self._wake)
            timer.cancel()

    def end(self) -> None:
        """Stop: the client has gone."""
        if not self._ended.done():
            self._ended.set_result(None)

    def _wake(self) -> None:
        if self._cursor.feed.is_closed:
            self.end()
        elif not (self._is_writing or self._ended.done()):
            frame = self._cursor.take()
            if frame is not None:
                self._send(frame)

    def _send(self, data: bytes) -> None:
        self._sent_at = self._loop.time()
        written = self._send_bytes(data)
        if written.done():
            self._check(written)
        else:
            self._is_writing = True
            written.add_done_callback(self._written)

    def _written(self, written: "Future[None]") -> None:
        self._is_writing = False
        self._check(written)
        self._wake()

    def _check(self, written: "Future[None]") -> None:
        if written.cancelled() or written.exception() is not None:
            self.end()

    async def _watch(self) -> None:
        """Send comments into silence, and notice a client that takes nothing."""
        pace = self._pace
        while not self._ended.done():
            await asyncio.sleep(min(pace.keepalive_s, pace.stalled_s))
            silent_s = self._loop.time() - (self._sent_at or 0.0)
            if self._is_writing:
                if silent_s >= pace.stalled_s:
                    self.end()
            elif silent_s >= pace.keepalive_s:
                self._send(KEEPALIVE)


def open_stream(
    handler: RequestHandler, feed: StateFeed, asked: EventsRequest, pace: StreamPace | None = None
) -> EventStream:
    """Set the headers of a response, and make the stream that writes its body."""
    for name, value in HEADERS.items():
        handler.set_header(name, value)
    connection = connection_of(handler)
    if connection is not None:
        _tune(connection, (pace or StreamPace()).stalled_s)

    def send(data: bytes) -> "Future[None]":
        handler.write(data)
        return handler.flush()

    cursor = FeedCursor(feed, deltas=asked.deltas, last_event_id=asked.last_event_id)
    return EventStream(cursor, send, pace or StreamPace())


def connection_of(handler: RequestHandler) -> IOStream | None:
    """Return the open TCP connection below a request; None when it has gone."""
    connection = handler.request.connection
    stream = connection.stream if isinstance(connection, HTTP1Connection) else None
    return stream if stream is not None and not stream.closed() else None


def close_connection(handler: RequestHandler) -> None:
    """End a response and its connection, which waits for no further request.

    An event source connects again by itself. The connection isn't kept: it is no longer counted.
    """
    stream = connection_of(handler)
    if stream is None:
        return
    if not stream.writing():
        with suppress(StreamClosedError):
            handler.finish()
    stream.close()


def _tune(stream: IOStream, stalled_s: float) -> None:
    """Send small frames at once, and let the system notice a client that vanished (RFC 5482)."""
    stream.set_nodelay(True)
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None:
        with suppress(OSError):
            stream.socket.setsockopt(socket.IPPROTO_TCP, option, int(stalled_s * 1000))
