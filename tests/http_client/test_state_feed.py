"""The stream of states."""

import asyncio

import httpx
import pytest

from jupyter_ac.errors import AccessDenied
from jupyter_ac.http_client.endpoint import Endpoint
from jupyter_ac.http_client.state_feed import State, StateFeed
from tests.http_client.edge_methods import Waits
from tests.support.edge_server import WAIT_S


class Scripted:
    """A server with an answer for each request: a status, or the text of a stream."""

    def __init__(self, *answers: int | str) -> None:
        self.answers = list(answers)
        self.opened = 0
        self.states: list[State] = []
        self.waits = Waits()
        self.session = httpx.AsyncClient(transport=httpx.MockTransport(self._respond))
        self.feed = StateFeed(
            Endpoint("http://h/"),
            self.session,
            self.waits.pauses(),
            self._open,
            self.states.append,
        )

    async def run(self) -> object:
        async with self.session, asyncio.timeout(WAIT_S):
            return await self.feed.run()

    def _open(self) -> None:
        self.opened += 1

    def _respond(self, request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/events"
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            return httpx.Response(200, text=answer)
        if answer == 0:
            raise httpx.ConnectError("refused")
        return httpx.Response(answer)


async def test_states_of_several_streams() -> None:
    script = Scripted('data: {"epoch": 1}\n\n', ': hello\n\ndata: {"epoch": 2}\n\n', 403)
    assert isinstance(await script.run(), AccessDenied)
    assert script.states == [{"epoch": 1}, {"epoch": 2}]
    assert script.opened == 2


async def test_the_pauses_grow_until_a_state_comes() -> None:
    script = Scripted(0, 503, 0, 'data: {"epoch": 1}\n\n', 0, 401)
    await script.run()
    assert script.waits.seconds == [0.5, 1.0, 2.0, 0.5, 1.0]


@pytest.mark.parametrize("data", ["no JSON", "3", "[1]", '{"epoch": NaN', "[" * 100_000])
async def test_what_is_no_state_is_skipped(data: str) -> None:
    script = Scripted(f'data: {data}\n\ndata: {{"epoch": 1}}\n\n', 404)
    await script.run()
    assert script.states == [{"epoch": 1}]


async def test_the_first_attempt_settles_whatever_comes_of_it() -> None:
    script = Scripted(404)
    assert not script.feed.settled.is_set()
    await script.run()
    assert script.feed.settled.is_set()
