"""Elements that are picked by clicks in a real browser, and what becomes of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from jupyter_ac.browser import element_selection
from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.element_selection import MAX_ELEMENTS, ElementSelection
from jupyter_ac.errors import BrowserError, NotConnected, NotFound
from tests.browser.chromium import WITHIN_S, Page, PageServer, needs_chromium, open_page

pytestmark = needs_chromium

LIST = """<!doctype html><body style='margin:0'>
<p class=row style='margin:0;height:20px'>1</p><p class=row style='margin:0;height:20px'>2</p>
<p class=row style='margin:0;height:20px' onclick='window.clicked = true'>3</p>"""


@asynccontextmanager
async def selecting(address: str, url: str) -> AsyncIterator[tuple[Page, ElementSelection]]:
    """A page in which clicks select."""
    async with open_page(address) as page:
        selection = ElementSelection(page.session)

        def take(method: str, params: Json, session: CdpSession) -> None:
            if method == "Target.attachedToTarget":
                selection.add_frame(page.children[-1])
            selection.take(method, params, session.session_id)

        page.takers.append(take)
        await page.open(url)
        await selection.start()
        try:
            yield page, selection
        finally:
            await selection.aclose()


async def pick(page: Page, selection: ElementSelection, x: float, y: float) -> str:
    """Click until there is one more element: what isn't drawn yet isn't hit."""
    before = set(selection.status()["selections"])

    def found() -> set[str]:
        return set(selection.status()["selections"]) - before

    async with asyncio.timeout(WITHIN_S):
        while not found():
            await page.click(x, y)
            with suppress(TimeoutError):
                await page.until(found, within_s=1)
    await page.until(lambda: not selection.status()["pending_count"])
    (key,) = found()
    return key


async def test_clicks_select_elements_in_their_order(chromium: str, server: PageServer) -> None:
    async with selecting(chromium, server.put("/", LIST)) as (page, selection):
        assert selection.status()["inspect_active"]
        for y in (50, 10, 30):
            await page.click(20, y)
        await page.until(lambda: len(selection.status()["selections"]) == 3)
        previews = selection.status()["selections"]
        assert {key: each["text"] for key, each in previews.items()} == {
            "1": "3",
            "2": "1",
            "3": "2",
        }
        assert previews["1"]["selector"] == "html > body > p:nth-of-type(3)"
        assert await page.js("window.clicked") is None
        element = selection.element("1")
        assert element["outer_html"].startswith('<p class="row"')
        assert element["rect"] == {"x": 0, "y": 40, "width": 900, "height": 20}
        assert element["screenshot"] is not None
        await page.click(20, 10)
        await page.until(lambda: not selection.status()["pending_count"])
        assert set(selection.status()["selections"]) == {"1", "2", "3"}


async def test_an_element_is_acted_on_itself(chromium: str, server: PageServer) -> None:
    async with selecting(chromium, server.put("/", LIST)) as (page, selection):
        key = await pick(page, selection, 20, 30)
        node = selection.node(key)
        resolved = await node.session.call("DOM.resolveNode", {"backendNodeId": node.number})
        found = resolved["object"]
        assert isinstance(found, dict)
        await node.session.call(
            "Runtime.callFunctionOn",
            {
                "objectId": found["objectId"],
                "functionDeclaration": "function () { window.found = this.textContent }",
            },
        )
        assert await page.js("window.found") == "2"
        with pytest.raises(NotFound):
            selection.node("99")


async def test_after_stop_a_click_is_the_pages_own(chromium: str, server: PageServer) -> None:
    async with selecting(chromium, server.put("/", LIST)) as (page, selection):
        key = await pick(page, selection, 20, 30)
        await selection.stop()
        assert not selection.status()["inspect_active"]
        await page.click(20, 50)
        assert await page.js("window.clicked") is True
        assert set(selection.status()["selections"]) == {key}
        selection.clear()
        assert selection.status()["selections"] == {}
        with pytest.raises(NotFound):
            selection.element(key)


async def test_a_cancelled_mode_is_off(chromium: str, server: PageServer) -> None:
    async with selecting(chromium, server.put("/", LIST)) as (page, selection):
        selection.take("Overlay.inspectModeCanceled", {})
        assert not selection.status()["inspect_active"]
        await page.until(lambda: not selection._tasks)
        await page.click(20, 50)
        assert await page.js("window.clicked") is True


async def test_navigation_ends_the_elements_but_not_the_mode(
    chromium: str, server: PageServer
) -> None:
    server.put("/next", "<body><h1>next</h1>")
    async with selecting(chromium, server.put("/", LIST)) as (page, selection):
        await pick(page, selection, 20, 30)
        await page.js("history.pushState({}, '', '#here')")
        assert len(selection.status()["selections"]) == 1
        for host in ("127.0.0.1", "localhost"):
            await page.open(server.url("/next", host))
            assert selection.status()["selections"] == {}
            await page.until(lambda: not selection._tasks)
            key = await pick(page, selection, 50, 40)
            assert selection.element(key)["preview"]["text"] == "next"


async def test_elements_that_are_read_while_the_page_goes_are_dropped(
    chromium: str, server: PageServer
) -> None:
    server.put("/next", "<body>next")
    async with selecting(chromium, server.put("/", LIST)) as (page, selection):
        node = await page.backend_node("document.querySelector('p')")
        async with selection._reading:
            selection.take("Overlay.inspectNodeRequested", {"backendNodeId": node})
            assert selection.status()["pending_count"] == 1
            await page.open(server.url("/next"))
            assert selection.status()["pending_count"] == 0
        await page.until(lambda: not selection._tasks)
        assert selection.status()["selections"] == {}
        selection.take("Overlay.inspectNodeRequested", {"backendNodeId": node + 100_000})
        await page.until(lambda: not selection.status()["pending_count"])
        assert "can't be read" in selection.status()["problem"]


async def test_frames_end_their_own_elements_only(chromium: str, server: PageServer) -> None:
    server.put("/in", "<body style='margin:0'><p style='margin:0'>inner</p>")
    frame = "<iframe id=f src=/in style='position:absolute;left:0;top:100px;border:0'></iframe>"
    async with selecting(chromium, server.put("/", LIST + frame)) as (page, selection):
        outer = await pick(page, selection, 20, 30)
        inner = await pick(page, selection, 10, 105)
        assert selection.element(inner)["path_text"] == "#f → frame → html > body > p"
        await page.js("f.contentWindow.location.reload()")
        await page.until(lambda: set(selection.status()["selections"]) == {outer})
        await page.until(lambda: not selection._tasks)
        await page.js(
            "new Promise(done => { const wait = () => f.contentDocument?.querySelector('p')"
            " ? done() : setTimeout(wait); wait() })"
        )
        inner = await pick(page, selection, 10, 105)
        await page.js("f.remove()")
        await page.until(lambda: set(selection.status()["selections"]) == {outer})


async def test_frames_of_other_sites_are_selected_in(chromium: str, server: PageServer) -> None:
    server.put("/in", "<body style='margin:0'><p style='margin:0;height:30px'>inner</p>")
    src = server.url("/in", "localhost")
    frame = f"<iframe src='{src}' style='position:absolute;left:0;top:100px;border:0'></iframe>"
    async with selecting(chromium, server.put("/", LIST + frame)) as (page, selection):
        await page.until(lambda: page.children and not selection._tasks)
        child = page.children[-1]
        while await page.js("document.readyState + location.href", child) != "complete" + src:
            pass
        key = await pick(page, selection, 10, 110)
        element = selection.element(key)
        assert element["path_text"] == "html > body > iframe → frame → html > body > p"
        assert element["rect"] == {"x": 0, "y": 100, "width": 300, "height": 30}
        assert element["screenshot"] is not None
        assert selection.node(key).session is child
        selection.remove_frame(child.session_id)
        assert selection.status()["selections"] == {}


async def test_workers_of_a_page_are_no_hindrance(chromium: str, server: PageServer) -> None:
    script = "<script>window.worker = new Worker('data:text/javascript,')</script>"
    async with selecting(chromium, server.put("/", LIST + script)) as (page, selection):
        await page.until(lambda: page.children and not selection._tasks)
        await selection.stop()
        await selection.start()
        key = await pick(page, selection, 20, 30)
        assert selection.element(key)["preview"]["text"] == "2"


async def test_there_are_not_too_many_elements(
    chromium: str, server: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(element_selection, "MAX_PENDING_ELEMENTS", 2)
    monkeypatch.setattr(element_selection, "MAX_ELEMENTS", 3)
    assert MAX_ELEMENTS == 50
    async with selecting(chromium, server.put("/", LIST)) as (page, selection):
        nodes = [await page.backend_node(f"document.querySelectorAll('p')[{i}]") for i in range(3)]
        nodes.append(await page.backend_node("document.body"))
        for node in nodes[:3]:
            selection.take("Overlay.inspectNodeRequested", {"backendNodeId": node})
        assert selection.status()["pending_count"] == 2
        assert "wait" in selection.status()["problem"]
        await page.until(lambda: not selection.status()["pending_count"])
        assert selection.status()["problem"] == ""
        for node in nodes[2:]:
            selection.take("Overlay.inspectNodeRequested", {"backendNodeId": node})
        await page.until(lambda: not selection.status()["pending_count"])
        assert len(selection.status()["selections"]) == 3


async def test_a_page_that_does_not_answer_gives_a_problem(
    chromium: str, server: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(element_selection, "READ_S", 0.2)
    async with selecting(chromium, server.put("/", LIST)) as (page, selection):
        node = await page.backend_node("document.querySelector('p')")
        busy = asyncio.create_task(
            page.js("for (const end = Date.now() + 3000; Date.now() < end;);")
        )
        await asyncio.sleep(0)
        selection.take("Overlay.inspectNodeRequested", {"backendNodeId": node})
        await page.until(lambda: not selection.status()["pending_count"])
        assert "too busy" in selection.status()["problem"]
        await busy


async def test_changes_are_reported_once_they_are_there(chromium: str, server: PageServer) -> None:
    async with open_page(chromium) as page:
        seen: list[int] = []
        selection = ElementSelection(
            page.session, lambda: seen.append(selection.status()["pending_count"])
        )
        await page.open(server.put("/", LIST))
        await page.session.call("DOM.enable")
        node = await page.backend_node("document.querySelector('p')")
        selection.take("Overlay.inspectNodeRequested", {"backendNodeId": node})
        await page.until(lambda: selection.status()["selections"])
        await page.until(lambda: seen == [1, 0])
        for strange in (None, "1"):
            selection.take("Overlay.inspectNodeRequested", {"backendNodeId": strange})
        selection.take("Overlay.inspectNodeRequested", {"backendNodeId": node}, "unknown session")
        assert selection.status()["pending_count"] == 0
        selection.take("Inspector.targetCrashed", {})
        assert selection.status()["selections"] == {}


async def test_start_without_a_page_leaves_it_off(chromium: str, server: PageServer) -> None:
    async with open_page(chromium) as page:
        await page.open(server.put("/", LIST))
        session_id, page.session.session_id = page.session.session_id, "gone"
        selection = ElementSelection(page.session)
        with pytest.raises(BrowserError):
            await selection.start()
        assert not selection.status()["inspect_active"]
        page.session.session_id = session_id
        await page.connection.aclose()
        with pytest.raises(NotConnected):
            await selection.start()
