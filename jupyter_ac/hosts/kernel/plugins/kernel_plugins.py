"""The plugins of one notebook: what is shown, in which cells, and how long it lives.

A plugin lives as long as a variable or a cell has it. A cell has what it has shown until it runs
again. The list for the side panel has the newest plugin of each name.
"""

import asyncio
import logging
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.kernel.child.host import LoopThread
from jupyter_ac.hosts.kernel.notebook_cells import RunInfo, RunResult
from jupyter_ac.hosts.kernel.plugins.busy_watch import BusyWatch
from jupyter_ac.hosts.kernel.plugins.cell_names import name_cells
from jupyter_ac.hosts.kernel.plugins.kernel_plugin import KernelPlugin
from jupyter_ac.hosts.kernel.plugins.kernel_source import KernelSource
from jupyter_ac.panels.plugin import Plugin
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.services.panels.panel_directory import PanelDirectory
from jupyter_ac.services.panels.plugin_run import RunLimits
from jupyter_ac.services.panels.shared_panel import SharedPanel

logger = logging.getLogger(__name__)

_SHELL_KEY: Final = "jupyter_ac_plugins"

_FINDING: Final = threading.Lock()

_UNLIMITED: Final = RunLimits(start_s=float("inf"), busy_s=float("inf"))
"""A cell may run for hours; the pages say so."""


class Display(Protocol):
    """What shows a plugin in cells."""

    def changed(self) -> None:
        """What the plugin shows has changed; on the main loop."""

    def busy(self, *, is_busy: bool) -> None:
        """The kernel has become busy, or free; on any thread."""

    def cell_ended(self) -> None:
        """A cell has ended; on the main loop."""

    def close(self) -> None:
        """Remove it from all pages; on the main loop."""


class ShownPlugin:
    """A plugin that was displayed.

    Args:
        plugin: on the main loop.
        panel: what shows it to pages, on the connections' thread.
        make: makes what shows it in cells.

    Attributes:
        plugin: as given.
        panel: as given.
        display: as made.
    """

    def __init__(
        self,
        plugin: KernelPlugin,
        panel: SharedPanel,
        make: "Callable[[ShownPlugin], Display]",
    ) -> None:
        self.plugin, self.panel = plugin, panel
        plugin.begin()
        self.display = make(self)
        plugin.listen(self.display.changed)


class KernelPlugins:
    """All plugins of a kernel.

    Args:
        shell: of the kernel.

    Attributes:
        thread: where the connections to pages are served.
        directory: lists them, for pages that show any of them; belongs to that thread.
        is_busy: whether a cell holds up the main loop.
    """

    def __init__(self, shell: InteractiveShell) -> None:
        self.thread = LoopThread()
        self.directory = PanelDirectory()
        self.is_busy = False
        self._shell = shell
        self._shown: weakref.WeakKeyDictionary[Plugin, ShownPlugin] = weakref.WeakKeyDictionary()
        self._kept: dict[str, list[Plugin]] = {}
        self._displays: dict[Display, None] = {}  # belongs to the thread
        self._ending: set[asyncio.Task[None]] = set()
        self._watch: BusyWatch | None = None

    def show(self, plugin: Plugin, make: Callable[[ShownPlugin], Display]) -> ShownPlugin:
        """Note that the cell which runs shows a plugin; the first time it begins to run.

        To be called on the main loop.

        Args:
            plugin: that is shown.
            make: makes its display.
        """
        loop = asyncio.get_running_loop()
        if self._watch is None:
            self._watch_cells(loop)
        kept = self._kept.setdefault(self._current_cell(), [])
        if plugin not in kept:
            kept.append(plugin)
        shown = self._shown.get(plugin)
        if shown is None:
            running = KernelPlugin(plugin, loop, self._name_cells)
            source = KernelSource(running, self.thread)
            panel = SharedPanel(source, self.directory.changed, _UNLIMITED)
            shown = self._shown[plugin] = ShownPlugin(running, panel, make)
            weakref.finalize(plugin, self._gone, shown).atexit = False
        self.thread.submit(self._list(shown))
        return shown

    def _name_cells(self, report: ErrorReport) -> ErrorReport:
        return name_cells(report, self._shell)

    def _watch_cells(self, loop: asyncio.AbstractEventLoop) -> None:
        self._watch = BusyWatch(loop, self.thread, self._tell_busy)
        self._watch.begin()
        self._shell.events.register("pre_run_cell", self._begin_cell)
        self._shell.events.register("post_run_cell", self._end_cell)

    async def _list(self, shown: ShownPlugin) -> None:
        """List a plugin as the one of its name."""
        self._displays[shown.display] = None
        try:
            await self.directory.put(shown.panel)
        except AcError as error:
            logger.warning("the side panel doesn't have %s: %s", shown.plugin.name, error.message)

    def _gone(self, shown: ShownPlugin) -> None:
        """Nobody has the plugin any more; on whatever thread that was noticed."""
        self.thread.submit(self._remove(shown))
        with suppress(RuntimeError):  # the loop is closed, and all ends
            shown.plugin.loop.call_soon_threadsafe(self._end, shown)

    def _end(self, shown: ShownPlugin) -> None:
        ending = shown.plugin.loop.create_task(shown.plugin.end())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        shown.display.close()

    async def _remove(self, shown: ShownPlugin) -> None:
        self._displays.pop(shown.display, None)
        self.directory.unlist(shown.panel)
        await shown.panel.aclose()

    def _current_cell(self) -> str:
        """Return the id of the cell that runs; "" where the front end sends none."""
        get_parent: Callable[[], object] = getattr(self._shell, "get_parent", dict)
        match get_parent():
            case {"metadata": {"cellId": str(cell_id)}}:
                return cell_id
            case _:
                return ""

    def _begin_cell(self, info: RunInfo) -> None:
        if info.cell_id:
            self._kept.pop(info.cell_id, None)
        if self._watch is not None:
            self._watch.begin()

    def _end_cell(self, _result: RunResult) -> None:
        if self._watch is not None:
            self._watch.end()
        for shown in tuple(self._shown.values()):
            shown.display.cell_ended()

    def _tell_busy(self, *, is_busy: bool) -> None:
        self.is_busy = is_busy
        for display in tuple(self._displays):
            display.busy(is_busy=is_busy)


def plugins_of(shell: InteractiveShell) -> KernelPlugins:
    """Return the plugins of a kernel; from any thread."""
    with _FINDING:
        found = shell.meta.get(_SHELL_KEY)
        if not isinstance(found, KernelPlugins):
            found = shell.meta[_SHELL_KEY] = KernelPlugins(shell)
        return found
