import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from http.server import BaseHTTPRequestHandler

import pytest

from jupyter_ac.browser import debugger as debugger_module
from jupyter_ac.browser.debugger import MAX_BROWSERS, Debugger
from jupyter_ac.browser.launcher import LaunchedBrowser
from jupyter_ac.browser.target import Target
from jupyter_ac.errors import Busy, InvalidParams, NotConnected, NotFound
from tests.browser.fake_cdp import FakeBrowser, over_socket
from tests.browser.recorded_events import RecordedEvents, refused, silent
from tests.browser.running_browser import (
    HEADLESS,
    LIMIT_S,
    Changes,
    chromium_on_port,
    debugging,
    only_page,
    pages,
    until,
)

HELLO = "<title>hello</title><p>hello"


def process_of(debugger: Debugger) -> LaunchedBrowser:
    (link,) = debugger._links.values()
    assert link._process is not None
    return link._process


async def crash(target: Target) -> None:
    while target.state != "crashed":  # while a page still loads, this is refused now and then
        with suppress(NotConnected):
            await target.call("Page.navigate", {"url": "chrome://crash"}, LIMIT_S)
        await asyncio.sleep(0.1)


@asynccontextmanager
async def fake(
    *targets: str,
) -> AsyncIterator[tuple[FakeBrowser, Debugger, Changes]]:
    """A debugger that is attached to a fake browser with pages of these ids."""
    browser = FakeBrowser()
    browser.targets = [browser.page(name) for name in targets]
    async with over_socket(browser) as port, debugging() as (debugger, changes):
        await debugger.attach(str(port))
        yield browser, debugger, changes


async def test_a_launched_browser_shows_one_page_which_is_not_watched() -> None:
    async with debugging() as (debugger, changes):
        row = await debugger.launch(HEADLESS)
        assert (row["kind"], row["is_headless"], row["address"]) == ("launched", True, "")
        assert "Chrome" in row["product"]
        assert debugger.browsers() == [row]
        (target,) = debugger.targets()
        assert (target["browser"], target["type"]) == (row["id"], "page")
        assert (target["url"], target["state"]) == ("about:blank", "unwatched")
        with pytest.raises(NotConnected, match="isn't watched"):
            debugger.target(target["id"])
        process = process_of(debugger)
        await debugger.close_browser(row["id"])
        assert not process.is_running
        assert debugger.browsers() == []
        assert debugger.targets() == []
        with pytest.raises(NotFound):
            await debugger.close_browser(row["id"])
    assert changes.seen


async def test_a_watched_page_is_recorded_until_it_is_unwatched() -> None:
    recorded = RecordedEvents()
    with pages({"/": f"{HELLO}<script>console.log('one')</script>"}) as url:
        async with debugging(recorded.make_takers) as (debugger, changes):
            await debugger.launch(HEADLESS)
            page = only_page(debugger)
            target = await debugger.watch(page)
            assert debugger.target(page) is target is await debugger.watch(page)
            await target.call("Page.navigate", {"url": f"{url}/"}, LIMIT_S)
            await changes.wait_until(lambda: debugger.targets()[0]["title"] == "hello")
            await target.call("Runtime.evaluate", {"expression": "1"}, LIMIT_S)
            assert recorded.logged("page") == ["one"]
            assert f"{url}/" in recorded.requested("page")
            assert f"{url}/" in [c.url for c in changes.seen if c.kind == "navigated"]
            assert debugger.targets()[0]["state"] == "attached"
            await debugger.unwatch(page)
            await debugger.unwatch(page)
            assert debugger.targets()[0]["state"] == "unwatched"
            assert changes.of(page) == ["attached", "unwatched"]
            with pytest.raises(NotConnected):
                await target.call("Page.reload")
            await debugger.watch(page)
            assert recorded.logged("page") == ["one", "one"]  # a late attach replays the console
    assert changes.of(page) == ["attached", "unwatched", "attached", "unwatched"]


