"""Panels that the server starts in processes of their own."""

from dataclasses import dataclass
from typing import Final

from jupyter_ac.hosts.panels.installed_panels import InstalledPanel
from jupyter_ac.hosts.panels.plugin_command import (
    PluginCommand,
    file_panel_id,
    installed_command,
)
from jupyter_ac.hosts.panels.plugin_peer import PluginRights
from jupyter_ac.hosts.panels.plugin_process import PluginProcess
from jupyter_ac.services.panels.panel_rows import PanelOrigin
from jupyter_ac.services.panels.panel_source import PluginHost, PluginLink
from jupyter_ac.settings.panels import PanelCommand

LINGER_S: Final = 60.0
"""How long a process goes on after the last page has left."""


@dataclass(frozen=True, slots=True)
class ProcessSource:
    """Offers a panel; starts its process.

    Attributes:
        id: identifies it.
        title: for people.
        origin: who offers it.
        command: how it is started.
        rights: of its plugin.
        linger_s: how long it goes on after the last page has left.
    """

    id: str
    title: str
    origin: PanelOrigin
    command: PluginCommand
    rights: PluginRights
    linger_s: float | None = LINGER_S

    async def start(self, host: PluginHost) -> PluginLink:
        """Start the process.

        Raises:
            NotReady: the system doesn't start it.
        """
        return await PluginProcess.start(self.command, host, self.rights)


def installed_source(panel: InstalledPanel, rights: PluginRights) -> ProcessSource:
    """Return what offers a panel of an installed package."""
    origin: PanelOrigin = "built-in" if panel.is_own else "entry-point"
    title = panel.name.replace("-", " ").capitalize()
    return ProcessSource(panel.name, title, origin, installed_command(panel.name), rights)


def file_source(command: PluginCommand, rights: PluginRights) -> ProcessSource:
    """Return what offers a panel that the command line names."""
    return ProcessSource(file_panel_id(command), command.name, "file", command, rights)


def command_source(name: str, setting: PanelCommand, rights: PluginRights) -> ProcessSource:
    """Return what offers a panel of the user's settings."""
    command = PluginCommand(name, setting.command, setting.protocol)
    return ProcessSource(f"command/{name}", name, "command", command, rights)
