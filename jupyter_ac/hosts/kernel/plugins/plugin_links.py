"""The connections of a widget's views to its panel: what the relay opens and closes."""

import asyncio
from collections.abc import Callable

from jupyter_ac.errors import NotReady
from jupyter_ac.hosts.kernel.child.host import LoopThread
from jupyter_ac.hosts.kernel.child.links import Ends
from jupyter_ac.hosts.kernel.frame_transport import FrameTransport
from jupyter_ac.hosts.kernel.plugins.kernel_plugin import KernelPlugin
from jupyter_ac.hosts.kernel.plugins.panel_door import PanelDoor
from jupyter_ac.services.panels.shared_panel import SharedPanel


class PluginLinks:
    """Serves each link that a view opens. Its methods are for any thread.

    Args:
        plugin: that is shown.
        panel: that shows it to pages.
        thread: where the links are served.
        waiting: returns how much text of a link waits to be sent.
    """

    def __init__(
        self,
        plugin: KernelPlugin,
        panel: SharedPanel,
        thread: LoopThread,
        waiting: Callable[[str], int],
    ) -> None:
        self._plugin = plugin
        self._panel = panel
        self._thread = thread
        self._waiting = waiting
        self._serving: set[asyncio.Task[None]] = set()

    def open(self, link: str, ends: Ends, *, client: str = "") -> "PluginLink":
        """Open a link for a view.

        Raises:
            NotReady: the kernel is ending.
        """
        del client
        transport = FrameTransport(
            self._thread, ends.on_frame, ends.on_close, lambda: self._waiting(link)
        )
        if not self._thread.call(self._serve, transport):
            raise NotReady("The kernel is ending.")
        return PluginLink(transport)

    def _serve(self, transport: FrameTransport) -> None:
        door = PanelDoor(self._panel, transport, lambda: self._plugin.error)
        task = asyncio.get_running_loop().create_task(door.run())
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)


class PluginLink:
    """An open link; its methods are for any thread.

    Args:
        transport: of its peer.
    """

    def __init__(self, transport: FrameTransport) -> None:
        self._transport = transport

    def send(self, frame: str) -> None:
        """Pass on a frame of the view."""
        self._transport.put(frame)

    def close(self) -> None:
        """Note that the view has gone."""
        self._transport.end()
