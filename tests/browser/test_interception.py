"""Requests of a page that are answered, blocked, delayed and paused, in a real browser."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from jupyter_ac.browser import interception as module
from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.interception import Interception
from jupyter_ac.errors import BrowserError, InvalidParams, NotFound
from tests.browser.chromium import Page, PageServer, needs_chromium, open_page
from tests.browser.network_rows import FakeRows

pytestmark = needs_chromium

GET = "fetch({url!r}).then(async r => [r.status, await r.text()], error => error.message)"


@dataclass
class Intercepted:
    page: Page
    interception: Interception
    rows: FakeRows
    changes: list[int] = field(default_factory=list)

    async def get(self, url: str) -> object:
        """What a page's script gets: status and text, or the error's message."""
        return await self.page.js(GET.format(url=url))

    def begin(self, url: str) -> "asyncio.Task[object]":
        return asyncio.create_task(self.get(url))

    async def paused(self, count: int = 1) -> list[int]:
        """The rows that are paused, once there are so many."""
        await self.page.until(lambda: len(self.rows.paused) == count)
        assert self.interception.status()["paused"] == count
        return list(self.rows.paused)

    def resume(self, row: int, changes: object = None, wait: float = 30) -> "asyncio.Task[object]":
        async def resume() -> object:
            return await self.interception.paused.resume(row, changes, wait)

        return asyncio.create_task(resume())


@asynccontextmanager
async def intercepted(
    address: str, url: str, *, is_headless: bool = False
) -> AsyncIterator[Intercepted]:
    async with open_page(address) as page:
        rows = FakeRows()
        changes: list[int] = []
        interception = Interception(
            page.session, rows, lambda: changes.append(1), is_headless=is_headless
        )

        def take(method: str, params: Json, session: CdpSession) -> None:
            if method == "Target.attachedToTarget":
                interception.add_frame(page.children[-1])
            if method == "Network.requestWillBeSent":
                rows.ids.setdefault(str(params["requestId"]), len(rows.ids) + 1)
            interception.take(method, params, session.session_id)

        page.takers.append(take)
        await page.open(url)
        try:
            yield Intercepted(page, interception, rows, changes)
        finally:
            await interception.aclose()


@pytest.fixture
def start(server: PageServer) -> str:
    server.put("/x", "real")
    server.put("/api/user", "real user")
    return server.put("/", "<link rel=icon href='data:,'><body>")


async def test_a_mock_never_reaches_the_server(
    chromium: str, server: PageServer, start: str
) -> None:
    async with intercepted(chromium, start) as page:
        server.requests.clear()
        await page.interception.set_rules(
            {
                "mock": {
                    "*/api/user": {"status": 418, "body": '{"a": "ä"}', "headers": {"X-A": "b"}},
                    "*/plain": "text",
                },
                "block": ["*/api/*"],
            }
        )
        assert await page.get("/api/user") == [418, '{"a": "ä"}']
        assert await page.page.js("fetch('/api/user').then(r => r.headers.get('x-a'))") == "b"
        kind = "fetch({!r}).then(r => r.headers.get('content-type'))"
        assert await page.page.js(kind.format("/api/user")) == "application/json"
        assert await page.page.js(kind.format("/plain")) == "text/plain; charset=utf-8"
        assert await page.get("/api/other") == "Failed to fetch"
        assert server.requests == []
        assert await page.get("/x") == [200, "real"]
        counts = page.interception.status()["rules"]
        assert counts == {"mock": 2, "block": 1, "delay": 0, "pause": 0}
        await page.interception.set_rules({})
        assert await page.get("/api/user") == [200, "real user"]


async def test_requests_that_no_rule_names_do_not_pause(chromium: str, start: str) -> None:
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"mock": {"*/api/[ab]": "mock"}})
        before = len(page.page.events)
        assert await page.get("/x") == [200, "real"]
        names = [name for name, _ in page.page.events[before:]]
        assert "Fetch.requestPaused" not in names
        assert await page.get("/api/a") == [200, "mock"]
        assert await page.get("/api/c") == [404, ""]


async def test_mocks_of_other_origins_may_be_read(
    chromium: str, server: PageServer, start: str
) -> None:
    async with intercepted(chromium, start) as page:
        url = server.url("/api/user", "localhost")
        await page.interception.set_rules({"mock": {"*/api/*": "mock"}})
        server.requests.clear()
        code = """fetch({!r}, {{method: "PUT", credentials: "include", body: "1",
            headers: {{"X-Own": "a", "Content-Type": "application/json"}}}}).then(r => r.text())"""
        assert await page.page.js(code.format(url)) == "mock"
        assert server.requests == []


async def test_a_page_itself_may_be_a_mock_also_after_navigation(
    chromium: str, server: PageServer, start: str
) -> None:
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"mock": {"*/made-up*": "<!doctype html><h1>Mock</h1>"}})
        for host in ("127.0.0.1", "localhost"):
            await page.page.open(server.url("/made-up", host))
            assert await page.page.js("document.querySelector('h1').textContent") == "Mock"


async def test_delayed_requests_come_later(
    chromium: str, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"delay": {"*/x": 400}})
        took = "(async () => {const t = performance.now(); await fetch('/x');"
        took += "return performance.now() - t})()"
        milliseconds = await page.page.js(took)
        assert isinstance(milliseconds, int | float)  # a whole number comes as one
        assert milliseconds >= 390
        monkeypatch.setattr(module, "MAX_DELAYED", 0)
        await page.interception.set_rules({"delay": {"*/x": 60_000}})
        assert await page.get("/x") == [200, "real"]


async def test_a_delay_holds_nobody_up_that_ends(chromium: str, start: str) -> None:
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"delay": {"*/x": 60_000}})
        waiting = page.begin("/x")
        await page.page.until(lambda: page.interception._delayed)
        await page.interception.set_rules({})
        assert await waiting == [200, "real"]


async def test_a_paused_request_is_resumed_and_changed(
    chromium: str, server: PageServer, start: str
) -> None:
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"pause": ["*/x"]})
        server.requests.clear()
        waiting = page.begin("/x")
        (row,) = await page.paused()
        assert server.requests == []
        result = await page.resume(row)
        assert result == {
            "id": row,
            "resumed_from": "request",
            "outcome": "complete",
            "remaining": 0,
            "status": 200,
        }
        assert await waiting == [200, "real"]
        with pytest.raises(NotFound):
            await page.interception.paused.resume(row)
        waiting = page.begin("/x")
        (row,) = await page.paused()
        changes = {"url": server.url("/api/user"), "method": "POST", "post_data": "sent"}
        await page.resume(row, changes)
        assert await waiting == [200, "real user"]
        assert server.requests[-1] == "POST /api/user sent"


async def test_wrong_changes_leave_a_request_paused(chromium: str, start: str) -> None:
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"pause": ["*/x"]})
        waiting = page.begin("/x")
        (row,) = await page.paused()
        for changes in ({"url": "file:///etc/passwd"}, {"nothing": 1}, {"headers": {"a b": ""}}):
            with pytest.raises(InvalidParams):
                await page.interception.paused.resume(row, changes)
        with pytest.raises(InvalidParams):
            await page.interception.paused.fail(row, "Nothing")
        with pytest.raises(InvalidParams):
            await page.interception.paused.fulfill(row, 99)
        with pytest.raises(BrowserError):
            await page.interception.paused.resume(row, {"headers": {"Host": "a b:::"}})
        assert list(page.rows.paused) == [row]
        assert (await page.interception.paused.fail(row))["outcome"] == "failed"
        assert await waiting == "Failed to fetch"


async def test_manual_mode_pauses_requests_and_responses(
    chromium: str, server: PageServer, start: str
) -> None:
    server.put("/moved", "", 302, Location="/x")
    async with intercepted(chromium, start) as page:
        status = await page.interception.enable(request=True, response=True)
        assert (status["enabled"], status["stages"]) == (True, ["request", "response"])
        waiting = page.begin("/moved")
        (row,) = await page.paused()
        result = await page.resume(row)
        assert result == {
            "id": row,
            "resumed_from": "request",
            "outcome": "response",
            "remaining": 1,
            "status": 302,
        }
        result = await page.resume(row)
        assert isinstance(result, dict)
        assert (result["resumed_from"], result["outcome"]) == ("response", "redirect")
        assert result["redirect_id"] == row
        await page.paused()
        await page.resume(row)
        await page.paused()
        changes = {"response_code": 203, "response_headers": {"X-Own": "a"}}
        result = await page.resume(row, changes)
        assert isinstance(result, dict)
        assert result["outcome"] == "complete"
        assert await waiting == [203, "real"]
        waiting = page.begin("/x")
        (row,) = await page.paused()
        assert await page.interception.paused.fulfill(row, 201, None, "mine") == {
            "id": row,
            "outcome": "fulfilled",
            "response_code": 201,
            "remaining": 0,
        }
        assert await waiting == [201, "mine"]


async def test_a_request_that_asks_for_it_pauses_again_at_its_response(
    chromium: str, start: str
) -> None:
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"pause": ["*/x"]})
        waiting = page.begin("/x")
        (row,) = await page.paused()
        result = await page.resume(row, {"intercept_response": True})
        assert isinstance(result, dict)
        assert (result["outcome"], result["status"]) == ("response", 200)
        assert page.rows.paused == {row: "Response"}
        await page.resume(row)
        assert await waiting == [200, "real"]


async def test_what_is_paused_goes_on_when_the_mode_ends(chromium: str, start: str) -> None:
    async with intercepted(chromium, start) as page:
        for rules in ({}, {"mock": {"*/api/*": "mock"}}):
            await page.interception.set_rules(rules)
            await page.interception.enable()
            waiting = [page.begin("/x"), page.begin("/x?2")]
            await page.paused(2)
            status = await page.interception.disable()
            assert (status["enabled"], status["paused"]) == (False, 0)
            assert await asyncio.gather(*waiting) == [[200, "real"]] * 2
            assert page.rows.paused == {}
        assert await page.get("/api/user") == [200, "mock"]


async def test_what_the_page_gives_up_is_no_longer_paused(
    chromium: str, server: PageServer, start: str
) -> None:
    server.put("/next", "<body>next")
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"pause": ["*/x*"]})
        await page.page.js(
            "window.stop = new AbortController();"
            "fetch('/x', {signal: window.stop.signal}).catch(() => 0); 0"
        )
        await page.paused()
        await page.page.js("window.stop.abort()")
        await page.paused(0)
        for path in ("/x?2", "/x?3"):
            await page.page.js(f"fetch('{path}').catch(() => 0); 0")
        await page.page.js("navigator.sendBeacon('/x?beacon', 'sent'); 0")
        await page.paused(3)
        server.requests.clear()
        await page.page.open(server.url("/next"))
        (row,) = await page.paused(1)
        await page.page.until(lambda: not page.interception._tasks)
        assert await page.get("/api/user") == [200, "real user"]
        assert "POST /x?beacon sent" not in server.requests
        await page.interception.paused.resume(row)
        await page.page.until(lambda: "POST /x?beacon sent" in server.requests)
        assert not any("/x?2" in each or "/x?3" in each for each in server.requests)


async def test_a_frame_that_goes_takes_only_its_own_paused_requests(
    chromium: str, server: PageServer, start: str
) -> None:
    server.put("/in", "<body>")
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"pause": ["*/x*"]})
        for way in ("location.reload()", "frameElement.remove()"):
            await page.page.js(
                "new Promise(done => {const f = document.createElement('iframe'); f.src = '/in';"
                "f.onload = () => done(1); window.f = f; document.body.append(f)})"
            )
            outer = page.begin("/x")
            (row,) = await page.paused()
            await page.page.js("f.contentWindow.fetch('/x?in').catch(() => 0); 0")
            await page.paused(2)
            await page.page.js(f"f.contentWindow.{way}; 0")
            assert await page.paused() == [row]
            await page.resume(row)
            assert await outer == [200, "real"]


async def test_a_tab_that_dies_ends_what_is_paused(chromium: str, start: str) -> None:
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"pause": ["*/x"]})
        waiting = page.begin("/x")
        (row,) = await page.paused()
        await page.page.connection.call("Target.closeTarget", {"targetId": page.page.target_id})
        await page.paused(0)
        waiting.cancel()
        with pytest.raises(NotFound):
            await page.interception.paused.resume(row)
        with pytest.raises(BrowserError):
            await page.interception.set_rules({"block": ["*"]})
        assert page.interception.rules == {"pause": ["*/x"]}
        with pytest.raises(BrowserError):
            await page.interception.enable()
        assert not page.interception.status()["enabled"]


async def test_a_tab_that_dies_ends_the_wait_for_a_resumed_request(
    chromium: str, server: PageServer, start: str
) -> None:
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"pause": ["*/x"], "delay": {"*/api/user": 60_000}})
        waiting = page.begin("/x")
        (row,) = await page.paused()
        resuming = page.resume(row, {"url": server.url("/x"), "intercept_response": True})
        await page.paused()
        await resuming
        resuming = page.resume(row, wait=30)
        await page.page.connection.aclose()
        page.interception.remove_frame(page.page.session.session_id)
        await asyncio.wait([resuming, waiting])
        assert page.rows.paused == {}


async def test_frames_of_other_sites_are_intercepted(
    chromium: str, server: PageServer, start: str
) -> None:
    server.put("/in", "<body>")
    src = server.url("/in", "localhost")
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"mock": {"*/api/*": "mock"}, "pause": ["*/x"]})
        await page.page.js(f"document.body.innerHTML = '<iframe src=\"{src}\"></iframe>'")
        await page.page.until(lambda: page.page.children)
        child = page.page.children[0]
        while True:
            try:
                if await page.page.js("document.readyState + location", child) == "complete" + src:
                    break
            except BrowserError:
                continue  # the frame's first document has gone
        await page.page.until(lambda: not page.interception._tasks)
        assert await page.page.js(GET.format(url="/api/user"), child) == [200, "mock"]
        waiting = asyncio.create_task(page.page.js(GET.format(url="/x"), child))
        (row,) = await page.paused()
        await page.resume(row)
        assert await waiting == [200, "real"]
        again = asyncio.create_task(page.page.js(GET.format(url="/x"), child))
        await page.paused()
        await page.page.js("document.querySelector('iframe').remove()")
        page.interception.remove_frame(child.session_id)
        await page.paused(0)
        again.cancel()


async def test_workers_of_a_page_are_no_hindrance(
    chromium: str, server: PageServer, start: str
) -> None:
    server.put("/worker.js", "fetch('/api/user').then(r => r.text()).then(postMessage)")
    async with intercepted(chromium, start) as page:
        await page.page.js("window.other = new Worker('data:text/javascript,'); 0")
        await page.page.until(lambda: page.page.children)
        await page.interception.set_rules({"mock": {"*/api/*": "mock"}})
        code = "new Promise(done => new Worker('/worker.js').onmessage = e => done(e.data))"
        assert await page.page.js(code) == "mock"


async def test_a_server_that_asks_for_a_password_is_answered_by_the_browser(
    chromium: str, server: PageServer, start: str
) -> None:
    server.put("/secret", "no", 401, WWW_Authenticate='Basic realm="x"')
    async with intercepted(chromium, start) as page:
        await page.interception.set_rules({"delay": {"*/secret": 0}})
        await page.page.js("fetch('/secret', {signal: AbortSignal.timeout(50)}).catch(() => 0)")
        image = "new Promise(done => {const i = new Image(); i.onerror = () => done(1);"
        image += "i.src = '/x?image'})"
        assert await page.page.js(image) == 1
        assert await page.get("/x") == [200, "real"]


async def test_where_nobody_sees_the_prompt_for_a_password_the_page_gets_the_refusal(
    chromium: str, server: PageServer, start: str
) -> None:
    server.put("/secret", "no", 401, WWW_Authenticate='Basic realm="x"')
    async with intercepted(chromium, start, is_headless=True) as page:
        await page.interception.set_rules({"delay": {"*/secret": 0}})
        assert await page.get("/secret") == [401, "no"]


async def test_more_than_may_be_paused_go_on(
    chromium: str, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.browser.paused_requests.MAX_PAUSED", 1)
    async with intercepted(chromium, start) as page:
        await page.interception.enable()
        waiting = page.begin("/x")
        (row,) = await page.paused()
        assert await page.get("/x?2") == [200, "real"]
        assert list(page.rows.paused) == [row]
        await page.resume(row)
        await waiting


async def test_five_hundred_rules_cost_a_request_little(chromium: str, start: str) -> None:
    async with intercepted(chromium, start) as page:
        rules = {"block": [f"*/ads{number}/*" for number in range(499)], "mock": {"*/api/*": "m"}}
        await page.interception.set_rules(rules)
        assert page.interception.rules == json.loads(json.dumps(rules))
        assert await page.get("/api/user") == [200, "m"]
        assert await page.get("/ads77/1") == "Failed to fetch"
        assert page.changes
