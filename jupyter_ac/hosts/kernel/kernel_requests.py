"""What the host may ask of the kernel while one of its cells waits for an agent.

| call | answer |
|---|---|
| `AcApp.notebookKernel(notebook)` | this kernel's id, if the notebook is its own; "" |
| `AcApp.listVariables(notebook)` | its variables; null |
| `AcApp.runCell(cell)` | runs code, as a page does: see docs/cell-runs.md |
| `AcApp.interruptCell(run_id)` | interrupts that |

Code runs on the thread of the waiting cell, between the steps of the run. When no cell waits, or
the notebook is another one, the answers are those of a page that hasn't it.
"""

import asyncio
import hashlib
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.kernel.live.kernel_methods import KernelMethods
from jupyter_ac.hosts.kernel.nested_cell import NestedCell
from jupyter_ac.inspection.variables import VariableList
from jupyter_ac.rpc.methods import Access, Method

SESSION: Final = "JPY_SESSION_NAME"
"""Jupyter's variable with the path of the notebook that a kernel was started for."""

_VSCODE: Final = "__vsc_ipynb_file__"
_NOT_HERE: Final[Mapping[str, object]] = {"status": "not_here"}
_OVER: Final = "The cell that asked the agent has ended."


@dataclass(frozen=True, slots=True)
class _Job:
    """Code that waits for the thread of the cell, or runs there."""

    run_id: str
    cell: NestedCell
    done: Future[Mapping[str, object]]


class KernelRequests:
    """Answers the host for one kernel.

    Args:
        shell: of the kernel.
    """

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell, self._methods = shell, KernelMethods(shell)
        self._kernel_id = f"cell-{os.getpid()}"
        self._root: Path | None = None
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        self._current: dict[str, _Job] = {}

    @property
    def methods(self) -> Mapping[str, Method]:
        """What the host may call."""
        handlers = {
            "AcApp.notebookKernel": self._kernel_of,
            "AcApp.listVariables": self._variables,
            "AcApp.runCell": self._run_cell,
            "AcApp.interruptCell": self._interrupt,
        }
        return {
            name: Method.of(name, handler, Access.EXECUTE) for name, handler in handlers.items()
        }

    @contextmanager
    def attended(self, root: Path | None) -> Iterator[None]:
        """Answer as long as the body runs, which calls `serve` again and again.

        Args:
            root: top of the repository of the run; None: nothing is served.
        """
        self._root = root
        try:
            yield
        finally:
            self._root = None
            self.release()

    def serve(self) -> None:
        """Run the code that waits; on the thread of the cell.

        Raises:
            KeyboardInterrupt: the user has interrupted it, and means the whole run. Stop that, then
                `release` the answer.
        """
        while True:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return
            if job.done.set_running_or_notify_cancel():
                _carry_out(job)

    def release(self) -> None:
        """Answer what still waits: it was not run, or was interrupted."""
        for job in list(self._current.values()):
            if not job.done.cancel() and not job.done.done():
                job.done.set_result({"status": "interrupted", "outputs": []})

    def _kernel_of(self, notebook: str) -> str:
        return self._kernel_id if self._has(notebook) else ""

    def _variables(self, notebook: str) -> VariableList | None:
        return self._methods.list_variables() if not notebook or self._has(notebook) else None

    async def _run_cell(self, cell: object) -> Mapping[str, object]:
        match cell:
            case {
                "run_id": str(run_id),
                "kernel_id": self._kernel_id,
                "code": str(code),
                "sha256": str(sha256),
                "time_limit_s": int() | float() as limit_s,
            } if self._root is not None:
                if hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest() != sha256:
                    return {"status": "failed", "reason": "The code isn't the approved one."}
            case _:
                return _NOT_HERE
        job = _Job(run_id, NestedCell(self._shell, code, limit_s), Future())
        self._current[run_id] = job
        self._jobs.put(job)
        try:
            return await asyncio.wrap_future(job.done)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            return {"status": "failed", "reason": _OVER}
        finally:
            self._current.pop(run_id, None)

    def _interrupt(self, run_id: str) -> None:
        job = self._current.get(run_id)
        if job is not None and not job.done.cancel():
            job.cell.interrupt()

    def _has(self, notebook: str) -> bool:
        """Return whether a notebook is this kernel's, as far as the kernel knows its own."""
        if self._root is None:
            return False
        own = self._shell.user_ns.get(_VSCODE) or os.environ.get(SESSION, "")
        if not isinstance(own, str) or not own.endswith(".ipynb"):
            return True
        given = self._root / notebook
        try:
            return given.samefile(own)
        except OSError:  # a path that only the server understands
            return given.name == Path(own).name


def _carry_out(job: _Job) -> None:
    try:
        result = job.cell.run()
    except AcError as error:
        job.done.set_result({"status": "failed", "reason": error.message})
        return
    if result.is_by_user:
        raise KeyboardInterrupt
    job.done.set_result({"status": result.status, "outputs": list(result.outputs)})
