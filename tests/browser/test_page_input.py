import asyncio
from contextlib import suppress

import pytest

from jupyter_ac.browser import page_input, page_navigation, page_objects
from jupyter_ac.browser.cdp import CdpSession
from jupyter_ac.browser.page_input import MAX_TEXT, PageInput
from jupyter_ac.browser.page_navigation import PageNavigation
from jupyter_ac.browser.page_script import PageScript
from jupyter_ac.browser.selected_element import PageNode
from jupyter_ac.browser.target import Target
from jupyter_ac.errors import (
    AccessDenied,
    BrowserError,
    Busy,
    Conflict,
    InvalidParams,
    NotFound,
    TimedOut,
)
from tests.browser.running_browser import until
from tests.browser.watched_page import watched_page

HTML = """<style>body { margin: 0 } #far { margin-top: 4000px }</style>
<button id=plain onclick="log('plain')"><span>press</span></button>
<button id=below onclick="log('below')">x</button>
<div id=cover style="position:absolute; inset: 0 auto auto 0; display:none">
  <p>cover</p></div>
<label for=check id=label>label</label><input id=check type=checkbox>
<p id=hidden style="display:none">hidden</p><p id=empty></p>
<button id=asks onclick="log(confirm('sure?'))">asks</button>
<form onsubmit="log('sent ' + this.field.value); return false">
  <input id=field name=field value=old oninput="log('input')"></form>
<textarea id=area></textarea><div id=editable contenteditable>old</div>
<button id=far onclick="log('far')">far</button>
<div id=host></div>
<script>
const seen = [];
function log(text) { seen.push(text); }
host.attachShadow({mode: 'open'}).innerHTML = '<button onclick="log(\\'inner\\')">in</button>';
document.addEventListener('keydown', (event) => log('key ' + event.key));
</script>"""


async def seen(script: PageScript) -> object:
    return (await script.js("seen.splice(0)"))["value"]


async def test_clicks() -> None:
    async with watched_page(HTML) as (target, _, changes, _):
        page, script = PageInput(target), PageScript(target)
        clicked = await page.click("#plain")
        assert (clicked["done"], clicked["dialog"]) == (True, None)
        assert clicked["x"] > 0
        await page.click("#plain span")
        await page.click("#far")
        await page.click("#host >>> button")
        assert await seen(script) == ["plain", "plain", "far", "inner"]
        await page.click("#label")
        await page.click("#check")
        assert (await script.js("check.checked"))["value"] is False
        asked = await page.click("#asks")
        assert asked["dialog"] is not None
        assert asked["dialog"]["message"] == "sure?"
        with pytest.raises(Busy):
            await page.click("#plain")
        await target.handle_dialog(accept=True)
        await changes.wait_until(lambda: target.dialog is None)
        assert await seen(script) == [True]


async def test_what_can_not_be_clicked() -> None:
    async with watched_page(HTML) as (target, _, _, _):
        page, script = PageInput(target), PageScript(target)
        for selector in ("#hidden", "#empty"):
            with pytest.raises(Conflict, match="isn't visible"):
                await page.click(selector)
        for selector, error in (("#none", NotFound), ("button", InvalidParams)):
            with pytest.raises(error):
                await page.click(selector)
        await script.js("cover.style.cssText += '; display: block; width: 100%; height: 100%'")
        await script.js("scrollTo(0, 0)")
        with pytest.raises(Conflict, match="covered by"):
            await page.click("#plain")
        assert await seen(script) == []


async def test_typing() -> None:
    async with watched_page(HTML) as (target, _, _, _):
        page, script = PageInput(target), PageScript(target)
        await page.type_text("new ü\n", "#field", replace=True, press="Enter")
        assert await seen(script) == ["input", "key Enter", "sent new ü"]
        await page.type_text("one", "#area")
        await page.type_text(" two\nthree")
        assert (await script.js("area.value"))["value"] == "one two\nthree"
        await page.type_text("new", "#editable", replace=True)
        assert (await script.js("editable.textContent"))["value"] == "new"
        await seen(script)
        await page.type_text("", press="Escape")
        assert await seen(script) == ["key Escape"]


