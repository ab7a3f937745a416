"""The user's edits of a plan's tasks, as changes of the plan. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from jupyter_ac.errors import InvalidParams
from jupyter_ac.planner.plans.plan import Plan, Task, TaskState
from jupyter_ac.planner.plans.plan_changes import PlanChange, TaskMoved, TasksReplaced, as_pending
from jupyter_ac.planner.plans.plan_wire import task_row
from jupyter_ac.planner.plans.task_checks import MAX_TASKS, checked_tasks

_FIELDS: Final = ("type", "description", "dependencies", "priority", "needs_all")
_SKIP: Final = {"status": TaskState.SKIPPED.value}


def edited(plan: Plan, task_id: str, edit: Mapping[str, object] | None) -> Sequence[PlanChange]:
    """Return the changes that an edit of a task stands for.

    Args:
        plan: as it is now.
        task_id: of a task, or of a new one.
        edit: `{"status": "skipped"}` skips it; other members replace the task's own, or make a new
            task; None takes it away, also from the dependencies of others.

    Raises:
        InvalidParams: the edit, or what comes of it, isn't sound.
        NotFound: there is no such task to be skipped or taken away.
    """
    if edit is None:
        return [TasksReplaced(_without(plan, task_id))]
    if edit == _SKIP:
        plan.task(task_id)
        return [TaskMoved(task_id, "skip", "Skipped by the user.")]
    unknown = sorted(set(edit) - set(_FIELDS))
    if unknown:
        raise InvalidParams(
            f"changes: {unknown[0][:60]!r} can't be changed; take {', '.join(_FIELDS)}, or "
            '{"status": "skipped"}.',
            {"path": "$.changes"},
        )
    return [TasksReplaced(_with(plan, task_id, edit))]


def _without(plan: Plan, task_id: str) -> tuple[Task, ...]:
    plan.task(task_id)
    return tuple(
        replace(
            as_pending(task),
            dependencies=tuple(each for each in task.dependencies if each != task_id),
        )
        for task in plan.tasks
        if task.task_id != task_id
    )


def _with(plan: Plan, task_id: str, edit: Mapping[str, object]) -> tuple[Task, ...]:
    rows: list[dict[str, object]] = []
    for task in plan.tasks:
        row = task_row(task)
        rows.append({"id": row["id"], **{name: dict(row)[name] for name in _FIELDS}})
    known = next((row for row in rows if row["id"] == task_id), None)
    if known is None:
        rows.append({"id": task_id, **edit})
    else:
        known.update(edit)
    tasks, faults = checked_tasks(rows, MAX_TASKS)
    if faults:
        raise InvalidParams(f"changes: {'; '.join(faults)}.", {"path": "$.changes"})
    return tasks
