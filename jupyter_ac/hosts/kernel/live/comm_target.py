"""Registers the comm target `jupyter_ac.kernel`; the rest is loaded when a page opens a comm.

A page that opens it with `{"draws_proposals_of": cell id}` just before it runs that cell says that
it draws proposals below it as cards; this comm is closed at once.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol

from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.notebook_cells import NotebookCells

if TYPE_CHECKING:
    from jupyter_ac.hosts.kernel.live.comm_peers import CommPeers

TARGET: Final = "jupyter_ac.kernel"

CommMessage = Mapping[str, object]


class KernelComm(Protocol):
    """What is used of ipykernel's comms."""

    comm_id: str
    handle_msg: Callable[[CommMessage], object]

    def send(self, data: dict[str, object]) -> None:
        """Send data to the page."""

    def close(self) -> None:
        """Close the comm on both sides."""

    def on_close(self, callback: Callable[[CommMessage], object] | None) -> None:
        """Set what is called when the page closes it."""


class CommTargets(Protocol):
    """What is used of ipykernel's comm manager."""

    targets: dict[str, Callable[[KernelComm, CommMessage], None]]

    def register_target(
        self, target_name: str, f: Callable[[KernelComm, CommMessage], None]
    ) -> None:
        """Set what is called when a page opens a comm."""


class CommTarget:
    """The target of one shell.

    Args:
        shell: of the kernel; a terminal's has no comms, and gets none.
        cells: told of the cells below which a page draws proposals.
    """

    def __init__(self, shell: InteractiveShell, cells: NotebookCells) -> None:
        self._shell = shell
        self._cells = cells
        self._peers: CommPeers | None = None
        kernel = getattr(shell, "kernel", None)
        self._manager: CommTargets | None = getattr(kernel, "comm_manager", None)

    def register(self) -> None:
        """Let pages open comms."""
        if self._manager is not None:
            self._manager.register_target(TARGET, self._open)

    def unregister(self) -> None:
        """Close the comms that are open; pages can open no more."""
        if self._manager is not None and self._manager.targets.get(TARGET) == self._open:
            del self._manager.targets[TARGET]
        peers, self._peers = self._peers, None
        if peers is not None:
            peers.close()

    def _open(self, comm: KernelComm, message: CommMessage) -> None:
        match message:
            case {"content": {"data": {"draws_proposals_of": str(cell_id)}}}:
                self._cells.note_drawn(cell_id)
                comm.close()
            case _:
                self._serve(comm)

    def _serve(self, comm: KernelComm) -> None:
        if self._peers is None:
            found: CommPeers = import_module(f"{__package__}.comm_peers").CommPeers(self._shell)
            self._peers = found
        self._peers.open(comm)
