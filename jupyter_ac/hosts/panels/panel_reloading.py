"""Loads a panel's file anew when it is saved."""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from jupyter_ac.git.watch.fs_events import Change, WatchUnavailable, watch_folders
from jupyter_ac.hosts.panels.hosted_plugin import HostedPlugin
from jupyter_ac.hosts.panels.panel_file import PanelFile
from jupyter_ac.panels.guard import Guarded

if TYPE_CHECKING:
    from jupyter_ac.panels.plugin import Plugin
    from jupyter_ac.panels.tracebacks import ErrorReport

_logger = logging.getLogger(__name__)


class PanelReloading:
    """The panel of a file, as it was last loaded without an error.

    Args:
        file: with the panel.

    Attributes:
        plugin: the last one that could be loaded; None: none could.
        error: why the file can't be loaded now.
    """

    def __init__(self, file: PanelFile) -> None:
        self.plugin: Plugin | None = None
        self.error: ErrorReport | None = None
        self._file = file
        self._shown: HostedPlugin | None = None
        self._changed = asyncio.Event()

    def load(self) -> bool:
        """Load the file; returns whether that went well."""
        self.error = None
        with Guarded(self._failed):
            self.plugin = self._file.load()
        return self.error is None

    @asynccontextmanager
    async def shown_by(self, hosted: HostedPlugin) -> AsyncIterator[None]:
        """Give each version of the panel to a host, as long as the block runs."""
        self._shown = hosted
        if self.error is not None:
            hosted.report_error(self.error)
        try:
            yield
        finally:
            self._shown = None

    async def follow(self) -> None:
        """Load the file after each change, until cancelled."""
        try:
            watch = await watch_folders([str(self._file.path.parent)], self._note)
        except WatchUnavailable as error:
            _logger.warning("%s Start the panel again after a change.", error.message)
            return
        try:
            while True:
                await self._changed.wait()
                self._changed.clear()
                await self._reload()
        finally:
            await watch.aclose()

    async def _reload(self) -> None:
        is_loaded, hosted = self.load(), self._shown
        if hosted is None:
            return
        if is_loaded and self.plugin is not None:
            await hosted.replace(self.plugin)
        elif self.error is not None:
            hosted.report_error(self.error)

    def _note(self, changes: Collection[Change] | None) -> None:
        files = self._file.files()
        if changes is None or any(path in files for _, path in changes):
            self._changed.set()

    def _failed(self, error: BaseException) -> None:
        self.error = self._file.report(error)
        _logger.warning("%s", self.error["message"])
