import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.browser import page_dialog
from jupyter_ac.browser import target as target_module
from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.debugger import Debugger
from jupyter_ac.browser.target import MakeTakers, Taker, Target
from jupyter_ac.errors import BrowserError, Busy, NotConnected, NotFound, TimedOut
from tests.browser.fake_cdp import FakeBrowser, over_socket
from tests.browser.recorded_events import RecordedEvents, refused, silent, unknown
from tests.browser.running_browser import (
    HEADLESS,
    LIMIT_S,
    Changes,
    debugging,
    only_page,
    pages,
    until,
)

ALERT = {"url": "http://x/", "message": "m" * 5000, "type": "alert", "hasBrowserHandler": True}


@asynccontextmanager
async def watched(
    browser: FakeBrowser, make_takers: MakeTakers = lambda *_: ()
) -> AsyncIterator[tuple[Target, Changes, Debugger]]:
    browser.targets = [browser.page("a")]
    async with over_socket(browser) as port, debugging(make_takers) as (debugger, changes):
        await debugger.attach(str(port))
        yield await debugger.watch("a"), changes, debugger


async def test_a_worker_that_lacks_domains_is_watched() -> None:
    browser = FakeBrowser()
    browser.answers["Page.enable"] = unknown
    async with watched(browser) as (target, _, _):
        assert target.state == "attached"


async def test_a_page_that_refuses_to_be_recorded_is_not_watched() -> None:
    browser = FakeBrowser()
    browser.answers["Runtime.enable"] = refused
    browser.targets = [browser.page("a")]
    async with over_socket(browser) as port, debugging() as (debugger, _):
        await debugger.attach(str(port))
        with pytest.raises(BrowserError):
            await debugger.watch("a")
        assert ("", "Target.detachFromTarget") in browser.calls
        assert debugger.targets()[0]["state"] == "unwatched"


async def test_a_title_that_the_browser_knows_later_than_the_page_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(target_module, "_TITLE_PAUSES_S", (0.0, 0.01))
    browser = FakeBrowser()
    titles = iter(["old", "new"])
    browser.answers["Target.getTargets"] = lambda _: {
        "targetInfos": [browser.page("a", title=next(titles))]
    }
    async with watched(browser) as (target, changes, _):
        browser.emit("Page.loadEventFired", {}, "s-a")
        await changes.wait_until(lambda: target.row()["title"] == "new")
        assert next(titles, None) is None


@pytest.mark.parametrize("answer", [{}, {"sessionId": ""}, {"sessionId": 7}])
async def test_a_browser_that_gives_no_session(answer: Json) -> None:
    browser = FakeBrowser()
    browser.answers["Target.attachToTarget"] = lambda _: answer
    browser.targets = [browser.page("a")]
    async with over_socket(browser) as port, debugging() as (debugger, _):
        await debugger.attach(str(port))
        with pytest.raises(NotConnected, match="no session"):
            await debugger.watch("a")
        browser.emit("Target.targetDestroyed", {"targetId": "a"})
        await until(lambda: debugger.targets() == [])


async def test_a_page_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target_module, "ENABLE_S", 0.1)
    browser = FakeBrowser()
    browser.answers["Runtime.enable"] = silent
    browser.targets = [browser.page("a")]
    async with over_socket(browser) as port, debugging() as (debugger, _):
        await debugger.attach(str(port))
        with pytest.raises(TimedOut, match="script doesn't end, or it shows a dialog"):
            await debugger.watch("a")
        assert ("", "Target.detachFromTarget") in browser.calls


async def test_a_taker_that_fails_harms_no_other(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[str] = []

    def fail(_method: str, _params: Json) -> None:
        raise ValueError("wrong")

    def make_takers(_target: Target, _session: CdpSession) -> tuple[Taker, ...]:
        return fail, lambda method, _params: seen.append(method)

    browser = FakeBrowser()
    async with watched(browser, make_takers) as (target, _, _):
        browser.emit("X.y", session="s-a")
        await target.call("A.b")
        assert seen == ["X.y"]
    assert "the event X.y can't be recorded" in caplog.text


async def test_a_dialog_ends_what_waits_for_the_page_and_refuses_more() -> None:
    browser = FakeBrowser()
    browser.answers["Runtime.evaluate"] = silent
    async with watched(browser) as (target, changes, debugger):
        with pytest.raises(NotFound, match="no dialog"):
            await target.handle_dialog(accept=True)
        waiting = [asyncio.create_task(target.call("Runtime.evaluate")) for _ in range(2)]
        await browser.wait_for_call("Runtime.evaluate", times=2)
        browser.emit("Page.javascriptDialogOpening", ALERT, "s-a")
        for task in waiting:
            with pytest.raises(Busy, match=r"a dialog \(alert\); answer it first") as raised:
                await task
            assert raised.value.details["dialog"] == target.dialog
        with pytest.raises(Busy):
            await target.call("Runtime.evaluate")
        row = debugger.targets()[0]
        assert row["dialog"] is not None
        assert row["dialog"]["type"] == "alert"
        assert row["dialog"]["message"] == f"{'m' * 1000}… (5,000 characters)"
        await target.handle_dialog(accept=True, text="answer")
        assert ("s-a", "Page.handleJavaScriptDialog") in browser.calls
        browser.emit("Page.javascriptDialogClosed", {"result": True}, "s-a")
        await changes.wait_until(lambda: debugger.targets()[0]["dialog"] is None)
        del browser.answers["Runtime.evaluate"]
        assert await target.call("Runtime.evaluate") == {}


async def test_a_dialog_that_was_answered_by_somebody_else_meanwhile() -> None:
    browser = FakeBrowser()
    browser.answers["Page.handleJavaScriptDialog"] = refused
    async with watched(browser) as (target, changes, _):
        browser.emit("Page.javascriptDialogOpening", ALERT, "s-a")
        await changes.wait_until(lambda: target.dialog is not None)
        with pytest.raises(NotFound, match="any more"):
            await target.handle_dialog(accept=True)


async def test_a_real_dialog_hangs_nothing() -> None:
    code = "confirm('sure?')"
    async with debugging() as (debugger, changes):
        await debugger.launch(HEADLESS)
        target = await debugger.watch(only_page(debugger))
        with pytest.raises(Busy, match="confirm"):
            await target.call("Runtime.evaluate", {"expression": code}, LIMIT_S)
        await target.handle_dialog(accept=True)
        await changes.wait_until(lambda: target.dialog is None)
        await target.call("Runtime.evaluate", {"expression": "1"}, LIMIT_S)


async def test_a_dialog_that_nobody_can_see_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_dialog, "UNSEEN_S", 0.1)
    async with debugging() as (debugger, changes):
        await debugger.launch(HEADLESS)
        target = await debugger.watch(only_page(debugger))
        with pytest.raises(Busy):
            await target.call("Runtime.evaluate", {"expression": "alert(1)"}, LIMIT_S)
        await changes.wait_until(lambda: target.dialog is None)