async def test_popups_are_recorded_from_their_first_request() -> None:
    recorded = RecordedEvents()
    popup = f"{HELLO}<script>console.log(location.search)</script><img src=/image>"
    with pages({"/": HELLO, "/popup": popup}) as url:
        async with debugging(recorded.make_takers) as (debugger, changes):
            await debugger.launch(HEADLESS)
            opener = only_page(debugger)
            target = await debugger.watch(opener)
            await target.call("Page.navigate", {"url": f"{url}/"}, LIMIT_S)
            for number, further in enumerate(("", ", 'noopener'")):
                code = f"window.open('/popup?{number}', '_blank'{further}); 1"
                params = {"expression": code, "userGesture": True}
                await target.call("Runtime.evaluate", params, LIMIT_S)
            await changes.wait_until(
                lambda: [row["state"] for row in debugger.targets()] == ["attached"] * 3
            )
            rows = [row for row in debugger.targets() if row["id"] != opener]
            assert [row["opener"] for row in rows] == [opener] * 2
            await until(lambda: sorted(map(str, recorded.logged("page"))) == ["?0", "?1"])
            asked = recorded.requested("page")
            for number in range(2):
                assert asked.count(f"{url}/popup?{number}") == 1
            assert asked.count(f"{url}/image") == 2


async def test_pages_that_nobody_watches_are_not_held() -> None:
    arrived: list[str] = []

    def ran(handler: BaseHTTPRequestHandler) -> None:
        arrived.append(handler.path)
        handler.send_response(204)
        handler.end_headers()

    with pages({"/": f"{HELLO}<script>fetch('/ran')</script>", "/ran": ran}) as url:
        async with debugging() as (debugger, changes):
            await debugger.launch(HEADLESS)
            target = await debugger.watch(only_page(debugger))
            link = target.link
            for is_held in (True, False):
                assert link.popups.is_holding is is_held
                await link.connection.call("Target.createTarget", {"url": f"{url}/"})
                await until(lambda: bool(arrived))
                arrived.clear()
                await debugger.unwatch(target.id)
            assert [row["state"] for row in debugger.targets()] == ["unwatched"] * 3
    assert changes.of(target.id) == ["attached", "unwatched"]


async def test_a_popup_that_can_not_be_recorded_runs_all_the_same() -> None:
    async with fake("a") as (browser, debugger, changes):
        await debugger.watch("a")
        browser.answers["s-p:Runtime.enable"] = refused
        popup = browser.page("p", openerId="a")
        browser.emit("Target.targetCreated", {"targetInfo": popup})
        browser.emit(
            "Target.attachedToTarget",
            {"sessionId": "s-p", "targetInfo": popup, "waitingForDebugger": True},
        )
        await browser.wait_for_call("Runtime.runIfWaitingForDebugger", 2)
        await browser.wait_for_call("Target.detachFromTarget")
        assert changes.of("p") == []


async def test_a_browser_that_holds_nothing_has_its_popups_watched_late() -> None:
    async with fake("a") as (browser, debugger, changes):
        browser.answers[":Target.setAutoAttach"] = refused
        await debugger.watch("a")
        browser.emit("Target.targetCreated", {"targetInfo": browser.page("p", openerId="a")})
        await changes.wait_until(lambda: changes.of("p") == ["attached"])
        assert ("", "Target.attachToTarget") in browser.calls


async def test_a_tab_that_is_closed() -> None:
    async with debugging() as (debugger, changes):
        await debugger.launch(HEADLESS)
        page = only_page(debugger)
        target = await debugger.watch(page)
        endless = {"expression": "new Promise(() => 0)", "awaitPromise": True}
        waiting = asyncio.create_task(target.call("Runtime.evaluate", endless, LIMIT_S))
        await asyncio.sleep(0)
        await target.link.connection.call("Target.createTarget", {"url": "about:blank"})
        await target.link.connection.call("Target.closeTarget", {"targetId": page})
        with pytest.raises(NotConnected):
            await waiting
        await changes.wait_until(lambda: changes.of(page) == ["attached", "closed"])
        with pytest.raises(NotFound):
            await debugger.watch(page)
        await debugger.watch(only_page(debugger))


async def test_a_page_that_crashes_comes_back_by_a_reload() -> None:
    recorded = RecordedEvents()
    with pages({"/": f"{HELLO}<script>console.log('loaded')</script>"}) as url:
        async with debugging(recorded.make_takers) as (debugger, changes):
            await debugger.launch(HEADLESS)
            page = only_page(debugger)
            target = await debugger.watch(page)
            await target.call("Page.navigate", {"url": f"{url}/"}, LIMIT_S)
            await crash(target)
            assert changes.of(page) == ["attached", "crashed"]
            assert debugger.targets()[0]["state"] == "crashed"
            with pytest.raises(NotConnected, match="has crashed"):
                await target.call("Runtime.evaluate", {"expression": "1"})
            recorded.events.clear()
            await target.call("Page.reload", {}, LIMIT_S, even_crashed=True)
            await changes.wait_until(
                lambda: changes.of(page) == ["attached", "crashed", "attached"]
            )
            assert debugger.target(page) is target
            params = {"expression": "console.log('again')"}
            await target.call("Runtime.evaluate", params, LIMIT_S)
            async with asyncio.timeout(LIMIT_S):
                while recorded.logged("page")[-1:] != ["again"]:
                    await asyncio.sleep(0.01)


