"""The panel protocol of one page that shows one panel: bare names, as on a plugin's own pipe."""

from collections.abc import Callable

from jupyter_ac.panels.initialize_request import InitializeRequest
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.methods import Access, Handler, MethodTable, NamedMethods, method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.services.panels.panel_methods import NAMESPACE
from jupyter_ac.services.panels.shared_panel import SharedPanel


class OnlyPanel:
    """The link of a page to a panel that is its only one.

    Args:
        peer: of the page.
    """

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    @property
    def closed(self) -> bool:
        """Whether it has ended."""
        return self._peer.closed

    def queued_bytes(self) -> int:
        """Return how many bytes wait for the page to read."""
        return self._peer.queued_bytes()

    def notify(self, method: str, /, *args: object) -> None:
        """Send what is meant for a shared link, without the namespace and the panel's id."""
        _panel_id, *own = args
        self._peer.notify(method.removeprefix(f"{NAMESPACE}."), *own)


class PanelDoor:
    """Serves a page that shows a panel.

    Args:
        panel: that it shows.
        transport: to the page.
        error: returns what is wrong with the panel.
    """

    def __init__(
        self, panel: SharedPanel, transport: Transport, error: Callable[[], ErrorReport | None]
    ) -> None:
        self._panel = panel
        self._error = error
        handlers: dict[str, Handler] = {
            "initialize": self.initialize,
            "updateProps": self.update_props,
            "setEnvironment": self.set_environment,
            "executeHandler": self.execute_handler,
            "syncTree": self.sync_tree,
            "destroy": self.destroy,
            "restart": self.restart,
        }
        methods = MethodTable(NamedMethods(handlers, lambda name: name))
        self._peer = Peer(transport, methods, profile=JSONRPC2)
        self._page = OnlyPanel(self._peer)

    async def run(self) -> None:
        """Serve until the connection ends."""
        try:
            await self._peer.run()
        finally:
            self._panel.leave(self._page)

    @method(Access.EXECUTE)
    async def initialize(self, req: InitializeRequest) -> None:
        """Show the panel; its tree is sent before the answer, and the error that it has."""
        await self._panel.initialize(self._page, req)
        error = self._error()
        if error is not None:
            self._peer.notify("reportError", error)

    @method(Access.EXECUTE)
    async def update_props(self, props: dict[str, object] | None) -> None:
        """Replace the props, for all views."""
        await self._panel.call(self._page, "updateProps", props)

    @method(Access.EXECUTE)
    async def set_environment(self, env: dict[str, object]) -> None:
        """Change members of the environment, for all views."""
        await self._panel.call(self._page, "setEnvironment", env)

    @method(Access.EXECUTE)
    async def execute_handler(self, handler_id: str, args: list[object] | None = None) -> None:
        """Run the function of an event."""
        await self._panel.call(self._page, "executeHandler", handler_id, args or [])

    @method(Access.READ)
    async def sync_tree(self) -> None:
        """Send the whole tree."""
        await self._panel.call(self._page, "syncTree")

    @method(Access.EXECUTE)
    async def destroy(self) -> None:
        """End the view. Idempotent."""
        self._panel.leave(self._page)

    @method(Access.EXECUTE, is_urgent=True)
    async def restart(self) -> None:
        """End the panel and begin it anew, for all views."""
        await self._panel.restart()
