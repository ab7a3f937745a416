"""Carries calls of a panel's host to the kernel's main loop, and what the panel says back.

The pages' connections are served on a thread of their own, so that they are heard while a cell
runs; the panel's functions run on the main loop, in the order in which they were called.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.kernel.child.host import LoopThread
from jupyter_ac.hosts.kernel.plugins.kernel_plugin import KernelPlugin, KernelView
from jupyter_ac.services.panels.panel_rows import PanelOrigin
from jupyter_ac.services.panels.panel_source import PluginHost, PluginLink

_ENDED: Final = "The kernel is ending."


class KernelSource:
    """Offers a plugin of the notebook; used on the connections' thread.

    Args:
        plugin: what is offered.
        thread: of the connections.

    Attributes:
        id: the plugin's name.
        title: the plugin's.
        origin: `kernel`.
        linger_s: None: its state belongs to the notebook.
    """

    linger_s: float | None = None
    origin: PanelOrigin = "kernel"

    def __init__(self, plugin: KernelPlugin, thread: LoopThread) -> None:
        self.id, self.title = plugin.name, plugin.title
        self._plugin = plugin
        self._thread = thread

    async def start(self, host: PluginHost) -> PluginLink:
        """Make a view of it; what was wrong before is said again."""
        host.described(self.title, ())  # it has no server that it could call
        deliver = _deliveries(host)

        def send(name: str, /, *args: object) -> None:
            self._thread.call(deliver[name], *args)

        if self._plugin.error is not None:
            host.report_error(self._plugin.error)
        return KernelLink(self._plugin.view(send), self._plugin.loop)


class KernelLink:
    """A view on the main loop, for the connections' thread.

    Args:
        view: on that loop.
        loop: the main loop.
    """

    def __init__(self, view: KernelView, loop: asyncio.AbstractEventLoop) -> None:
        self._view = view
        self._loop = loop
        self._is_over = False

    async def call(self, method: str, /, *args: object) -> object:
        """Call a method of the protocol; while a cell runs, this waits for its end.

        Raises:
            ConnectionClosed: the kernel is ending.
            AcError: the plugin refused it.
        """
        work = self._view.call(method, *args)
        try:
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError as error:  # the loop is closed
            work.close()
            raise ConnectionClosed(_ENDED) from error
        return await asyncio.wrap_future(future)

    async def end(self) -> None:
        """End the view soon; what is called afterwards comes after it."""
        if self._is_over:
            return
        self._is_over = True
        work = self._view.end()
        try:
            asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:  # the loop is closed, and the panel with it
            work.close()


def _deliveries(host: PluginHost) -> dict[str, Callable[..., None]]:
    return {
        "updateTree": host.update_tree,
        "applyMutations": host.apply_mutations,
        "log": host.log,
        "reportError": host.report_error,
    }
