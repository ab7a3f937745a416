"""Runs cells after approval: requests, decisions, the run itself, its journal.

The later caller is an agent: it requests a cell, waits for `ended`, and reads the outputs. Nothing
is run that a user hasn't approved, and nothing while the setting is off.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from jupyter_ac.errors import AccessDenied, AcError, Busy, NotFound, TimedOut, Unsupported
from jupyter_ac.execution.approvals import LIFETIME_S, Approvals
from jupyter_ac.execution.cell_runs import CellRequest, CellRun, RunState, now_ms
from jupyter_ac.execution.outputs import OutputCapture
from jupyter_ac.execution.run_journal import RunJournal
from jupyter_ac.ids import Identity

OFF: Final = (
    "Cells aren't run: the setting kernel.run_cells is false. Set it to true in app.json, or ask "
    "your administrator if it is locked."
)
BUSY_KERNEL: Final = (
    "The kernel was busy with another cell until the time limit; the cell was not run."
)
MAX_WAITING: Final = 20
"""Requests of a person that wait for approval."""

MAX_RECENT: Final = 100
"""Runs that are listed."""

MAX_KEPT: Final = 20
"""Ended runs in memory, with their images."""

GRACE_S: Final = 10.0
"""After an interrupt a kernel may take so long to end the cell."""

_SLACK_S: Final = 60.0
_NO_DECISION: Final = "Nobody decided within 10 minutes."
_STOPPED: Final = "It was interrupted on request."
_CLOSING: Final = "The server was stopped while the cell ran."

_logger = logging.getLogger(__name__)


class CellExecutor(Protocol):
    """Runs code in a kernel."""

    async def execute(self, run: CellRun, capture: OutputCapture) -> RunState:
        """Run a cell whose approval was redeemed, and capture its outputs.

        At the time limit, and when it is cancelled, the kernel is interrupted. A kernel that is
        busy with other work is waited for within the time limit, and not interrupted.

        Returns:
            `OK`, `ERROR`, `TIMED_OUT` or `INTERRUPTED`.

        Raises:
            AcError: it can't be run, or what became of it isn't known.
        """
        ...

    async def interrupt(self, run: CellRun) -> None:
        """Interrupt the kernel if it runs this cell; `execute` then comes to its end."""
        ...


class CellPlaces(CellExecutor, Protocol):
    """All that can run code for a person: pages, kernels of the host."""

    def refusal(self, identity: Identity, kernel_id: str) -> str:
        """Return why nothing can be run in a kernel, as a sentence; "" if it may be possible."""
        ...


class CellRunner:
    """The cells of a workspace. Belongs to one event loop.

    Args:
        executor: runs code.
        journal: of what was run.
        is_on: returns whether the setting allows it.
        publish: called with each new state.
    """

    def __init__(
        self,
        executor: CellPlaces,
        journal: RunJournal,
        is_on: Callable[[], bool],
        publish: Callable[[CellRun], None],
    ) -> None:
        self._executor, self._journal = executor, journal
        self._is_on, self._publish = is_on, publish
        self._approvals = Approvals()
        self._runs: dict[str, CellRun] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ends: dict[str, asyncio.Event] = {}
        self._stopped: set[str] = set()
        self._is_closing = False

    @property
    def is_running(self) -> bool:
        """Whether a cell runs."""
        return bool(self._tasks)

    def request(self, request: CellRequest, identity: Identity) -> CellRun:
        """Ask the user to approve a cell; it waits at most 10 minutes.

        Raises:
            AccessDenied: the setting is off.
            Busy: too many requests wait.
            Unsupported: nothing can be run here.
        """
        self._require_on()
        if reason := self._executor.refusal(identity, request.kernel_id):
            raise Unsupported(reason)
        self._expire()
        waiting = [
            run
            for run in self._runs.values()
            if run.state is RunState.WAITING and run.identity == identity
        ]
        if len(waiting) >= MAX_WAITING:
            raise Busy(f"{MAX_WAITING} cells wait for approval; decide on some of them.")
        run = CellRun.of(request, identity)
        self._ends[run.run_id] = asyncio.Event()
        self._update(run)
        return run

    async def approve(self, run_id: str, identity: Identity) -> CellRun:
        """Run a cell, because the user has decided so; returns when it is in the journal.

        Raises:
            AccessDenied: the setting is off.
            NotFound: there is no such request of this person.
            Conflict: it was decided already.
            AcError: the journal can't be written; nothing is run.
        """
        self._require_on()
        run = self._of(run_id, identity).moved(RunState.RUNNING)
        run = replace(run, approved_by=identity)
        approval = self._approvals.issue(run.request.kernel_id, run.request.code, identity)
        before = self._runs[run_id]
        self._runs[run_id] = run  # a second decision meanwhile is a conflict
        try:
            await self._journal.write(run)
        except BaseException:
            self._runs[run_id] = before
            raise
        self._update(run)
        self._tasks[run_id] = asyncio.create_task(self._run(run, approval.token), name=run_id)
        return run

    async def refuse(self, run_id: str, identity: Identity) -> CellRun:
        """Refuse a cell for good.

        Raises:
            NotFound: there is no such request of this person.
            Conflict: it was decided already.
        """
        run = self._of(run_id, identity).moved(RunState.REFUSED)
        self._update(run)
        await self._write(run)
        return run

    async def interrupt(self, run_id: str, identity: Identity) -> CellRun:
        """Interrupt a running cell; its end is published.

        Raises:
            NotFound: there is no such run of this person.
            AcError: what runs it can't be reached.
        """
        run = self._of(run_id, identity)
        if run.state is RunState.RUNNING:
            self._stopped.add(run_id)
            try:
                await self._executor.interrupt(run)
            except BaseException:
                self._stopped.discard(run_id)
                raise
        return self._runs[run_id]

    async def recent(self, identity: Identity) -> list[CellRun]:
        """Return a person's newest runs and open requests, newest first."""
        self._expire()
        stored = await self._journal.recent(identity, MAX_RECENT, now_ms())
        found = {run.run_id: run for run in stored}
        found |= {run.run_id: run for run in self._runs.values() if run.identity == identity}
        return sorted(found.values(), key=lambda run: run.requested_ms, reverse=True)[:MAX_RECENT]

    def known(self, run_id: str, identity: Identity) -> CellRun:
        """Return one of the newest runs, with its images.

        Raises:
            NotFound: there is no such run of this person in memory.
        """
        return self._of(run_id, identity)

    async def ended(self, run_id: str, identity: Identity) -> CellRun:
        """Wait until a run has ended or was refused, and return it.

        Raises:
            NotFound: there is no such run of this person.
        """
        run = self._of(run_id, identity)
        await self._ends[run_id].wait()
        return self._runs.get(run_id, run)

    async def aclose(self) -> None:
        """Interrupt what runs, and close the journal; bounded."""
        self._is_closing = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=2 * GRACE_S)
        await self._journal.aclose()

    async def _run(self, run: CellRun, token: str) -> None:
        capture, request = OutputCapture(), run.request
        state, reason = RunState.ERROR, ""
        try:
            self._approvals.redeem(token, request.kernel_id, request.code)
            async with asyncio.timeout(2 * request.time_limit_s + _SLACK_S):
                state = await self._executor.execute(run, capture)
        except TimedOut as error:
            state, reason = RunState.TIMED_OUT, error.message
        except AcError as error:
            reason = error.message
        except TimeoutError:
            state, reason = RunState.TIMED_OUT, "Nothing was heard of it any more."
        except asyncio.CancelledError:
            state, reason = RunState.INTERRUPTED, _CLOSING
        except Exception:
            _logger.exception("a cell could not be run")
            reason = "It could not be run; the server's log says why."
        if run.run_id in self._stopped and state in {RunState.ERROR, RunState.INTERRUPTED}:
            state, reason = RunState.INTERRUPTED, _STOPPED
        elif state is RunState.TIMED_OUT and not reason:
            reason = f"It was interrupted after {request.time_limit_s:g} seconds."
        ended = replace(
            run.moved(state, reason), outputs=capture.outputs, left_out=capture.left_out
        )
        await self._write(ended)
        self._tasks.pop(run.run_id, None)
        self._stopped.discard(run.run_id)
        self._update(ended)

    async def _write(self, run: CellRun) -> None:
        try:
            await self._journal.write(run)
        except AcError as error:
            _logger.warning("the end of a cell's run was not written down: %s", error)

    def _update(self, run: CellRun) -> None:
        self._runs[run.run_id] = run
        if run.has_ended:
            self._ends[run.run_id].set()
            over = [each.run_id for each in self._runs.values() if each.has_ended]
            for run_id in over[: max(0, len(over) - MAX_KEPT)]:
                del self._runs[run_id], self._ends[run_id]
        if not self._is_closing:
            self._publish(run)

    def _of(self, run_id: str, identity: Identity) -> CellRun:
        self._expire()
        run = self._runs.get(run_id)
        if run is None or run.identity != identity:
            raise NotFound("There is no such cell to run; it may have been decided long ago.")
        return run

    def _expire(self) -> None:
        """Refuse the requests that nobody has decided on."""
        oldest = now_ms() - int(LIFETIME_S * 1000)
        for run in list(self._runs.values()):
            if run.state is RunState.WAITING and run.requested_ms < oldest:
                self._update(run.moved(RunState.REFUSED, _NO_DECISION))

    def _require_on(self) -> None:
        if not self._is_on():
            raise AccessDenied(OFF)
