"""One client's stream: what is sent when the network takes it, and when it doesn't."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import pytest
from tornado.httputil import HTTPConnection, HTTPHeaders, HTTPServerRequest, RequestStartLine
from tornado.iostream import StreamClosedError
from tornado.web import Application, RequestHandler

from jupyter_ac.errors import AcError, Busy, Conflict, NotFound, NotReady, RefusedPath
from jupyter_ac.hosts.edge.event_stream import (
    KEEPALIVE,
    UP_TO_DATE,
    EventsRequest,
    EventStream,
    StreamPace,
    as_refusal,
    read_request,
)
from jupyter_ac.hosts.edge.request_body import HttpRefusal
from jupyter_ac.services.state_feed.feed import FeedCursor, StateFeed

QUIET = StreamPace(keepalive_s=300, stalled_s=300)
LIMIT_S = 30.0


class Network:
    """Takes bytes at once, or, when it is `blocked`, when the test says so."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.is_blocked = False
        self._taken: list[asyncio.Future[None]] = []
        self._changed = asyncio.Event()

    def send(self, data: bytes) -> "asyncio.Future[None]":
        assert all(future.done() for future in self._taken), "two frames at once"
        self.sent.append(data)
        self._changed.set()
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._taken.append(future)
        if not self.is_blocked:
            future.set_result(None)
        return future

    def take(self, error: Exception | None = None) -> None:
        if error is None:
            self._taken[-1].set_result(None)
        else:
            self._taken[-1].set_exception(error)

    async def until(self, count: int) -> None:
        async with asyncio.timeout(LIMIT_S):
            while len(self.sent) < count:
                self._changed.clear()
                await self._changed.wait()


@asynccontextmanager
async def streaming(
    feed: StateFeed,
    network: Network,
    pace: StreamPace = QUIET,
    *,
    deltas: bool = True,
    last_event_id: str = "",
) -> AsyncIterator["asyncio.Task[None]"]:
    cursor = FeedCursor(feed, deltas=deltas, last_event_id=last_event_id)
    stream = EventStream(cursor, network.send, pace)
    task = asyncio.create_task(stream.run())
    await network.until(1)
    yield task
    stream.end()
    async with asyncio.timeout(LIMIT_S):
        await task
    assert not feed.followers


async def test_the_state_comes_first_and_then_each_change() -> None:
    feed, network = StateFeed({"page": 1}), Network()
    first = feed.revision
    async with streaming(feed, network):
        feed.update({"page": 2})
        await network.until(2)
        assert network.sent[1] == feed.frame(first)
        assert b'"delta":true' in network.sent[1]


async def test_a_client_that_has_seen_the_newest_gets_a_comment_by_which_it_knows_that() -> None:
    feed, network = StateFeed({"page": 1}), Network()
    async with streaming(feed, network, last_event_id=str(feed.revision)):
        assert network.sent == [UP_TO_DATE]
        feed.update({"page": 2})
        await network.until(2)


@pytest.mark.parametrize("deltas", [False, True])
async def test_a_slow_client_gets_the_newest_state_and_nothing_between(deltas: bool) -> None:
    feed, network = StateFeed({"page": 0}), Network()
    first = feed.revision
    network.is_blocked = True
    async with streaming(feed, network, deltas=deltas):
        for number in range(1, 100):
            feed.update({"page": number})
            await asyncio.sleep(0)
        assert len(network.sent) == 1
        network.take()
        await network.until(2)
        assert network.sent[1] == feed.frame(first if deltas else None)
        assert b'"page":99' in network.sent[1]


async def test_into_silence_comments_are_sent() -> None:
    network = Network()
    pace = StreamPace(keepalive_s=0.01, stalled_s=300)
    async with streaming(StateFeed({"page": 0}), network, pace):
        await network.until(4)
        assert network.sent[1:4] == [KEEPALIVE] * 3


async def test_a_client_that_takes_nothing_for_too_long_is_given_up() -> None:
    network = Network()
    network.is_blocked = True
    pace = StreamPace(keepalive_s=0.01, stalled_s=0.05)
    async with streaming(StateFeed({"page": 0}), network, pace) as task:
        async with asyncio.timeout(LIMIT_S):
            await task
        assert len(network.sent) == 1


async def test_a_connection_that_breaks_ends_the_stream() -> None:
    feed, network = StateFeed({"page": 0}), Network()
    network.is_blocked = True
    async with streaming(feed, network) as task:
        network.take(StreamClosedError())
        async with asyncio.timeout(LIMIT_S):
            await task
        assert not feed.followers


async def test_the_end_of_the_feed_ends_the_stream() -> None:
    feed, network = StateFeed({"page": 0}), Network()
    async with streaming(feed, network) as task:
        feed.close()
        async with asyncio.timeout(LIMIT_S):
            await task
        assert len(network.sent) == 1


class Connection:
    """As much of a connection as a request needs that is never answered."""

    def set_close_callback(self, callback: object) -> None:
        del callback


def asking(query: str = "", **headers: str) -> EventsRequest:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    fields = HTTPHeaders({"Host": "localhost"} | named)
    request = HTTPServerRequest(
        start_line=RequestStartLine("GET", f"/events?{query}", "HTTP/1.1"),
        headers=fields,
        connection=cast("HTTPConnection", Connection()),
    )
    return read_request(RequestHandler(Application(), request))


def test_what_a_client_asks_for() -> None:
    assert asking() == EventsRequest(deltas=False, last_event_id="")
    assert asking("delta=0") == asking("delta=false") == asking()
    assert asking("delta=1", Last_Event_ID="7") == EventsRequest(deltas=True, last_event_id="7")
    assert asking("delta=True&client=a.b-c_1").deltas


@pytest.mark.parametrize("query", ["delta=2", "delta=yes", "client=a%20b", f"client={'x' * 65}"])
def test_a_parameter_that_means_nothing_is_refused(query: str) -> None:
    with pytest.raises(HttpRefusal) as caught:
        asking(query)
    assert as_refusal(caught.value) is caught.value
    assert caught.value.status == 400


def test_a_page_of_another_site_is_refused() -> None:
    with pytest.raises(HttpRefusal, match="other sites") as caught:
        asking(Sec_Fetch_Site="cross-site")
    assert caught.value.status == 403


@pytest.mark.parametrize(
    ("error", "status", "comes_again"),
    [
        (RefusedPath("x"), 403, False),
        (NotFound("x"), 404, False),
        (Conflict("x"), 409, False),
        (Busy("x"), 503, True),
        (NotReady("x"), 503, True),
    ],
)
def test_a_client_learns_by_the_status_what_it_can_do(
    error: AcError, status: int, comes_again: bool
) -> None:
    refusal = as_refusal(error)
    assert (refusal.status, refusal.sentence) == (status, "x")
    assert ("Retry-After" in refusal.headers) is comes_again


@pytest.mark.parametrize("site", ["same-origin", "same-site", "none"])
def test_pages_of_this_machine_and_programs_are_let_in(site: str) -> None:
    assert asking(Sec_Fetch_Site=site) == asking()
