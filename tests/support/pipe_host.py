"""A host at a plugin's own pipe: bare names, plain JSON-RPC 2.0, the panel in memory."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.methods import Access, Handler, MethodTable, NamedMethods, method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import Transport
from tests.panels.memory_host import MemoryHost
from tests.rpc.pairs import WAIT_S


class PipeHost:
    """Calls a plugin, and shows what it sends.

    Attributes:
        shown: the panel.
    """

    def __init__(self, transport: Transport) -> None:
        self.shown = MemoryHost()
        names: dict[str, Handler] = {
            "updateTree": self.update_tree,
            "applyMutations": self.apply_mutations,
            "log": self.log,
            "reportError": self.report_error,
        }
        self._peer = Peer(transport, MethodTable(NamedMethods(names, str)), profile=JSONRPC2)

    async def call(self, name: str, *args: object) -> object:
        """Call a method of the plugin."""
        return await self._peer.call(name, *args, timeout_s=WAIT_S)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["PipeHost"]:
        """Serve the connection as long as the body runs."""
        serving = asyncio.create_task(self._peer.run())
        try:
            yield self
        finally:
            await self._peer.close()
            await serving

    @method(Access.READ)
    def update_tree(self, tree: dict[str, object] | None) -> None:
        """Show a tree."""
        self.shown.send("updateTree", tree)

    @method(Access.READ)
    def apply_mutations(self, batch: list[dict[str, object]]) -> None:
        """Change the tree."""
        self.shown.send("applyMutations", batch)

    @method(Access.READ)
    def log(self, level: str, args: list[object]) -> None:
        """Keep a line of the log."""
        self.shown.send("log", level, args)

    @method(Access.READ)
    def report_error(self, error: dict[str, str]) -> None:
        """Keep an error."""
        self.shown.send("reportError", error)
