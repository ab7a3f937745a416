import asyncio
from collections.abc import Coroutine

import pytest

from jupyter_ac.browser import cdp, child_sessions
from jupyter_ac.browser.cdp import CdpConnection, CdpSession, Json
from jupyter_ac.browser.child_sessions import DOMAINS, ChildSessions
from tests.browser.fake_cdp import FakeBrowser, over_pipes
from tests.browser.recorded_events import RecordedEvents, silent, unknown
from tests.browser.running_browser import HEADLESS, LIMIT_S, debugging, only_page, pages, until
from tests.browser.watched_page import watched_page

FRAMED = """<iframe src='http://localhost:{port}/frame'></iframe>
<script>
new Worker('/worker.js');
navigator.serviceWorker.register('/service.js');
</script>"""


async def run_children(
    browser: FakeBrowser, infos: list[Json]
) -> tuple[ChildSessions, list[CdpSession]]:
    """Let a page's session report children, and what they do come to an end."""
    adopted: list[CdpSession] = []
    tasks: list[asyncio.Task[None]] = []

    def spawn(work: Coroutine[object, object, None]) -> None:
        tasks.append(asyncio.ensure_future(work))

    async with over_pipes(browser) as transport:
        connection = CdpConnection(transport)
        connection.start()
        children = ChildSessions(adopted.append, spawn)
        for info in infos:
            children.attached(CdpSession(connection, "page"), info)
        async with asyncio.timeout(LIMIT_S):
            await asyncio.gather(*tasks)
        await connection.aclose()
    return children, adopted


async def test_a_child_is_recorded_and_then_runs() -> None:
    browser = FakeBrowser()
    children, adopted = await run_children(browser, [{"sessionId": "c"}, {"sessionId": "c"}])
    assert [session.session_id for session in adopted] == ["c"]
    assert len(children) == 1
    names = [method for session, method in browser.calls if session == "c"]
    assert names == [*(name for name, _ in DOMAINS), "Runtime.runIfWaitingForDebugger"]
    assert not children.detached({"sessionId": "other"})
    assert children.detached({"sessionId": "c"})
    assert children.listed() == []


async def test_a_child_runs_even_if_it_refuses() -> None:
    browser = FakeBrowser()
    browser.answers["Page.enable"] = unknown
    browser.answers["Network.enable"] = unknown
    children, _ = await run_children(browser, [{"sessionId": "c"}])
    assert ("c", "Runtime.runIfWaitingForDebugger") in browser.calls
    assert len(children) == 1


async def test_the_last_command_is_sent_before_the_first_is_answered() -> None:
    browser = FakeBrowser()
    browser.answers["Inspector.enable"] = silent
    running = asyncio.create_task(run_children(browser, [{"sessionId": "c"}]))
    await browser.wait_for_call("Runtime.runIfWaitingForDebugger")
    running.cancel()
    await asyncio.wait([running])


async def test_events_without_a_session_are_passed_over() -> None:
    browser = FakeBrowser()
    children, adopted = await run_children(browser, [{}, {"sessionId": 7}, {"sessionId": ""}])
    assert adopted == []
    assert len(children) == 0
    assert browser.calls == []


async def test_more_children_than_are_recorded_only_run() -> None:
    browser = FakeBrowser()
    infos: list[Json] = [{"sessionId": f"c{n}"} for n in range(child_sessions.MAX_CHILDREN + 2)]
    children, adopted = await run_children(browser, infos)
    assert len(children) == len(adopted) == child_sessions.MAX_CHILDREN
    last = f"c{child_sessions.MAX_CHILDREN + 1}"
    assert [m for s, m in browser.calls if s == last] == ["Runtime.runIfWaitingForDebugger"]
    assert browser.calls.count(("page", "Target.detachFromTarget")) == 2


async def test_frames_of_other_origins_and_workers_are_recorded_from_their_start() -> None:
    recorded = RecordedEvents()
    with pages(
        {
            "/frame": "<script>console.log('frame'); fetch('/data.js?from=frame')</script>",
            "/worker.js": "console.log('worker'); fetch('/data.js?from=worker')",
            "/service.js": "console.log('service')",
            "/data.js": "1",
            "/": FRAMED,
        }
    ) as url:
        port = url.rpartition(":")[2]
        async with debugging(recorded.make_takers) as (debugger, changes):
            await debugger.launch(HEADLESS)
            target = await debugger.watch(only_page(debugger))
            html = FRAMED.format(port=port)
            params = {"expression": f"document.open(); document.write({html!r}); document.close()"}
            await target.call("Page.navigate", {"url": f"{url}/data.js"}, LIMIT_S)
            await target.call("Page.navigate", {"url": f"{url}/frame"}, LIMIT_S)
            await target.call("Runtime.evaluate", params, LIMIT_S)
            await until(lambda: {"frame", "worker", "service"} <= set(recorded.logged("child")))
            wanted = {
                f"http://localhost:{port}/data.js?from=frame",
                f"{url}/data.js?from=worker",
            }
            await until(lambda: wanted <= set(recorded.requested("child")))
            assert debugger.targets()[0]["children"] >= 2
            assert len(target.sessions) >= 3
            await target.call("Page.navigate", {"url": "about:blank"}, LIMIT_S)
            await changes.wait_until(lambda: target.row()["children"] == 0)


async def test_many_workers_at_once_all_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_sessions, "MAX_CHILDREN", 10)
    monkeypatch.setattr(cdp, "MAX_PENDING", 40)
    code = """new Promise((resolve) => {
      let count = 0;
      for (let n = 0; n < 30; n++) new Worker('/worker.js').onmessage = () => {
        if (++count === 30) resolve(count);
      };
    })"""
    async with watched_page("x", {"/worker.js": "postMessage(1)"}) as (target, _, _, _):
        params = {"expression": code, "awaitPromise": True}
        answer = await target.call("Runtime.evaluate", params, LIMIT_S)
        assert answer["result"] == {"type": "number", "value": 30, "description": "30"}
        assert target.row()["children"] == 10
