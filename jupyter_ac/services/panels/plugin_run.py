"""One life of a plugin, from its start to its end: what it sends counts no longer."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from jupyter_ac.errors import Busy, NotReady, TimedOut
from jupyter_ac.panels.current_panel import LogLevel
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.services.panels.page_views import PageViews
from jupyter_ac.services.panels.panel_source import PanelSource, PluginLink

MAX_CALLS: Final = 256
"""Calls that a plugin has yet to answer, whether a page still waits or not."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """How long a plugin may take.

    Attributes:
        start_s: for its first tree.
        busy_s: for an answer; then the call fails, and the pages are told that it is busy. Below
            the age at which a server takes calls for late, and refuses others.
    """

    start_s: float = 60.0
    busy_s: float = 4.0


class RunOwner(Protocol):
    """Is told what becomes of a plugin, as long as it is the present one."""

    def run_described(self, title: str, calls: Sequence[str]) -> None:
        """The plugin has said what it is."""

    def run_ended(self, error: ErrorReport) -> None:
        """The plugin has ended by itself."""


class PluginRun:
    """One life of a plugin; its `PluginHost`.

    Args:
        views: the pages that show it.
        owner: of the panel.
        limits: of its time.
    """

    def __init__(self, views: PageViews, owner: RunOwner, limits: RunLimits) -> None:
        self._views = views
        self._owner = owner
        self._is_over = False
        self._limits = limits
        self._link: PluginLink | None = None
        self._calls = 0
        self._is_told_busy = False

    async def begin(self, source: PanelSource, request: object) -> None:
        """Start the plugin, and initialize it.

        Raises:
            AcError: that failed.
            TimeoutError: it took too long.
        """
        async with asyncio.timeout(self._limits.start_s):
            self._link = await source.start(self)
            await self._link.call("initialize", request)

    async def call(self, method: str, *args: object) -> object:
        """Call a method of the protocol.

        Raises:
            TimedOut: the plugin is busy; it gets the call nevertheless.
            AcError: the plugin refused it, has ended, or has too many calls to answer.
        """
        if self._link is None:
            raise NotReady("The panel is starting; try again in a moment.")
        if self._calls >= MAX_CALLS:
            raise Busy(f"{MAX_CALLS} calls wait for this panel already; restart it.")
        self._calls += 1
        calling = asyncio.ensure_future(self._link.call(method, *args))
        calling.add_done_callback(self._has_answered)
        try:
            await asyncio.wait({calling}, timeout=self._limits.busy_s)
        except asyncio.CancelledError:
            calling.cancel()
            raise
        if not calling.done():
            self._tell_busy()
            raise TimedOut("The panel is busy; it will see this when it has time.")
        return calling.result()

    async def end(self) -> None:
        """End the plugin for good; bounded."""
        self._is_over = True
        if self._link is not None:
            await self._link.end()

    def update_tree(self, tree: object) -> None:
        """The plugin shows another tree."""
        if not self._is_over:
            self._views.update_tree(tree)

    def apply_mutations(self, batch: Sequence[object]) -> None:
        """The plugin changes its tree."""
        if not self._is_over:
            self._views.apply_mutations(batch)

    def log(self, level: LogLevel, args: Sequence[object]) -> None:
        """The plugin has written to its log."""
        if not self._is_over:
            self._views.log(level, args)

    def report_error(self, error: ErrorReport) -> None:
        """The plugin's code has failed."""
        if not self._is_over:
            self._views.report_error(error)

    def described(self, title: str, calls: Sequence[str]) -> None:
        """The plugin has said what it is."""
        if not self._is_over:
            self._owner.run_described(title, calls)

    def ended(self, error: ErrorReport) -> None:
        """The plugin has ended by itself."""
        if not self._is_over:
            self._owner.run_ended(error)

    def _has_answered(self, calling: "asyncio.Future[object]") -> None:
        self._calls -= 1
        if not calling.cancelled() and calling.exception() is None:
            self._is_told_busy = False

    def _tell_busy(self) -> None:
        if not self._is_told_busy:
            self._is_told_busy = True
            self.report_error(
                {
                    "message": f"The panel has not answered for {self._limits.busy_s:g} s: its "
                    "code is busy. Restarting it ends what it does."
                }
            )
