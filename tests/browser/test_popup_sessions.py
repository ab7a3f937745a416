import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest

from jupyter_ac.browser.cdp import BROWSER, CdpConnection, Json
from jupyter_ac.browser.popup_sessions import PopupSessions
from jupyter_ac.errors import NotConnected
from tests.browser.fake_cdp import FakeBrowser, over_pipes
from tests.browser.recorded_events import refused

RUN = "Runtime.runIfWaitingForDebugger"
DETACH = ("", "Target.detachFromTarget")


@asynccontextmanager
async def sessions_of(browser: FakeBrowser) -> AsyncIterator[PopupSessions]:
    async with over_pipes(browser) as transport:
        connection = CdpConnection(transport)
        popups = PopupSessions(connection)

        def take(method: str, params: Json) -> None:
            if method == "Target.attachedToTarget":
                popups.attached(params)

        connection.listen(BROWSER, take)
        connection.start()
        yield popups
        await popups.aclose()
        await connection.aclose()


def attached(session: str, target: str, *, waits: bool, opener: str = "") -> Json:
    info = {"targetId": target, "type": "page", "openerId": opener}
    return {"sessionId": session, "targetInfo": info, "waitingForDebugger": waits}


async def test_a_session_that_was_asked_for_stays_and_others_are_left() -> None:
    browser = FakeBrowser()

    def attach(_params: Json) -> object:
        browser.emit("Target.attachedToTarget", attached("mine", "a", waits=False))
        return {"sessionId": "mine"}

    left: list[object] = []
    browser.answers["Target.attachToTarget"] = attach
    browser.answers["Target.detachFromTarget"] = lambda params: left.append(params["sessionId"])
    async with sessions_of(browser) as popups:
        assert await popups.attach("a") == "mine"
        browser.emit("Target.attachedToTarget", attached("theirs", "b", waits=False))
        await browser.wait_for_call("Target.detachFromTarget")
        popups.detached("mine")
        browser.emit("Target.attachedToTarget", attached("mine", "a", waits=False))
        await browser.wait_for_call("Target.detachFromTarget", 2)
    assert left == ["theirs", "mine"]
    assert RUN not in [method for _, method in browser.calls]


async def test_what_is_held_is_taken_or_let_go() -> None:
    browser = FakeBrowser()
    async with sessions_of(browser) as popups:
        told: list[tuple[str, str, str]] = []

        def take(target: str, session: str, opener: str) -> bool:
            told.append((target, session, opener))
            return opener == "opener"

        popups.take_popup = take
        browser.emit("Target.attachedToTarget", attached("s1", "p", waits=True, opener="opener"))
        browser.emit("Target.attachedToTarget", attached("s2", "q", waits=True))
        await browser.wait_for_call("Target.detachFromTarget")
    assert told == [("p", "s1", "opener"), ("q", "s2", "")]
    assert browser.calls == [("s2", RUN), DETACH]


async def test_pages_are_held_while_that_is_wanted() -> None:
    browser = FakeBrowser()
    asked: list[object] = []
    browser.answers["Target.setAutoAttach"] = lambda params: asked.append(params["autoAttach"])
    async with sessions_of(browser) as popups:
        for is_wanted in (True, True, False, False):
            await popups.hold(partial(bool, is_wanted))
            assert popups.is_holding is is_wanted
    assert asked == [True, False]


async def test_a_browser_that_refuses_holds_nothing() -> None:
    browser = FakeBrowser()
    browser.answers["Target.setAutoAttach"] = refused
    async with sessions_of(browser) as popups:
        await popups.hold(lambda: True)
        assert not popups.is_holding


async def test_events_that_make_no_sense() -> None:
    browser = FakeBrowser()
    async with sessions_of(browser) as popups:
        senseless: tuple[Json, ...] = (
            {},
            {"sessionId": 7},
            {"sessionId": "s"},
            {"sessionId": "", "targetInfo": {}},
        )
        for params in senseless:
            popups.attached(params)
        await asyncio.sleep(0)
        browser.answers["Target.attachToTarget"] = lambda _: {"sessionId": 3}
        with pytest.raises(NotConnected, match="no session"):
            await popups.attach("a")
    assert [method for _, method in browser.calls] == ["Target.attachToTarget"]
