"""The targets of a workspace that are watched: their states, and what the user allows in them."""

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, TypedDict, cast, get_args

from jupyter_ac.browser.client import GONE, BrowserClient, Change
from jupyter_ac.browser_rows import BrowserTarget
from jupyter_ac.errors import ConsentRequired, InvalidParams, NotConnected, NotFound, TooLarge
from jupyter_ac.ids import Identity
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.target_states import (
    CONNECTED,
    CONNECTING,
    DISCONNECTED,
    INSPECTING,
    TargetMachine,
    TargetStates,
)

log = logging.getLogger(__name__)

Action: TypeAlias = Literal["js", "cdp", "fetch", "input", "navigate"]
"""What needs the user's consent: code, commands, interception, clicks and keys, other pages."""

ACTIONS: Final[tuple[Action, ...]] = get_args(Action)
OPEN: Final = (CONNECTED, INSPECTING)


CRASHED: Final = "crashed"
"""The reason of a target that comes back with its next page."""

UNWATCHED: Final = "unwatched"
"""The reason of a target that was left on purpose."""


class TargetView(TypedDict):
    """What the worker reports of a watched target, so that clients can be shown it.

    Attributes:
        title: of the page.
        url: of the page.
        events: recorded requests and console messages.
        errors: messages of level error, and failed requests, since the target is watched.
        fetch_enabled: requests are intercepted.
        response_stage: responses, too.
        paused_count: requests that wait for a decision.
        selections: previews of the chosen elements by their id.
        inspect_active: the user is choosing elements.
        pending_count: elements that are being read.
        problem: why the last click gave no element; "" if it did.
        filters_enabled: names of the groups that hide requests.
        filters_disabled: names of the others.
    """

    title: str
    url: str
    events: int
    errors: int
    fetch_enabled: bool
    response_stage: bool
    paused_count: int
    selections: dict[str, object]
    inspect_active: bool
    pending_count: int
    problem: str
    filters_enabled: list[str]
    filters_disabled: list[str]


@dataclass(slots=True)
class WatchedTarget:
    """A target whose events are recorded.

    Attributes:
        target_id: its id.
        machine: its state.
        is_launched: it belongs to a browser that was launched, where all is allowed at first.
        granted: what each person has allowed.
        view: what the worker has reported last.
    """

    target_id: str
    machine: TargetMachine
    is_launched: bool = False
    granted: dict[Identity, frozenset[str]] = field(default_factory=dict)
    view: TargetView | None = None

    def allowed(self, person: Identity) -> frozenset[str]:
        """Return what a person has allowed."""
        return self.granted.get(person, frozenset(ACTIONS if self.is_launched else ()))


