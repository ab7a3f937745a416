"""A JSON-RPC peer for each comm that a page has opened, all on one thread of their own.

ipykernel calls the comms' handlers on the main shell's thread or on a subshell's; they only put the
frame into the peer's queue. So a call never holds a cell up, and where the kernel takes messages on
a subshell a call is answered while a cell runs. A frame is the text in `data["frame"]`, plain
JSON-RPC 2.0.
"""

import logging
import threading
from typing import Final

from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.kernel.child.host import LoopThread
from jupyter_ac.hosts.kernel.live.comm_routing import let_page_choose_shell
from jupyter_ac.hosts.kernel.live.comm_target import CommMessage, KernelComm
from jupyter_ac.hosts.kernel.live.kernel_methods import KernelMethods
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.transports.inbox import Inbox

logger = logging.getLogger(__name__)

MOST_COMMS: Final = 32
"""Comms that are open at once; the oldest is closed for another."""

_WAITING_FRAMES: Final = 1000
_WAITING_CHARS: Final = 16 << 20


class CommTransport:
    """Carries a peer's frames over a comm; its methods but `put` belong to the peers' thread.

    Args:
        comm: of the kernel.
        thread: where the peer runs.
    """

    def __init__(self, comm: KernelComm, thread: LoopThread) -> None:
        self._comm = comm
        self._thread = thread
        self._inbox = Inbox(_WAITING_FRAMES, _WAITING_CHARS)
        self._is_closed = False

    def put(self, message: CommMessage) -> None:
        """Take in a message from the page; from any thread."""
        match message:
            case {"content": {"data": {"frame": str(frame)}}}:
                self._thread.call(self._take, frame)
            case _:
                logger.debug("a message without a frame was ignored")

    def end(self) -> None:
        """Note that the page has closed the comm; from any thread."""
        self._thread.call(self._end)

    async def receive(self) -> str | bytes:
        """Wait for the next frame."""
        return await self._inbox.get()

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Send a frame to the page."""
        del newest_key
        if not self._is_closed:
            self._comm.send({"frame": frame})

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the comm."""
        if not self._is_closed:
            self._end(code, reason)
            self._comm.close()

    def _take(self, frame: str) -> None:
        if not self._inbox.has_room:  # a page waits for its answers; this one does not
            self._end(1013, "too many calls are waiting")
            self._comm.close()
        self._inbox.put(frame)

    def _end(self, code: int = 1001, reason: str = "the page has closed the comm") -> None:
        self._is_closed = True
        self._inbox.end(ConnectionClosed(reason or "the comm is closed", code), drop=True)


class CommPeers:
    """The peers of one shell. Thread-safe.

    Args:
        shell: whose variables and errors they show.
    """

    def __init__(self, shell: InteractiveShell) -> None:
        self._lock = threading.Lock()
        self._thread = LoopThread()
        self._methods = MethodTable(Namespace("Kernel", KernelMethods(shell)))
        self._open: dict[str, CommTransport] = {}

    def open(self, comm: KernelComm) -> None:
        """Serve a comm that a page has opened."""
        transport = CommTransport(comm, self._thread)
        let_page_choose_shell(comm)
        # Not `on_msg`: it triggers the events of cells, and so draws a cell's unfinished figures.
        comm.handle_msg = transport.put
        comm.on_close(lambda _message: transport.end())
        with self._lock:
            self._open[comm.comm_id] = transport
            surplus = [self._open.pop(name) for name in list(self._open)[:-MOST_COMMS]]
        for oldest in surplus:
            self._thread.submit(oldest.close(1013, "too many comms are open"))
        self._thread.submit(self._serve(comm.comm_id, transport))

    def close(self) -> None:
        """Close all comms, and end the thread."""
        with self._lock:
            transports, self._open = list(self._open.values()), {}
        self._thread.submit(self._close_all(transports))

    async def _serve(self, name: str, transport: CommTransport) -> None:
        try:
            await Peer(transport, self._methods, profile=JSONRPC2).run()
        finally:
            with self._lock:
                if self._open.get(name) is transport:
                    del self._open[name]

    async def _close_all(self, transports: list[CommTransport]) -> None:
        for transport in transports:
            await transport.close(1001, "the extension was unloaded")
        self._thread.stop()
