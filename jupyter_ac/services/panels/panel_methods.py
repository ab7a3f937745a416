"""The methods on panels under their names: `Panels.*`."""

from collections.abc import Callable
from typing import Final

from jupyter_ac.panels.initialize_request import InitializeRequest
from jupyter_ac.rpc.context import Caller, current_caller
from jupyter_ac.rpc.methods import Access, Handler, NamedMethods, method
from jupyter_ac.services.panels.panel_directory import PanelDirectory
from jupyter_ac.services.panels.panel_rows import PanelRow

NAMESPACE: Final = "Panels"


class PanelMethods:
    """Shows panels to pages: at each of them, one view of each panel.

    Args:
        directory_of: returns the panels of a caller.
    """

    def __init__(self, directory_of: Callable[[Caller], PanelDirectory]) -> None:
        self._directory_of = directory_of

    @method(Access.READ)
    async def list_panels(self) -> list[PanelRow]:
        """List the panels that can be shown.

        The caller is sent `Panels.changed(rows)` from then on.
        """
        caller = current_caller()
        directory = self._directory_of(caller)
        directory.watch(caller.peer)
        return await directory.rows()

    @method(Access.EXECUTE)
    async def initialize(self, panel_id: str, req: InitializeRequest) -> None:
        """Show a panel; the tree, or the error of its start, is sent before the answer.

        A panel that is stopped is started. Otherwise props and environment, if they are given,
        change for all views. One that has failed stays so until `restart`.

        Raises:
            InvalidParams: another version of the protocol.
        """
        caller = current_caller()
        panel = await self._directory_of(caller).get(panel_id)
        await panel.initialize(caller.peer, req)

    @method(Access.EXECUTE)
    async def update_props(self, panel_id: str, props: dict[str, object] | None) -> None:
        """Replace the props of a panel, for all views."""
        caller = current_caller()
        panel = await self._directory_of(caller).get(panel_id)
        await panel.call(caller.peer, "updateProps", props or {})

    @method(Access.EXECUTE)
    async def set_environment(self, panel_id: str, env: dict[str, object]) -> None:
        """Change members of a panel's environment, for all views; null sets one back."""
        caller = current_caller()
        panel = await self._directory_of(caller).get(panel_id)
        await panel.call(caller.peer, "setEnvironment", env)

    @method(Access.EXECUTE)
    async def execute_handler(
        self, panel_id: str, handler_id: str, args: list[object] | None = None
    ) -> None:
        """Run the function of an event."""
        caller = current_caller()
        panel = await self._directory_of(caller).get(panel_id)
        await panel.call(caller.peer, "executeHandler", handler_id, args or [])

    @method(Access.READ)
    async def sync_tree(self, panel_id: str) -> None:
        """Send the whole tree of a panel."""
        caller = current_caller()
        panel = await self._directory_of(caller).get(panel_id)
        await panel.call(caller.peer, "syncTree")

    @method(Access.EXECUTE)
    async def destroy(self, panel_id: str) -> None:
        """End the caller's view of a panel. Idempotent."""
        caller = current_caller()
        panel = await self._directory_of(caller).get(panel_id)
        panel.leave(caller.peer)

    @method(Access.EXECUTE, is_urgent=True)
    async def restart(self, panel_id: str) -> None:
        """End the process of a panel and start it anew, for all views; its state begins anew."""
        caller = current_caller()
        panel = await self._directory_of(caller).get(panel_id)
        await panel.restart()


def panel_methods(
    directory_of: Callable[[Caller], PanelDirectory], *, needs_login: bool = False
) -> NamedMethods:
    """List the methods on panels.

    Args:
        directory_of: returns the panels of a caller.
        needs_login: they are refused where a host asks for no token.
    """
    part = PanelMethods(directory_of)
    handlers: dict[str, Handler] = {
        "list": part.list_panels,
        "initialize": part.initialize,
        "updateProps": part.update_props,
        "setEnvironment": part.set_environment,
        "executeHandler": part.execute_handler,
        "syncTree": part.sync_tree,
        "destroy": part.destroy,
        "restart": part.restart,
    }
    names = {f"{NAMESPACE}.{name}": handler for name, handler in handlers.items()}
    keys = {handler.__name__: name for name, handler in names.items()}
    return NamedMethods(names, keys.__getitem__, needs_login=needs_login)
