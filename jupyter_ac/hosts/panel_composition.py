"""Makes the panels of a workspace; nothing is started."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from jupyter_ac.hosts.composition import Composition
from jupyter_ac.hosts.panels.connected_panels import AskedPanel, ConnectedPanels
from jupyter_ac.hosts.panels.installed_panels import installed_panels
from jupyter_ac.hosts.panels.panel_grants import installed_grants, no_grants
from jupyter_ac.hosts.panels.plugin_calls import Grants
from jupyter_ac.hosts.panels.plugin_peer import PluginRights
from jupyter_ac.hosts.panels.plugin_transport import QueueingTransport
from jupyter_ac.hosts.panels.process_source import (
    command_source,
    file_source,
    installed_source,
)
from jupyter_ac.ids import ClientId, Identity
from jupyter_ac.rpc.context import Caller, Remote
from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.methods import Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.services.panels.panel_directory import PanelDirectory
from jupyter_ac.services.panels.panel_source import PanelSource


class PersonPanels:
    """The panels of one person.

    Args:
        made: the workspace.
        table: its methods.
        remote: the person, for whom plugins call methods.

    Attributes:
        directory: of the panels.
        connected: those that have connected by themselves.
    """

    def __init__(self, made: Composition, table: Mapping[str, Method], remote: Remote) -> None:
        self._made = made
        self._table = table
        guards = made.resources.guards
        self._guards = CallGuards(limiter=guards.limiter, targets=made.targets)
        self._remote = replace(remote, client=ClientId(""), signs=False)
        self.directory = PanelDirectory(self._discover)
        self.connected = ConnectedPanels(self.directory)

    async def connect(self, transport: QueueingTransport, asked: AskedPanel) -> None:
        """Show a plugin that has connected, until its connection ends.

        Raises:
            Busy: too many panels are listed.
        """
        await self.connected.serve(transport, asked, self._rights(no_grants()))

    async def _discover(self) -> Sequence[PanelSource]:
        settings = self._made.planner.settings
        found, _ = await asyncio.gather(
            asyncio.to_thread(installed_panels), asyncio.to_thread(settings.refresh)
        )
        grants = {own: installed_grants(self._table, is_own=own) for own in (True, False)}
        none, commands = self._rights(no_grants()), settings.app.panels.commands
        return [
            *(installed_source(each, self._rights(grants[each.is_own])) for each in found),
            *(file_source(each, none) for each in self._made.resources.panels),
            *(command_source(name, setting, none) for name, setting in commands.items()),
            *self.connected.sources,
        ]

    def _rights(self, grants: Grants) -> PluginRights:
        return PluginRights(self._remote, grants, self._guards)


class WorkspacePanels:
    """The panels of all people who use a workspace. Belongs to its event loop.

    Args:
        made: the workspace.
    """

    def __init__(self, made: Composition) -> None:
        self._made = made
        self._table: Mapping[str, Method] = {}
        self._people: dict[Identity, PersonPanels] = {}

    def offer(self, table: Mapping[str, Method]) -> None:
        """Take the methods that plugins may be granted."""
        self._table = table

    def directory_of(self, caller: Caller) -> PanelDirectory:
        """Return the panels of a caller."""
        return self.of(Remote(caller.identity, has_login=caller.has_login)).directory

    def of(self, remote: Remote) -> PersonPanels:
        """Return the panels of a person."""
        known = self._people.get(remote.identity)
        if known is None:
            known = PersonPanels(self._made, self._table, remote)
            self._people[remote.identity] = known
        return known

    def leave(self, page: Peer) -> None:
        """Forget a page whose connection has ended."""
        known = self._people.get(page.remote.identity)
        if known is not None:
            known.directory.leave(page)

    async def aclose(self) -> None:
        """End all plugins; bounded."""
        await asyncio.gather(*(each.directory.aclose() for each in self._people.values()))
