"""A plugin of the test's own process, offered to pages."""

from typing import TYPE_CHECKING

from jupyter_ac.panels.plugin import Plugin
from jupyter_ac.panels.views import PanelView
from jupyter_ac.services.panels.local_link import LocalLink
from jupyter_ac.services.panels.panel_rows import PanelOrigin
from jupyter_ac.services.panels.panel_source import PluginHost, PluginLink

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jupyter_ac.rpc.methods import Handler


class LocalSource:
    """Offers a `Plugin`; its runtime may have other views, too.

    Args:
        plugin: what is shown.
        origin: who offers it.
        linger_s: how long it goes on after the last page has left; None: for ever.

    Attributes:
        id: the plugin's name.
        title: the plugin's.
        origin: as given.
        linger_s: as given.
    """

    def __init__(
        self, plugin: Plugin, origin: PanelOrigin, *, linger_s: float | None = None
    ) -> None:
        self._plugin = plugin
        self.id = plugin.name
        self.title = plugin.title
        self.origin: PanelOrigin = origin
        self.linger_s = linger_s

    async def start(self, host: PluginHost) -> PluginLink:
        """Make a view of it."""
        plugin = self._plugin
        host.described(plugin.title, sorted(plugin.calls))
        sending: Mapping[str, Handler] = {
            "updateTree": host.update_tree,
            "applyMutations": host.apply_mutations,
            "log": host.log,
            "reportError": host.report_error,
        }

        def send(name: str, /, *args: object) -> None:
            sending[name](*args)

        return LocalLink(PanelView(plugin.runtime, send))
