"""Methods that intercept the requests of a page, and groups of filters that hide some of them."""

from collections.abc import Mapping
from typing import TypedDict, cast

from jupyter_ac.browser.recorded_rows import InterceptionStatus
from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.methods import Access, CallRules, method
from jupyter_ac.services.browser.watched_targets import OPEN, WatchedTargets

_ACTS = CallRules(requires_state=OPEN, changes_state=True)
_RESUME_S = 60.0


class NoInterception(TypedDict):
    """Requests are not intercepted."""

    enabled: bool


class FetchMethods:
    """Interception of requests; needs the user's consent to `fetch`.

    Args:
        targets: the watched ones.
    """

    def __init__(self, targets: WatchedTargets) -> None:
        self._targets = targets

    @method(Access.EXECUTE, rules=_ACTS)
    async def fetch_enable(
        self, request: bool = True, response: bool = False, target: str = ""
    ) -> InterceptionStatus:
        """Pause each request, before it is sent or when its response comes, for a decision."""
        stages = {"request": request, "response": response}
        found = await self._act("fetch.enable", "fetch_enable", target, stages)
        return cast("InterceptionStatus", found)

    @method(Access.EXECUTE, rules=_ACTS)
    async def fetch_disable(self, target: str = "") -> NoInterception:
        """Let all requests go, those that wait included."""
        await self._act("fetch.disable", "fetch_disable", target, {})
        return {"enabled": False}

    @method(Access.EXECUTE, rules=_ACTS)
    async def fetch_resume(
        self,
        id: int | None = None,
        modifications: dict[str, object] | None = None,
        wait: float = 0.5,
        request: int | None = None,
        target: str = "",
    ) -> dict[str, object]:
        """Let a paused request go, changed or as it is.

        `id` (or `request`) is its row in `network`; `modifications` may have `url`, `method`,
        `headers`, `postData`, and at the response `responseCode`, `responseHeaders`. Waits up to
        `wait` seconds for what comes of it.
        """
        arguments = {"row_id": _row(id, request), "modifications": modifications, "wait": wait}
        return await self._act("fetch.resume", "fetch_resume", target, arguments)

    @method(Access.EXECUTE, rules=_ACTS)
    async def fetch_fail(
        self,
        id: int | None = None,
        reason: str = "BlockedByClient",
        request: int | None = None,
        target: str = "",
    ) -> dict[str, object]:
        """Let a paused request fail; `reason` is one of the DevTools Protocol's."""
        arguments = {"row_id": _row(id, request), "reason": reason}
        return await self._act("fetch.fail", "fetch_fail", target, arguments)

    @method(Access.EXECUTE, rules=_ACTS)
    async def fetch_fulfill(
        self,
        id: int | None = None,
        response_code: int = 200,
        response_headers: list[dict[str, str]] | None = None,
        body: str = "",
        request: int | None = None,
        target: str = "",
    ) -> dict[str, object]:
        """Answer a paused request in place of its server."""
        arguments = {
            "row_id": _row(id, request),
            "response_code": response_code,
            "response_headers": response_headers,
            "body": body,
        }
        return await self._act("fetch.fulfill", "fetch_fulfill", target, arguments)

    @method(Access.READ, rules=CallRules(requires_state=OPEN))
    async def get_fetch_rules(self, target: str = "") -> dict[str, object]:
        """Return the rules by which requests are answered, blocked, delayed or paused."""
        return cast("dict[str, object]", await self._targets.act(target, "get_rules"))

    @method(Access.EXECUTE, rules=_ACTS)
    async def set_fetch_rules(
        self, rules: dict[str, object], target: str = ""
    ) -> dict[str, object]:
        """Set the rules for requests: `{mock: {glob: …}, block: [glob], delay: {glob: ms}, pause}`.

        `pause` is a list as `block`. A mock is a body, or `{body, status, headers}`. Requests that
        no rule names aren't touched.
        """
        return await self._act("set_fetch_rules", "set_rules", target, {"rules": rules})

    async def _act(
        self, name: str, action: str, target: str, arguments: Mapping[str, object]
    ) -> dict[str, object]:
        target_id = self._targets.require(name, target, "fetch")
        found = await self._targets.act(target_id, action, arguments, _RESUME_S)
        return cast("dict[str, object]", found)


class FilterMethods:
    """Groups of filters, kept in the repository's `.jupyter_ac/browser-filters.json`.

    Args:
        targets: the watched ones.
    """

    def __init__(self, targets: WatchedTargets) -> None:
        self._targets = targets

    @method(Access.READ)
    async def filters_status(self) -> dict[str, object]:
        """Return all groups: `{name: {enabled, hide: {types, urls}}}`."""
        return await self._call("filters_status")

    @method(Access.WRITE)
    async def filters_add(self, name: str, hide: dict[str, list[str]]) -> dict[str, object]:
        """Add a group, or replace one: it hides requests by their `types` and `urls` (globs)."""
        return await self._call("filters_add", name, hide)

    @method(Access.WRITE)
    async def filters_remove(self, name: str) -> dict[str, object]:
        """Remove a group."""
        return await self._call("filters_remove", name)

    @method(Access.WRITE, rules=_ACTS)
    async def filters_enable(self, name: str, target: str = "") -> dict[str, object]:
        """Hide what a group names, in all lists of requests."""
        del target
        return await self._call("filters_enable", name)

    @method(Access.WRITE, rules=_ACTS)
    async def filters_disable(self, name: str, target: str = "") -> dict[str, object]:
        """Show again what a group names."""
        del target
        return await self._call("filters_disable", name)

    @method(Access.WRITE, rules=_ACTS)
    async def filters_enable_all(self, target: str = "") -> dict[str, object]:
        """Hide what any group names."""
        del target
        return await self._call("filters_enable_all")

    @method(Access.WRITE, rules=_ACTS)
    async def filters_disable_all(self, target: str = "") -> dict[str, object]:
        """Hide nothing."""
        del target
        return await self._call("filters_disable_all")

    async def _call(self, name: str, *args: object) -> dict[str, object]:
        return cast("dict[str, object]", await self._targets.client.call(name, *args))


def _row(given: int | None, seed: int | None) -> int:
    """Return the row that a call means; seed 003 calls it `request`, its clients `id`."""
    found = seed if given is None else given
    if found is None:
        raise InvalidParams("id is missing: the row of the request, from network.").as_fault()
    return found
