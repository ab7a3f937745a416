"""Methods that act in a page; each needs the user's consent, unless the browser was launched."""

from collections.abc import Mapping
from typing import TypedDict, TypeVar, cast

from jupyter_ac.browser.action_rows import (
    CdpRow,
    HistoryRow,
    HistoryStepRow,
    InputRow,
    JsRow,
    NavigateRow,
    PageRow,
    ReloadRow,
    ScreenshotRow,
    WaitRow,
)
from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.methods import Access, CallRules, method
from jupyter_ac.services.browser.watched_targets import OPEN, Action, WatchedTargets

_Row = TypeVar("_Row")

_ACTS = CallRules(requires_state=OPEN, changes_state=True)
_READS = CallRules(requires_state=OPEN)
_MOST_S = 60.0
_SLACK_S = 10.0


class DialogAnswered(TypedDict):
    """The dialog was answered."""

    success: bool


class PageMethods:
    """The address of a page, and its history; acting needs consent to `navigate`.

    Args:
        targets: the watched ones.
    """

    def __init__(self, targets: WatchedTargets) -> None:
        self._targets = targets

    @method(Access.EXECUTE, rules=_ACTS)
    async def navigate(self, url: str, target: str = "") -> NavigateRow:
        """Open an address: http, https or about:blank."""
        return await _act(NavigateRow, self._targets, "navigate", target, "navigate", {"url": url})

    @method(Access.EXECUTE, rules=_ACTS)
    async def reload(self, ignore_cache: bool = False, target: str = "") -> ReloadRow:
        """Load the page again."""
        arguments = {"ignore_cache": ignore_cache}
        return await _act(ReloadRow, self._targets, "reload", target, "navigate", arguments)

    @method(Access.EXECUTE, rules=_ACTS)
    async def back(self, target: str = "") -> HistoryStepRow:
        """Go back one page."""
        return await _act(HistoryStepRow, self._targets, "back", target, "navigate", {})

    @method(Access.EXECUTE, rules=_ACTS)
    async def forward(self, target: str = "") -> HistoryStepRow:
        """Go forward one page."""
        return await _act(HistoryStepRow, self._targets, "forward", target, "navigate", {})

    @method(Access.READ, rules=_READS)
    async def history(self, target: str = "") -> HistoryRow:
        """Return the pages that the tab has shown: `{entries, current_index}`."""
        return cast("HistoryRow", await self._targets.act(target, "history"))

    @method(Access.READ, rules=_READS)
    async def page(self, target: str = "") -> PageRow:
        """Return the page: `{id, type, title, url}`."""
        return cast("PageRow", await self._targets.act(target, "page"))


class ScriptMethods:
    """Code and commands in a page; needs consent to `js` or `cdp`.

    Args:
        targets: the watched ones.
    """

    def __init__(self, targets: WatchedTargets) -> None:
        self._targets = targets

    @method(Access.EXECUTE, rules=_ACTS)
    async def js(
        self,
        code: str,
        selection: int | str | None = None,
        persist: bool = False,
        await_promise: bool = False,
        return_value: bool = True,
        target: str = "",
    ) -> JsRow:
        """Run JavaScript in the page: `{value, executed}`.

        With `selection`, the chosen element of this id is the variable `element`. With `persist`
        what the code declares stays for later calls.
        """
        arguments = {
            "code": code,
            "selection": selection,
            "persist": persist,
            "await_promise": await_promise,
            "return_value": return_value,
        }
        return await _act(JsRow, self._targets, "js", target, "js", arguments)

    @method(Access.EXECUTE, rules=_ACTS)
    async def cdp(
        self,
        command: str | None = None,
        params: dict[str, object] | None = None,
        method: str | None = None,
        target: str = "",
    ) -> CdpRow:
        """Send a command of the DevTools Protocol to the page: `{result}`.

        `command` (or `method`) is its name. Commands that reach beyond the page are refused.
        """
        name = method if command is None else command
        if not name:
            raise InvalidParams("command is missing: the name, such as Page.getLayoutMetrics.")
        arguments = {"method": name, "params": params or {}}
        return await _act(CdpRow, self._targets, "cdp", target, "cdp", arguments)


class InputMethods:
    """Clicks and keys, which need consent to `input`; waits and pictures.

    Args:
        targets: the watched ones.
    """

    def __init__(self, targets: WatchedTargets) -> None:
        self._targets = targets

    @method(Access.EXECUTE, rules=_ACTS)
    async def click(self, selector: str = "", selection: str = "", target: str = "") -> InputRow:
        """Click the middle of the one element that a selector finds, or of a chosen element.

        ` >>> ` in the selector leads into a shadow root.
        """
        arguments = {"selector": selector, "selection": selection}
        return await _act(InputRow, self._targets, "click", target, "input", arguments)

    @method(Access.EXECUTE, rules=_ACTS)
    async def type_text(
        self,
        text: str,
        selector: str = "",
        selection: str = "",
        replace: bool = False,
        press: str = "",
        target: str = "",
    ) -> InputRow:
        """Type a text into an element, or where the focus is; then press a key such as `Enter`."""
        arguments = {
            "text": text,
            "selector": selector,
            "selection": selection,
            "replace": replace,
            "press": press,
        }
        return await _act(InputRow, self._targets, "type_text", target, "input", arguments)

    @method(Access.EXECUTE, rules=_ACTS)
    async def handle_dialog(self, accept: bool, text: str = "", target: str = "") -> DialogAnswered:
        """Answer the dialog that blocks the page; `text` is for a prompt."""
        arguments = {"accept": accept, "text": text}
        return await _act(
            DialogAnswered, self._targets, "handle_dialog", target, "input", arguments
        )

    @method(Access.READ, rules=_READS)
    async def wait_for(
        self,
        selector: str = "",
        text: str = "",
        url: str = "",
        timeout_s: float = 10.0,
        target: str = "",
    ) -> WaitRow:
        """Wait until an element, a text, or an address (glob) is there: at most a minute."""
        if not 0 < timeout_s <= _MOST_S:
            raise InvalidParams(f"timeout_s must be above 0, and at most {_MOST_S:g}.")
        arguments = {"selector": selector, "text": text, "url": url, "timeout_s": timeout_s}
        found = await self._targets.act(target, "wait_for", arguments, timeout_s + _SLACK_S)
        return cast("WaitRow", found)

    @method(Access.READ, rules=_READS)
    async def screenshot(self, full: bool = False, target: str = "") -> ScreenshotRow:
        """Return a picture of what the page shows, or of the whole page."""
        found = await self._targets.act(target, "screenshot", {"full": full})
        return cast("ScreenshotRow", found)


async def _act(
    _row: type[_Row],
    targets: WatchedTargets,
    name: str,
    target: str,
    action: Action,
    arguments: Mapping[str, object],
) -> _Row:
    """Do what the user has allowed; the worker answers with such a row."""
    target_id = targets.require(name, target, action)
    return cast("_Row", await targets.act(target_id, name, arguments, _MOST_S + _SLACK_S))
