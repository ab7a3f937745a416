"""`POST …/rpc`: JSON-RPC in the body, the answer in the response, for both servers.

What HTTP has a word for is a status: 400, 401, 403, 405, 413, 415, 429. The errors of JSON-RPC
travel with 200, and notifications alone get 204. With `Accept: text/event-stream` the response is
a stream: events and parts of answers as they come, then the answers.
"""

import asyncio
import gzip
import json
import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Final

from tornado.http1connection import HTTP1Connection
from tornado.iostream import StreamClosedError
from tornado.web import RequestHandler

from jupyter_ac.errors import AccessDenied, AcError, Busy, Conflict, NotFound, RefusedPath
from jupyter_ac.hosts.edge.accept_headers import accepts, takes_gzip
from jupyter_ac.hosts.edge.request_body import HttpRefusal, RequestBody, refuse_cross_site
from jupyter_ac.hosts.sockets.connection_limits import RETRY_AFTER_S
from jupyter_ac.hosts.sockets.local_access import is_client_name
from jupyter_ac.rpc.dialect import BY_METHOD, PROFILES, WireDialect
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.transports.exchange import ExchangeTransport

EVENT_STREAM: Final = "text/event-stream"
PACK_FROM_BYTES: Final = 8192
KEEP_ALIVE_S: Final = 15.0
BODY_S: Final = 60.0
"""How long a body may take to come."""

