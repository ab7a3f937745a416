"""Runs an approved cell where its notebook is open: in a page, else by the host's kernel client.

A page that lists `AcApp.runCell` may hold the notebook's session. Pages are asked one after
another, first the one that approved, then the one that was used last. One that answers `not_here`
hasn't the session; any other answer, or none, is final: a cell is never run twice.
"""

import asyncio
import math
from collections.abc import Mapping
from typing import Final, Protocol
from weakref import WeakValueDictionary

from jupyter_ac.errors import AcError, Conflict, NotFound, RemoteError
from jupyter_ac.execution.cell_runner import BUSY_KERNEL, CellExecutor
from jupyter_ac.execution.cell_runs import CellRun, RunState
from jupyter_ac.execution.outputs import OutputCapture
from jupyter_ac.ids import Identity
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.services.subscribers import Subscribers

RUN: Final = "AcApp.runCell"
INTERRUPT: Final = "AcApp.interruptCell"

NOT_HERE: Final = "not_here"
BUSY: Final = "busy"
FAILED: Final = "failed"

_INTERRUPT_S: Final = 10.0
_GRACE_S: Final = 30.0
_MAX_OUTPUTS: Final = 10_000
_MAX_REASON: Final = 500

_NO_KERNELS: Final = (
    "Cells can't be run here: this host has no kernels, and no JupyterLab page of yours is "
    "connected to it. Open the notebook in JupyterLab with the jupyter_ac extension."
)
_NO_SUCH_KERNEL: Final = (
    "No page holds this kernel, and the host doesn't know it; open the notebook and start its "
    "kernel."
)
_LOST: Final = "The page that ran the cell has gone; whether the cell came to its end isn't known."

_STATES: Final = {
    state.value: state
    for state in (RunState.OK, RunState.ERROR, RunState.TIMED_OUT, RunState.INTERRUPTED)
}


class HostKernels(CellExecutor, Protocol):
    """The kernels that the host itself can reach."""

    def has(self, kernel_id: str) -> bool:
        """Return whether such a kernel runs."""
        ...


class CellExecution:
    """Runs cells in pages and in the host's kernels.

    Args:
        subscribers: the connected pages.
        kernels: the host's; None where it has none.
    """

    def __init__(self, subscribers: Subscribers, kernels: HostKernels | None) -> None:
        self._subscribers, self._kernels = subscribers, kernels
        self._approvers: WeakValueDictionary[str, Peer] = WeakValueDictionary()
        self._pages: dict[str, Peer] = {}
        self._stopped: set[str] = set()

    def prefer(self, run_id: str, page: Peer) -> None:
        """Ask this page first to run a cell: its user has approved it there."""
        self._approvers[run_id] = page

    def refusal(self, identity: Identity, kernel_id: str) -> str:
        """Return why nothing can be run in a kernel, as a sentence; "" if it may be possible."""
        if self._pages_of(identity):
            return ""
        if self._kernels is None:
            return _NO_KERNELS
        return "" if self._kernels.has(kernel_id) else _NO_SUCH_KERNEL

    async def execute(self, run: CellRun, capture: OutputCapture) -> RunState:
        """Run a cell in the first page that holds its kernel, else by the host's client.

        Raises:
            NotFound: neither knows the kernel.
            Conflict: the kernel was busy until the time limit.
            AcError: it isn't known what became of the cell.
        """
        state = await self._in_pages(run, capture)
        if state is not None:
            return state
        if self._kernels is None or not self._kernels.has(run.request.kernel_id):
            raise NotFound(_NO_SUCH_KERNEL)
        return await self._kernels.execute(run, capture)

    async def interrupt(self, run: CellRun) -> None:
        """Interrupt a cell where it runs; nothing else is asked to run it then."""
        page = self._pages.get(run.run_id)
        if page is not None:
            self._stopped.add(run.run_id)
            await page.call(INTERRUPT, run.run_id, timeout_s=_INTERRUPT_S)
        elif self._kernels is not None:
            await self._kernels.interrupt(run)

    def _pages_of(self, identity: Identity) -> list[Peer]:
        pages = self._subscribers.pages_of(identity)
        return [page for page in pages if RUN in page.remote_methods and not page.closed]

    async def _in_pages(self, run: CellRun, capture: OutputCapture) -> RunState | None:
        """Run a cell in the first page that has the kernel; None if no page has it."""
        first = self._approvers.pop(run.run_id, None)
        pages = self._pages_of(run.identity)
        try:
            for page in sorted(pages, key=lambda page: (page is not first, -page.calls.last_s)):
                self._pages[run.run_id] = page
                state = await self._in_page(page, run, capture)
                if state is not None:
                    return state
                if run.run_id in self._stopped:
                    return RunState.INTERRUPTED
        finally:
            self._pages.pop(run.run_id, None)
            self._stopped.discard(run.run_id)
        return None

    async def _in_page(self, page: Peer, run: CellRun, capture: OutputCapture) -> RunState | None:
        """Run a cell in a page; None if the page hasn't the kernel."""
        answer = await _ask(page, run)
        if not isinstance(answer, Mapping):
            raise Conflict("The page's answer about the cell was no answer.")
        status, outputs = answer.get("status"), answer.get("outputs")
        if status == NOT_HERE:
            return None
        if status == BUSY:
            raise Conflict(BUSY_KERNEL)
        if status == FAILED:
            raise Conflict(f"The page says: {str(answer.get('reason'))[:_MAX_REASON]}")
        for output in outputs[:_MAX_OUTPUTS] if isinstance(outputs, list) else ():
            if isinstance(output, Mapping):
                capture.add(output)
        return _STATES.get(str(status), RunState.ERROR)


async def _ask(page: Peer, run: CellRun) -> object:
    """Ask a page to run a cell; if the caller gives up, the page interrupts it.

    Raises:
        Conflict: there was no answer; the cell may have run.
    """
    request = run.request
    cell = {
        "run_id": run.run_id,
        "kernel_id": request.kernel_id,
        "code": request.code,
        "sha256": run.sha256,
        "time_limit_s": request.time_limit_s,
    }
    # A page waits for an idle kernel up to the time limit, and then runs the cell as long.
    longest_s = math.ceil(2 * request.time_limit_s + _GRACE_S)
    try:
        return await page.call(RUN, cell, timeout_s=longest_s)
    except RemoteError as error:
        raise Conflict(f"The page did not run the cell: {error}") from error
    except AcError as error:
        raise Conflict(_LOST) from error
    except asyncio.CancelledError:
        if not page.closed:
            page.notify(INTERRUPT, run.run_id)
        raise
