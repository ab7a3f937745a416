import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from jupyter_ac.browser.cdp import MAX_PENDING, CdpConnection, CdpSession, Json
from jupyter_ac.browser.transports import open_socket
from jupyter_ac.errors import BrowserError, Busy, NotConnected, TimedOut
from tests.browser.fake_cdp import (
    LIMIT_S,
    PATH,
    FakeBrowser,
    Refused,
    Silence,
    over_pipes,
    over_socket,
)


@asynccontextmanager
async def piped(browser: FakeBrowser) -> AsyncIterator[CdpConnection]:
    async with over_pipes(browser) as transport:
        connection = CdpConnection(transport)
        connection.start()
        try:
            yield connection
        finally:
            await connection.aclose()


@asynccontextmanager
async def socketed(browser: FakeBrowser) -> AsyncIterator[CdpConnection]:
    async with over_socket(browser) as port:
        connection = CdpConnection(await open_socket(f"ws://127.0.0.1:{port}{PATH}"))
        connection.start()
        try:
            yield connection
        finally:
            await connection.aclose()


def silent(_params: Json) -> object:
    raise Silence


def refuse(_params: Json) -> object:
    raise Refused("no such node", -32000)


Way = Callable[[FakeBrowser], AbstractAsyncContextManager[CdpConnection]]
WAYS = pytest.mark.parametrize("way", [piped, socketed])


@WAYS
async def test_commands_are_answered_in_any_order(way: Way) -> None:
    browser = FakeBrowser()
    gate = asyncio.Event()

    async def late() -> Json:
        await gate.wait()
        return {"which": "slow"}

    browser.answers["A.slow"] = lambda _: late()
    browser.answers["A.fast"] = lambda params: {"which": params["word"]}
    async with way(browser) as connection:
        slow = asyncio.create_task(connection.call("A.slow", timeout_s=LIMIT_S))
        fast = await connection.call("A.fast", {"word": "fäst\ud800"}, timeout_s=LIMIT_S)
        assert fast == {"which": "fäst\ud800"}
        gate.set()
        assert await slow == {"which": "slow"}


@WAYS
async def test_a_refusal_has_the_browsers_number_and_sentence(way: Way) -> None:
    browser = FakeBrowser()
    browser.answers["DOM.focus"] = refuse
    async with way(browser) as connection:
        with pytest.raises(BrowserError, match=r"DOM\.focus: no such node") as raised:
            await connection.call("DOM.focus")
        assert raised.value.details == {"cdp_code": -32000}


async def test_a_command_without_an_answer_ends_in_time() -> None:
    browser = FakeBrowser()
    browser.answers["A.b"] = silent
    async with piped(browser) as connection:
        with pytest.raises(TimedOut, match=r"didn't answer A\.b within 0\.05 s"):
            await connection.call("A.b", timeout_s=0.05)
        assert await connection.call("A.c", timeout_s=LIMIT_S) == {}


async def test_an_answer_that_comes_too_late_is_dropped() -> None:
    browser = FakeBrowser()
    browser.answers["A.b"] = silent
    async with piped(browser) as connection:
        with pytest.raises(TimedOut):
            await connection.call("A.b", timeout_s=0.01)
        await browser.wait_for_call("A.b")
        browser.send_raw('{"id": 1, "result": {}}')
        assert await connection.call("A.c", timeout_s=LIMIT_S) == {}


@WAYS
async def test_the_end_of_the_browser_fails_what_waits_and_is_told_once(way: Way) -> None:
    browser = FakeBrowser()
    browser.answers["A.b"] = silent
    ends: list[str] = []
    async with way(browser) as connection:
        connection._on_close = lambda: ends.append("closed")
        waiting = [asyncio.create_task(connection.call("A.b", timeout_s=LIMIT_S)) for _ in range(3)]
        await browser.wait_for_call("A.b", times=3)
        browser.hang_up()
        for task in waiting:
            with pytest.raises(NotConnected):
                await task
        assert connection.is_closed
        with pytest.raises(NotConnected):
            await connection.call("A.b")
    assert ends == ["closed"]


async def test_events_go_to_the_listener_of_their_session_in_order() -> None:
    browser = FakeBrowser()
    seen: list[tuple[str, str]] = []
    async with piped(browser) as connection:
        CdpSession(connection, "").listen(lambda method, _: seen.append(("", method)))
        CdpSession(connection, "s1").listen(lambda method, _: seen.append(("s1", method)))
        browser.replay(
            [
                {"method": "X.one", "params": {}, "sessionId": "s1"},
                {"method": "X.two", "params": {}},
                {"method": "X.nobody", "params": {}, "sessionId": "s2"},
                {"method": "X.three", "sessionId": "s1"},
            ]
        )
        await connection.call("A.b", timeout_s=LIMIT_S)
    assert seen == [("s1", "X.one"), ("", "X.two"), ("s1", "X.three")]