async def test_a_crashed_page_can_not_be_watched_anew() -> None:
    async with debugging() as (debugger, changes):
        await debugger.launch(HEADLESS)
        page = only_page(debugger)
        target = await debugger.watch(page)
        await crash(target)
        await changes.wait_until(lambda: changes.of(page) == ["attached", "crashed"])
        await debugger.unwatch(page)
        assert changes.of(page) == ["attached", "crashed", "unwatched"]
        with pytest.raises(NotConnected, match="has crashed"):
            await debugger.watch(page)


async def test_a_browser_that_is_killed_takes_its_targets_along() -> None:
    async with debugging() as (debugger, changes):
        await debugger.launch(HEADLESS)
        page = only_page(debugger)
        target = await debugger.watch(page)
        endless = {"expression": "new Promise(() => 0)", "awaitPromise": True}
        waiting = asyncio.create_task(target.call("Runtime.evaluate", endless, LIMIT_S))
        await asyncio.sleep(0)
        os.kill(process_of(debugger).pid, signal.SIGKILL)
        with pytest.raises(NotConnected):
            await waiting
        await changes.wait_until(lambda: not debugger.browsers())
        assert changes.of(page) == ["attached", "browser_gone"]
        assert debugger.targets() == []
        await debugger.launch(HEADLESS)
        await debugger.watch(only_page(debugger))


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 5, 8, 13, 30])
async def test_a_browser_that_is_killed_while_a_page_is_attached(turns: int) -> None:
    async with debugging() as (debugger, changes):
        await debugger.launch(HEADLESS)
        page = only_page(debugger)
        watching = asyncio.create_task(debugger.watch(page))
        for _ in range(turns):
            await asyncio.sleep(0.001 if turns > 10 else 0)
        os.kill(process_of(debugger).pid, signal.SIGKILL)
        async with asyncio.timeout(LIMIT_S):
            with suppress(NotConnected, NotFound):
                await watching
        await changes.wait_until(lambda: not debugger.browsers())
        assert not debugger._watched
        assert not debugger._attaching
        assert changes.of(page) in ([], ["attached", "browser_gone"])


async def test_a_browser_that_runs_is_attached_and_not_ended() -> None:
    with chromium_on_port() as (port, process):
        async with debugging() as (debugger, _):
            row = await debugger.attach(f"localhost:{port}")
            assert (row["kind"], row["address"]) == ("attached", f"127.0.0.1:{port}")
            assert (row["is_headless"], row["is_owner_checked"]) == (True, True)
            assert await debugger.attach(str(port)) == row
            assert len(debugger.browsers()) == 1
            await debugger.watch(only_page(debugger))
        assert process.poll() is None


async def test_addresses_of_others_are_refused() -> None:
    async with debugging() as (debugger, _):
        with pytest.raises(InvalidParams):
            await debugger.attach("10.0.0.1:9222")
        assert debugger.browsers() == []


async def test_the_connection_that_ends_at_every_step_of_the_attachment() -> None:
    steps = ["Target.attachToTarget", "Inspector.enable", "Page.enable", "Target.setAutoAttach"]
    for step in steps:
        async with fake("a") as (browser, debugger, changes):
            browser.answers[step] = silent
            watching = asyncio.create_task(debugger.watch("a"))
            await browser.wait_for_call(step)
            browser.hang_up()
            with pytest.raises(NotConnected):
                await watching
            assert debugger.browsers() == []
            assert debugger.targets() == []
            assert debugger._watched == {}
            assert changes.of("a") == []


async def test_a_tab_that_closes_at_every_step_of_the_attachment() -> None:
    for step in ("Target.attachToTarget", "Inspector.enable", "Runtime.enable"):
        async with fake("a") as (browser, debugger, changes):
            browser.answers[step] = silent if step != "Target.attachToTarget" else refused
            watching = asyncio.create_task(debugger.watch("a"))
            await browser.wait_for_call(step)
            browser.emit("Target.detachedFromTarget", {"sessionId": "s-a", "targetId": "a"})
            browser.emit("Target.targetDestroyed", {"targetId": "a"})
            with pytest.raises((NotConnected, NotFound)):
                await watching
            assert debugger.targets() == []
            assert debugger._watched == {}
            assert changes.of("a") == []


