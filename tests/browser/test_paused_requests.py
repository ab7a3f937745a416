"""Requests that wait, with a browser that is scripted; see `test_interception` for a real one."""

import asyncio
from collections.abc import Mapping
from typing import cast

import pytest

from jupyter_ac.browser import paused_requests
from jupyter_ac.browser.cdp import CdpConnection, CdpSession, Json
from jupyter_ac.browser.paused_requests import PausedRequest, PausedRequests, Stage
from jupyter_ac.errors import BrowserError, InvalidParams, NotFound
from tests.browser.network_rows import FakeRows


class ScriptedSession(CdpSession):
    """Keeps the commands; answers with an error if there is one."""

    def __init__(self) -> None:
        super().__init__(cast("CdpConnection", None), "session")
        self.commands: list[tuple[str, Json]] = []
        self.error = ""
        self.called = asyncio.Event()

    async def call(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        timeout_s: float | None = None,
    ) -> Json:
        assert timeout_s is None or timeout_s > 0
        self.commands.append((method, dict(params or {})))
        self.called.set()
        await asyncio.sleep(0)
        if self.error:
            raise BrowserError(method, -32000, self.error)
        return {}


def waiting(session: CdpSession, number: int = 1, stage: Stage = "Request") -> PausedRequest:
    event: Json = {"request": {"headers": {"Origin": "http://a"}}, "responseStatusCode": 200}
    return PausedRequest(session, f"fetch-{number}", f"network-{number}", stage, event)


@pytest.mark.parametrize(
    ("events", "result"),
    [
        ([], {"outcome": "unknown"}),
        (
            [("Network.responseReceived", {"response": {"status": 201}})],
            {"outcome": "response", "status": 201},
        ),
        (
            [
                ("Network.responseReceived", {"response": {"status": 200}}),
                ("Network.loadingFinished", {}),
                ("Network.loadingFailed", {"errorText": "late"}),
            ],
            {"outcome": "complete", "status": 200},
        ),
        (
            [("Network.loadingFailed", {"errorText": "net::ERR_FAILED"})],
            {"outcome": "complete", "error": "net::ERR_FAILED"},
        ),
        (
            [("Network.requestWillBeSent", {"redirectResponse": {"status": 302}})],
            {"outcome": "redirect", "status": 302, "redirect_id": 1},
        ),
        ([("Network.requestWillBeSent", {}), ("Network.dataReceived", {})], {"outcome": "unknown"}),
    ],
)
async def test_resume_tells_what_becomes_of_a_request(
    events: list[tuple[str, Json]], result: Json
) -> None:
    session, rows = ScriptedSession(), FakeRows()
    paused = PausedRequests(rows)
    assert paused.add(waiting(session)) is None
    limit = 0.0 if result["outcome"] == "unknown" else 0.2
    resuming = asyncio.create_task(paused.resume(1, None, limit))
    await session.called.wait()
    for name, params in events:
        paused.take(session, name, {"requestId": "network-1", **params})
        paused.take(session, name, {"requestId": "another", **params})
    found = await resuming
    assert found == {"id": 1, "resumed_from": "request", "remaining": 0, **result}
    assert session.commands == [("Fetch.continueRequest", {"requestId": "fetch-1"})]
    assert rows.paused == {}


async def test_what_the_browser_refuses_stays_paused() -> None:
    session, rows = ScriptedSession(), FakeRows()
    paused = PausedRequests(rows)
    paused.add(waiting(session))
    session.error = "Invalid header: a b"
    with pytest.raises(BrowserError):
        await paused.resume(1)
    assert (paused.count, rows.paused) == (1, {1: "Request"})
    session.error = "Invalid InterceptionId."
    with pytest.raises(NotFound):
        await paused.fulfill(1)
    assert (paused.count, rows.paused) == (0, {})


async def test_one_request_is_answered_once() -> None:
    session = ScriptedSession()
    paused = PausedRequests(FakeRows())
    paused.add(waiting(session))
    first, second = await asyncio.gather(paused.fail(1), paused.fulfill(1), return_exceptions=True)
    assert not isinstance(first, BaseException)
    assert isinstance(second, NotFound)
    assert [name for name, _ in session.commands] == ["Fetch.failRequest"]


@pytest.mark.parametrize("wait", [-1, 31, "1", True, float("nan"), None])
async def test_a_wait_has_a_limit(wait: object) -> None:
    paused = PausedRequests(FakeRows())
    paused.add(waiting(ScriptedSession()))
    with pytest.raises(InvalidParams):
        await paused.resume(1, None, cast("float", wait))
    assert paused.count == 1


async def test_a_row_that_pauses_again_has_its_newest_pause() -> None:
    session, rows = ScriptedSession(), FakeRows()
    paused = PausedRequests(rows)
    older = waiting(session)
    newer = PausedRequest(session, "fetch-9", "network-1", "Request", {})
    assert paused.add(older) is None
    assert paused.add(older) is None
    assert paused.add(newer) is older
    await paused.fail(1)
    assert session.commands[-1][1]["requestId"] == "fetch-9"


async def test_too_many_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paused_requests, "MAX_PAUSED", 2)
    session = ScriptedSession()
    paused = PausedRequests(FakeRows())
    third = waiting(session, 3)
    assert [paused.add(each) for each in (waiting(session), waiting(session, 2), third)] == [
        None,
        None,
        third,
    ]
    assert [each.fetch_id for each in paused.release()] == ["fetch-1", "fetch-2"]
    assert paused.count == 0


async def test_a_session_that_ends_takes_its_requests_and_ends_the_waiting() -> None:
    session, other, rows = ScriptedSession(), ScriptedSession(), FakeRows()
    changes: list[int] = []
    paused = PausedRequests(rows, lambda: changes.append(paused.count))
    for each in (waiting(session), waiting(session, 2), waiting(other, 3)):
        paused.add(each)
    resuming = asyncio.create_task(paused.resume(1, None, 30))
    await session.called.wait()
    paused.forget(session)
    assert (await resuming)["outcome"] == "unknown"
    assert rows.paused == {3: "Request"}
    assert changes == [1, 2, 3, 2, 1]


async def test_an_answer_of_the_user_allows_the_pages_origin() -> None:
    session = ScriptedSession()
    paused = PausedRequests(FakeRows())
    paused.add(waiting(session))
    await paused.fulfill(1, 201, [{"name": "X-A", "value": "b"}], "hi")
    ((method, params),) = session.commands
    assert method == "Fetch.fulfillRequest"
    names = [each["name"] for each in cast("list[dict[str, str]]", params["responseHeaders"])]
    assert names == [
        "X-A",
        "Content-Type",
        "Access-Control-Allow-Origin",
        "Access-Control-Allow-Credentials",
    ]
    assert params["body"] == "aGk="


async def test_the_documents_that_wait_are_those_of_one_frame() -> None:
    session, paused = ScriptedSession(), PausedRequests(FakeRows())
    for number, (kind, frame) in enumerate((("Document", "a"), ("Document", "b"), ("Fetch", "a"))):
        event: Json = {"frameId": frame, "resourceType": kind}
        paused.add(PausedRequest(session, f"f{number}", f"n{number}", "Request", event))
    assert len(paused.documents("a")) == 1
    assert paused.documents("c") == set()
