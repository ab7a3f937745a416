"""A plugin below a cell: a widget whose views the page connects to the panel in the kernel.

Each view has a link of its own over the widget's comm, with the relay's windows, so that nothing is
lost or out of order. The relay's thread sends; what pages send is only queued where ipykernel calls
the handlers. The page speaks first.
"""

import asyncio
import logging
import threading
import uuid
from typing import Final

import anywidget
from IPython.core.getipython import get_ipython
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import publish_display_data
from traitlets import Unicode

from jupyter_ac.errors import NotFound, NotReady
from jupyter_ac.hosts.assets import NOT_BUILT, STATIC_DIR, chunk_source
from jupyter_ac.hosts.kernel.live.comm_routing import let_page_choose_shell
from jupyter_ac.hosts.kernel.plugins.kernel_plugins import (
    KernelPlugins,
    ShownPlugin,
    plugins_of,
)
from jupyter_ac.hosts.kernel.plugins.plugin_links import PluginLinks
from jupyter_ac.hosts.kernel.relay.relay import Relay
from jupyter_ac.panels.plugin import Plugin

PLUGIN_MIME: Final = "application/vnd.jupyter-ac.plugin+json"
"""Marks the output for our extension of JupyterLab, which keeps its picture up to date."""

PLUGIN_MARK: Final = {"version": 1}

PICTURE_S: Final = 1.0
"""Between two pictures that are sent to the pages."""

MAX_OUTPUTS: Final = 20
"""Outputs of one plugin whose pictures are kept up to date while no page shows it."""

logger = logging.getLogger(__name__)

_LOADER: Final = STATIC_DIR / "plugin.js"
_NO_LOADER: Final = f"export default {{render({{el}}) {{el.textContent = {NOT_BUILT!r};}}}};"
_NO_NOTEBOOK: Final = (
    "Plugin.display() shows a panel below a cell, and this is no notebook's kernel. Open a notebook"
    " in JupyterLab, or show the panel with: jupyter ac panel FILE.py"
)
_NO_CELL: Final = "Plugin.display() works in a cell only, on the kernel's main thread."


class PluginWidget(anywidget.AnyWidget):
    """Shows one plugin in any number of cells and pages.

    Args:
        shown: the plugin.
        plugins: of the kernel.
    """

    _esm = _LOADER if _LOADER.is_file() else _NO_LOADER
    title = Unicode().tag(sync=True)
    picture = Unicode().tag(sync=True)

    def __init__(self, shown: ShownPlugin, plugins: KernelPlugins) -> None:
        plugin = self._plugin = shown.plugin
        self._plugins = plugins
        self._outputs: list[str] = []
        self._is_seen = False
        self._is_stale = False
        self._drawing: asyncio.TimerHandle | None = None
        self._relay = Relay(lambda: self._links, self._transmit, plugin.loop)
        self._links = PluginLinks(plugin, shown.panel, plugins.thread, self._relay.waiting_chars)
        super().__init__(title=plugin.title, picture=plugin.picture())
        let_page_choose_shell(self.comm)
        self.on_msg(self._receive)

    def publish(self) -> None:
        """Show it below the cell that runs."""
        name = uuid.uuid4().hex
        self._outputs = [*self._outputs[-MAX_OUTPUTS + 1 :], name]
        self._draw()
        publish_display_data(self._bundle(), transient={"display_id": name})

    def changed(self) -> None:
        """Send a new picture to the pages soon."""
        self._is_stale = True
        if self._is_seen and self._drawing is None:
            self._drawing = self._plugin.loop.call_later(PICTURE_S, self._draw)

    def busy(self, *, is_busy: bool) -> None:
        """Tell the pages that the kernel is busy, or free again; from any thread."""
        if self._is_seen:
            self._relay.post({"type": "busy", "busy": is_busy})

    def cell_ended(self) -> None:
        """Bring the outputs up to date, as long as no page has a live view there."""
        if self._is_seen:
            return
        picture = self._plugin.picture()
        if self._is_stale and picture != self.picture:
            self._draw()
            for name in self._outputs:
                publish_display_data(self._bundle(), transient={"display_id": name}, update=True)

    def close(self) -> None:
        """Remove it from all pages."""
        if self._drawing is not None:
            self._drawing.cancel()
        super().close()
        self._relay.close()

    def _bundle(self) -> dict[str, object]:
        data, _metadata = super()._repr_mimebundle_() or ({}, {})
        words = f"Panel “{self.title}”"
        return {**data, PLUGIN_MIME: PLUGIN_MARK, "text/html": self.picture, "text/plain": words}

    def _draw(self) -> None:
        self._drawing, self._is_stale = None, False
        self.picture = self._plugin.picture()

    def _receive(self, _widget: object, content: object, _buffers: object) -> None:
        """Take in a page's message; on the kernel's main shell or on a subshell."""
        if not self._is_seen:
            self._is_seen = True
            self._plugin.loop.call_soon_threadsafe(self._first_seen)
        match content:
            case {"type": "relay" | "relay.open" | "relay.close"}:
                self._relay.receive(content)
            case {"type": "panels"}:
                self._relay.post(_source())
            case {"type": "error", "message": str(message)}:
                logger.warning("the page reports: %s", message)
            case _:
                logger.debug("a message of an unknown kind was ignored")
        if self._plugins.is_busy and isinstance(content, dict) and content["type"] == "relay.open":
            self.busy(is_busy=True)

    def _first_seen(self) -> None:
        if self._is_stale:
            self.changed()

    def _transmit(self, message: object) -> None:
        """Send to all pages; only the relay's thread does."""
        if self.comm is not None:
            self.send(message)


def display_plugin(plugin: Plugin) -> None:
    """Show a plugin below the cell that runs.

    Raises:
        NotReady: no notebook's kernel runs this, or not in a cell.
    """
    plugins = plugins_of(_cell_shell())
    display = plugins.show(plugin, lambda shown: PluginWidget(shown, plugins)).display
    if isinstance(display, PluginWidget):
        display.publish()


def _cell_shell() -> InteractiveShell:
    """Return the shell of the kernel one of whose cells runs here.

    Raises:
        NotReady: there is none.
    """
    shell = get_ipython()
    if shell is None or getattr(shell, "kernel", None) is None:
        raise NotReady(_NO_NOTEBOOK)
    if threading.current_thread() is not threading.main_thread():
        raise NotReady(_NO_CELL)
    try:
        asyncio.get_running_loop()
    except RuntimeError as error:
        raise NotReady(_NO_CELL) from error
    return shell


def _source() -> dict[str, object]:
    """What shows panels, for a page that can't fetch it from a server."""
    try:
        build, source = chunk_source("panels")
    except NotFound as error:
        return {"type": "error", "message": error.message}
    return {"type": "panels", "hash": build.hash, "source": source}
