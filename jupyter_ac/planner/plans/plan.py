"""A plan and its tasks as values."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from jupyter_ac.errors import NotFound
from jupyter_ac.ids import Identity


class TaskType(StrEnum):
    """What a task is about."""

    CODE_GENERATION = "code_generation"
    REFACTORING = "refactoring"
    ANALYSIS = "analysis"
    TESTING = "testing"


class TaskState(StrEnum):
    """How far a task is; see `plan_machines`."""

    PENDING = "pending"
    READY = "ready"
    RUNNING = "running"
    VALIDATING = "validating"
    DONE = "done"
    FAILED = "failed"
    BLOCKED = "blocked"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"


class PlanState(StrEnum):
    """How far a plan is; see `plan_machines`."""

    DRAFT = "draft"
    AWAITING_APPROVAL = "awaiting_approval"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLING = "cancelling"
    CANCELLED = "cancelled"


ACTIVE: Final = frozenset({TaskState.RUNNING, TaskState.VALIDATING})
"""States of tasks that something is being done for."""

MAX_CONCURRENCY: Final = 8
"""Tasks of one plan that may run at the same time."""

FINAL_TASK: Final = frozenset({TaskState.DONE, TaskState.CANCELLED, TaskState.SKIPPED})
FINAL_PLAN: Final = frozenset({PlanState.COMPLETED, PlanState.CANCELLED})


@dataclass(frozen=True, slots=True)
class FileConflict:
    """A file that a task and others have changed in different ways.

    Attributes:
        path: relative to the repository.
        text: the file with both versions between conflict marks, shortened; "" for no text.
    """

    path: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What came out of a task.

    Attributes:
        explanation: of the executor.
        files_modified: paths relative to the repository.
        files_created: likewise.
        files_deleted: likewise.
        tokens_used: of all attempts.
        cost_usd: of all attempts, as far as prices are known.
        model: that did it.
        commit: of the task's changes, in the plan's branch; "" for none.
        conflicts: why the changes could not be merged into the branch.
    """

    explanation: str = ""
    files_modified: tuple[str, ...] = ()
    files_created: tuple[str, ...] = ()
    files_deleted: tuple[str, ...] = ()
    tokens_used: int = 0
    cost_usd: float = 0.0
    model: str = ""
    commit: str = ""
    conflicts: tuple[FileConflict, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """A task of a plan.

    Attributes:
        task_id: unique within the plan.
        type: what it is about.
        description: what is to be done.
        dependencies: ids of the tasks that must be done before.
        priority: 1 to 5, 1 first.
        needs_all: a skipped dependency blocks it; else it counts as done.
        state: how far it is.
        attempts: how often it was started.
        reason: why it failed, is blocked or was tried again, a sentence; "" for none.
        outcome: of the last attempt; None before.
    """

    task_id: str
    type: TaskType
    description: str
    dependencies: tuple[str, ...] = ()
    priority: int = 3
    needs_all: bool = True
    state: TaskState = TaskState.PENDING
    attempts: int = 0
    reason: str = ""
    outcome: TaskOutcome | None = None


@dataclass(frozen=True, slots=True)
class PlanLimits:
    """What a plan may take.

    Attributes:
        max_tasks: number of tasks.
        time_limit_s: seconds for making the plan.
        concurrency: tasks that run at the same time.
    """

    max_tasks: int = 10
    time_limit_s: float = 300.0
    concurrency: int = 2


@dataclass(frozen=True, slots=True)
class AppliedChanges:
    """What was brought from a plan's branch into the user's files.

    Attributes:
        before: checkpoint of the files before.
        after: same, after.
        files: that were changed, relative to the repository.
    """

    before: str
    after: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan.

    Attributes:
        plan_id: `plan_` and 16 hex digits.
        identity: the person whose it is.
        request: what the user wants.
        tasks: in the order in which they were planned.
        limits: what it may take.
        explanation: why it is planned so.
        estimated_s: the model's guess of its duration; 0 for none.
        state: how far it is.
        reason: why it is in this state, a sentence; "" for none.
        base: the commit of the user's files from which its branch begins; "" before it runs.
        executor: name of what carries out its tasks; "" before it runs.
        setup: the command that the user has allowed for its worktrees; "" for none.
        applied: what was applied last and not taken back.
        model: that carries out its tasks; "" for the chosen one.
        revision: how many changes there were, 1 for a new one.
        created_ms: milliseconds since the epoch.
        updated_ms: same, of the last change.
    """

    plan_id: str
    identity: Identity
    request: str
    tasks: tuple[Task, ...]
    limits: PlanLimits = field(default_factory=PlanLimits)
    explanation: str = ""
    estimated_s: float = 0.0
    state: PlanState = PlanState.DRAFT
    reason: str = ""
    base: str = ""
    executor: str = ""
    setup: str = ""
    applied: AppliedChanges | None = None
    model: str = ""
    revision: int = 1
    created_ms: int = 0
    updated_ms: int = 0

    def task(self, task_id: str) -> Task:
        """Return a task.

        Raises:
            NotFound: there is none with this id.
        """
        for task in self.tasks:
            if task.task_id == task_id:
                return task
        raise NotFound(f"The plan {self.plan_id} has no task {task_id[:100]!r}.")

    def active(self) -> list[Task]:
        """Return the tasks that something is being done for."""
        return [task for task in self.tasks if task.state in ACTIVE]

    @property
    def branch(self) -> str:
        """The branch in which the results are, without `refs/heads/`; "" before the plan runs."""
        return f"jupyter-ac/{self.plan_id.replace('_', '-')}" if self.base else ""

    @property
    def can_apply(self) -> bool:
        """Whether there are results that aren't applied, and no task is being carried out."""
        has_results = any(
            task.outcome is not None and task.outcome.commit
            for task in in_states(self.tasks, TaskState.DONE)
        )
        return has_results and self.applied is None and not self.active()

    def by_id(self) -> Mapping[str, Task]:
        """Return the tasks by their ids."""
        return {task.task_id: task for task in self.tasks}


def is_satisfied(task: Task, tasks: Mapping[str, Task]) -> bool:
    """Return whether all that a task depends on is done.

    Args:
        task: which.
        tasks: of its plan, by id.
    """
    return all(_counts_as_done(task, tasks[each]) for each in task.dependencies)


def is_hopeless(task: Task, tasks: Mapping[str, Task]) -> bool:
    """Return whether something that a task depends on won't be done as things stand."""
    return any(
        tasks[each].state in _LOST or (tasks[each].state is TaskState.SKIPPED and task.needs_all)
        for each in task.dependencies
    )


_LOST: Final = frozenset({TaskState.FAILED, TaskState.BLOCKED, TaskState.CANCELLED})


def _counts_as_done(task: Task, dependency: Task) -> bool:
    if dependency.state is TaskState.SKIPPED:
        return not task.needs_all
    return dependency.state is TaskState.DONE


def in_states(tasks: Iterable[Task], *states: TaskState) -> Iterator[Task]:
    """Yield the tasks in one of some states."""
    return (task for task in tasks if task.state in states)
