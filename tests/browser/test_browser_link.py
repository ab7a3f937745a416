import asyncio
from pathlib import Path

import pytest

from jupyter_ac.browser import browser_link
from jupyter_ac.browser.browser_link import BrowserLink, TargetInfo, attach_browser, launch_browser
from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.launcher import LaunchOptions
from jupyter_ac.errors import AccessDenied, BrowserError, NotConnected, NotFound, TimedOut
from tests.browser.fake_cdp import PATH, FakeBrowser, over_socket
from tests.browser.recorded_events import refused, silent
from tests.browser.running_browser import until


class Heard:
    """The events of a browser, and whether its connection has ended."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.ends = 0

    def take(self, _link: BrowserLink, method: str, _params: Json) -> None:
        self.events.append(method)

    def end(self) -> None:
        self.ends += 1


async def attached(address: str, heard: Heard | None = None) -> BrowserLink:
    heard = heard or Heard()
    return await attach_browser("1", address, heard.take, heard.end)


async def test_the_table_follows_what_the_browser_reports() -> None:
    browser, heard = FakeBrowser(), Heard()
    browser.targets = [browser.page("a"), browser.page("b")]
    async with over_socket(browser) as port:
        link = await attached(str(port), heard)
        assert list(link.infos) == ["a", "b"]
        assert link.row["product"] == "Fake/1"
        browser.emit("Target.targetInfoChanged", {"targetInfo": browser.page("a", title="new")})
        browser.emit("Target.targetDestroyed", {"targetId": "b"})
        browser.emit("Target.targetDestroyed", {"targetId": "unknown"})
        browser.emit("Target.targetCreated", {"targetInfo": None})
        browser.emit("Target.targetCreated", {"targetInfo": {"targetId": 7}})
        await link.connection.call("A.b")
        assert [(info.target_id, info.title) for info in link.infos.values()] == [("a", "new")]
        assert heard.events[-1] == "Target.targetDestroyed"
        await link.aclose()
    assert heard.ends == 1


async def test_titles_are_asked_for() -> None:
    browser = FakeBrowser()
    browser.targets = [browser.page("a")]
    browser.answers["Target.getTargets"] = lambda _: {
        "targetInfos": [browser.page("a", title="new"), browser.page("b"), None, 3]
    }
    async with over_socket(browser) as port:
        link = await attached(str(port))
        await link.refresh()
        assert [(info.target_id, info.title) for info in link.infos.values()] == [("a", "new")]
        browser.answers["Target.getTargets"] = lambda _: {"targetInfos": "nonsense"}
        await link.refresh()
        await link.aclose()


async def test_only_so_many_targets_are_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_link, "MAX_TARGETS", 2)
    browser = FakeBrowser()
    browser.targets = [browser.page(name) for name in "abc"]
    async with over_socket(browser) as port:
        link = await attached(str(port))
        browser.emit("Target.targetInfoChanged", {"targetInfo": browser.page("a", title="new")})
        await link.connection.call("A.b")
        assert list(link.infos) == ["a", "b"]
        assert link.infos["a"].title == "new"
        await link.aclose()


@pytest.mark.parametrize("step", ["Browser.getVersion", "Target.setDiscoverTargets"])
async def test_a_browser_that_ends_at_the_first_steps(step: str) -> None:
    browser, heard = FakeBrowser(), Heard()
    browser.answers[step] = silent
    async with over_socket(browser) as port:
        attaching = asyncio.create_task(attached(str(port), heard))
        await browser.wait_for_call(step)
        browser.hang_up()
        with pytest.raises(NotConnected, match="ended before it answered"):
            await attaching
    assert heard.ends == 1


async def test_a_browser_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_link, "ANSWER_S", 0.1)
    browser, heard = FakeBrowser(), Heard()
    browser.answers["Browser.getVersion"] = silent
    async with over_socket(browser) as port:
        with pytest.raises(TimedOut):
            await attached(str(port), heard)
    assert heard.ends == 1


async def test_a_browser_that_refuses() -> None:
    browser = FakeBrowser()
    browser.answers["Target.setDiscoverTargets"] = refused
    async with over_socket(browser) as port:
        with pytest.raises(BrowserError):
            await attached(str(port))


async def test_an_attachment_that_is_cancelled_is_closed() -> None:
    browser, heard = FakeBrowser(), Heard()
    browser.answers["Browser.getVersion"] = silent
    async with over_socket(browser) as port:
        attaching = asyncio.create_task(attached(f"ws://127.0.0.1:{port}{PATH}", heard))
        await browser.wait_for_call("Browser.getVersion")
        attaching.cancel()
        await asyncio.wait([attaching])
        assert attaching.cancelled()
        await until(lambda: heard.ends == 1)


async def test_a_port_that_changes_hands_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    def changed_hands(_host: str, _port: int) -> bool:
        raise AccessDenied("Port 1 belongs to a process of another user of this machine.")

    monkeypatch.setattr(browser_link, "check_owner", changed_hands)
    browser, heard = FakeBrowser(), Heard()
    async with over_socket(browser) as port:
        with pytest.raises(AccessDenied):
            await attached(str(port), heard)
    assert heard.ends == 1
    assert browser.calls == []


async def test_a_program_that_is_no_browser_can_not_be_launched() -> None:
    heard = Heard()
    options = LaunchOptions(headless=True, executable="/bin/true")
    with pytest.raises(NotConnected, match="ended before it answered"):
        await launch_browser("1", options, heard.take, heard.end)
    with pytest.raises((NotFound, NotConnected)):
        await launch_browser(
            "1", LaunchOptions(headless=True, executable="/nowhere"), heard.take, heard.end
        )


@pytest.mark.parametrize(
    ("kind", "url", "is_listed"),
    [
        ("page", "http://127.0.0.1/", True),
        ("page", "chrome://newtab/", True),
        ("service_worker", "http://127.0.0.1/sw.js", True),
        ("page", "devtools://devtools/inspector.html", False),
        ("service_worker", "chrome-extension://abc/sw.js", False),
        ("iframe", "http://127.0.0.1/", False),
        ("browser_ui", "chrome://x", False),
        ("", "", False),
    ],
)
def test_what_is_listed(kind: str, url: str, *, is_listed: bool) -> None:
    info = TargetInfo.parse({"targetId": "a", "type": kind, "url": url, "title": "x" * 10_000})
    assert info is not None
    assert info.is_listed == is_listed
    assert len(info.title) == 4096


async def test_a_browser_that_cannot_start_says_why(tmp_path: Path) -> None:
    heard = Heard()
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\necho 'Missing X server' >&2\nexit 1\n")
    program.chmod(0o755)
    options = LaunchOptions(headless=True, executable=str(program))
    with pytest.raises(NotConnected, match=r"before it answered; it said: Missing X server$"):
        await launch_browser("1", options, heard.take, heard.end)
