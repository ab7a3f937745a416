"""What runs cells in tests that need no kernel."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from jupyter_ac.chat.history.owners import Owner
from jupyter_ac.chat.history.schema import history_database
from jupyter_ac.execution.cell_runner import CellRunner
from jupyter_ac.execution.cell_runs import CellRun, RunState
from jupyter_ac.execution.outputs import OutputCapture
from jupyter_ac.execution.run_journal import RunJournal, journal_database
from jupyter_ac.ids import Identity
from jupyter_ac.store.row_signing import RowSigner


class Kernel:
    """Ends a cell when it is told to.

    Attributes:
        reason: why nothing can be run; "" if it can.
        executed: the cells that came.
        interrupted: the cells that were interrupted.
        unreachable: the failure of an interrupt.
        ending: the end of the cell that runs, or its failure.
    """

    def __init__(self) -> None:
        self.reason = ""
        self.executed: list[CellRun] = []
        self.interrupted: list[CellRun] = []
        self.unreachable: Exception | None = None
        self.ending: asyncio.Future[RunState] | None = None
        self.came = asyncio.Event()

    def has(self, kernel_id: str) -> bool:
        """Whether such a kernel runs."""
        return kernel_id == "k1"

    def refusal(self, identity: Identity, kernel_id: str) -> str:
        """Why nothing can be run."""
        del identity, kernel_id
        return self.reason

    async def execute(self, run: CellRun, capture: OutputCapture) -> RunState:
        """Run a cell until it is ended."""
        self.executed.append(run)
        self.ending = asyncio.get_running_loop().create_future()
        self.came.set()
        capture.add({"output_type": "stream", "name": "stdout", "text": f"of {run.request.code}"})
        return await self.ending

    async def interrupt(self, run: CellRun) -> None:
        """Interrupt it, as an interrupt of Python does."""
        if self.unreachable is not None:
            raise self.unreachable
        self.interrupted.append(run)
        if self.ending is not None and not self.ending.done():
            self.ending.set_result(RunState.INTERRUPTED)

    async def end(self, state: RunState | Exception) -> None:
        """Let the cell that runs, or is about to, end like this."""
        await asyncio.wait_for(self.came.wait(), 60)
        self.came.clear()
        assert self.ending is not None
        if isinstance(state, Exception):
            self.ending.set_exception(state)
        else:
            self.ending.set_result(state)


def journal_in(folder: Path, owner: Owner | None = None, key: bytes = b"ada's") -> RunJournal:
    """The journal of a folder, as a host opens it for the user with this key."""
    host = owner or Owner()
    return RunJournal(
        journal_database(history_database(folder, RowSigner(key, folder))),
        "",
        str(host),
        lambda process, age_ms, limit_ms: host.is_gone(process, age_ms, 3 * limit_ms),
    )


def runner_in(
    folder: Path,
    kernel: Kernel,
    *,
    is_on: Callable[[], bool] = lambda: True,
    publish: Callable[[CellRun], None] = lambda _: None,
) -> CellRunner:
    """What runs cells in a kernel, with the journal of a folder."""
    return CellRunner(kernel, journal_in(folder), is_on, publish)
