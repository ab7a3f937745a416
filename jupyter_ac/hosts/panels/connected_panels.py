"""Panels whose plugins have connected by themselves, over the server's door for them."""

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jupyter_ac.errors import AcError, ConnectionClosed, InvalidParams, NotReady, TimedOut
from jupyter_ac.hosts.panels.last_lines import LastLines
from jupyter_ac.hosts.panels.plugin_calls import MAX_TITLE_CHARS, PluginMethods
from jupyter_ac.hosts.panels.plugin_peer import PluginRights, PluginWire, call_plugin, plugin_peer
from jupyter_ac.hosts.panels.plugin_transport import QueueingTransport
from jupyter_ac.hosts.sockets.codes import NOT_THE_SAME_FILES
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.services.panels.panel_directory import PanelDirectory
from jupyter_ac.services.panels.panel_source import PluginHost, PluginLink
from jupyter_ac.settings.panels import JSON_RPC, KKRPC

if TYPE_CHECKING:
    from jupyter_ac.services.panels.panel_rows import PanelOrigin

LINGER_S: Final = 60.0
GOODBYE_S: Final = 2.0

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._ -]{0,63}")


@dataclass(frozen=True, slots=True)
class AskedPanel:
    """What a plugin says of itself in the address of its connection.

    Attributes:
        name: identifies it; a later connection of the same name takes its place.
        title: for people.
        protocol: that it speaks.

    Raises:
        InvalidParams: one of them is wrong.
    """

    name: str
    title: str = ""
    protocol: str = JSON_RPC

    def __post_init__(self) -> None:
        if _NAME.fullmatch(self.name) is None:
            raise InvalidParams("name must be 1 to 64 of A-Z a-z 0-9 . _ - and space")
        if len(self.title) > MAX_TITLE_CHARS:
            raise InvalidParams(f"title may have {MAX_TITLE_CHARS} characters")
        if self.protocol not in {JSON_RPC, KKRPC}:
            raise InvalidParams(f"protocol must be {JSON_RPC} or {KKRPC}")


class ConnectedPlugin:
    """The connection of a plugin; a `PluginLink`.

    Args:
        inner: carries its frames; closed with it.
        asked: what it has said of itself.
        rights: of the plugin.
    """

    def __init__(self, inner: QueueingTransport, asked: AskedPanel, rights: PluginRights) -> None:
        self._methods = PluginMethods(self._described)
        printed = LastLines()
        wire = PluginWire(asked.protocol, is_socket=True)
        self._peer, self._table = plugin_peer(
            inner, self._methods, rights, printed.add_line, wire=wire
        )
        self.title = asked.title or asked.name
        self._calls: list[str] = []

    async def run(self) -> None:
        """Serve it until the connection ends."""
        await self._peer.run()

    async def close(self, code: int, reason: str) -> None:
        """Close the connection."""
        await self._peer.close(code, reason)

    def show(self, host: PluginHost) -> None:
        """Tell a host what the plugin sends from now on."""
        self._methods.host = host
        host.described(self.title, self._calls)

    def lost(self) -> None:
        """Tell the host that the connection has ended."""
        host, self._methods.host = self._methods.host, None
        if host is not None:
            host.ended(lost_report(self.title))

    async def call(self, method: str, /, *args: object) -> object:
        """Call a method of the plugin.

        Raises:
            ConnectionClosed: it has gone; its host was told before.
            AcError: it refused the call, or didn't answer.
        """
        try:
            return await call_plugin(self._peer, method, *args)
        except ConnectionClosed:
            self.lost()
            raise

    async def end(self) -> None:
        """End what it shows; one that doesn't answer is disconnected."""
        self._methods.host = None
        try:
            await self._peer.call("destroy", timeout_s=GOODBYE_S)
        except TimedOut:
            await self._peer.close(reason="the plugin does not answer")
        except AcError:
            pass  # it is gone, or has nothing to end

    def _described(self, title: str, calls: frozenset[str]) -> None:
        self.title, self._calls = title or self.title, self._table.grant(calls)
        if self._methods.host is not None:
            self._methods.host.described(self.title, self._calls)


class ConnectedSource:
    """Offers the panel of a plugin that is connected, or was and may come back.

    Args:
        name: of the plugin.

    Attributes:
        id: identifies it.
        title: for people.
        origin: `connected`.
        linger_s: how long it is shown after the last page has left.
        plugin: the connection; None: it is away.
    """

    def __init__(self, name: str) -> None:
        self.id = f"connected/{name}"
        self.title = name
        self.origin: PanelOrigin = "connected"
        self.linger_s: float | None = LINGER_S
        self.plugin: ConnectedPlugin | None = None

    async def start(self, host: PluginHost) -> PluginLink:
        """Have the plugin tell a host what it shows.

        Raises:
            NotReady: it is away.
        """
        if self.plugin is None:
            raise NotReady(lost_report(self.title)["message"])
        self.plugin.show(host)
        return self.plugin


class ConnectedPanels:
    """The plugins of one person that have connected.

    Args:
        directory: in which they are listed.
    """

    def __init__(self, directory: PanelDirectory) -> None:
        self._directory = directory
        self._sources: dict[str, ConnectedSource] = {}

    @property
    def sources(self) -> list[ConnectedSource]:
        """What offers those that are here."""
        return [source for source in self._sources.values() if source.plugin is not None]

    async def serve(
        self, inner: QueueingTransport, asked: AskedPanel, rights: PluginRights
    ) -> None:
        """Show a plugin until its connection ends.

        Raises:
            Busy: too many panels are listed.
        """
        source = self._sources.setdefault(asked.name, ConnectedSource(asked.name))
        panel = self._directory.add(source)
        plugin = ConnectedPlugin(inner, asked, rights)
        before, source.plugin, source.title = source.plugin, plugin, plugin.title
        running = asyncio.create_task(plugin.run(), name=f"panel {asked.name}")
        try:
            if before is not None:
                await before.close(NOT_THE_SAME_FILES, "Another plugin of this name has connected.")
            if panel.row["state"] != "stopped":
                # Pages that have shown it before show it again.
                await panel.restart()
            await asyncio.wait({running})
        finally:
            await plugin.close(1001, "The server is stopping.")
            await asyncio.wait({running})
            plugin.lost()
            if source.plugin is plugin:
                source.plugin = None
                if panel.is_idle:
                    del self._sources[asked.name]
                    await self._directory.remove(source.id)


def lost_report(title: str) -> ErrorReport:
    """Return what is said of a plugin that is away."""
    return {
        "message": f"{title[:MAX_TITLE_CHARS]} is not connected any more. It is shown again when "
        "its program connects again."
    }
