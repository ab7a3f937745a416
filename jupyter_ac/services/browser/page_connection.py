"""The page that seed 003's clients are connected to: one at a time, with a state of its own.

Its machine follows that of the watched target, and the other way round.
"""

import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from jupyter_ac.browser_rows import BrowserState, BrowserTarget, disconnected
from jupyter_ac.errors import AcError, NotConnected
from jupyter_ac.rpc.target_states import DISCONNECTED, DISCONNECTING, INSPECTING, TargetStates
from jupyter_ac.services.browser.watched_targets import (
    CRASHED,
    OPEN,
    UNWATCHED,
    WatchedTargets,
    arrive,
    fail,
)

PageFinder: TypeAlias = Callable[[], Awaitable[str]]
"""Returns the id of the page that is meant; raises `NotConnected` if there is none."""

_GONE: Final = "The page has gone."
_SENTENCES: Final = {
    "closed": "The page was closed.",
    CRASHED: "The page has crashed; reload it.",
    "browser_gone": "The browser has ended.",
    UNWATCHED: "The page is no longer watched.",
}


class PageConnection:
    """The connection to one page. Belongs to one event loop.

    Args:
        targets: the watched targets, the page among them.
        machines: of all targets.
        changed: called after each change that clients are shown.
    """

    def __init__(
        self, targets: WatchedTargets, machines: TargetStates, changed: Callable[[], None]
    ) -> None:
        self._targets = targets
        self._machines = machines
        self._changed = changed
        self._error: dict[str, object] | None = None
        self._page: dict[str, object] | None = None
        self._keeps_watching = False
        targets.on_lost, targets.on_return = self._lost, self._returned
        targets.on_inspect_end = self._inspect_ended

    def state(self) -> BrowserState:
        """Return the state that seed 003's clients follow."""
        states = self._machines
        known = self._targets.find(self._targets.default)
        base = disconnected()
        base["connectionState"], base["epoch"] = states.state, states.epoch
        base["error"] = self._error
        if states.state not in OPEN:
            return base
        base["connected"] = True
        base["browser"]["inspect_active"] = states.state == INSPECTING
        view = None if known is None else known.view
        if view is None:
            base["page"] = self._page
            return base
        base["page"] = {"id": self._targets.default, "title": view["title"], "url": view["url"]}
        base["events"]["total"] = view["events"]
        base["fetch"] = {
            "enabled": view["fetch_enabled"],
            "response_stage": view["response_stage"],
            "paused_count": view["paused_count"],
        }
        base["filters"] = {
            "enabled": view["filters_enabled"],
            "disabled": view["filters_disabled"],
        }
        base["browser"]["selections"] = view["selections"]
        base["browser"]["pending_count"] = view["pending_count"]
        return base

    def dismiss_error(self) -> None:
        """Forget the last error."""
        self._error = None
        self._changed()

    async def connect(self, find: PageFinder) -> tuple[BrowserTarget, bool]:
        """Connect seed 003's clients to a page; another page is disconnected first.

        Args:
            find: finds the page.

        Returns:
            The page, and whether it was connected already.

        Raises:
            NotConnected: there is no such page, or it doesn't answer.
            InvalidState: another client is connecting or disconnecting.
        """
        page = self._machines.page
        if page.state in OPEN:
            target_id = await find()
            if target_id == self._targets.default:
                return await self._targets.watch(target_id), True
            await self.disconnect()
        page.fire("start_connect", "connect")
        try:
            target_id = await find()
            self._keeps_watching = self._targets.find(target_id) is not None
            row = await self._targets.watch(target_id)
        except BaseException as error:
            fail(page)
            if isinstance(error, AcError):
                self._note(error.message)
                raise NotConnected(error.message, error.details) from error
            raise
        arrive(page)
        self._error = None
        self._targets.default = target_id
        self._page = {"id": target_id, "title": row["title"], "url": row["url"]}
        self._changed()
        return row, False

    async def disconnect(self) -> None:
        """Disconnect seed 003's clients from the page; always ends in `disconnected`."""
        page, target_id = self._machines.page, self._targets.default
        if page.may("start_disconnect"):
            page.fire("start_disconnect", "disconnect")
        # From here on the page is nobody's: what becomes of its target is no loss.
        self._targets.default, self._page = "", None
        try:
            if self._targets.find(target_id) is not None and not self._keeps_watching:
                await self._targets.unwatch(target_id)
        except AcError as error:
            self._note(error.message)
        finally:
            # No other connection can have begun: it needs the state `disconnected`.
            if page.state == DISCONNECTING:
                page.fire("disconnect_complete")
            self._changed()

    def mirror(self, target: str, trigger: str) -> None:
        """Make a transition with the other machine of the page, too.

        Args:
            target: whose machine the dispatch has moved; "" is that of seed 003's page.
            trigger: the transition.
        """
        if not target:
            other = self._targets.find(self._targets.default)
            machine = None if other is None else other.machine
        else:
            machine = self._machines.page if target == self._targets.default else None
        if machine is not None and machine.may(trigger):
            machine.fire(trigger)

    def _returned(self, target: str) -> None:
        if target == self._targets.default and self._machines.state == DISCONNECTED:
            self._machines.page.fire("start_connect")
            self._machines.page.fire("connect_success")

    def _inspect_ended(self, target: str) -> None:
        self.mirror(target, "stop_inspect")

    def _lost(self, target: str, reason: str) -> None:
        if target != self._targets.default:
            return
        self._note(_SENTENCES.get(reason, _GONE))
        if reason != CRASHED:
            self._targets.default, self._page = "", None
        if self._machines.state != DISCONNECTED:
            self._machines.page.fire("force_disconnect")

    def _note(self, message: str) -> None:
        self._error = {"message": message, "timestamp": time.time()}