async def test_a_session_that_is_forgotten_hears_nothing_and_its_calls_fail() -> None:
    browser = FakeBrowser()
    browser.answers["A.b"] = silent
    seen: list[str] = []
    async with piped(browser) as connection:
        session = CdpSession(connection, "s1")
        session.listen(lambda method, _params: seen.append(method))
        waiting = asyncio.create_task(session.call("A.b", timeout_s=LIMIT_S))
        other = asyncio.create_task(connection.call("A.b", session_id="s2", timeout_s=LIMIT_S))
        await browser.wait_for_call("A.b", times=2)
        connection.forget("s1")
        with pytest.raises(NotConnected, match="closed or is no longer watched"):
            await waiting
        browser.emit("X.late", session="s1")
        await connection.call("A.c", timeout_s=LIMIT_S)
        assert not other.done()
        other.cancel()
    assert seen == []


async def test_a_listener_that_fails_is_logged_and_harms_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(_method: str, _params: Json) -> None:
        raise ValueError("wrong")

    browser = FakeBrowser()
    async with piped(browser) as connection:
        connection.listen("", fail)
        browser.emit("X.y")
        assert await connection.call("A.b", timeout_s=LIMIT_S) == {}
    assert "the event X.y can't be handled" in caplog.text


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "nonsense",
        "[]",
        "null",
        "7",
        "{}",
        '{"id": "1", "result": 2}',
        '{"id": 999}',
        '{"id": null, "method": 3}',
        '{"method": "X.y", "params": 3, "sessionId": 4}',
        '{"method": "X.y", "params": ' + "[" * 2000 + "}",
        '{"error": {"code": "x"}}',
    ],
)
async def test_frames_that_make_no_sense_are_passed_over(
    frame: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    browser = FakeBrowser()
    async with piped(browser) as connection:
        browser.send_raw(frame)
        assert await connection.call("A.b", timeout_s=LIMIT_S) == {}


async def test_text_with_half_a_surrogate_pair_arrives() -> None:
    browser = FakeBrowser()
    seen: list[Json] = []
    async with piped(browser) as connection:
        connection.listen("", lambda _method, params: seen.append(params))
        browser.send_raw('{"method": "X.y", "params": {"text": "\\ud83d"}}')
        await connection.call("A.b", timeout_s=LIMIT_S)
    assert seen == [{"text": "\ud83d"}]


@WAYS
async def test_a_long_message_arrives_whole(way: Way) -> None:
    browser = FakeBrowser()
    browser.answers["A.b"] = lambda params: {"text": str(params["text"])[::-1]}
    text = "a" + "x" * 5_000_000
    async with way(browser) as connection:
        answer = await connection.call("A.b", {"text": text}, timeout_s=LIMIT_S)
    assert answer == {"text": text[::-1]}


async def test_only_so_many_commands_wait() -> None:
    browser = FakeBrowser()
    browser.answers["A.b"] = silent
    async with piped(browser) as connection:
        waiting = [
            asyncio.create_task(connection.call("A.b", timeout_s=LIMIT_S))
            for _ in range(MAX_PENDING)
        ]
        await browser.wait_for_call("A.b", times=MAX_PENDING)
        with pytest.raises(Busy):
            await connection.call("A.b")
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)
        assert await connection.call("A.c", timeout_s=LIMIT_S) == {}


async def test_a_flood_of_events_starves_nobody() -> None:
    browser = FakeBrowser()
    count = 0
    turns = 0

    def take(_method: str, _params: Json) -> None:
        nonlocal count
        count += 1

    async def other_work() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with piped(browser) as connection:
        connection.listen("", take)
        working = asyncio.create_task(other_work())
        event = json.dumps({"method": "X.y", "params": {"text": "x" * 300}})
        for _ in range(20_000):
            browser.send_raw(event)
        async with asyncio.timeout(LIMIT_S):
            while count < 20_000:
                await asyncio.sleep(0)
        working.cancel()
    assert turns > 20


async def test_closing_before_the_start_and_twice_is_harmless() -> None:
    async with over_pipes(FakeBrowser()) as transport:
        connection = CdpConnection(transport)
        await connection.aclose()
        await connection.aclose()
        assert connection.is_closed