# The decoder passes over a byte order mark.
_ARRAY: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*\[")
_STREAM_BYTES: Final = 64 << 20
_THREAD_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request to be served.

    Attributes:
        transport: carries it, and what is sent back.
        profile: its dialect.
        client: the page's name.
        takes_events: whether the caller gets events until its calls are answered.
    """

    transport: Transport
    profile: WireDialect
    client: str
    takes_events: bool


Serve = Callable[[Exchange], Awaitable["asyncio.Task[None]"]]
"""Begins to serve an exchange; returns the task that does it."""

Carry = Callable[[Exchange], Awaitable[None]]
"""Serves an exchange to its end."""


@dataclass(frozen=True, slots=True)
class PostRequest:
    """A POST whose headers have passed all checks.

    Attributes:
        body: gathers what comes.
        profile: of its calls and answers.
        client: the page's name.
        wants_stream: whether the answer is a stream of events.
    """

    body: RequestBody
    profile: WireDialect
    client: str
    wants_stream: bool

    @classmethod
    def of(cls, handler: RequestHandler, max_bytes: int) -> "PostRequest":
        """Check a request's headers and address, before its body is read.

        Raises:
            HttpRefusal: they can't be accepted.
        """
        request = handler.request
        refuse_cross_site(request.headers)
        client = handler.get_query_argument("client", "")
        if not is_client_name(client):
            raise HttpRefusal(
                HTTPStatus.BAD_REQUEST, "client must be up to 64 of A-Z a-z 0-9 _ . -"
            )
        profile = profile_of(handler.get_query_argument("profile", ""), BY_METHOD)
        body = RequestBody(request.headers, max_bytes)
        return cls(body, profile, client, accepts(request.headers.get("Accept", ""), EVENT_STREAM))


def profile_of(name: str, default: WireDialect) -> WireDialect:
    """Return the profile that an address asks for by `profile=`.

    Args:
        name: untrusted; "" for the door's own.
        default: the door's own.

    Raises:
        HttpRefusal: 400, there is none of that name.
    """
    if name and name not in PROFILES:
        raise HttpRefusal(
            HTTPStatus.BAD_REQUEST, f"profile must be one of {', '.join(sorted(PROFILES))}"
        )
    return PROFILES[name] if name else default


class BodyTimer:
    """Closes the connection of a request whose body doesn't come in time, where no server does.

    Args:
        handler: of the request; its headers have come.
    """

    def __init__(self, handler: RequestHandler) -> None:
        connection = handler.request.connection
        self._timer: asyncio.TimerHandle | None = None
        if isinstance(connection, HTTP1Connection):
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(BODY_S, connection.stream.close)

    def stop(self) -> None:
        """Wait no longer: the body has come, or the request has ended."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class PostDoor:
    """Takes one POST from a handler: what it refuses, the body, the calls, and their end.

    Args:
        handler: of the request.
    """

    def __init__(self, handler: RequestHandler) -> None:
        self._handler = handler
        self._posted: PostRequest | None = None
        self._serving: asyncio.Task[None] | None = None
        self._is_refused = self._is_gone = False
        self._timer = BodyTimer(handler)

    def begin(self, max_bytes: int) -> None:
        """Check the headers; for `prepare`, when whoever asks has been let in.

        Raises:
            HttpRefusal: they can't be accepted.
        """
        self._posted = PostRequest.of(self._handler, max_bytes)

    def refuse(self, refusal: HttpRefusal) -> None:
        """Send a refusal before the body was read.

        A connection that is closed while its client still writes looks broken to the client, so the
        response ends when the body does.
        """
        self._is_refused, handler = True, self._handler
        body = json.dumps({"message": refusal.sentence}).encode()
        handler.set_status(refusal.status)
        for name, value in refusal.headers.items():
            handler.set_header(name, value)
        handler.set_header("Content-Type", "application/json")
        handler.set_header("Content-Length", str(len(body)))
        handler.write(body)
        handler.flush()

    def receive(self, chunk: bytes) -> None:
        """Take a part of the body; for `data_received`."""
        if self._is_refused or self._posted is None:
            return
        try:
            self._posted.body.add(chunk)
        except HttpRefusal as refusal:
            self.refuse(refusal)

    async def answer(self, serve: Serve) -> None:
        """Carry out the calls and answer them; for `post`.

        Args:
            serve: begins to serve them.
        """
        self._timer.stop()
        if self._is_refused or self._posted is None:
            self._handler.finish()
            return
        try:
            await answer(self._handler, self._posted, partial(self._serve, serve))
        except HttpRefusal as refusal:
            self._refuse_late(refusal)
        except AcError as error:
            self._refuse_late(refusal_of(error))
        except asyncio.CancelledError:
            if not self._is_gone:
                raise

    def leave(self) -> None:
        """Stop the calls of a client that has gone; for `on_connection_close`."""
        self._is_gone = True
        self._timer.stop()
        if self._serving is not None:
            self._serving.cancel()

    async def _serve(self, serve: Serve, exchange: Exchange) -> None:
        self._serving = await serve(exchange)
        await self._serving

    def _refuse_late(self, refusal: HttpRefusal) -> None:
        self._handler.set_status(refusal.status)
        for name, value in refusal.headers.items():
            self._handler.set_header(name, value)
        self._handler.finish({"message": refusal.sentence})


class AnswerFrames:
    """Gathers the answers of an exchange for one response."""

    def __init__(self) -> None:
        self.frames: list[str] = []

    def body(self, *, is_split: bool) -> bytes | None:
        """Return the response; None if there is nothing to say.

        Args:
            is_split: the request was an array, whose calls jrpc-oo answers in a frame each: the
                response is an array all the same.
        """
        if not self.frames:
            return None
        if is_split:
            return ("[" + ",".join(self.frames) + "]").encode()
        return self.frames[0].encode()


async def answer(handler: RequestHandler, posted: PostRequest, serve: Carry) -> None:
    """Carry out the calls of a request, and answer in the way that it asks for.

    A client that has gone gets no answer; as an error that would be logged, with the token.

    Raises:
        HttpRefusal: the body is incomplete.
        AcError: the exchange can't be served.
    """
    with suppress(StreamClosedError):
        if posted.wants_stream:
            await _answer_stream(handler, posted, serve)
        else:
            await _answer_whole(handler, posted, serve)


async def _answer_whole(handler: RequestHandler, posted: PostRequest, serve: Carry) -> None:
    frames, frame = AnswerFrames(), posted.body.frame()
    transport = ExchangeTransport(frame, frames.frames.append)
    await serve(Exchange(transport, posted.profile, posted.client, takes_events=False))
    await transport.flushed()
    is_split = posted.profile.jrpc_oo and _ARRAY.match(frame) is not None
    body = frames.body(is_split=is_split)
    handler.set_header("Cache-Control", "no-store")
    if body is None:
        handler.set_status(HTTPStatus.NO_CONTENT)
        await handler.finish()
        return
    handler.set_header("Content-Type", "application/json")
    handler.set_header("Vary", "Accept-Encoding")
    if len(body) >= PACK_FROM_BYTES and takes_gzip(
        handler.request.headers.get("Accept-Encoding", "")
    ):
        body = await _packed(body)
        handler.set_header("Content-Encoding", "gzip")
    await handler.finish(body)


async def _answer_stream(handler: RequestHandler, posted: PostRequest, serve: Carry) -> None:
    sender = _StreamSender(handler)
    transport = ExchangeTransport(posted.body.frame(), sender.push)
    writing = asyncio.create_task(sender.run(), name="a streamed answer")
    try:
        await serve(Exchange(transport, posted.profile, posted.client, takes_events=True))
        await transport.flushed()
        sender.end()
        await asyncio.wait({writing})
    finally:
        writing.cancel()
    await handler.finish()


class _StreamSender:
    """Writes frames as server-sent events; a client that doesn't read is cut off."""

    def __init__(self, handler: RequestHandler) -> None:
        self._handler = handler
        self._waiting: deque[str] = deque()
        self._size = 0
        self._has_news = asyncio.Event()
        self._has_ended = False
        handler.set_header("Content-Type", f"{EVENT_STREAM}; charset=utf-8")
        handler.set_header("Cache-Control", "no-store")
        handler.set_header("X-Accel-Buffering", "no")

    def push(self, frame: str) -> None:
        self._size += len(frame)
        if self._size > _STREAM_BYTES:
            self._waiting.clear()
            self._has_ended = True
        else:
            self._waiting.append(frame)
        self._has_news.set()

    def end(self) -> None:
        self._has_ended = True
        self._has_news.set()

    async def run(self) -> None:
        with suppress(StreamClosedError):
            while True:
                while self._waiting:
                    frame = self._waiting.popleft()
                    self._size -= len(frame)
                    await self._write(f"data: {frame}\n\n")
                if self._has_ended:
                    return
                await self._wait()

    async def _wait(self) -> None:
        self._has_news.clear()
        try:
            async with asyncio.timeout(KEEP_ALIVE_S):
                await self._has_news.wait()
        except TimeoutError:
            await self._write(": keep-alive\n\n")

    async def _write(self, text: str) -> None:
        self._handler.write(text)
        await self._handler.flush()


async def _packed(body: bytes) -> bytes:
    if len(body) < _THREAD_BYTES:
        return gzip.compress(body, 1)
    return await asyncio.to_thread(gzip.compress, body, 1)


def refusal_of(error: AcError) -> HttpRefusal:
    """Return the status for an error of opening a repository, as the socket has a close code."""
    if isinstance(error, Busy):
        return HttpRefusal(
            HTTPStatus.TOO_MANY_REQUESTS, str(error), {"Retry-After": str(RETRY_AFTER_S)}
        )
    for kind, status in _STATUSES.items():
        if isinstance(error, kind):
            return HttpRefusal(status, str(error))
    return HttpRefusal(HTTPStatus.SERVICE_UNAVAILABLE, str(error))


_STATUSES: Final[Mapping[type[AcError], HTTPStatus]] = {
    RefusedPath: HTTPStatus.FORBIDDEN,
    AccessDenied: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    Conflict: HTTPStatus.CONFLICT,
}
