"""One request and its answer."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx
import pytest

from jupyter_ac.errors import Conflict, ConnectionClosed, InvalidRequest, RemoteError, TimedOut
from jupyter_ac.http_client.endpoint import Endpoint
from jupyter_ac.http_client.exchange import Exchange, Message
from tests.http_client.edge_methods import PARTS, Edge, edge
from tests.support.edge_server import LOSE_PART, WAIT_S


def message(method: str, **params: object) -> Message:
    return {"jsonrpc": "2.0", "method": method, "params": params, "id": "i"}


@asynccontextmanager
async def exchanging() -> AsyncIterator[tuple[Edge, Exchange]]:
    async with edge() as found:
        endpoint = Endpoint(found.server.url)
        async with endpoint.session() as session:
            yield found, Exchange(endpoint, session, lambda _: None, lambda _: None)


def answering(*events: object) -> Exchange:
    """An exchange with a server that answers in a way that none should."""
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events)

    def respond(request: httpx.Request) -> httpx.Response:
        wants_stream = request.headers.get("Accept") == "text/event-stream"
        return httpx.Response(200, text=body if wants_stream else json.dumps(events[0]))

    session = httpx.AsyncClient(transport=httpx.MockTransport(respond))
    return Exchange(Endpoint("http://h/"), session, lambda _: None, lambda _: None)


def fail(part: str) -> None:
    raise AssertionError(part)


async def read(
    exchange: Exchange, call: Message, take: Callable[[str], None], limit_s: float = WAIT_S
) -> None:
    """Read a stream to its end or its error."""
    async for part in exchange.streamed(call, limit_s):
        take(part)


async def test_a_missing_part_is_noticed() -> None:
    async with exchanging() as (found, exchange):
        found.server.plans.append(LOSE_PART)
        seen: list[str] = []
        with pytest.raises(Conflict, match="Part 2"):
            await read(exchange, message("Work.write"), seen.append)
        assert seen == [PARTS[0]]


async def test_a_stream_that_fails_has_its_parts_and_then_the_error() -> None:
    async with exchanging() as (_, exchange):
        seen: list[str] = []
        with pytest.raises(RemoteError, match="The model has gone"):
            await read(exchange, message("Work.write", how="fail"), seen.append)
        assert seen == list(PARTS)


async def test_a_stream_without_a_part_ends_after_its_time() -> None:
    async with exchanging() as (_, exchange):
        with pytest.raises(TimedOut, match=r"Work\.wait"):
            await read(exchange, message("Work.wait"), fail, 0.05)


async def test_answers_that_are_none() -> None:
    answers: list[object] = [3, [], "x"]
    for answer in answers:
        with pytest.raises(InvalidRequest):
            await answering(answer).whole(message("m"), WAIT_S)
    with pytest.raises(RemoteError) as caught:
        await answering({"error": "no"}).whole(message("m"), WAIT_S)
    assert caught.value.remote_code == 0


async def test_a_stream_that_ends_before_its_answer() -> None:
    other = {"jsonrpc": "2.0", "id": "other", "result": 1}
    event = {"jsonrpc": "2.0", "method": "AcApp.filesChanged", "params": {}}
    with pytest.raises(ConnectionClosed, match="the answer is missing"):
        await read(answering(3, other, event), message("m"), fail)