async def test_an_endless_script_is_no_reason_to_wait_for_ever() -> None:
    with pages({"/": "<title>x</title>"}) as url:
        async with debugging() as (debugger, _):
            await debugger.launch(HEADLESS)
            target = await debugger.watch(only_page(debugger))
            await target.call("Page.navigate", {"url": f"{url}/"}, LIMIT_S)
            with pytest.raises(TimedOut):
                await target.call("Runtime.evaluate", {"expression": "while (true);"}, 0.5)
            await debugger.unwatch(target.id)


async def test_a_download_leaves_the_page_as_it_is() -> None:
    recorded = RecordedEvents()

    def attachment(handler: object) -> None:
        assert hasattr(handler, "send_response")
        handler.send_response(200)
        assert hasattr(handler, "send_header")
        handler.send_header("Content-Disposition", "attachment; filename=x.bin")
        handler.send_header("Content-Length", "1")
        assert hasattr(handler, "end_headers")
        handler.end_headers()

    with pages({"/": "<title>x</title>", "/file": attachment}) as url:
        async with debugging(recorded.make_takers) as (debugger, changes):
            await debugger.launch(HEADLESS)
            target = await debugger.watch(only_page(debugger))
            await target.call("Page.navigate", {"url": f"{url}/"}, LIMIT_S)
            await until(lambda: target.url == f"{url}/")
            answer = await target.call("Page.navigate", {"url": f"{url}/file"}, LIMIT_S)
            assert answer["errorText"] == "net::ERR_ABORTED"
            await until(lambda: f"{url}/file" in recorded.requested("page"))
            assert target.state == "attached"
            await until(lambda: "navigated" in [change.kind for change in changes.seen])
            assert [c.url for c in changes.seen if c.kind == "navigated"] == [f"{url}/"]


async def test_navigation_is_reported_of_the_page_but_not_of_its_frames() -> None:
    browser = FakeBrowser()
    async with watched(browser) as (target, changes, _):
        navigated = target.expect_navigation()
        assert not await navigated(0.01)
        frame: Json = {"id": "f", "parentId": "a", "url": "http://x/frame"}
        browser.emit("Page.frameNavigated", {"frame": frame}, "s-a")
        browser.emit("Page.navigatedWithinDocument", {"frameId": "f", "url": "http://x/#f"}, "s-a")
        browser.emit("Page.frameNavigated", {"frame": {"id": "a", "url": "http://x/"}}, "s-a")
        assert await navigated(LIMIT_S)
        browser.emit("Page.navigatedWithinDocument", {"frameId": "a", "url": "http://x/#a"}, "s-a")
        await target.call("A.b")
        seen = [(c.url, c.is_same_document) for c in changes.seen if c.kind == "navigated"]
        assert seen == [("http://x/", False), ("http://x/#a", True)]


@pytest.mark.parametrize(
    "params", [{}, {"frame": None}, {"frame": 3}, {"sessionId": []}, {"targetInfo": "x"}]
)
async def test_events_that_make_no_sense(params: Json) -> None:
    browser = FakeBrowser()
    async with watched(browser) as (target, _, _):
        for method in target._reactions:
            if "rash" not in method and "Dialog" not in method:
                browser.emit(method, params, "s-a")
        assert await target.call("A.b") == {}


async def test_the_end_comes_once() -> None:
    browser = FakeBrowser()
    async with watched(browser) as (target, changes, debugger):
        browser.emit("Inspector.targetCrashed", {}, "s-a")
        browser.emit("Target.targetCrashed", {"targetId": "a", "status": "crashed"})
        await changes.wait_until(lambda: target.state == "crashed")
        browser.emit("Target.detachedFromTarget", {"sessionId": "s-a", "targetId": "a"})
        browser.emit("Target.targetDestroyed", {"targetId": "a"})
        await changes.wait_until(lambda: not debugger.targets())
        assert changes.of("a") == ["attached", "crashed", "closed"]
        with pytest.raises(NotConnected):
            await target.call("A.b", even_crashed=True)


async def test_who_waits_for_a_navigation_gets_it_although_another_one_begins_to_wait() -> None:
    browser = FakeBrowser()
    async with watched(browser) as (target, _, _):
        first = target.expect_navigation()
        target._moved()
        second = target.expect_navigation()
        assert await first(LIMIT_S) is True
        assert await second(0.01) is False
