import asyncio
from http.server import BaseHTTPRequestHandler

import pytest

from jupyter_ac.browser import page_navigation
from jupyter_ac.browser.page_input import PageInput
from jupyter_ac.browser.page_navigation import PageNavigation
from jupyter_ac.browser.page_script import PageScript
from jupyter_ac.errors import AccessDenied, Busy, InvalidParams, NotConnected, TimedOut
from tests.browser.running_browser import LIMIT_S
from tests.browser.test_debugger import crash
from tests.browser.watched_page import watched_page

PAGES = {"/two": "<title>two</title>2", "/three": "<title>three</title>3"}


async def test_going_there_back_and_forward() -> None:
    async with watched_page("<title>one</title>1", PAGES) as (target, url, _, _):
        navigation = PageNavigation(target)
        went = await navigation.navigate(f"{url}/two")
        assert (went["error"], went["frame_id"], went["is_download"]) == (None, target.id, False)
        assert went["loader_id"]
        fragment = await navigation.navigate(f"{url}/two#part")
        assert fragment["error"] is None
        back = await navigation.back()
        assert (back["navigated"], back["url"]) == (True, f"{url}/two")
        back = await navigation.back()
        assert (back["navigated"], back["url"]) == (True, f"{url}/")
        assert back["total"] - back["index"] == 3
        forward = await navigation.forward()
        assert (forward["navigated"], forward["url"]) == (True, f"{url}/two")
        page = await navigation.page()
        assert page["url"] == f"{url}/two"
        assert (page["id"], page["type"]) == (target.id, "page")
        while (await navigation.back())["navigated"]:
            pass
        assert not (await navigation.back())["navigated"]
        assert (await navigation.history())["current_index"] == 0


async def test_the_last_entry_has_nothing_after_it() -> None:
    async with watched_page("1") as (target, url, _, _):
        step = await PageNavigation(target).forward()
        assert (step["navigated"], step["url"]) == (False, f"{url}/")


async def test_a_reload_asks_the_server_again() -> None:
    asked: list[str | None] = []

    def answer(handler: BaseHTTPRequestHandler) -> None:
        asked.append(handler.headers.get("Cache-Control"))
        handler.send_response(200)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    async with watched_page("1", {"/counted": answer}) as (target, url, _, _):
        navigation = PageNavigation(target)
        await navigation.navigate(f"{url}/counted")
        assert await navigation.reload() == {"reloaded": True, "url": f"{url}/counted"}
        await navigation.reload(ignore_cache=True)
    assert len(asked) == 3
    assert asked[2] == "no-cache"


async def test_a_server_that_is_not_there_or_gives_a_file() -> None:
    def attachment(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Disposition", "attachment; filename=x.bin")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    async with watched_page("1", {"/file": attachment}) as (target, url, _, _):
        navigation = PageNavigation(target)
        refused = await navigation.navigate("http://127.0.0.1:1/")
        assert str(refused["error"]).startswith("net::ERR_")
        download = await navigation.navigate(f"{url}/file")
        assert download["error"] == "net::ERR_ABORTED"
        assert download["is_download"]


async def test_a_server_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    released = asyncio.Event()
    loop = asyncio.get_running_loop()

    def hold(_handler: BaseHTTPRequestHandler) -> None:
        asyncio.run_coroutine_threadsafe(released.wait(), loop).result(LIMIT_S)

    async with watched_page("1", {"/slow": hold}) as (target, url, _, _):
        monkeypatch.setattr(page_navigation, "LOAD_S", 0.5)
        navigation = PageNavigation(target)
        with pytest.raises(TimedOut):
            await navigation.navigate(f"{url}/slow")
        released.set()
        await asyncio.sleep(0)
        monkeypatch.setattr(page_navigation, "LOAD_S", LIMIT_S)
        assert (await navigation.navigate(f"{url}/"))["error"] is None


async def test_addresses_that_are_refused() -> None:
    async with watched_page("1") as (target, _, _, _):
        navigation = PageNavigation(target)
        for url in ("chrome://settings", "javascript:alert(1)", "file:///etc/passwd"):
            with pytest.raises(AccessDenied):
                await navigation.navigate(url)
        with pytest.raises(InvalidParams):
            await navigation.navigate("nonsense")


@pytest.mark.parametrize("way", ["reload", "navigate"])
async def test_a_page_that_asks_whether_it_may_be_left(way: str) -> None:
    html = "<body onbeforeunload='event.preventDefault(); event.returnValue = 1'><p>x"
    async with watched_page(html, PAGES) as (target, url, changes, _):
        # The browser only asks when the page has been used.
        await PageInput(target).click("p")
        navigation = PageNavigation(target)
        with pytest.raises(Busy, match="beforeunload"):
            await (navigation.reload() if way == "reload" else navigation.navigate(f"{url}/two"))
        await target.handle_dialog(accept=False)
        await changes.wait_until(lambda: target.dialog is None)
        assert target.url == f"{url}/"


async def test_a_crashed_page_comes_back() -> None:
    async with watched_page("<title>one</title>1") as (target, url, changes, _):
        navigation = PageNavigation(target)
        await crash(target)
        with pytest.raises(NotConnected, match="has crashed"):
            await target.call("Runtime.evaluate", {"expression": "1"})
        assert (await navigation.navigate(f"{url}/"))["error"] is None
        await changes.wait_until(lambda: target.state == "attached")
        assert (await navigation.page())["url"] == f"{url}/"


async def test_a_server_that_asks_for_a_password_where_nobody_sees_the_prompt() -> None:
    def asks(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(401)
        handler.send_header("WWW-Authenticate", 'Basic realm="x"')
        handler.send_header("Content-Length", "6")
        handler.end_headers()
        handler.wfile.write(b"denied")

    async with watched_page("x", {"/asks": asks}) as (target, url, _, _):
        script = PageScript(target)
        code = "fetch('/asks').then((answer) => answer.status)"
        assert (await script.js(code, await_promise=True, timeout_s=60))["value"] == 401
        assert (await PageNavigation(target).navigate(f"{url}/asks"))["error"] is None
        assert (await script.js("document.body.innerText"))["value"] == "denied"
