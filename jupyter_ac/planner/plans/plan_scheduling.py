"""What follows from the state of a plan: tasks get ready, are blocked or start; the plan ends.

Pure. `consequences` is applied after each change until there are none; they end, because each of
them moves a task forward.
"""

from collections.abc import Iterator

from jupyter_ac.planner.plans.plan import (
    ACTIVE,
    Plan,
    PlanState,
    Task,
    TaskState,
    in_states,
    is_hopeless,
    is_satisfied,
)
from jupyter_ac.planner.plans.plan_changes import PlanChange, PlanMoved, TaskMoved, apply

_WAITING = (TaskState.PENDING, TaskState.READY)
_GOING_ON = frozenset({PlanState.RUNNING, PlanState.PAUSED})


def consequences(plan: Plan) -> Iterator[PlanChange]:
    """Yield the changes that follow from a plan's state, in an order in which they are possible."""
    if plan.state is PlanState.CANCELLING:
        for task in plan.tasks:
            if task.state in {*_WAITING, TaskState.BLOCKED}:
                yield TaskMoved(task.task_id, "cancel", "The plan was cancelled.")
        if not plan.active():
            yield PlanMoved("end", plan.reason)
        return
    if plan.state not in _GOING_ON:
        return
    moves = list(_task_moves(plan))
    yield from moves
    if not moves and plan.state is PlanState.RUNNING:
        yield from _end(plan.tasks)


def settled(plan: Plan, time_ms: int) -> tuple[Plan, list[PlanChange]]:
    """Apply all that follows from a plan's state.

    Args:
        plan: after a change.
        time_ms: of the change.

    Returns:
        the plan, and the changes that were applied.
    """
    applied: list[PlanChange] = []
    while found := list(consequences(plan)):
        for change in found:
            plan = apply(plan, change, time_ms)
        applied += found
    return plan, applied


def startable(plan: Plan) -> list[Task]:
    """Return the tasks to start now, in order: by priority, then as they were planned."""
    if plan.state is not PlanState.RUNNING:
        return []
    room = plan.limits.concurrency - len(plan.active())
    ready = sorted(in_states(plan.tasks, TaskState.READY), key=lambda task: task.priority)
    return ready[: max(0, room)]


def _task_moves(plan: Plan) -> Iterator[PlanChange]:
    tasks = plan.by_id()
    for task in plan.tasks:
        if task.state in _WAITING and is_hopeless(task, tasks):
            lost = next(each for each in task.dependencies if not _is_over(tasks[each]))
            yield TaskMoved(task.task_id, "block", f"It depends on {lost}, which isn't done.")
        elif task.state in {TaskState.PENDING, TaskState.BLOCKED} and is_satisfied(task, tasks):
            yield TaskMoved(task.task_id, "get_ready")


def _is_over(task: Task) -> bool:
    return task.state is TaskState.DONE


def _end(tasks: tuple[Task, ...]) -> Iterator[PlanChange]:
    if any(task.state in {*_WAITING, *ACTIVE} for task in tasks):
        return
    lost = list(in_states(tasks, TaskState.FAILED, TaskState.BLOCKED, TaskState.CANCELLED))
    if not lost:
        yield PlanMoved("complete")
        return
    names = ", ".join(task.task_id for task in lost[:10])
    yield PlanMoved("fail", f"Not done: {names}.")
