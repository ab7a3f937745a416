import asyncio

import pytest

from jupyter_ac.browser import page_navigation, page_objects
from jupyter_ac.browser.page_input import PageInput
from jupyter_ac.browser.page_navigation import PageNavigation
from jupyter_ac.browser.page_objects import (
    check_answers,
    element_of,
    exception_text,
    result_value,
)
from jupyter_ac.browser.page_screenshot import screenshot
from jupyter_ac.browser.selected_element import PageNode
from jupyter_ac.browser.target import Target
from jupyter_ac.errors import AccessDenied, BrowserError, InvalidParams, NotFound, TimedOut
from tests.browser.watched_page import watched_page

HTML = """<p id=one>one</p><p class=many>a</p><p class=many>b</p><b id='1:x.y'>c</b>
<div id=host></div><script>
const root = host.attachShadow({mode: 'open'});
root.innerHTML = '<i>inner</i><div id=deep></div>';
root.querySelector('#deep').attachShadow({mode: 'open'}).innerHTML = '<em>deepest</em>';
</script>"""


async def text_of(target: Target, selector: str | None, element: int | None = None) -> object:
    node = None if element is None else PageNode(target.session, element)
    async with element_of(target, selector, node) as found:
        return await found.run("function () { return this.textContent; }")


async def test_elements_are_found_also_below_shadow_roots() -> None:
    async with watched_page(HTML) as (target, _, _, _):
        assert await text_of(target, "#one") == "one"
        assert await text_of(target, r"#\31 \:x\.y") == "c"
        assert await text_of(target, "#host >>> i") == "inner"
        assert await text_of(target, "#host >>> #deep >>> em") == "deepest"
        for selector in ("#none", "i", "#one >>> i", "\ud800"):
            with pytest.raises(NotFound):
                await text_of(target, selector)
        with pytest.raises(InvalidParams, match="2 elements match"):
            await text_of(target, ".many")
        for selector in ("", "[", "p[", "::before(", "x" * 3000, "'); alert(1); ('"):
            with pytest.raises((InvalidParams, NotFound)):
                await text_of(target, selector)
        with pytest.raises(InvalidParams, match="either"):
            await text_of(target, None)
        with pytest.raises(InvalidParams, match="either"):
            await text_of(target, "#one", 3)


async def test_an_element_is_found_by_its_number_until_it_goes() -> None:
    async with watched_page(HTML) as (target, _, _, _):
        async with element_of(target, "#one", None) as found:
            node = await found.call("DOM.describeNode")
        described = node["node"]
        assert isinstance(described, dict)
        number = described["backendNodeId"]
        assert isinstance(number, int)
        assert await text_of(target, None, number) == "one"
        await PageNavigation(target).reload()
        with pytest.raises(NotFound):
            await text_of(target, None, number)


async def test_a_function_that_throws() -> None:
    async with (
        watched_page(HTML) as (target, _, _, _),
        element_of(target, "#one", None) as found,
    ):
        with pytest.raises(BrowserError, match="Error: no"):
            await found.run("function () { throw new Error('no'); }")


async def test_a_page_whose_script_runs_on_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async with watched_page(HTML) as (target, _, _, _):
        await check_answers(target)
        await target.call("Runtime.evaluate", {"expression": "setTimeout(() => { while (1); })"})
        monkeypatch.setattr(page_objects, "ANSWER_S", 0.5)
        monkeypatch.setattr(page_navigation, "FREE_S", 0.5)
        with pytest.raises(TimedOut, match="script runs on and on"):
            await check_answers(target)
        with pytest.raises(TimedOut, match="script runs on and on"):
            await text_of(target, "#one")
        assert (await PageNavigation(target).reload())["reloaded"]


async def test_a_tab_behind_another_one_is_clicked_and_drawn_where_nobody_sees_it() -> None:
    html = "<button onclick='window.open(`/two`)'>b</button>"
    async with watched_page(html, {"/two": "two"}) as (target, _, _, _):
        await PageInput(target).click("button")
        hidden = {"expression": "document.visibilityState === 'hidden'", "returnByValue": True}
        while not result_value(await target.call("Runtime.evaluate", hidden)):
            await asyncio.sleep(0.01)
        await screenshot(target)
        assert result_value(await target.call("Runtime.evaluate", hidden)) is False


async def test_the_browsers_own_pages_have_no_elements_for_us() -> None:
    async with watched_page(HTML) as (target, _, changes, _):
        await target.call("Page.navigate", {"url": "chrome://version"})
        await changes.wait_until(lambda: target.url.startswith("chrome:"))
        with pytest.raises(AccessDenied):
            await text_of(target, "body")


@pytest.mark.parametrize(
    ("details", "text"),
    [
        ({"exception": {"description": "Error: x\n at y"}}, "Error: x\n at y"),
        ({"exception": {"value": "thrown"}}, "thrown"),
        ({"exception": {"value": 7}}, "7"),
        ({"text": "Uncaught"}, "Uncaught"),
        ({}, "null"),
    ],
)
def test_what_was_thrown_in_words(details: dict[str, object], text: str) -> None:
    assert exception_text(details) == text
