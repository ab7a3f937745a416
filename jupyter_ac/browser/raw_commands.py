"""Commands of the DevTools Protocol that a user gives, within one page.

What reaches beyond the page is refused: other targets, the browser, the cookies of other sites, the
files of the machine. So is what would stop the recording of the page.
"""

from collections.abc import Mapping
from typing import Final

from jupyter_ac.browser.action_rows import CdpRow
from jupyter_ac.browser.page_objects import json_text
from jupyter_ac.browser.page_urls import check_address, check_page
from jupyter_ac.browser.target import Target
from jupyter_ac.errors import AccessDenied, InvalidParams, TooLarge

MAX_RESULT: Final = 2_000_000
"""Characters of a result's JSON."""

MAX_PARAMS: Final = 1_000_000

_NAVIGATE: Final = "Page.navigate"
_MAKE_WORLD: Final = "Page.createIsolatedWorld"

DOMAINS: Final = frozenset(
    {
        *("Accessibility", "Animation", "Audits", "CSS", "Console", "DOM", "DOMDebugger"),
        *("DOMSnapshot", "Debugger", "Emulation", "EventBreakpoints", "HeapProfiler", "Input"),
        *("LayerTree", "Log", "Media", "Network", "Overlay", "Page", "Performance"),
        *("PerformanceTimeline", "Profiler", "Runtime", "Schema", "WebAudio"),
    }
)
"""The domains whose commands stay within their session."""

_BEYOND: Final = frozenset(
    {
        "DOM.getFileInfo",
        "DOM.setFileInputFiles",
        "Input.dispatchDragEvent",
        "Network.clearBrowserCache",
        "Network.clearBrowserCookies",
        "Network.deleteCookies",
        "Network.getAllCookies",
        "Network.getCookies",
        "Network.loadNetworkResource",
        "Network.setCookie",
        "Network.setCookieControls",
        "Network.setBlockedURLs",
        "Network.setCookies",
        "Network.setExtraHTTPHeaders",
        "Page.addCompilationCache",
        "Page.deleteCookie",
        "Page.getCookies",
        "Page.setDownloadBehavior",
        "Page.setInterceptFileChooserDialog",
    }
)
"""Commands of these domains that reach further: files, also dropped ones, cookies, all pages; and
what needs another consent: changes of requests."""

_RECORDING: Final = frozenset(
    {
        *(f"{domain}.disable" for domain in ("Inspector", "Log", "Network", "Page", "Runtime")),
        "DOM.disable",
        "Network.enable",
        "Overlay.disable",
        "Overlay.setInspectMode",
        "Network.setRequestInterception",
        "Page.handleJavaScriptDialog",
        "Runtime.discardConsoleEntries",
    }
)
"""Commands that would disturb the recording; there are methods for what they do."""


async def run_command(
    target: Target,
    method: str,
    params: Mapping[str, object] | None = None,
) -> CdpRow:
    """Send a command to a page and give its result as it comes.

    Args:
        target: the page.
        method: with its domain: `DOM.getDocument`.
        params: its parameters; `Page.navigate` obeys the rule of `check_address`.

    Raises:
        AccessDenied: the command reaches beyond the page, or it is a page of the browser's own.
        InvalidParams: it is no command, or its parameters are too long.
        BrowserError: the browser refuses it.
        TooLarge: its result is too large.
        Busy: a dialog is open.
        TimedOut: no answer in time.
        NotConnected: the page has crashed or is gone.
    """
    check_command(method, params or {})
    check_page(target.url)
    result = await target.call(method, params, even_crashed=method == _NAVIGATE)
    if len(json_text(result)) > MAX_RESULT:
        raise TooLarge("The result is too large; ask for a part of it.")
    return {"result": result}


def check_command(method: str, params: Mapping[str, object]) -> None:
    """Check that a command stays within its page; see `run_command`."""
    domain, dot, name = method.partition(".")
    if not dot or not domain.isascii() or not name.isascii() or not name.isalnum():
        raise InvalidParams("A command has a domain and a name, such as DOM.getDocument.")
    if len(json_text(params)) > MAX_PARAMS:
        raise InvalidParams("The parameters are too long.")
    if domain not in DOMAINS or method in _BEYOND:
        raise AccessDenied(f"{method} reaches beyond the page; only its own domains can be used.")
    if method in _RECORDING:
        raise AccessDenied(f"{method} would disturb the recording of the page.")
    if method == _MAKE_WORLD and any(name.startswith("grant") for name in params):
        # With it, scripts read the answers of all sites, with the user's cookies.
        raise AccessDenied(f"{method} gives no access to other sites.")
    if method == _NAVIGATE:
        check_address(str(params.get("url", "")))
