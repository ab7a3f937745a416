import pytest

from jupyter_ac.browser.page_input import MAX_TEXT, PageInput
from jupyter_ac.browser.page_script import PageScript
from jupyter_ac.errors import AccessDenied, Busy, Conflict, InvalidParams, NotFound
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
