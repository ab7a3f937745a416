"""The panels of one person: listed, found by their ids; pages are told when the list changes."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from jupyter_ac.errors import AcError, Busy, NotFound
from jupyter_ac.services.panels.page_view import PageLink
from jupyter_ac.services.panels.panel_rows import PanelRow
from jupyter_ac.services.panels.panel_source import PanelSource
from jupyter_ac.services.panels.shared_panel import SharedPanel

MAX_PANELS: Final = 200

_SHOWN_CHARS: Final = 100


async def _no_sources() -> tuple[PanelSource, ...]:
    return ()


class PanelDirectory:
    """The panels of one person. Belongs to one event loop.

    Args:
        discover: finds the panels that can be started; asked again for each list.
        make: makes what shows a panel; gets a callback for changes.
    """

    def __init__(
        self,
        discover: Callable[[], Awaitable[Iterable[PanelSource]]] = _no_sources,
        make: Callable[[PanelSource, Callable[[], None]], SharedPanel] = SharedPanel,
    ) -> None:
        self._discover = discover
        self._make = make
        self._panels: dict[str, SharedPanel] = {}
        self._found: set[str] = set()
        self._watchers: dict[PageLink, None] = {}
        self._told: asyncio.Handle | None = None

    async def rows(self) -> list[PanelRow]:
        """List all panels, those found anew among them."""
        sources = {source.id: source for source in await self._discover()}
        for name in self._found - sources.keys():
            if self._panels[name].is_idle:
                del self._panels[name]
        for source in sources.values():
            self.add(source)
        self._found = {*sources, *(self._found & self._panels.keys())}
        return self._rows()

    def watch(self, page: PageLink) -> None:
        """Tell a page of changes of the list from now on."""
        self._watchers[page] = None

    def add(self, source: PanelSource) -> SharedPanel:
        """List a panel; one with the same id starts from this source next time.

        Raises:
            Busy: there are too many.
        """
        panel = self._panels.get(source.id)
        if panel is not None:
            panel.source = source
            return panel
        if len(self._panels) >= MAX_PANELS:
            raise Busy(f"{MAX_PANELS} panels are listed already; end one of them.")
        panel = self._panels[source.id] = self._make(source, self.changed)
        self.changed()
        return panel

    async def put(self, panel: SharedPanel) -> None:
        """List a panel in place of the one with its id, which goes on, but is listed no longer.

        Pages that watch the list and showed that one show this one.

        Raises:
            Busy: there are too many.
        """
        name = panel.source.id
        before = self._panels.get(name)
        if before is None and len(self._panels) >= MAX_PANELS:
            raise Busy(f"{MAX_PANELS} panels are listed already; end one of them.")
        self._panels[name] = panel
        self.changed()
        if before is not None and before is not panel:
            for page in tuple(self._watchers):
                await before.hand_over(page, panel)

    def unlist(self, panel: SharedPanel) -> None:
        """List a panel no longer, if it is listed; it goes on."""
        if self._panels.get(panel.source.id) is panel:
            del self._panels[panel.source.id]
            self.changed()

    async def get(self, panel_id: str) -> SharedPanel:
        """Find a panel.

        Raises:
            NotFound: there is none with this id.
        """
        if panel_id not in self._panels:
            await self.rows()
        panel = self._panels.get(panel_id)
        if panel is None:
            raise NotFound(
                f"There is no panel {panel_id[:_SHOWN_CHARS]}; Panels.list has those that are here."
            )
        return panel

    async def remove(self, panel_id: str) -> None:
        """End a panel, and list it no longer."""
        panel = self._panels.pop(panel_id, None)
        if panel is not None:
            self.changed()
            await panel.aclose()

    def leave(self, page: PageLink) -> None:
        """Forget a page that is gone."""
        self._watchers.pop(page, None)
        for panel in tuple(self._panels.values()):
            panel.leave(page)

    async def aclose(self) -> None:
        """End all panels; bounded."""
        panels = tuple(self._panels.values())
        self._panels.clear()
        self._watchers.clear()
        await asyncio.gather(*(panel.aclose() for panel in panels))

    def changed(self) -> None:
        """Tell the pages soon that the list or a row has changed."""
        if self._told is None and self._watchers:
            self._told = asyncio.get_running_loop().call_soon(self._tell)

    def _rows(self) -> list[PanelRow]:
        return [panel.row for panel in self._panels.values()]

    def _tell(self) -> None:
        self._told = None
        rows = self._rows()
        for page in tuple(self._watchers):
            try:
                page.notify("Panels.changed", rows)
            except AcError:
                self._watchers.pop(page)
