import asyncio
from http.server import BaseHTTPRequestHandler

import pytest

from jupyter_ac.browser import page_objects
from jupyter_ac.browser.page_objects import element_of
from jupyter_ac.browser.page_script import MAX_CODE, PageScript
from jupyter_ac.browser.selected_element import PageNode
from jupyter_ac.browser.target import Target
from jupyter_ac.errors import (
    AccessDenied,
    BrowserError,
    Busy,
    InvalidParams,
    NotFound,
    TimedOut,
    TooLarge,
)
from tests.browser.running_browser import LIMIT_S
from tests.browser.watched_page import watched_page

HTML = "<title>x</title><p id=one class=c>one</p><button>b</button>"


async def node_of(target: Target, selector: str) -> PageNode:
    async with element_of(target, selector, None) as found:
        answer = await found.call("DOM.describeNode")
    described = answer["node"]
    assert isinstance(described, dict)
    return PageNode(target.session, int(str(described["backendNodeId"])))


VALUES = [
    ("1 + 1", 2),
    ("const x = 2; x * 3", 6),
    ("const x = 3; x * 3", 9),
    ("{a: 1}", {"a": 1}),
    ("{ let y = 4; y }", 4),
    ("[1, 'ü', null, true]", [1, "ü", None, True]),
    ("({a: {b: [1]}})", {"a": {"b": [1]}}),
    ("undefined", None),
    ("null", None),
    ("''", ""),
    ("NaN", "NaN"),
    ("-0", "-0"),
    ("10n", "10n"),
    ("Symbol('s')", "Symbol(s)"),
    ("document.querySelector('#one')", "p#one.c"),
    ("(() => 1)", "() => 1"),
    ("Promise.resolve(1)", "Promise"),
    ("const a = {}; a.a = a; a", "Object"),
    ("// nothing", None),
    ("'a\\u2028b'", "a\u2028b"),
    ("`${1}` + '</script>'", "1</script>"),
    ("'\\ud800'", "\ud800"),
]


async def test_values() -> None:
    async with watched_page(HTML) as (target, _, _, _):
        script = PageScript(target)
        for code, value in VALUES:
            assert await script.js(code) == {"value": value, "executed": True}
        assert await script.js("1", return_value=False) == {"value": None, "executed": True}


async def test_what_is_declared_stays_only_if_that_is_wanted() -> None:
    async with watched_page(HTML) as (target, _, _, _):
        script = PageScript(target)
        await script.js("let kept = 1; var other = 2; function f() {}")
        assert (await script.js("typeof kept + typeof other + typeof f"))["value"] == (
            "undefined" * 3
        )
        for _ in range(2):
            await script.js("let kept = 1", persist=True)
        assert (await script.js("kept + 1"))["value"] == 2


async def test_promises_are_awaited_if_that_is_wanted() -> None:
    async with watched_page(HTML) as (target, _, _, _):
        script = PageScript(target)
        for code in (
            "Promise.resolve({a: 1})",
            "await Promise.resolve({a: 1})",
            "const r = await Promise.resolve({a: 1}); return r",
            "fetch('/').then(() => ({a: 1}))",
        ):
            assert (await script.js(code, await_promise=True))["value"] == {"a": 1}
        answer = await script.js("await Promise.resolve(3)", persist=True, await_promise=True)
        assert answer["value"] == 3
        with pytest.raises(BrowserError, match="Error: late"):
            await script.js("Promise.reject(new Error('late'))", await_promise=True)
        with pytest.raises(TimedOut):
            await script.js("new Promise(() => 0)", await_promise=True, timeout_s=0.3)


async def test_what_is_thrown_is_described() -> None:
    async with watched_page(HTML) as (target, _, _, _):
        script = PageScript(target)
        with pytest.raises(BrowserError, match="TypeError: Cannot read properties of null"):
            await script.js("null.x")
        with pytest.raises(BrowserError, match="SyntaxError"):
            await script.js("let let")
        with pytest.raises(BrowserError, match="word"):
            await script.js("throw 'word'", return_value=False)


