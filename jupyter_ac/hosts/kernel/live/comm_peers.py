"""A JSON-RPC peer for each comm that a page has opened, all on one thread: `Kernel.*`, `Panels.*`.

ipykernel calls the comms' handlers on the main shell's thread or on a subshell's; they only put the
frame into the peer's queue. So a call never holds a cell up, and where the kernel takes messages on
a subshell a call is answered while a cell runs. A frame is the text in `data["frame"]`, plain
JSON-RPC 2.0.
"""

import logging
import threading
from typing import Final

from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.child.host import LoopThread
from jupyter_ac.hosts.kernel.frame_transport import FrameTransport
from jupyter_ac.hosts.kernel.live.comm_routing import let_page_choose_shell
from jupyter_ac.hosts.kernel.live.comm_target import CommMessage, KernelComm
from jupyter_ac.hosts.kernel.live.kernel_methods import KernelMethods
from jupyter_ac.hosts.kernel.plugins.kernel_plugins import plugins_of
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.services.panels.panel_methods import panel_methods

logger = logging.getLogger(__name__)

MOST_COMMS: Final = 32
"""Comms that are open at once; the oldest is closed for another."""


class CommTransport(FrameTransport):
    """Carries a peer's frames over a comm.

    Args:
        comm: of the kernel.
        thread: where the peer runs.
    """

    def __init__(self, comm: KernelComm, thread: LoopThread) -> None:
        super().__init__(
            thread, lambda frame: comm.send({"frame": frame}), lambda _code, _reason: comm.close()
        )

    def take(self, message: CommMessage) -> None:
        """Take in a message from the page; from any thread."""
        match message:
            case {"content": {"data": {"frame": str(frame)}}}:
                self.put(frame)
            case _:
                logger.debug("a message without a frame was ignored")


class CommPeers:
    """The peers of one shell. Thread-safe.

    Args:
        shell: whose variables and errors they show.
    """

    def __init__(self, shell: InteractiveShell) -> None:
        self._lock = threading.Lock()
        plugins = plugins_of(shell)
        self._thread, self._directory = plugins.thread, plugins.directory
        self._methods = MethodTable(
            Namespace("Kernel", KernelMethods(shell)), panel_methods(lambda _: self._directory)
        )
        self._open: dict[str, CommTransport] = {}

    def open(self, comm: KernelComm) -> None:
        """Serve a comm that a page has opened."""
        transport = CommTransport(comm, self._thread)
        let_page_choose_shell(comm)
        # Not `on_msg`: it triggers the events of cells, and so draws a cell's unfinished figures.
        comm.handle_msg = transport.take
        comm.on_close(lambda _message: transport.end())
        with self._lock:
            self._open[comm.comm_id] = transport
            surplus = [self._open.pop(name) for name in list(self._open)[:-MOST_COMMS]]
        for oldest in surplus:
            self._thread.submit(oldest.close(1013, "too many comms are open"))
        self._thread.submit(self._serve(comm.comm_id, transport))

    def close(self) -> None:
        """Close all comms."""
        with self._lock:
            transports, self._open = list(self._open.values()), {}
        self._thread.submit(self._close_all(transports))

    async def _serve(self, name: str, transport: CommTransport) -> None:
        peer = Peer(transport, self._methods, profile=JSONRPC2)
        try:
            await peer.run()
        finally:
            self._directory.leave(peer)
            with self._lock:
                if self._open.get(name) is transport:
                    del self._open[name]

    async def _close_all(self, transports: list[CommTransport]) -> None:
        for transport in transports:
            await transport.close(1001, "the extension was unloaded")
