"""A plugin that runs in this process, for a host at the other end of a connection."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from jupyter_ac.errors import AcError, ConnectionClosed, NotReady
from jupyter_ac.hosts.panels.host_pipe import HostPipe, HostServices
from jupyter_ac.panels.initialize_request import DESCRIBE, InitializeRequest, check_request
from jupyter_ac.panels.plugin import Plugin
from jupyter_ac.panels.runtime import PanelRuntime
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.panels.views import PanelView
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.methods import Access, Handler, MethodTable, NamedMethods, method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.services.panels.panel_inputs import PanelInputs

CALL_S: Final = 60.0
"""For an answer of the host."""


class HostedPlugin:
    """Shows a plugin to one host; another one may take its place, as when its file has changed.

    Args:
        transport: to the host; closed at the end.
        plugin: what is shown, in a life of its own; None: what `replace` brings.
        description: what the host is told of it.
    """

    def __init__(
        self, transport: Transport, plugin: Plugin | None, description: Mapping[str, object]
    ) -> None:
        handlers: dict[str, Handler] = {
            "initialize": self.initialize,
            "updateProps": self.update_props,
            "setEnvironment": self.set_environment,
            "executeHandler": self.execute_handler,
            "syncTree": self.sync_tree,
            "destroy": self.destroy,
        }
        table = MethodTable(NamedMethods(handlers, str))
        self._peer = Peer(transport, table, profile=JSONRPC2, timeout_s=CALL_S)
        self._link = HostPipe(self._peer, self._sync)
        self._services = HostServices(self._peer)
        self._description = dict(description)
        self._inputs = PanelInputs()
        self._request: InitializeRequest | None = None
        self._error: ErrorReport | None = None
        self._keeps_tree = False
        self._has_failed = self._has_tree = False
        self._view = None if plugin is None else self._view_of(plugin)

    async def run(self) -> ConnectionClosed | None:
        """Serve the host until the connection ends, then end the plugin; returns why it ended."""
        try:
            await self._peer.run()
        finally:
            self._link.close()
            if self._view is not None:
                await self._view.destroy()
        return self._peer.ended

    async def replace(self, plugin: Plugin) -> None:
        """Show another plugin; if it shows nothing, the one before goes on.

        One that was shown without an error describes itself, by which the host forgets errors.
        """
        before, self._error = self._view, None
        self._view = view = self._view_of(plugin)
        self._has_failed = self._has_tree = False
        if self._request is not None:
            self._keeps_tree = True
            try:
                await view.initialize(self._again(self._request))
            finally:
                self._keeps_tree = False
        is_kept = before is not None and self._request is not None and not self._has_tree
        dropped, self._view = (view, before) if is_kept else (before, view)
        if dropped is not None:
            await dropped.destroy()
        if not is_kept and not self._has_failed:
            self._description = described(plugin)
            self._describe()

    def report_error(self, error: ErrorReport) -> None:
        """Tell the host of an error; what is shown stays."""
        self._error = error
        if self._request is not None:
            self._send("reportError", error)

    @method(Access.EXECUTE)
    async def initialize(self, req: InitializeRequest) -> None:
        """Show the plugin; the tree is sent before the answer."""
        check_request(req)
        self._request, self._inputs = req, PanelInputs()
        self._inputs.add(req.get("props"), req.get("env"))
        self._describe()
        if self._view is not None:
            await self._view.initialize(req)
        if self._error is not None:
            self._send("reportError", self._error)

    @method(Access.EXECUTE)
    def update_props(self, props: dict[str, object] | None) -> None:
        """Replace the props."""
        self._shown().update_props(props)
        self._inputs.note("updateProps", props)

    @method(Access.EXECUTE)
    def set_environment(self, env: dict[str, object]) -> None:
        """Change members of the environment; null sets one back."""
        self._shown().set_environment(env)
        self._inputs.note("setEnvironment", env)

    @method(Access.EXECUTE)
    def execute_handler(self, handler_id: str, args: list[object] | None = None) -> None:
        """Run the function of an event; doesn't wait for a coroutine."""
        self._shown().execute_handler(handler_id, args)

    @method(Access.READ)
    def sync_tree(self) -> None:
        """Send the whole tree."""
        self._shown().sync_tree()

    @method(Access.EXECUTE, is_urgent=True)
    async def destroy(self) -> None:
        """End the view; the plugin begins anew with the next one. Idempotent."""
        self._request = None
        if self._view is not None:
            await self._view.destroy()

    def _again(self, request: InitializeRequest) -> InitializeRequest:
        """Return what a plugin is initialized with that takes the place of another one."""
        extensions = request.get("extensions") or []
        return {**self._inputs.request(knows_moves=False), "extensions": extensions}

    def _view_of(self, plugin: Plugin) -> PanelView:
        runtime = PanelRuntime(plugin.app, plugin.props, self._services)
        return PanelView(runtime, self._send)

    def _describe(self) -> None:
        if self._request is not None and DESCRIBE in (self._request.get("extensions") or ()):
            self._peer.notify("describe", self._description)

    def _send(self, name: str, /, *args: object) -> None:
        self._has_failed |= name == "reportError"
        self._has_tree |= name == "updateTree" and args != (None,)
        if not (self._keeps_tree and name == "updateTree" and args == (None,)):
            self._link.send(name, *args)

    def _sync(self) -> None:
        if self._view is not None:
            with suppress(AcError):  # the host has ended the view meanwhile
                self._view.sync_tree()

    def _shown(self) -> PanelView:
        if self._view is None:
            raise NotReady("The panel's file can't be loaded; correct it and save.")
        return self._view


def described(plugin: Plugin) -> dict[str, object]:
    """Return what a host is told of a plugin."""
    return {"name": plugin.name, "title": plugin.title, "calls": sorted(plugin.calls)}
