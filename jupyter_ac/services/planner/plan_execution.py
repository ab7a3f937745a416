"""The methods that carry out plans, and bring their results into the user's files."""

from typing import Final, TypedDict

from jupyter_ac.edit_rows import KeptFile
from jupyter_ac.errors import InvalidParams
from jupyter_ac.planner.execution.branch_application import BranchApplication
from jupyter_ac.planner.execution.plan_runner import PlanRunner
from jupyter_ac.planner.plans.plan import Plan
from jupyter_ac.planner.plans.plan_changes import ChangesApplied
from jupyter_ac.planner.plans.plan_registry import PlanRegistry
from jupyter_ac.planner.plans.plan_wire import plan_row
from jupyter_ac.planner_rows import PlanRow
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method

MAX_NOTE: Final = 10_000
MAX_REASON: Final = 1_000


class PlanDiff(TypedDict):
    """What a plan, or one of its tasks, has changed.

    Attributes:
        diff: unified, of all files; at most 4 MiB.
    """

    diff: str


class AppliedPlan(TypedDict):
    """A plan whose results are in the user's files.

    Attributes:
        plan: as it is now.
        files: that were changed, and staged.
    """

    plan: PlanRow
    files: list[str]


class UndonePlan(TypedDict):
    """A plan whose results were taken out of the user's files again.

    Attributes:
        plan: as it is now.
        files: that are as they were before.
        kept: that were changed since, and left alone.
    """

    plan: PlanRow
    files: list[str]
    kept: list[KeptFile]


class PlanExecutionMethods:
    """Carries out plans.

    Args:
        registry: keeps them.
        runner: runs them.
        application: brings their results into the user's files.
    """

    def __init__(
        self, registry: PlanRegistry, runner: PlanRunner, application: BranchApplication
    ) -> None:
        self._registry, self._runner = registry, runner
        self._application = application

    @method(Access.EXECUTE)
    async def run_plan(
        self,
        plan_id: str,
        concurrency: int | None = None,
        executor: str = "agent",
        allow_setup: str = "",
    ) -> PlanRow:
        """Approve a plan and start it; `AcApp.planUpdated` tells how it goes on.

        Each task works in a copy of the repository of its own (a git worktree), and its result
        goes onto the plan's branch. The user's files stay as they are until `apply_plan`.
        `concurrency` (1 to 8) is how many tasks run at the same time. `allow_setup` is the command
        of the setting `plans.worktree_setup`, which allows it to run.
        """
        plan = await self._plan(plan_id)
        return plan_row(await self._runner.run(plan, executor, allow_setup, concurrency))

    @method(Access.EXECUTE)
    async def pause_plan(self, plan_id: str) -> PlanRow:
        """Start no further task of a plan; those that run go on to their ends."""
        return plan_row(await self._runner.pause(await self._plan(plan_id)))

    @method(Access.EXECUTE)
    async def resume_plan(self, plan_id: str) -> PlanRow:
        """Go on with a paused plan, also with one whose host has ended."""
        return plan_row(await self._runner.resume(await self._plan(plan_id)))

    @method(Access.EXECUTE, is_urgent=True)
    async def cancel_plan(self, plan_id: str, reason: str = "") -> PlanRow:
        """Reject a plan that waits for approval, or end one that runs."""
        plan = await self._plan(plan_id)
        return plan_row(await self._runner.cancel(plan, reason[:MAX_REASON]))

    @method(Access.EXECUTE)
    async def retry_task(self, plan_id: str, task_id: str, note: str = "") -> PlanRow:
        """Carry out a failed task again, on top of what others have done since.

        Its agent is told why it has failed, or `note` instead, and the conflicts if there were any.
        """
        if len(note) > MAX_NOTE:
            raise InvalidParams(f"note may have {MAX_NOTE:,} characters.", {"path": "$.note"})
        plan = await self._plan(plan_id)
        return plan_row(await self._runner.retry(plan, task_id, note))

    @method(Access.EXECUTE, is_urgent=True)
    async def cancel_task(self, plan_id: str, task_id: str) -> PlanRow:
        """End a task that isn't over; what depends on it is blocked."""
        return plan_row(await self._runner.cancel_task(await self._plan(plan_id), task_id))

    @method(Access.READ)
    async def get_plan_diff(self, plan_id: str, task_id: str = "") -> PlanDiff:
        """Return one diff of what a plan has changed on its branch, or one of its tasks."""
        plan = await self._plan(plan_id)
        task = plan.task(task_id) if task_id else None
        return PlanDiff(diff=await self._application.diff(plan, task))

    @method(Access.WRITE)
    async def apply_plan(self, plan_id: str) -> AppliedPlan:
        """Merge the plan's branch into the user's files, and stage that; all or nothing.

        Where the user and the plan have changed the same lines, nothing is changed, and the error
        names the files.
        """
        plan = await self._plan(plan_id)
        applied = await self._application.apply(plan)
        plan = await self._registry.change(
            plan_id, plan.identity, lambda _: [ChangesApplied(applied)]
        )
        return AppliedPlan(plan=plan_row(plan), files=list(applied.files))

    @method(Access.WRITE)
    async def undo_plan(self, plan_id: str) -> UndonePlan:
        """Give the files the bytes from before `apply_plan`; files changed since are left alone."""
        plan = await self._plan(plan_id)
        restored, kept = await self._application.undo(plan)
        plan = await self._registry.change(plan_id, plan.identity, lambda _: [ChangesApplied(None)])
        return UndonePlan(
            plan=plan_row(plan),
            files=list(restored),
            kept=[KeptFile(path=one.path, reason=one.reason) for one in kept],
        )

    async def _plan(self, plan_id: str) -> Plan:
        plan = await self._registry.get(plan_id, current_caller().identity)
        return await self._runner.mended(plan)
