"""Changes of plans as JSON, for the journal; the time and the owner are in the row."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Final, cast, get_args

from jupyter_ac.ids import Identity
from jupyter_ac.planner.plans.plan import (
    AppliedChanges,
    FileConflict,
    Plan,
    PlanLimits,
    PlanState,
    Task,
    TaskOutcome,
    TaskState,
    TaskType,
)
from jupyter_ac.planner.plans.plan_changes import (
    BranchStarted,
    ChangesApplied,
    PlanChange,
    PlanCreated,
    PlanMoved,
    TaskMoved,
    TasksReplaced,
)
from jupyter_ac.planner.plans.plan_machines import PlanTrigger, TaskTrigger


def encode_change(change: PlanChange) -> str:
    """Return a change as JSON."""
    members = {"kind": _KINDS[type(change)], **asdict(change)}
    return json.dumps(members, ensure_ascii=True, separators=(",", ":"))


def decode_change(text: str) -> PlanChange:
    """Return the change that `encode_change` has written.

    Raises:
        ValueError: the text isn't one.
    """
    try:
        row = _object(json.loads(text))
        kind = row.get("kind")
        return _DECODERS[str(kind)](row)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a change of a plan: {text[:100]!r}") from error


_KINDS: Final[Mapping[type[object], str]] = {
    PlanCreated: "plan_created",
    PlanMoved: "plan_moved",
    TaskMoved: "task_moved",
    TasksReplaced: "tasks_replaced",
    BranchStarted: "branch_started",
    ChangesApplied: "changes_applied",
}


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in _list(value))


def _number(value: object) -> float:
    if not isinstance(value, int | float):
        raise TypeError("not a number")
    return value


def _created(row: Mapping[str, object]) -> PlanChange:
    plan = _object(row["plan"])
    limits = _object(plan["limits"])
    return PlanCreated(
        Plan(
            plan_id=str(plan["plan_id"]),
            identity=Identity(str(plan["identity"])),
            request=str(plan["request"]),
            tasks=tuple(_task(_object(each)) for each in _list(plan["tasks"])),
            limits=PlanLimits(
                int(_number(limits["max_tasks"])),
                float(_number(limits["time_limit_s"])),
                int(_number(limits["concurrency"])),
            ),
            explanation=str(plan["explanation"]),
            estimated_s=float(_number(plan["estimated_s"])),
            state=PlanState(str(plan["state"])),
            reason=str(plan["reason"]),
            model=str(plan.get("model", "")),
        )
    )


def _plan_moved(row: Mapping[str, object]) -> PlanChange:
    trigger = str(row["trigger"])
    if trigger not in get_args(PlanTrigger):
        raise ValueError(f"no transition of a plan: {trigger[:100]!r}")
    return PlanMoved(cast("PlanTrigger", trigger), str(row["reason"]))


def _task_moved(row: Mapping[str, object]) -> PlanChange:
    trigger = str(row["trigger"])
    if trigger not in get_args(TaskTrigger):
        raise ValueError(f"no transition of a task: {trigger[:100]!r}")
    return TaskMoved(
        str(row["task_id"]),
        cast("TaskTrigger", trigger),
        str(row["reason"]),
        _outcome(row["outcome"]),
    )


def _replaced(row: Mapping[str, object]) -> PlanChange:
    return TasksReplaced(tuple(_task(_object(each)) for each in _list(row["tasks"])))


def _task(row: Mapping[str, object]) -> Task:
    return Task(
        task_id=str(row["task_id"]),
        type=TaskType(str(row["type"])),
        description=str(row["description"]),
        dependencies=_texts(row["dependencies"]),
        priority=int(_number(row["priority"])),
        needs_all=row["needs_all"] is True,
        state=TaskState(str(row["state"])),
        attempts=int(_number(row["attempts"])),
        reason=str(row["reason"]),
        outcome=_outcome(row["outcome"]),
    )


def _outcome(value: object) -> TaskOutcome | None:
    if value is None:
        return None
    row = _object(value)
    return TaskOutcome(
        explanation=str(row["explanation"]),
        files_modified=_texts(row["files_modified"]),
        files_created=_texts(row["files_created"]),
        files_deleted=_texts(row.get("files_deleted", [])),
        tokens_used=int(_number(row["tokens_used"])),
        cost_usd=float(_number(row.get("cost_usd", 0))),
        model=str(row["model"]),
        commit=str(row["commit"]),
        conflicts=tuple(_conflict(_object(each)) for each in _list(row.get("conflicts", []))),
    )


def _conflict(row: Mapping[str, object]) -> FileConflict:
    return FileConflict(str(row["path"]), str(row["text"]))


def _started(row: Mapping[str, object]) -> PlanChange:
    return BranchStarted(
        str(row["base"]),
        str(row["executor"]),
        str(row["setup"]),
        int(_number(row["concurrency"])),
    )


def _applied(row: Mapping[str, object]) -> PlanChange:
    if row["applied"] is None:
        return ChangesApplied(None)
    found = _object(row["applied"])
    files = _texts(found["files"])
    return ChangesApplied(AppliedChanges(str(found["before"]), str(found["after"]), files))


_DECODERS: Final[Mapping[str, Callable[[Mapping[str, object]], PlanChange]]] = {
    "plan_created": _created,
    "plan_moved": _plan_moved,
    "task_moved": _task_moved,
    "tasks_replaced": _replaced,
    "branch_started": _started,
    "changes_applied": _applied,
}
