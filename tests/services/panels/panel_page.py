"""A page on a shared link: shows any number of panels, each in a host in memory."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from jupyter_ac.rpc.dialect import JRPC_OO, WireDialect
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.methods import Access, Handler, MethodTable, NamedMethods, method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.services.panels.panel_directory import PanelDirectory
from jupyter_ac.services.panels.panel_methods import panel_methods
from tests.panels.memory_host import MemoryHost
from tests.rpc.pairs import WAIT_S, running


class PanelPage:
    """What a page is sent, and the calls that it makes.

    Attributes:
        panels: by id, what each shows.
        rows: of the last `Panels.changed`.
        peer: its end of the link.
    """

    def __init__(self, transport: Transport, profile: WireDialect = JRPC_OO) -> None:
        self.panels: defaultdict[str, MemoryHost] = defaultdict(MemoryHost)
        self.rows: list[dict[str, object]] = []
        names: dict[str, Handler] = {
            "Panels.updateTree": self.update_tree,
            "Panels.applyMutations": self.apply_mutations,
            "Panels.log": self.log,
            "Panels.reportError": self.report_error,
            "Panels.changed": self.changed,
        }
        self.peer = Peer(transport, MethodTable(NamedMethods(names, str)), profile=profile)

    async def call(self, name: str, *args: object) -> object:
        """Call a method of `Panels`."""
        return await self.peer.call(f"Panels.{name}", *args, timeout_s=WAIT_S)

    async def show(self, panel_id: str, **request: object) -> MemoryHost:
        """Show a panel."""
        await self.call("initialize", panel_id, {"protocolVersion": 3, **request})
        return self.panels[panel_id]

    async def fire(self, panel_id: str, prop: str, *args: object, text: str = "") -> None:
        """Make an event at the first node with this text."""
        handler = self.panels[panel_id].handler(prop, text)
        await self.call("executeHandler", panel_id, handler, list(args))

    def state(self, panel_id: str) -> object:
        """The state of a panel as of the last `Panels.changed`."""
        return next((row["state"] for row in self.rows if row["id"] == panel_id), None)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(WAIT_S):
            while not condition():
                await asyncio.sleep(0.001)

    @method(Access.READ)
    def update_tree(self, panel_id: str, tree: dict[str, object] | None) -> None:
        """Show a tree."""
        self.panels[panel_id].send("updateTree", tree)

    @method(Access.READ)
    def apply_mutations(self, panel_id: str, batch: list[dict[str, object]]) -> None:
        """Change a tree."""
        self.panels[panel_id].send("applyMutations", batch)

    @method(Access.READ)
    def log(self, panel_id: str, level: str, args: list[object]) -> None:
        """Keep a line of the log."""
        self.panels[panel_id].send("log", level, args)

    @method(Access.READ)
    def report_error(self, panel_id: str, error: dict[str, str]) -> None:
        """Keep an error."""
        self.panels[panel_id].send("reportError", error)

    @method(Access.READ)
    def changed(self, rows: list[dict[str, object]]) -> None:
        """Keep the list."""
        self.rows = rows


@asynccontextmanager
async def page_of(
    directory: PanelDirectory, profile: WireDialect = JRPC_OO
) -> AsyncIterator[PanelPage]:
    """Give a page that is connected to a directory of panels; it leaves at the end."""
    ours, theirs = direct_pair()
    methods = MethodTable(panel_methods(lambda _caller: directory))
    peer = Peer(ours, methods, profile=profile)
    page = PanelPage(theirs, profile)
    async with running(peer, page.peer):
        yield page
    directory.leave(peer)