async def test_what_can_not_be_typed() -> None:
    async with watched_page(HTML) as (target, _, changes, _):
        page = PageInput(target)
        with pytest.raises(Conflict, match="typed into"):
            await page.type_text("x", "#empty")
        with pytest.raises(InvalidParams, match="The key is one of"):
            await page.type_text("x", press="F1")
        with pytest.raises(InvalidParams, match="characters"):
            await page.type_text("x" * (MAX_TEXT + 1))
        await target.call("Page.navigate", {"url": "chrome://version"})
        await changes.wait_until(lambda: target.url.startswith("chrome:"))
        for selector in ("body", None):
            with pytest.raises(AccessDenied):
                await page.type_text("x", selector)
        with pytest.raises(AccessDenied):
            await page.click("body")


FRAMED = """<style>body {{ margin: 0 }} iframe {{ border: 7px solid; padding: 3px }}</style>
<p style="height: 3000px">x</p><iframe width=400 height=900 src="{src}"></iframe>
<div id=cover style="position: fixed; inset: 0; display: none"></div>"""
FRAME = """<p style="height: 700px">x</p><button onclick="seen.push('clicked')">b</button>
<input oninput="seen.push(this.value)" onkeydown="seen.push(event.key)">
<p style="height: 700px">x</p><script>const seen = []</script>"""


async def frame_of(target: Target, selector: str) -> tuple[CdpSession, PageNode]:
    """The session of the only frame of another site, and an element in it, once it is loaded."""
    await until(lambda: len(target.sessions) == 2)
    session = target.sessions[1]
    expression = f"document.readyState === 'complete' && document.querySelector({selector!r})"
    found: object = {}
    while not isinstance(found, dict) or "objectId" not in found:
        with suppress(BrowserError):  # between two documents
            answer = await session.call("Runtime.evaluate", {"expression": expression})
            found = answer["result"]
        await asyncio.sleep(0.01)
    described = await session.call("DOM.describeNode", {"objectId": found["objectId"]})
    node = described["node"]
    assert isinstance(node, dict)
    return session, PageNode(session, int(str(node["backendNodeId"])))


async def test_frames_of_other_sites_are_acted_in() -> None:
    async with watched_page("x", {"/frame": FRAME}) as (target, url, _, _):
        src = f"{url}/frame".replace("127.0.0.1", "localhost")
        html = FRAMED.format(src=src)
        script, page = PageScript(target), PageInput(target)
        await script.js(f"document.body.innerHTML = {html!r}; 0")
        _, button = await frame_of(target, "button")
        clicked = await page.click(element=button)
        assert clicked["y"] > 0
        _, field = await frame_of(target, "input")
        await page.type_text("new", element=field, press="Enter")
        await page.type_text("all", element=field, replace=True)
        assert (await script.js("element.ownerDocument.defaultView.eval('seen')", button))[
            "value"
        ] == ["clicked", "new", "Enter", "all"]
        assert (await script.js("location.href", button))["value"] == src
        await script.js("cover.style.display = 'block'")
        with pytest.raises(Conflict, match="covered by div#cover"):
            await page.click(element=button)
        await script.js("document.querySelector('iframe').style.display = 'none'")
        with pytest.raises(Conflict, match="isn't visible"):
            await page.click(element=button)


async def test_a_handler_that_takes_its_time_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    html = "<button onclick='const end = Date.now() + 300; while (Date.now() < end);'>b</button>"
    async with watched_page(html) as (target, _, _, _):
        monkeypatch.setattr(page_input, "HANDLE_S", 0.01)
        assert (await PageInput(target).click("button"))["done"]


async def test_a_handler_that_runs_on_and_on_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    html = "<button onclick='while (1);'>b</button><input onkeydown='while (1);'>"
    async with watched_page(html) as (target, _, _, _):
        page, navigation = PageInput(target), PageNavigation(target)
        monkeypatch.setattr(page_objects, "ANSWER_S", 0.5)
        monkeypatch.setattr(page_input, "HANDLE_S", 0.1)
        monkeypatch.setattr(page_navigation, "FREE_S", 0.5)
        with pytest.raises(TimedOut, match="script runs on and on"):
            await page.click("button")
        assert (await navigation.reload())["reloaded"]
        with pytest.raises(TimedOut, match="script runs on and on"):
            await page.type_text("", "input", press="Escape")
        assert (await navigation.reload())["reloaded"]
