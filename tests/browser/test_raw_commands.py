import pytest

from jupyter_ac.browser.raw_commands import check_command, run_command
from jupyter_ac.errors import AccessDenied, BrowserError, InvalidParams, TooLarge
from tests.browser.watched_page import watched_page


@pytest.mark.parametrize(
    "method",
    [
        "Target.attachToTarget",
        "Target.createTarget",
        "Browser.close",
        "Browser.setDownloadBehavior",
        "SystemInfo.getInfo",
        "Storage.getCookies",
        "Storage.clearDataForOrigin",
        "Network.getAllCookies",
        "Network.setCookie",
        "Network.loadNetworkResource",
        "DOM.setFileInputFiles",
        "Page.setDownloadBehavior",
        "IO.read",
        "Tracing.start",
        "Fetch.enable",
        "Extensions.loadUnpacked",
        "Network.disable",
        "Runtime.disable",
        "Page.disable",
        "Page.handleJavaScriptDialog",
        "Input.dispatchDragEvent",
        "Unknown.thing",
    ],
)
def test_commands_that_reach_further_are_refused(method: str) -> None:
    with pytest.raises(AccessDenied):
        check_command(method, {})


@pytest.mark.parametrize(
    "method", ["", "x", ".", "DOM.", "DOM.get Document", "Runtime.x.y", "ÄÖ.x"]
)
def test_what_is_no_command(method: str) -> None:
    with pytest.raises((InvalidParams, AccessDenied)):
        check_command(method, {})


@pytest.mark.parametrize("url", ["chrome://settings", "file:///etc/passwd", "javascript:1", ""])
def test_navigation_by_a_command_obeys_the_same_rules(url: str) -> None:
    with pytest.raises((AccessDenied, InvalidParams)):
        check_command("Page.navigate", {"url": url})
    check_command("Page.navigate", {"url": "http://127.0.0.1/"})


def test_parameters_that_are_too_long() -> None:
    with pytest.raises(InvalidParams):
        check_command("Runtime.evaluate", {"expression": "x" * 2_000_000})


@pytest.mark.parametrize("name", ["grantUniveralAccess", "grantUniversalAccess"])
def test_scripts_get_no_access_to_other_sites(name: str) -> None:
    with pytest.raises(AccessDenied):
        check_command("Page.createIsolatedWorld", {"frameId": "1", name: True})
    check_command("Page.createIsolatedWorld", {"frameId": "1"})


async def test_a_command_within_the_page() -> None:
    async with watched_page("<title>x</title>") as (target, _, changes, _):
        params = {"expression": "document.title", "returnByValue": True}
        row = await run_command(target, "Runtime.evaluate", params)
        assert row == {"result": {"result": {"type": "string", "value": "x"}}}
        with pytest.raises(BrowserError, match="wasn't found"):
            await run_command(target, "DOM.noSuchThing")
        long = {"expression": "'x'.repeat(3e6)"}
        with pytest.raises(TooLarge):
            await run_command(target, "Runtime.evaluate", long)
        await target.call("Page.navigate", {"url": "chrome://version"})
        await changes.wait_until(lambda: target.url.startswith("chrome:"))
        with pytest.raises(AccessDenied):
            await run_command(target, "Runtime.evaluate", params)