class WatchedTargets:
    """The watched targets of one workspace. Belongs to one event loop.

    Args:
        make_client: makes the browser worker's client when it is first needed; gets the function
            to report changes to.
        machines: of all targets, which the dispatch looks at as well.
        changed: called after each change that clients are shown.

    Attributes:
        default: the id of the target that is meant by ""; "" while there is none.
        on_lost: called with the id of a target that has gone or was left, and the reason.
        on_return: called with the id of a target that has come back.
        on_inspect_end: called with the id of a target whose user has ended the choosing of elements
            in the page.
    """

    def __init__(
        self,
        make_client: Callable[[Callable[[Change], None]], BrowserClient],
        machines: TargetStates,
        changed: Callable[[], None],
    ) -> None:
        self.default = ""
        self.on_lost: Callable[[str, str], None] = _ignore
        self.on_return: Callable[[str], None] = _ignore
        self.on_inspect_end: Callable[[str], None] = _ignore
        self._make_client = make_client
        self._made: BrowserClient | None = None
        self._machines = machines
        self._changed = changed
        self._watched: dict[str, WatchedTarget] = {}

    @property
    def client(self) -> BrowserClient:
        """The browser worker; nothing is started before its first call."""
        if self._made is None:
            self._made = self._make_client(self._take)
        return self._made

    async def aclose(self) -> None:
        """End the worker, and the browsers that it has launched."""
        if self._made is not None:
            await self._made.aclose()

    def find(self, target: str) -> WatchedTarget | None:
        """Return a watched target; None if it isn't watched."""
        return self._watched.get(target)

    def id_of(self, target: str) -> str:
        """Return the id of a watched target; "" is the page that is connected.

        Raises:
            NotConnected: it isn't watched.
        """
        target_id = target or self.default
        if target_id not in self._watched:
            raise NotConnected(
                "No page is connected; connect to one first."
                if not target
                else f"The target {target[:100]!r} is not watched; watch it first."
            )
        return target_id

    def require(self, method: str, target: str, action: Action) -> str:
        """Return the id of a target in which the user has allowed an action.

        Raises:
            NotConnected: it isn't watched.
            ConsentRequired: the user hasn't allowed it.
        """
        target_id = self.id_of(target)
        known = self._watched[target_id]
        if action not in known.allowed(current_caller().identity):
            raise ConsentRequired(method, known.machine.state, [action])
        return target_id

    def grant(self, target: str, actions: Collection[str]) -> list[str]:
        """Set what the user allows in a target; an empty collection takes all of it back.

        Returns:
            What is allowed now.

        Raises:
            InvalidParams: there is no such action.
            NotConnected: the target isn't watched.
        """
        unknown = [action for action in actions if action not in ACTIONS]
        if unknown:
            raise InvalidParams(
                f"actions may have {', '.join(ACTIONS)}, not {str(unknown[0])[:50]!r}."
            )
        known = self._watched[self.id_of(target)]
        known.granted[current_caller().identity] = frozenset(actions)
        self._changed()
        return sorted(actions)

    async def act(
        self,
        target: str,
        action: str,
        arguments: Mapping[str, object] | None = None,
        timeout_s: float = 30.0,
    ) -> object:
        """Do something with a watched target; see `BrowserClient.act`."""
        return await self.client.act(self.id_of(target), action, arguments, timeout_s)

    async def list_all(self, endpoint: str = "", *, seeks: bool = False) -> list[BrowserTarget]:
        """List the targets of all browsers that are known; starts nothing to find out.

        Args:
            endpoint: of a browser to be attached first; "" for none.
            seeks: without any browser, the one at the usual port is attached if it is there.
        """
        if not (endpoint or seeks or self.client.is_running):
            return []
        rows = await self.client.call("targets", endpoint, int(seeks))
        return [self._row(row) for row in rows] if isinstance(rows, list) else []

    async def watch(self, target: str) -> BrowserTarget:
        """Record the events of a target from now on.

        Raises:
            NotConnected: there is no such target, or it doesn't answer.
            InvalidState: it is being connected or disconnected.
        """
        machine = self._machines.add(target)
        if machine.state in OPEN:
            return self._row(await self.client.act(target, "row"))
        machine.fire("start_connect", "watch")
        try:
            row = await self._attach(target)
        except BaseException:
            fail(machine)
            if target not in self._watched:
                self._machines.remove(target)
            raise
        arrive(machine)
        self._changed()
        return self._row(row)

    async def unwatch(self, target: str) -> None:
        """Stop to record a target, and forget what was recorded."""
        target_id = self.id_of(target)
        try:
            await self.client.call("unwatch", target_id)
        finally:
            self._lose(target_id, UNWATCHED)

    def _row(self, found: object) -> BrowserTarget:
        """Return the row of a target, from what the worker says of it."""
        row = found if isinstance(found, dict) else {}
        target_id = str(row.get("id", ""))
        known = self._watched.get(target_id)
        view = None if known is None else known.view
        dialog = row.get("dialog")
        return {
            "id": target_id,
            "type": str(row.get("type", "")),
            "title": str(row.get("title", "")),
            "url": str(row.get("url", "")),
            "browser": str(row.get("browser", "")),
            "product": str(row.get("product", "")),
            "launched": row.get("launched") is True,
            "watched": known is not None,
            "state": DISCONNECTED if known is None else known.machine.state,
            "epoch": 0 if known is None else known.machine.epoch,
            "granted": [] if known is None else sorted(known.allowed(current_caller().identity)),
            "events": 0 if view is None else view["events"],
            "errors": 0 if view is None else view["errors"],
            "inspect_active": view is not None and view["inspect_active"],
            "selections": {} if view is None else view["selections"],
            "paused_count": 0 if view is None else view["paused_count"],
            "dialog": str(dialog.get("message", "")) if isinstance(dialog, Mapping) else "",
        }

    async def _attach(self, target: str) -> Change:
        row = await self.client.call("watch", target)
        if not isinstance(row, dict):
            raise NotFound(f"There is no target {target[:100]!r}; list the targets first.")
        known = self._watched.get(target)
        if known is None:
            known = WatchedTarget(target, self._machines.add(target))
            self._watched[target] = known
        known.is_launched = row.get("launched") is True
        return row

    def _take(self, change: Change) -> None:
        """Follow what the worker reports."""
        kind, target = change.get("kind"), str(change.get("target", ""))
        if kind == GONE:
            for target_id in list(self._watched):
                self._lose(target_id, "browser_gone")
        elif kind == "detached":
            self._lose(target, str(change.get("reason", "")))
        elif kind == "attached":
            self._return(target, is_launched=change.get("launched") is True)
        elif kind == "state" and target in self._watched:
            self._show(self._watched[target], _view(change.get("state")))
        self._changed()

    def _show(self, known: WatchedTarget, view: TargetView | None) -> None:
        """Take what is shown of a target; Escape in the page ends the choosing of elements."""
        before, known.view = known.view, view
        was_choosing = before is not None and before["inspect_active"]
        is_choosing = view is not None and view["inspect_active"]
        if was_choosing and not is_choosing and known.machine.may("stop_inspect"):
            known.machine.fire("stop_inspect")
            self.on_inspect_end(known.target_id)

    def _return(self, target: str, *, is_launched: bool) -> None:
        """Connect what the worker watches by itself: a page after its crash, a popup of a page."""
        try:
            machine = self._machines.add(target)
        except TooLarge as error:
            log.warning("a popup isn't shown: %s", error)
            return
        if machine.state != DISCONNECTED:
            return
        known = self._watched.setdefault(target, WatchedTarget(target, machine))
        known.is_launched = is_launched
        known.machine.fire("start_connect")
        known.machine.fire("connect_success")
        self.on_return(target)

    def _lose(self, target: str, reason: str) -> None:
        """Note that a target has gone."""
        known = self._watched.get(target)
        if known is None:
            return
        known.machine.fire("force_disconnect")
        if reason != CRASHED:
            del self._watched[target]
            self._machines.remove(target)
        self.on_lost(target, reason)


def fail(machine: TargetMachine) -> None:
    """Take a connection that has failed back."""
    if machine.may("connect_failed"):
        machine.fire("connect_failed")


def arrive(machine: TargetMachine) -> None:
    """Finish a connection.

    Raises:
        NotConnected: the target has gone in the meantime.
    """
    if machine.state != CONNECTING:
        raise NotConnected("The page has gone while it was being connected.")
    machine.fire("connect_success")


def _view(found: object) -> TargetView | None:
    return cast("TargetView", found) if isinstance(found, Mapping) else None


def _ignore(*_args: str) -> None:
    pass