async def test_an_element_is_passed_to_the_code() -> None:
    async with watched_page(HTML) as (target, _, _, _):
        number = await node_of(target, "#one")
        script = PageScript(target)
        assert (await script.js("element.textContent", number))["value"] == "one"
        statements = "const t = element.id; return t + '!'"
        assert (await script.js(statements, number))["value"] == "one!"
        later = "await Promise.resolve(element.className)"
        assert (await script.js(later, number, await_promise=True))["value"] == "c"
        with pytest.raises(BrowserError, match="boom"):
            await script.js("throw new Error('boom')", number)
        with pytest.raises(NotFound):
            await script.js("1", PageNode(target.session, 987_654_321))


async def test_code_that_takes_too_long_is_ended_and_the_page_lives_on() -> None:
    async with watched_page(HTML) as (target, _, _, _):
        script = PageScript(target)
        node = await node_of(target, "#one")
        with pytest.raises(TimedOut):
            await script.js("while (true);", timeout_s=0.3)
        with pytest.raises(TimedOut):
            await script.js("while (true);", node, timeout_s=0.3)
        async with asyncio.timeout(LIMIT_S):
            assert (await script.js("1 + 1", timeout_s=LIMIT_S))["value"] == 2


async def test_code_in_a_page_that_hangs_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    async with watched_page(HTML) as (target, _, _, _):
        script = PageScript(target)
        await script.js("setTimeout(() => { while (true); }); 0")
        monkeypatch.setattr(page_objects, "ANSWER_S", 0.5)
        for code in ("window.ran = true", "{ a: 1 }", "await 1"):
            with pytest.raises(TimedOut, match="script runs on and on"):
                await script.js(code, await_promise=True)


async def test_a_policy_against_eval_does_not_stop_the_users_code() -> None:
    def strict(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Security-Policy", "default-src 'none'; sandbox allow-scripts")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    async with watched_page(HTML, {"/strict": strict}) as (target, url, _, _):
        await target.call("Page.navigate", {"url": f"{url}/strict"}, LIMIT_S)
        assert (await PageScript(target).js("const x = 1; x + 1"))["value"] == 2


async def test_limits() -> None:
    async with watched_page(HTML) as (target, _, _, _):
        script = PageScript(target)
        with pytest.raises(TooLarge):
            await script.js("'x'.repeat(2e6)")
        with pytest.raises(InvalidParams):
            await script.js(" " * (MAX_CODE + 1))


async def test_a_dialog_opened_by_the_code() -> None:
    async with watched_page(HTML) as (target, _, changes, _):
        script = PageScript(target)
        with pytest.raises(Busy, match="prompt"):
            await script.js("prompt('name?')")
        with pytest.raises(Busy):
            await script.js("1")
        await target.handle_dialog(accept=False)
        await changes.wait_until(lambda: target.dialog is None)
        assert (await script.js("2"))["value"] == 2


async def test_the_browsers_own_pages_run_no_code_of_ours() -> None:
    async with watched_page(HTML) as (target, _, changes, _):
        await target.call("Page.navigate", {"url": "chrome://version"})
        await changes.wait_until(lambda: target.url.startswith("chrome:"))
        with pytest.raises(AccessDenied):
            await PageScript(target).js("1")
        with pytest.raises(AccessDenied):
            await PageScript(target).wait_for(text="x")


async def test_waiting_for_what_the_page_shows() -> None:
    async with watched_page(HTML, {"/next": "<p id=two>arrived"}) as (target, url, _, _):
        script = PageScript(target)
        assert (await script.wait_for(selector="#one"))["found"]
        assert (await script.wait_for(text="one"))["found"]
        assert (await script.wait_for(url="http://*/"))["found"]
        assert not (await script.wait_for(selector="#two", timeout_s=0.2))["found"]
        waiting = asyncio.create_task(script.wait_for(selector="#two", timeout_s=LIMIT_S))
        await script.js("setTimeout(() => { location.href = '/next' }, 50)")
        assert (await waiting)["found"]
        assert (await script.wait_for(url=f"{url}/ne?t"))["url"] == f"{url}/next"
        assert (await script.wait_for(text="arrived"))["found"]
        with pytest.raises(InvalidParams, match="exactly one"):
            await script.wait_for()
        with pytest.raises(InvalidParams, match="exactly one"):
            await script.wait_for(selector="p", text="x")
        for wrong in ("[", "p" * 9999):
            with pytest.raises(InvalidParams):
                await script.wait_for(selector=wrong)
