"""Checks the tasks that a model or a user has written, before they become a plan's.

Each fault is a sentence that a model can be asked to repair.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Final

from jupyter_ac.planner.plans.plan import Task, TaskType

MAX_TASKS: Final = 100
"""However many are asked for."""

MAX_DESCRIPTION: Final = 10_000
PRIORITIES: Final = range(1, 6)

_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", re.ASCII)
_TYPES: Final = tuple(TaskType)
_MOST_FAULTS: Final = 20


def checked_tasks(rows: object, max_tasks: int) -> tuple[tuple[Task, ...], list[str]]:
    """Read tasks from JSON.

    Args:
        rows: a list of `{id, type, description, dependencies?, priority?, needs_all?}`.
        max_tasks: how many there may be.

    Returns:
        the tasks, and what is wrong, at most 20 sentences; the tasks count only without any.
    """
    if not isinstance(rows, list) or not rows:
        return (), ["tasks must be a list with at least one task"]
    most = min(max_tasks, MAX_TASKS)
    if len(rows) > most:
        return (), [f"there are {len(rows)} tasks, but at most {most} are allowed"]
    faults: list[str] = []
    tasks: list[Task] = []
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            faults.append(f"task {number} must be an object")
            continue
        found = list(_row_faults(number, row))
        faults += found
        if not found:
            tasks.append(_task(row))
    if not faults:
        faults = list(graph_faults(tasks))
    return tuple(tasks), faults[:_MOST_FAULTS]


def graph_faults(tasks: Sequence[Task]) -> Iterator[str]:
    """Yield what is wrong with the ids and dependencies of tasks; one cycle at most."""
    ids = [task.task_id for task in tasks]
    yield from (
        f"the id {task_id} is used twice"
        for task_id in dict.fromkeys(ids)
        if ids.count(task_id) > 1
    )
    known, is_known = set(ids), True
    for task in tasks:
        for each in task.dependencies:
            if each not in known:
                is_known = False
                yield f"task {task.task_id} depends on {each[:64]!r}, which is no task"
    if is_known:
        try:
            TopologicalSorter({task.task_id: task.dependencies for task in tasks}).prepare()
        except CycleError as error:
            yield f"the dependencies form a cycle: {' → '.join(reversed(error.args[1]))}"


def _row_faults(number: int, row: Mapping[str, object]) -> Iterator[str]:
    task_id, description = row.get("id"), row.get("description")
    name = f"task {number}"
    if not isinstance(task_id, str) or not _ID.fullmatch(task_id):
        yield f"{name}: id must be 1 to 64 letters, digits, '_', '.' or '-'"
    if row.get("type") not in _TYPES:
        yield f"{name}: type must be one of {', '.join(_TYPES)}"
    if not isinstance(description, str) or not description.strip():
        yield f"{name}: description must be a text"
    elif len(description) > MAX_DESCRIPTION:
        yield f"{name}: description has more than {MAX_DESCRIPTION:,} characters"
    dependencies = row.get("dependencies", [])
    if not isinstance(dependencies, list) or not all(isinstance(x, str) for x in dependencies):
        yield f"{name}: dependencies must be a list of ids"
    elif len(set(dependencies)) < len(dependencies):
        yield f"{name}: a dependency is named twice"
    priority = row.get("priority", 3)
    if not isinstance(priority, int) or isinstance(priority, bool) or priority not in PRIORITIES:
        yield f"{name}: priority must be a whole number from 1 (first) to 5"
    if not isinstance(row.get("needs_all", True), bool):
        yield f"{name}: needs_all must be true or false"


def _task(row: Mapping[str, object]) -> Task:
    dependencies, priority = row.get("dependencies", []), row.get("priority", 3)
    return Task(
        task_id=str(row["id"]),
        type=TaskType(str(row["type"])),
        description=str(row["description"]),
        dependencies=tuple(dependencies) if isinstance(dependencies, list) else (),
        priority=priority if isinstance(priority, int) else 3,
        needs_all=row.get("needs_all", True) is True,
    )
