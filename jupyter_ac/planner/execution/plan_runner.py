"""Runs the plans of a workspace: approves, pauses, resumes, cancels, tries again."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from jupyter_ac.errors import Busy, Conflict, InvalidParams
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import read_git
from jupyter_ac.planner.execution.plan_drive import (
    BY_THE_USER,
    DriveParts,
    OnText,
    PlanDrive,
    lock_name,
    unheard,
)
from jupyter_ac.planner.execution.plan_recovery import PlanRecovery
from jupyter_ac.planner.plans.plan import MAX_CONCURRENCY, Plan, PlanState
from jupyter_ac.planner.plans.plan_changes import (
    BranchStarted,
    PlanChange,
    PlanMoved,
    TaskMoved,
)
from jupyter_ac.planner.plans.plan_machines import next_plan_state
from jupyter_ac.planner.worktrees.plan_branch import PlanBranch
from jupyter_ac.planner.worktrees.snapshot_commit import snapshot_commit
from jupyter_ac.store.locks import hold

log = logging.getLogger(__name__)

CLOSE_S: Final = 10.0
"""How long attempts may take to end when the workspace closes."""


class PlanRunner:
    """Runs the plans of one workspace. Belongs to one event loop.

    Args:
        parts: what carrying them out needs.
    """

    def __init__(self, parts: DriveParts) -> None:
        self._parts = parts
        self._drives: dict[str, tuple[PlanDrive, asyncio.Task[None]]] = {}
        self._is_closed = False
        parts.registry.listeners.append(self._notice)

    @property
    def is_busy(self) -> bool:
        """Whether a plan runs in this process."""
        return bool(self._drives)

    async def mended(self, plan: Plan) -> Plan:
        """Return a plan as it is, put in order if its host has ended in the middle."""
        if plan.plan_id in self._drives or not PlanRecovery.is_needed(plan):
            return plan
        try:
            async with hold(self._parts.state_dir, lock_name(plan.plan_id), wait_s=0):
                return await self._parts.recovery.mend(plan)
        except Busy:  # another host runs it
            return plan

    async def run(
        self,
        plan: Plan,
        executor: str,
        setup: str = "",
        concurrency: int | None = None,
        on_text: OnText = unheard,
    ) -> Plan:
        """Approve a plan and start it; returns at once.

        Args:
            plan: that waits for approval.
            executor: name of what carries out its tasks.
            setup: the command for worktrees that the user allows with this; "" for none.
            concurrency: tasks that run at the same time; None: as planned.
            on_text: gets what the agents say.

        Raises:
            InvalidParams: there is no such executor.
            Conflict: the settings name a command that isn't allowed with this.
            IllegalTransition: the plan can't be started.
            AcError: git or the disk fails.
        """
        started = self._checked(plan, executor, setup, concurrency)
        changes: list[PlanChange] = [PlanMoved("approve")]
        if not plan.base:
            base = await self._start_branch(plan)
            changes.insert(0, BranchStarted(base, *started))
        plan = await self._change(plan, lambda _: changes)
        self._drive(plan, on_text)
        return plan

    async def pause(self, plan: Plan) -> Plan:
        """Start no further task; those that are carried out go on to their ends."""
        return await self._change(plan, lambda _: [PlanMoved("pause", "Paused by the user.")])

    async def resume(self, plan: Plan) -> Plan:
        """Go on with a paused plan."""
        plan = await self._change(plan, lambda _: [PlanMoved("resume")])
        self._drive(plan)
        return plan

    async def cancel(self, plan: Plan, reason: str) -> Plan:
        """Reject a plan, or end one that runs; what its tasks do is stopped."""
        plan = await self._change(plan, lambda _: [PlanMoved("cancel", reason or BY_THE_USER)])
        if plan.plan_id in self._drives:
            self._drives[plan.plan_id][0].stop_all()
        return plan

    async def retry(self, plan: Plan, task_id: str, note: str) -> Plan:
        """Carry out a failed task again; a plan that has failed goes on with it.

        Args:
            plan: of the task.
            task_id: of it.
            note: told to its agent; "" for why it has failed.
        """
        reason = note.strip() or plan.task(task_id).reason

        def changes(now: Plan) -> Sequence[PlanChange]:
            again: list[PlanChange] = [PlanMoved("retry")] if now.state is PlanState.FAILED else []
            return [*again, TaskMoved(task_id, "retry", reason)]

        plan = await self._change(plan, changes)
        if plan.state is PlanState.RUNNING:
            self._drive(plan)
        return plan

    async def cancel_task(self, plan: Plan, task_id: str) -> Plan:
        """End a task that isn't over; what depends on it is blocked."""
        plan.task(task_id)  # raises where there is none
        drive = self._drives.get(plan.plan_id)
        attempt = drive[0].stop(task_id) if drive is not None else None
        if attempt is not None:
            await asyncio.wait({attempt})
            return await self._parts.registry.get(plan.plan_id, plan.identity)
        return await self._change(plan, lambda _: [TaskMoved(task_id, "cancel", BY_THE_USER)])

    async def ended(self, plan: Plan) -> Plan:
        """Wait until a plan that runs here does no longer; returns it."""
        drive = self._drives.get(plan.plan_id)
        if drive is not None:
            await asyncio.wait({drive[1]})
        return await self._parts.registry.get(plan.plan_id, plan.identity)

    async def aclose(self) -> None:
        """Pause all plans; their tasks are carried out anew when they are resumed. Bounded."""
        self._is_closed = True
        tasks = [task for _, task in self._drives.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSE_S)

    async def _change(self, plan: Plan, choose: Callable[[Plan], Sequence[PlanChange]]) -> Plan:
        return await self._parts.registry.change(plan.plan_id, plan.identity, choose)

    def _notice(self, plan: Plan) -> None:
        if plan.plan_id in self._drives:
            self._drives[plan.plan_id][0].notice()

    def _checked(
        self, plan: Plan, executor: str, setup: str, concurrency: int | None
    ) -> tuple[str, str, int]:
        """Return the executor, the command for worktrees and the concurrency of a run."""
        if executor not in self._parts.executors:
            names = ", ".join(sorted(self._parts.executors))
            raise InvalidParams(f"There is no executor {executor[:100]!r}; there are: {names}.")
        wanted = self._parts.preparation().setup
        if wanted and setup != wanted:
            raise Conflict(
                f"plans.worktree_setup runs `{wanted}` in the copy of each task, outside of the "
                "sandbox. Allow it by sending it as allow_setup, or empty the setting.",
                {"setup": wanted},
            )
        limit = plan.limits.concurrency if concurrency is None else concurrency
        if not 1 <= limit <= MAX_CONCURRENCY:
            raise InvalidParams(
                f"concurrency must be from 1 to {MAX_CONCURRENCY}.", {"path": "$.concurrency"}
            )
        next_plan_state(plan.state, "approve")
        return executor, wanted, limit

    async def _start_branch(self, plan: Plan) -> str:
        """Commit the user's files as they are, and begin the plan's branch with that."""
        repository = self._parts.repository
        branch = PlanBranch(repository, plan.plan_id)
        message = f"Files at the start of {plan.plan_id}\n"
        made = await snapshot_commit(repository, message, await _head_of(repository))
        await branch.move(made.commit, await branch.head())
        return made.commit

    def _drive(self, plan: Plan, on_text: OnText = unheard) -> None:
        if self._is_closed:
            raise Busy("The workspace is closing; reload the page.")
        running = self._drives.get(plan.plan_id)
        if running is not None and not running[0].is_over:
            return
        drive = PlanDrive(self._parts, plan, on_text)
        task = asyncio.create_task(drive.run(), name=f"plan {plan.plan_id}")
        self._drives[plan.plan_id] = drive, task
        task.add_done_callback(lambda done: self._driven(plan.plan_id, done))

    def _driven(self, plan_id: str, task: "asyncio.Task[None]") -> None:
        if plan_id in self._drives and self._drives[plan_id][1] is task:
            del self._drives[plan_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s can't be run", task.get_name(), exc_info=error)


async def _head_of(repository: Repository) -> list[str]:
    """Return the commit that is checked out, as a list; an empty one before the first."""
    output = await read_git(repository.root, ("rev-parse", "--verify", "--quiet", "HEAD"))
    commit = output.data.decode("ascii", "replace").strip()
    return [commit] if output.exit_code == 0 and commit else []
