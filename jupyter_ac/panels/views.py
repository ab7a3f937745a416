"""A view of a panel: the protocol between a panel and one host, over whatever carries it."""

import logging
from typing import Protocol

from jupyter_ac.errors import AcError, InvalidState
from jupyter_ac.panels.commits import Commit
from jupyter_ac.panels.current_panel import LogLevel
from jupyter_ac.panels.environment import Environment, merged
from jupyter_ac.panels.initialize_request import MOVE_BEFORE, InitializeRequest, check_request
from jupyter_ac.panels.runtime import PanelRuntime
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.panels.wire import JsonValue
from jupyter_ac.rpc.methods import Access, Handler, MethodTable, NamedMethods, method

_logger = logging.getLogger(__name__)


class Send(Protocol):
    """Sends a notification to the host; `Peer.notify` is one."""

    def __call__(self, method: str, /, *args: object) -> None:
        """Send it without waiting; an `AcError` means that the host hasn't got it."""


class PanelView:
    """One host that shows a panel.

    Args:
        runtime: the panel.
        send: to the host.
        is_incremental: the host gets mutations; else the whole tree after each change.
    """

    def __init__(self, runtime: PanelRuntime, send: Send, *, is_incremental: bool = True) -> None:
        self._runtime = runtime
        self._send_frame = send
        self._is_incremental = is_incremental
        self._knows_moves = False
        self._is_initialized = False
        self._has_tree = False

    @method(Access.EXECUTE)
    async def initialize(self, req: InitializeRequest) -> None:
        """Show the panel; the tree is sent before the answer.

        A panel without other views begins anew. Otherwise props and environment, if they are given,
        change for all views.

        Raises:
            InvalidParams: another version of the protocol, or a wrong member.
        """
        check_request(req)
        props, env = req.get("props"), req.get("env") or {}
        environment = merged(Environment(), env)
        if self._is_initialized:
            await self.destroy()
        self._knows_moves = MOVE_BEFORE in (req.get("extensions") or ())
        self._is_initialized = True
        if not self._runtime.is_running:
            self._runtime.start(self, props, environment)
            if not self._has_tree:
                self._send_tree()
            return
        if props is not None:
            self._runtime.set_props(props)
        if env:
            self._runtime.set_environment(env)
        self._runtime.join(self)
        self._send_tree()

    @method(Access.EXECUTE)
    def update_props(self, props: dict[str, object] | None) -> None:
        """Replace the props, for all views."""
        self._check_initialized("updateProps")
        self._runtime.set_props(props or {})

    @method(Access.EXECUTE)
    def set_environment(self, env: dict[str, object]) -> None:
        """Change members of the environment, for all views; null sets one back.

        Raises:
            InvalidParams: a wrong value.
        """
        self._check_initialized("setEnvironment")
        self._runtime.set_environment(env)

    @method(Access.EXECUTE)
    def execute_handler(self, handler_id: str, args: list[object] | None = None) -> None:
        """Run the function of an event; doesn't wait for a coroutine.

        Raises:
            Busy: too many of them are running.
        """
        self._check_initialized("executeHandler")
        self._runtime.execute(handler_id, args or [])

    @method(Access.READ)
    def sync_tree(self) -> None:
        """Send the whole tree."""
        self._check_initialized("syncTree")
        self._send_tree()

    @method(Access.EXECUTE, is_urgent=True)
    async def destroy(self) -> None:
        """End the view; with the last one, the panel ends. Idempotent."""
        if self._is_initialized:
            self._is_initialized = self._has_tree = False
            await self._runtime.leave(self)

    def committed(self, commit: Commit) -> None:
        """Send a change of the tree."""
        if not (self._has_tree and self._is_incremental):
            self._has_tree = self._send("updateTree", commit.tree)
        elif self._knows_moves:
            self._has_tree = self._send("applyMutations", commit.mutations_with_moves)
        else:
            self._has_tree = self._send("applyMutations", commit.mutations)

    def logged(self, level: LogLevel, args: list[JsonValue]) -> None:
        """Send a line of the log."""
        self._send("log", level, args)

    def failed(self, report: ErrorReport) -> None:
        """Send an error."""
        self._send("reportError", report)

    def _send_tree(self) -> None:
        self._has_tree = self._send("updateTree", self._runtime.tree())

    def _send(self, name: str, *args: object) -> bool:
        """Send a notification; returns whether the host can have got it."""
        try:
            self._send_frame(name, *args)
        except AcError as error:
            _logger.warning("%s of a panel was not sent: %s", name, error.message)
            return False
        return True

    def _check_initialized(self, name: str) -> None:
        if not self._is_initialized:
            raise InvalidState(name, "not initialized", ["initialized"])


def view_methods(view: PanelView, prefix: str = "") -> MethodTable:
    """Return what a host may call, under the protocol's names.

    Args:
        view: of this host.
        prefix: of the names on a link that is not the panel's own, with its dot.
    """
    handlers: dict[str, Handler] = {
        "initialize": view.initialize,
        "updateProps": view.update_props,
        "setEnvironment": view.set_environment,
        "executeHandler": view.execute_handler,
        "syncTree": view.sync_tree,
        "destroy": view.destroy,
    }
    names = {f"{prefix}{name}": handler for name, handler in handlers.items()}
    return MethodTable(NamedMethods(names, lambda name: name))