async def test_a_page_that_is_unwatched_while_it_is_attached() -> None:
    async with fake("a") as (browser, debugger, changes):
        browser.answers["Runtime.enable"] = silent
        watching = [asyncio.create_task(debugger.watch("a")) for _ in range(2)]
        await browser.wait_for_call("Runtime.enable")
        assert debugger.targets()[0]["state"] == "connecting"
        await debugger.unwatch("a")
        for task in watching:
            with pytest.raises(NotConnected, match="unwatched while"):
                await task
        assert debugger.targets()[0]["state"] == "unwatched"
        assert ("", "Target.detachFromTarget") in browser.calls
        assert changes.of("a") == []
        del browser.answers["Runtime.enable"]
        await debugger.watch("a")


async def test_two_who_watch_at_once_attach_once() -> None:
    async with fake("a") as (browser, debugger, _):
        first, second = await asyncio.gather(debugger.watch("a"), debugger.watch("a"))
        assert first is second
        assert browser.calls.count(("", "Target.attachToTarget")) == 1


async def test_who_gives_up_watching_leaves_it_to_the_others() -> None:
    async with fake("a") as (browser, debugger, _):
        released = asyncio.Event()

        async def later() -> dict[str, object]:
            await released.wait()
            return {}

        browser.answers["Runtime.enable"] = lambda _: later()
        first, second = (asyncio.create_task(debugger.watch("a")) for _ in range(2))
        await browser.wait_for_call("Runtime.enable")
        first.cancel()
        await asyncio.wait([first])
        released.set()
        assert (await second).state == "attached"


async def test_what_no_browser_has_or_may_not_be_watched() -> None:
    async with fake("a") as (browser, debugger, _):
        browser.emit("Target.targetCreated", {"targetInfo": browser.page("f") | {"type": "iframe"}})
        browser.emit(
            "Target.targetCreated", {"targetInfo": browser.page("d", url="devtools://devtools/x")}
        )
        await debugger.watch("a")
        assert [row["id"] for row in debugger.targets()] == ["a"]
        for name in ("b", "f", "d", ""):
            with pytest.raises(NotFound):
                await debugger.watch(name)


async def test_only_so_many_pages_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debugger_module, "MAX_WATCHED", 2)
    async with fake("a", "b", "c") as (browser, debugger, _):
        await debugger.watch("a")
        await debugger.watch("b")
        with pytest.raises(Busy, match="At most 2"):
            await debugger.watch("c")
        browser.emit("Target.targetCreated", {"targetInfo": browser.page("p", openerId="a")})
        await debugger.unwatch("a")
        await debugger.watch("c")
        assert debugger.targets()[-1]["state"] == "unwatched"


async def test_only_so_many_browsers_are_connected() -> None:
    async with AsyncExitStack() as stack:
        browsers = [FakeBrowser() for _ in range(MAX_BROWSERS)]
        ports = [await stack.enter_async_context(over_socket(browser)) for browser in browsers]
        debugger, changes = await stack.enter_async_context(debugging())
        for port in ports:
            await debugger.attach(str(port))
        with pytest.raises(Busy, match="At most 4 browsers"):
            await debugger.launch(HEADLESS)
        browsers[0].hang_up()
        await changes.wait_until(lambda: len(debugger.browsers()) < MAX_BROWSERS)
        await debugger.launch(HEADLESS)


async def test_a_browser_that_closes_the_connection_is_forgotten() -> None:
    async with fake("a") as (browser, debugger, changes):
        await debugger.watch("a")
        browser.hang_up()
        await changes.wait_until(lambda: not debugger.browsers())
        assert changes.of("a") == ["attached", "browser_gone"]
        with pytest.raises(NotConnected):
            debugger.target("a")
        with pytest.raises(NotFound):
            await debugger.watch("a")


async def test_a_popup_of_a_page_that_nobody_watches_is_left_alone() -> None:
    async with fake("a", "b") as (browser, debugger, _):
        await debugger.watch("b")
        browser.emit("Target.targetCreated", {"targetInfo": browser.page("p", openerId="a")})
        await debugger.target("b").call("Runtime.evaluate")
        states = {row["id"]: row["state"] for row in debugger.targets()}
        assert states == {"a": "unwatched", "b": "attached", "p": "unwatched"}
