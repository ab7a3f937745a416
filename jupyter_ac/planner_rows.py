"""Rows of events about plans and the context that planners share."""

from typing import Literal, NotRequired, TypedDict


class SharedContextChange(TypedDict):
    """A change of the context that planners and executors share.

    Attributes:
        version: of the context now; a page that doesn't have the one before asks for all.
        action: add, remove or modify.
        context_type: file, dependency or state.
        names: of the changed entries, sorted.
    """

    version: int
    action: Literal["add", "remove", "modify"]
    context_type: Literal["file", "dependency", "state"]
    names: list[str]


class TaskConflict(TypedDict):
    """A file that a task and others have changed in different ways.

    Attributes:
        path: relative to the repository.
        text: the file with both versions between conflict marks, shortened; "" for no text.
    """

    path: str
    text: str


class TaskOutput(TypedDict):
    """What came out of a task.

    Attributes:
        explanation: of the executor.
        files_modified: paths relative to the repository.
        files_created: likewise.
        files_deleted: likewise.
        tokens_used: of all attempts.
        cost_usd: of all attempts, as far as prices are known.
        model: that did it.
        conflicts: why the changes could not be merged into the plan's branch.
    """

    explanation: str
    files_modified: list[str]
    files_created: list[str]
    files_deleted: list[str]
    tokens_used: int
    cost_usd: float
    model: str
    conflicts: list[TaskConflict]


class TaskRow(TypedDict):
    """A task of a plan.

    Attributes:
        id: unique within the plan.
        type: `code_generation`, `refactoring`, `analysis` or `testing`.
        description: what is to be done.
        dependencies: ids of the tasks that must be done before.
        priority: 1 to 5, 1 first.
        needs_all: a skipped dependency blocks it; else it counts as done.
        status: pending, ready, running, validating, done, failed, blocked, cancelled or skipped.
        attempts: how often it was started.
        reason: a sentence about its state; "" for none.
        output: after an attempt.
    """

    id: str
    type: str
    description: str
    dependencies: list[str]
    priority: int
    needs_all: bool
    status: str
    attempts: int
    reason: str
    output: NotRequired[TaskOutput]


class PlanRow(TypedDict):
    """A plan.

    Attributes:
        id: for the methods on it.
        status: draft, awaiting_approval, running, paused, completed, failed, cancelling or
            cancelled.
        revision: how many changes there were.
        reason: a sentence about its state; "" for none.
        user_request: what the user wants.
        tasks: in the order in which they were planned.
        estimated_time_seconds: the model's guess; 0 for none.
        explanation: why it is planned so.
        concurrency: tasks that run at the same time.
        branch: in which the results of its tasks are; "" before it runs.
        executor: name of what carries out its tasks; "" before it runs.
        can_apply: there are results that the user's files don't have, and no task runs.
        applied_files: that were changed when it was applied last; empty when that was taken back.
        created_ms: milliseconds since the epoch.
        updated_ms: same, of the last change.
    """

    id: str
    status: str
    revision: int
    reason: str
    user_request: str
    tasks: list[TaskRow]
    estimated_time_seconds: float
    explanation: str
    concurrency: int
    branch: str
    executor: str
    can_apply: bool
    applied_files: list[str]
    created_ms: int
    updated_ms: int


class PlanUpdate(TypedDict):
    """A change of a plan.

    Attributes:
        plan_id: which.
        revision: of it now; a page that doesn't have the one before may ask for the plan.
        status: of the plan.
        reason: of the plan.
        can_apply: as of the plan.
        applied_files: as of the plan.
        tasks: those that have changed; of an edited plan all.
        task_ids: of all its tasks, in order.
    """

    plan_id: str
    revision: int
    status: str
    reason: str
    can_apply: bool
    applied_files: list[str]
    tasks: list[TaskRow]
    task_ids: list[str]
