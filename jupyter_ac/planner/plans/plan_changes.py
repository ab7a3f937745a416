"""The changes of a plan, and what each makes of it: the sum of the changes is the plan.

Rules that hold whatever is changed, because `apply` refuses all else:
 1. No task starts before its dependencies are done, or skipped where it doesn't need them.
 2. Never more tasks are active than the plan's `concurrency`, and none starts unless it runs.
 3. A final state never changes.
 4. Tasks are replaced only while the plan is a draft or awaits approval, by sound ones.
"""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from jupyter_ac.errors import Conflict, InvalidParams
from jupyter_ac.planner.plans.plan import (
    AppliedChanges,
    Plan,
    PlanState,
    Task,
    TaskOutcome,
    TaskState,
    is_satisfied,
)
from jupyter_ac.planner.plans.plan_machines import (
    PlanTrigger,
    TaskTrigger,
    next_plan_state,
    next_task_state,
)
from jupyter_ac.planner.plans.task_checks import graph_faults

EDITABLE: Final = frozenset({PlanState.DRAFT, PlanState.AWAITING_APPROVAL})
"""States of a plan in which its tasks may be replaced."""


@dataclass(frozen=True, slots=True)
class PlanCreated:
    """The plan as it was first, with the revision 1."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class PlanMoved:
    """A transition of the plan.

    Attributes:
        trigger: see `plan_machines`.
        reason: a sentence; "" for none.
    """

    trigger: PlanTrigger
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TaskMoved:
    """A transition of a task.

    Attributes:
        task_id: which.
        trigger: see `plan_machines`.
        reason: a sentence; "" for none.
        outcome: replaces the task's; None: it stays.
    """

    task_id: str
    trigger: TaskTrigger
    reason: str = ""
    outcome: TaskOutcome | None = None


@dataclass(frozen=True, slots=True)
class TasksReplaced:
    """The user has edited the tasks.

    Attributes:
        tasks: all of them, pending.
    """

    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class BranchStarted:
    """The plan has got its branch.

    Attributes:
        base: the commit from which it begins.
        executor: carries out the tasks.
        setup: the command that the user has allowed for their worktrees; "" for none.
        concurrency: tasks that run at the same time.
    """

    base: str
    executor: str
    setup: str = ""
    concurrency: int = 2


@dataclass(frozen=True, slots=True)
class ChangesApplied:
    """The branch was brought into the user's files, or that was taken back.

    Attributes:
        applied: None when it was taken back.
    """

    applied: AppliedChanges | None


PlanChange: TypeAlias = (
    PlanCreated | PlanMoved | TaskMoved | TasksReplaced | BranchStarted | ChangesApplied
)


def apply(plan: Plan | None, change: PlanChange, time_ms: int) -> Plan:
    """Return a plan after a change.

    Args:
        plan: before it; None before the first.
        change: what is changed.
        time_ms: when, milliseconds since the epoch.

    Raises:
        IllegalTransition: the state doesn't allow it.
        Conflict: the plan is no draft any more, or a rule forbids it.
        InvalidParams: the tasks aren't sound.
        NotFound: there is no such task.
    """
    if isinstance(change, PlanCreated):
        if plan is not None:
            raise Conflict(f"The plan {plan.plan_id} is there already.")
        return replace(change.plan, revision=1, created_ms=time_ms, updated_ms=time_ms)
    if plan is None:
        raise Conflict("A plan begins with its creation.")
    return replace(_changed(plan, change), revision=plan.revision + 1, updated_ms=time_ms)


def _changed(
    plan: Plan, change: PlanMoved | TaskMoved | TasksReplaced | BranchStarted | ChangesApplied
) -> Plan:
    if isinstance(change, BranchStarted):
        if plan.base:
            raise Conflict(f"The plan {plan.plan_id} has a branch already.")
        limits = replace(plan.limits, concurrency=change.concurrency)
        return replace(
            plan,
            base=change.base,
            executor=change.executor,
            setup=change.setup,
            limits=limits,
        )
    if isinstance(change, ChangesApplied):
        if plan.active():
            raise Conflict("Tasks are being carried out; pause the plan, or wait for its end.")
        return replace(plan, applied=change.applied)
    if isinstance(change, PlanMoved):
        state = next_plan_state(plan.state, change.trigger)
        return replace(plan, state=state, reason=change.reason)
    if isinstance(change, TaskMoved):
        task = _moved(plan, plan.task(change.task_id), change)
        tasks = tuple(task if each.task_id == task.task_id else each for each in plan.tasks)
        return replace(plan, tasks=tasks)
    if plan.state not in EDITABLE:
        raise Conflict(f"The plan is {plan.state}; its tasks can be edited only before it runs.")
    faults = list(graph_faults(change.tasks))
    if faults or not change.tasks:
        raise InvalidParams(f"tasks: {'; '.join(faults) or 'there are none'}.")
    return replace(plan, tasks=change.tasks)


def _moved(plan: Plan, task: Task, change: TaskMoved) -> Task:
    state = next_task_state(task.task_id, task.state, change.trigger)
    is_start = change.trigger == "start"
    if is_start:
        _require_start(plan, task)
    if change.trigger == "get_ready" and not is_satisfied(task, plan.by_id()):
        raise Conflict(f"Task {task.task_id} waits for others, which aren't done.")
    return replace(
        task,
        state=state,
        attempts=task.attempts + is_start,
        reason=change.reason,
        outcome=task.outcome if change.outcome is None else change.outcome,
    )


def _require_start(plan: Plan, task: Task) -> None:
    if plan.state is not PlanState.RUNNING:
        raise Conflict(f"The plan is {plan.state}; no task starts.")
    if not is_satisfied(task, plan.by_id()):
        raise Conflict(f"Task {task.task_id} waits for others, which aren't done.")
    if len(plan.active()) >= plan.limits.concurrency:
        raise Conflict(f"{plan.limits.concurrency} tasks run already; wait for one of them.")


def as_pending(task: Task) -> Task:
    """Return a task as it is before its plan runs."""
    return replace(task, state=TaskState.PENDING, attempts=0, reason="", outcome=None)
