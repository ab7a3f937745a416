"""Methods that act in a page; each needs the user's consent, unless the browser was launched."""

from collections.abc import Mapping
from typing import cast

from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.methods import Access, CallRules, method
from jupyter_ac.services.browser.watched_targets import OPEN, Action, WatchedTargets

_ACTS = CallRules(requires_state=OPEN, changes_state=True)
_READS = CallRules(requires_state=OPEN)
_MOST_S = 60.0
_SLACK_S = 10.0


class PageMethods:
    """The address of a page, and its history; acting needs consent to `navigate`.

    Args:
        targets: the watched ones.
    """

    def __init__(self, targets: WatchedTargets) -> None:
        self._targets = targets

    @method(Access.EXECUTE, rules=_ACTS)
    async def navigate(self, url: str, target: str = "") -> dict[str, object]:
        """Open an address: http, https or about:blank."""
        return await _act(self._targets, "navigate", target, "navigate", {"url": url})

    @method(Access.EXECUTE, rules=_ACTS)
    async def reload(self, ignore_cache: bool = False, target: str = "") -> dict[str, object]:
        """Load the page again."""
        arguments = {"ignore_cache": ignore_cache}
        return await _act(self._targets, "reload", target, "navigate", arguments)

    @method(Access.EXECUTE, rules=_ACTS)
    async def back(self, target: str = "") -> dict[str, object]:
        """Go back one page."""
        return await _act(self._targets, "back", target, "navigate", {})

    @method(Access.EXECUTE, rules=_ACTS)
    async def forward(self, target: str = "") -> dict[str, object]:
        """Go forward one page."""
        return await _act(self._targets, "forward", target, "navigate", {})

    @method(Access.READ, rules=_READS)
    async def history(self, target: str = "") -> dict[str, object]:
        """Return the pages that the tab has shown: `{entries, current_index}`."""
        return cast("dict[str, object]", await self._targets.act(target, "history"))

    @method(Access.READ, rules=_READS)
    async def page(self, target: str = "") -> dict[str, object]:
        """Return the page: `{id, type, title, url}`."""
        return cast("dict[str, object]", await self._targets.act(target, "page"))


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
    ) -> dict[str, object]:
        """Run JavaScript in the page: `{value, executed}`.

        With `selection`, the chosen element of this id is the variable `element`. With `persist`
        the code runs in the page's global scope, so that its variables stay.
        """
        arguments = {
            "code": code,
            "selection": selection,
            "persist": persist,
            "await_promise": await_promise,
            "return_value": return_value,
        }
        return await _act(self._targets, "js", target, "js", arguments)

    @method(Access.EXECUTE, rules=_ACTS)
    async def cdp(
        self,
        command: str | None = None,
        params: dict[str, object] | None = None,
        method: str | None = None,
        target: str = "",
    ) -> dict[str, object]:
        """Send a command of the DevTools Protocol to the page: `{result}`.

        `command` (or `method`) is its name. Commands that reach beyond the page are refused.
        """
        name = method if command is None else command
        if not name:
            raise InvalidParams("command is missing: the name, such as Page.getLayoutMetrics.")
        arguments = {"method": name, "params": params or {}}
        return await _act(self._targets, "cdp", target, "cdp", arguments)


class InputMethods:
    """Clicks and keys, waits and pictures.

    Args:
        targets: the watched ones.
    """

    def __init__(self, targets: WatchedTargets) -> None:
        self._targets = targets

    @method(Access.EXECUTE, rules=_ACTS)
    async def click(self, selector: str, target: str = "") -> dict[str, object]:
        """Click the element that a selector names, or `#N` the chosen element N: needs `input`."""
        return await _act(self._targets, "click", target, "input", {"selector": selector})

    @method(Access.EXECUTE, rules=_ACTS)
    async def type_text(self, text: str, selector: str = "", target: str = "") -> dict[str, object]:
        """Type a text into an element, or where the cursor is: needs `input`."""
        arguments = {"text": text, "selector": selector}
        return await _act(self._targets, "type_text", target, "input", arguments)

    @method(Access.READ, rules=_READS)
    async def wait_for(
        self,
        selector: str = "",
        text: str = "",
        url: str = "",
        timeout_s: float = 10.0,
        target: str = "",
    ) -> dict[str, object]:
        """Wait until an element, a text, or an address (glob) is there: at most a minute."""
        if not 0 < timeout_s <= _MOST_S:
            raise InvalidParams(f"timeout_s must be above 0, and at most {_MOST_S:g}.")
        arguments = {"selector": selector, "text": text, "url": url, "timeout_s": timeout_s}
        found = await self._targets.act(target, "wait_for", arguments, timeout_s + _SLACK_S)
        return cast("dict[str, object]", found)

    @method(Access.READ, rules=_READS)
    async def screenshot(
        self, selector: str = "", full: bool = False, target: str = ""
    ) -> dict[str, object]:
        """Return a picture of the page, or of an element: `{data_uri, width, height}`."""
        arguments = {"selector": selector, "full": full}
        found = await self._targets.act(target, "screenshot", arguments)
        return cast("dict[str, object]", found)


async def _act(
    targets: WatchedTargets,
    name: str,
    target: str,
    action: Action,
    arguments: Mapping[str, object],
) -> dict[str, object]:
    target_id = targets.require(name, target, action)
    return cast("dict[str, object]", await targets.act(target_id, name, arguments))
