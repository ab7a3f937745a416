"""What is recorded of a page and done in it, together, in a real browser."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.browser.cdp import CdpSession
from jupyter_ac.browser.debugger import Debugger
from jupyter_ac.browser.filters import Filters
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.browser.target import Taker, Target
from jupyter_ac.browser.watched_page import WatchedPage
from jupyter_ac.errors import InvalidParams, NotFound
from tests.browser.chromium import needs_chromium
from tests.browser.running_browser import HEADLESS, LIMIT_S, pages
from tests.support.json_values import JsonValue

pytestmark = needs_chromium

HOME = """<title>Home</title>
<style>body { margin: 0 } button { display: block; width: 200px; height: 40px }</style>
<button class="b">one</button><button class="b" onclick="window.hit = 'two'">two</button>
<form><input id="name"><input id="secret" type="password" value="hunter2hunter2"></form>
<script>
console.warn("careful");
const loc = { file: "/home/me/app/web/home.html", line: 2, column: 4 };
document.querySelectorAll("button")[1].__svelte_meta = { loc };
document.cookie = "sid=abcdef0123456789abcdef";
fetch("/gone?api_key=abcdef0123456789abcdef");
</script>"""
SCRIPT_HOW = {"persist": False, "await_promise": False, "return_value": True}
ALL: dict[str, object] = {"limit": 50, "show_all": False, "order": "desc", "reveal": False}


class Watched:
    """A page that is watched, and how often it has changed."""

    def __init__(self, page: WatchedPage) -> None:
        self.page = page

    def state(self) -> dict[str, JsonValue]:
        return self.page.state()

    async def act(self, action: str, **arguments: object) -> JsonValue:
        return await self.page.act(action, dict(arguments))

    async def js(self, code: str, selection: str | None = None) -> JsonValue:
        return (await self.act("js", code=code, selection=selection, **SCRIPT_HOW))["value"]

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(LIMIT_S):
            while not condition():
                await asyncio.sleep(0.02)


@asynccontextmanager
async def watched(folder: Path, site: str) -> AsyncIterator[Watched]:
    made: dict[str, WatchedPage] = {}
    row_ids, filters = RowIds(), Filters(folder / "filters.json")

    def takers(target: Target, session: CdpSession) -> tuple[Taker, ...]:
        page = made.get(target.id)
        if page is None:
            page = WatchedPage(target, row_ids, filters, lambda: ["web/home.html"], lambda: None)
            made[target.id] = page
        return page.takers(session)

    debugger = Debugger(lambda _change: None, takers)
    try:
        await debugger.launch(HEADLESS)
        async with asyncio.timeout(LIMIT_S):
            while not (found := [row for row in debugger.targets() if row["type"] == "page"]):
                await asyncio.sleep(0.02)
        await debugger.watch(found[0]["id"])
        one = Watched(made[found[0]["id"]])
        await one.act("navigate", url=f"{site}/")
        await one.until(lambda: one.state()["errors"])
        yield one
        await one.page.aclose()
    finally:
        await debugger.aclose()


@pytest.mark.timeout(300)
async def test_a_page_from_its_first_request_to_its_last(tmp_path: Path) -> None:
    with pages({"/": HOME}) as site:
        async with watched(tmp_path, site) as one:
            await one.until(lambda: one.state()["title"] == "Home")
            assert one.state()["problem"] == ""
            await lists(one)
            await news(one)
            await elements(one)
            await typing(one)
            await clearing(one)
            with pytest.raises(InvalidParams, match="no action"):
                await one.act("explode")


async def lists(one: Watched) -> None:
    requests = (await one.act("network", **ALL))["requests"]
    failed = next(row for row in requests if "/gone" in row["url"])
    assert failed["status"] == 404
    assert "abcdef0123456789" not in str(requests)
    shown = (await one.act("network", **{**ALL, "reveal": True}))["requests"]
    assert "abcdef0123456789" in str(shown)
    messages = (await one.act("console", limit=50, level="warning", reveal=False))["messages"]
    assert [each["message"] for each in messages] == ["careful"]
    har = await one.act("export_har", reveal=False)
    assert har["log"]["version"] == "1.2"
    assert "abcdef0123456789" not in str(har)
    asked = {"row_id": failed["id"], "fields": None, "reveal": False}
    entry = (await one.act("request", **asked, expr="response.status"))["entry"]
    assert entry == 404
    with pytest.raises(NotFound):
        await one.act("request", row_id=10**9, fields=None, expr=None, reveal=False)


async def news(one: Watched) -> None:
    found = await one.act("news")
    assert {item["kind"] for item in found["items"]} == {"request", "output"}
    assert "abcdef0123456789" not in str(found)
    assert found["items"][0]["source"].startswith("http://127.0.0.1")
    assert (await one.act("take_news"))["items"] == found["items"]
    assert await one.act("news") == {"items": [], "left_out": 0}
    await one.js("fetch('/gone?api_key=other'); console.error('new one'); 1")
    async with asyncio.timeout(LIMIT_S):
        while len((found := await one.act("news"))["items"]) < len(["error", "request"]):
            await asyncio.sleep(0.02)
    assert [(item["kind"], item["known"]) for item in found["items"]] == [
        ("error", False),
        ("request", True),
    ]
    assert found["items"][0]["name"] == "new one"


async def elements(one: Watched) -> None:
    await one.act("start_inspect")
    assert one.state()["inspect_active"] is True
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        click = {"type": kind, "x": 20, "y": 60, "button": "left", "clickCount": 1}
        await one.act("cdp", method="Input.dispatchMouseEvent", params=click)
    await one.until(lambda: one.state()["selections"])
    assert one.state()["selections"]["1"]["text"] == "two"
    await one.act("stop_inspect")
    element = await one.act("selection", element_id="1")
    assert element["selector"]
    component = element["component"]
    assert (component["path"], component["line"]) == ("web/home.html", 3)
    assert await one.js("element.textContent", "1") == "two"
    await one.act("click", selector="", selection="1")
    assert await one.js("window.hit") == "two"
    with pytest.raises(NotFound):
        await one.js("1", "7")
    await one.act("clear_selections")
    assert one.state()["selections"] == {}


async def typing(one: Watched) -> None:
    how = {"selector": "#name", "selection": "", "replace": True, "press": ""}
    await one.act("type_text", text="Ada", **how)
    assert await one.js("document.querySelector('#name').value") == "Ada"
    waiting = {"selector": "#name", "text": "", "url": "", "timeout_s": 30.0}
    assert (await one.act("wait_for", **waiting))["found"] is True
    assert (await one.act("screenshot", full=False))["mime_type"] == "image/png"
    rules = {"mock": {"*/made": "made up"}}
    assert await one.act("set_rules", rules=rules) == rules
    assert await one.act("get_rules") == rules
    got = await one.act(
        "js",
        code="fetch('/made').then((answer) => answer.text())",
        selection=None,
        **{**SCRIPT_HOW, "await_promise": True},
    )
    assert got["value"] == "made up"


async def clearing(one: Watched) -> None:
    assert await one.act("clear", events=True, console=True) == {"cleared": ["events", "console"]}
    assert (await one.act("network", **ALL))["requests"] == []
    assert (await one.act("console", limit=5, level=None, reveal=False))["messages"] == []
