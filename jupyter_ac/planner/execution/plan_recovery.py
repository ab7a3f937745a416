"""Puts plans in order whose host has ended while they ran: it was killed, or the power failed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from jupyter_ac.git.repository import Repository
from jupyter_ac.planner.execution.task_attempts import commit_mark, worktree_prefix
from jupyter_ac.planner.plans.plan import Plan, PlanState, Task, TaskOutcome, TaskState
from jupyter_ac.planner.plans.plan_changes import PlanChange, PlanMoved, TaskMoved
from jupyter_ac.planner.plans.plan_registry import PlanRegistry
from jupyter_ac.planner.worktrees.plan_branch import PlanBranch
from jupyter_ac.planner.worktrees.task_worktrees import TaskWorktrees

INTERRUPTED: Final = "The host ended while it ran; resume it."

_AGAIN: Final = "The host ended during the last attempt."
_UNENDED: Final = frozenset({PlanState.RUNNING, PlanState.CANCELLING})


class PlanRecovery:
    """Recovers plans of one repository; the caller holds the lock of the plan.

    Args:
        repository: whose branches tell what was merged.
        registry: of the plans.
        worktrees: of tasks, those that were left behind.
    """

    def __init__(
        self, repository: Repository, registry: PlanRegistry, worktrees: TaskWorktrees
    ) -> None:
        self._repository, self._registry, self._worktrees = repository, registry, worktrees

    @staticmethod
    def is_needed(plan: Plan) -> bool:
        """Whether a plan that no host runs is in a state that only running ones have."""
        return plan.state in _UNENDED or bool(plan.active())

    async def mend(self, plan: Plan, reason: str = INTERRUPTED) -> Plan:
        """Pause a plan, with its tasks as their results are.

        A task whose result is on the branch is done; another one that was being carried out is
        carried out anew when the plan is resumed. A plan that was being cancelled is.

        Raises:
            AcError: git or the disk fails; it can be tried again.
        """
        for name in await self._worktrees.names(worktree_prefix(plan)):
            await self._worktrees.remove(name)
        merged = {task.task_id: await self.merged(plan, task) for task in plan.active()}

        def changes(now: Plan) -> Sequence[PlanChange]:
            moves = [
                move for task in now.active() for move in _moves(task, merged.get(task.task_id))
            ]
            if now.state is PlanState.CANCELLING:
                return [TaskMoved(task.task_id, "cancel", now.reason) for task in now.active()]
            if now.state is PlanState.RUNNING:
                return [PlanMoved("pause", reason), *moves]
            return moves

        return await self._registry.change(plan.plan_id, plan.identity, changes)

    async def merged(self, plan: Plan, task: Task) -> TaskOutcome | None:
        """Return the outcome of a task whose result is on the branch already."""
        branch = PlanBranch(self._repository, plan.plan_id)
        found = await branch.find(commit_mark(plan, task), plan.base)
        if found is None:
            return None
        before = task.outcome or TaskOutcome()
        return replace(
            before,
            explanation=found.explanation,
            files_modified=found.changed.modified,
            files_created=found.changed.created,
            files_deleted=found.changed.deleted,
            commit=found.commit,
            conflicts=(),
        )


def _moves(task: Task, merged: TaskOutcome | None) -> list[PlanChange]:
    if merged is None:
        return [TaskMoved(task.task_id, "try_again", _AGAIN)]
    validated: list[PlanChange] = (
        [TaskMoved(task.task_id, "validate")] if task.state is TaskState.RUNNING else []
    )
    return [*validated, TaskMoved(task.task_id, "finish", "", merged)]
