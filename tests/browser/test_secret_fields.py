"""Pictures in which fields of passwords and keys are covered, in a real browser."""

import asyncio

import pytest

from jupyter_ac.browser.page_navigation import PageNavigation
from jupyter_ac.browser.page_screenshot import screenshot
from jupyter_ac.browser.page_script import PageScript
from jupyter_ac.browser.secret_fields import covered_fields
from jupyter_ac.errors import BrowserError
from tests.browser.watched_page import watched_page

SECRET = [
    "<input type=password value={}>",
    "<input type=text name=userPassword value={}>",
    "<input id=api_key value={}>",
    "<input autocomplete='section-a one-time-code' value={}>",
    "<textarea name=TOKEN>{}</textarea>",
    "<div><template shadowrootmode=open><input type=password value={}></template></div>",
    "<iframe srcdoc='<input name=passwd value={}>'></iframe>",
    "<iframe data-path={}></iframe>",
    "<input type=password style='background: red !important; color: blue' value={}>",
]
PLAIN = [
    "<input value={}>",
    "<input name=passenger value={}>",
    "<p>{}</p>",
    "<input type=submit name=token value={}>",
]


def field(value: str) -> str:
    return f"<input name=password value={value}>"


async def pictures(html: str) -> list[str]:
    """Pictures of a page with one text in it, with another, and without the element."""
    bodies = {"/one": field("one"), "/another": field("another")}
    elsewhere = "<script>f = document.querySelector('iframe'); if (f?.dataset.path) f.src ="
    elsewhere += "`http://localhost:${location.port}/${f.dataset.path}`</script>"
    for text in ("one", "another"):
        bodies[f"/page-{text}"] = html.format(text) + elsewhere
    shown = []
    async with watched_page("<p>", bodies) as (target, url, _, _):
        for text in ("one", "another"):
            await PageNavigation(target).navigate(f"{url}/page-{text}")
            loaded = "document.readyState === 'complete'"
            while not (await PageScript(target).js(loaded))["value"]:
                await asyncio.sleep(0.01)
            shown.append((await screenshot(target))["data"])
        await PageNavigation(target).navigate(f"{url}/")
        shown.append((await screenshot(target))["data"])
    return shown


@pytest.mark.parametrize("html", SECRET)
async def test_what_stands_in_such_a_field_is_not_in_the_picture(html: str) -> None:
    one, another, nothing = await pictures(html)
    assert one == another != nothing


@pytest.mark.parametrize("html", PLAIN)
async def test_all_else_is_in_it(html: str) -> None:
    one, another, _ = await pictures(html)
    assert one != another


async def test_the_page_is_as_before_and_sees_nothing_of_it() -> None:
    html = "<input type=password value=x><script>let changes = 0; new MutationObserver(() => {"
    html += "changes += 1 }).observe(document, {subtree: true, attributes: true, childList: true});"
    html += "const own = new CSSStyleSheet(); document.adoptedStyleSheets = [own]</script>"
    async with watched_page(html) as (target, _, _, _):
        script = PageScript(target)
        before = await script.js("getComputedStyle(document.querySelector('input')).color")
        await script.js("changes = 0")
        await screenshot(target)
        assert await script.js("getComputedStyle(document.querySelector('input')).color") == before
        kept = "document.adoptedStyleSheets.length === 1 && document.adoptedStyleSheets[0] === own"
        assert (await script.js(kept))["value"] is True
        assert (await script.js("changes"))["value"] == 0


async def test_it_is_uncovered_also_after_a_failure() -> None:
    async with watched_page("<input type=password>") as (target, _, _, _):
        script = PageScript(target)
        count = "document.adoptedStyleSheets.length"

        async def fail() -> None:
            async with covered_fields(target.sessions):
                assert (await script.js(count))["value"] == 1
                raise BrowserError("x", 0, "no picture")

        with pytest.raises(BrowserError):
            await fail()
        assert (await script.js(count))["value"] == 0
