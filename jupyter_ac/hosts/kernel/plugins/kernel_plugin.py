"""A plugin on the kernel's main loop, where its functions run between cells and during awaits."""

import asyncio
from collections.abc import Callable

from jupyter_ac.hosts.kernel.plugins.static_picture import static_picture
from jupyter_ac.panels.commits import Commit
from jupyter_ac.panels.current_panel import LogLevel
from jupyter_ac.panels.environment import Environment
from jupyter_ac.panels.plugin import Plugin
from jupyter_ac.panels.runtime import PanelRuntime
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.panels.views import PanelView, Send
from jupyter_ac.panels.wire import JsonValue
from jupyter_ac.services.panels.local_link import LocalLink


class KernelPlugin:
    """A plugin that runs as long as the notebook has it, with views or without.

    Belongs to the kernel's main loop, but for the attributes. It doesn't hold the `Plugin`, so that
    this can be collected.

    Args:
        plugin: what runs.
        loop: the kernel's main loop.
        named: returns an error as people are told it.

    Attributes:
        name: the plugin's.
        title: the plugin's.
        calls: the plugin's, sorted.
        loop: as given.
        error: the last one since what it shows has changed; None for none.
    """

    def __init__(
        self,
        plugin: Plugin,
        loop: asyncio.AbstractEventLoop,
        named: Callable[[ErrorReport], ErrorReport],
    ) -> None:
        self.name, self.title, self.calls = plugin.name, plugin.title, sorted(plugin.calls)
        self.loop = loop
        self.error: ErrorReport | None = None
        self._runtime = plugin.runtime
        self._named = named
        self._changed: Callable[[], None] | None = None
        self._turn = asyncio.Lock()

    def begin(self) -> None:
        """Show the panel for the first time."""
        if self._runtime.is_running:
            self._runtime.join(self)
        else:
            self._runtime.start(self, None, Environment())

    def listen(self, changed: Callable[[], None]) -> None:
        """Call back after each change of what it shows."""
        self._changed = changed

    def picture(self) -> str:
        """Return what it shows now as HTML without scripts."""
        tree = self._runtime.tree()
        return static_picture(self.title, tree, self.error["message"] if self.error else "")

    def view(self, send: Send) -> "KernelView":
        """Make a view of it.

        Args:
            send: to its host.
        """
        return KernelView(_NotingView(self._runtime, send, self._note), self)

    async def begin_view(self, view: PanelView, *args: object) -> object:
        """Initialize a view; after the panel was ended it begins anew."""
        async with self._turn:
            result = await LocalLink(view).call("initialize", *args)
            self._runtime.join(self)
            self._tell()
            return result

    async def end(self) -> None:
        """End the panel for all views; the next one begins it anew."""
        async with self._turn:
            self.error = None
            await self._runtime.close()

    def committed(self, commit: Commit) -> None:
        """Note a change of the tree."""
        del commit
        self.error = None
        self._tell()

    def logged(self, level: LogLevel, args: list[JsonValue]) -> None:
        """Nothing: the views have a log."""

    def failed(self, report: ErrorReport) -> None:
        """Keep an error for the views that come later."""
        self._note(report)
        self._tell()

    def _note(self, report: ErrorReport) -> ErrorReport:
        self.error = self._named(report)
        return self.error

    def _tell(self) -> None:
        if self._changed is not None:
            self._changed()


class _NotingView(PanelView):
    """A view whose errors are noted, also those of a panel that is beginning."""

    def __init__(
        self, runtime: PanelRuntime, send: Send, note: Callable[[ErrorReport], ErrorReport]
    ) -> None:
        super().__init__(runtime, send)
        self._note = note

    def failed(self, report: ErrorReport) -> None:
        """Send an error as it was noted."""
        super().failed(self._note(report))


class KernelView:
    """A view of a plugin. Belongs to the kernel's main loop.

    Args:
        view: of its host.
        plugin: that it shows.
    """

    def __init__(self, view: PanelView, plugin: KernelPlugin) -> None:
        self._view = view
        self._plugin = plugin
        self._link = LocalLink(view)

    async def call(self, method: str, *args: object) -> object:
        """Call a method of the protocol.

        Raises:
            MethodNotFound: there is none of this name.
            AcError: the plugin refused it.
        """
        if method == "initialize":
            return await self._plugin.begin_view(self._view, *args)
        return await self._link.call(method, *args)

    async def end(self) -> None:
        """End the view, and with it the panel."""
        await self._link.end()
        await self._plugin.end()
