"""RPC methods for cells that the program runs: request, approve, refuse, interrupt, list."""

import base64
from collections.abc import Awaitable, Callable
from typing import TypedDict

from jupyter_ac.cell_run_rows import CellRunRow
from jupyter_ac.errors import NotFound
from jupyter_ac.execution.cell_runner import CellRunner
from jupyter_ac.execution.cell_runs import DEFAULT_LIMIT_S, CellRequest
from jupyter_ac.execution.outputs import OutputKind
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.llm.cell_execution import CellExecution


class CellRunStatus(TypedDict):
    """A cell after a call.

    Attributes:
        status: as of `CellRunRow`.
        sha256: of the code in UTF-8, hexadecimal.
    """

    run_id: str
    status: str
    sha256: str


class CellRunImage(TypedDict):
    """An image that a cell has put out, as a `data:` address."""

    data_uri: str


class CellRunMethods:
    """RPC methods for cells that the program runs in the user's kernels.

    Args:
        runner: runs them.
        execution: told which page approved a cell.
        renew: reads settings that have changed on disk.
    """

    def __init__(
        self, runner: CellRunner, execution: CellExecution, renew: Callable[[], Awaitable[None]]
    ) -> None:
        self._runner, self._execution, self._renew = runner, execution, renew

    @method(Access.EXECUTE)
    async def request_cell_run(
        self, notebook: str, kernel_id: str, code: str, time_limit_s: float = DEFAULT_LIMIT_S
    ) -> CellRunStatus:
        """Ask for approval to run code in a kernel; nothing is run yet.

        Refused unless the setting `kernel.run_cells` is true. `notebook` is a path for the user
        and the journal; the time limit may be 0.1 to 600 seconds. `cellRunUpdated` follows.
        """
        request = CellRequest(notebook, kernel_id, code, float(time_limit_s))
        await self._renew()
        run = self._runner.request(request, current_caller().identity)
        return CellRunStatus(run_id=run.run_id, status=run.state.value, sha256=run.sha256)

    @method(Access.EXECUTE)
    async def approve_cell_run(self, run_id: str) -> CellRunStatus:
        """Approve exactly this code for exactly this kernel, once, and run it."""
        caller = current_caller()
        await self._renew()
        self._execution.prefer(run_id, caller.peer)
        run = await self._runner.approve(run_id, caller.identity)
        return CellRunStatus(run_id=run_id, status=run.state.value, sha256=run.sha256)

    @method(Access.EXECUTE)
    async def refuse_cell_run(self, run_id: str) -> CellRunStatus:
        """Refuse a cell that waits for approval."""
        run = await self._runner.refuse(run_id, current_caller().identity)
        return CellRunStatus(run_id=run_id, status=run.state.value, sha256=run.sha256)

    @method(Access.EXECUTE, is_urgent=True)
    async def interrupt_cell_run(self, run_id: str) -> CellRunStatus:
        """Interrupt a running cell; its end follows by `cellRunUpdated`."""
        run = await self._runner.interrupt(run_id, current_caller().identity)
        return CellRunStatus(run_id=run_id, status=run.state.value, sha256=run.sha256)

    @method(Access.READ)
    async def list_cell_runs(self) -> list[CellRunRow]:
        """Return the newest 100 cells that were requested or run, newest first."""
        return [run.row() for run in await self._runner.recent(current_caller().identity)]

    @method(Access.READ)
    async def get_cell_run_image(self, run_id: str, position: int) -> CellRunImage:
        """Return an image of one of the newest runs, by its position in `outputs` from 0."""
        run = self._runner.known(run_id, current_caller().identity)
        if not 0 <= position < len(run.outputs):
            raise NotFound(f"The cell has no output {position}.")
        output = run.outputs[position]
        if output.kind is not OutputKind.IMAGE:
            raise NotFound(f"Output {position} of the cell is no image.")
        data = base64.b64encode(output.data).decode("ascii")
        return CellRunImage(data_uri=f"data:{output.mime_type};base64,{data}")
