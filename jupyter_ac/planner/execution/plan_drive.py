"""Carries out one plan: starts what is ready, within its concurrency, until it stands still."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from jupyter_ac.errors import AcError, Conflict, InvalidParams
from jupyter_ac.git.repository import Repository
from jupyter_ac.planner.execution.executor import TaskExecutor
from jupyter_ac.planner.execution.plan_recovery import PlanRecovery
from jupyter_ac.planner.execution.task_attempts import (
    AttemptHooks,
    AttemptResult,
    Preparation,
    TaskAttempts,
)
from jupyter_ac.planner.plans.plan import ACTIVE, Plan, PlanState, Task, TaskState, in_states
from jupyter_ac.planner.plans.plan_changes import PlanChange, TaskMoved
from jupyter_ac.planner.plans.plan_registry import PlanRegistry
from jupyter_ac.planner.plans.plan_scheduling import startable
from jupyter_ac.store.locks import hold
from jupyter_ac.store.shield import run_to_completion

log = logging.getLogger(__name__)

BY_THE_USER: Final = "Cancelled by the user."
HOST_STOPPED: Final = "The host was stopped while it ran; resume it."

_INTERNAL: Final = "It has failed inside jupyter_ac; the host's log says why."
_RUNNABLE: Final = frozenset({PlanState.RUNNING, PlanState.CANCELLING})

OnText: TypeAlias = Callable[[str], None]


def unheard(_text: str) -> None:
    """Nobody listens to what the agents say."""


@dataclass(frozen=True, slots=True)
class DriveParts:
    """What carrying out plans needs.

    Attributes:
        repository: as the user has it.
        state_dir: the state folder, whose locks tell other hosts that a plan runs.
        registry: of the plans.
        attempts: carry out tasks.
        recovery: of plans whose host has ended.
        executors: by name.
        preparation: returns what worktrees get, by the settings of this moment, with the command
            that they name.
    """

    repository: Repository
    state_dir: Path
    registry: PlanRegistry
    attempts: TaskAttempts
    recovery: PlanRecovery
    executors: Mapping[str, TaskExecutor]
    preparation: Callable[[], Preparation]


class PlanDrive:
    """A plan that this process carries out.

    Args:
        parts: what that needs.
        plan: which one.
        on_text: gets what the agents say.

    Attributes:
        is_over: nothing of it is started any more.
    """

    def __init__(self, parts: DriveParts, plan: Plan, on_text: OnText) -> None:
        self._parts, self._on_text = parts, on_text
        self._plan_id, self._identity = plan.plan_id, plan.identity
        self._wake = asyncio.Event()
        self._attempts: dict[str, asyncio.Task[None]] = {}
        self._cancelled: set[str] = set()
        self.is_over = False

    def notice(self) -> None:
        """Look at the plan again: it was changed."""
        self._wake.set()

    def stop(self, task_id: str) -> "asyncio.Task[None] | None":
        """End the attempt at a task; returns it, None if there is none."""
        attempt = self._attempts.get(task_id)
        if attempt is None or attempt.done():
            return None
        self._cancelled.add(task_id)
        attempt.cancel()
        return attempt

    def stop_all(self) -> None:
        """End all attempts."""
        for task_id in list(self._attempts):
            self.stop(task_id)

    async def run(self) -> None:
        """Start tasks until the plan stands still; cancelling this pauses it.

        Raises:
            Busy: another host runs it.
        """
        async with hold(self._parts.state_dir, lock_name(self._plan_id)):
            try:
                await self._start_ready()
            except asyncio.CancelledError:
                await run_to_completion(self._give_up(HOST_STOPPED))
                raise
            except Exception as error:
                log.exception("the plan %s can't go on", self._plan_id)
                await self._give_up(error.message if isinstance(error, AcError) else _INTERNAL)

    async def _start_ready(self) -> None:
        while True:
            self._wake.clear()
            plan = await self._parts.registry.change(self._plan_id, self._identity, _starts)
            for task in in_states(plan.tasks, TaskState.RUNNING):
                if task.task_id not in self._attempts:
                    work = self._attempt(plan, replace(task, attempts=task.attempts - 1))
                    self._attempts[task.task_id] = asyncio.create_task(
                        work, name=f"task {task.task_id}"
                    )
            for task_id in self._attempts:
                if plan.task(task_id).state not in ACTIVE:  # cancelled before its attempt was there
                    self.stop(task_id)
            if not self._attempts and plan.state not in _RUNNABLE and not self._wake.is_set():
                # Before anything is awaited: who resumes the plan from now on starts another drive.
                self.is_over = True
                return
            await self._wait()

    async def _wait(self) -> None:
        """Return when an attempt has ended or the plan was changed."""
        waking = asyncio.create_task(self._wake.wait())
        try:
            await asyncio.wait(
                {waking, *self._attempts.values()}, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            waking.cancel()
        for task_id, attempt in list(self._attempts.items()):
            if attempt.done():
                del self._attempts[task_id]
                self._cancelled.discard(task_id)
                attempt.result()  # raises what couldn't be noted in the journal

    async def _attempt(self, plan: Plan, task: Task) -> None:
        """Carry out a task, and note how that has ended."""

        async def checking() -> None:
            await self._move(TaskMoved(task.task_id, "validate"))

        hooks = AttemptHooks(checking, self._on_text)
        try:
            executor, preparation = self._executor(plan), self._preparation(plan)
            result = await self._parts.attempts.carry_out(plan, task, executor, preparation, hooks)
        except asyncio.CancelledError:
            if task.task_id not in self._cancelled:
                raise
            await run_to_completion(self._note_cancelled(plan, task))
        except AcError as error:
            await self._move(TaskMoved(task.task_id, "fail", error.message))
        except Exception:
            log.exception("the task %s of %s has failed", task.task_id, plan.plan_id)
            await self._move(TaskMoved(task.task_id, "fail", _INTERNAL))
        else:
            await self._note(task, result)

    async def _note_cancelled(self, plan: Plan, task: Task) -> None:
        """Note that a task was cancelled; too late if its result is on the branch."""
        merged = await self._parts.recovery.merged(plan, task)
        if merged is None:
            await self._move(TaskMoved(task.task_id, "cancel", BY_THE_USER))
        else:
            await self._note(task, AttemptResult(merged))

    async def _note(self, task: Task, result: AttemptResult) -> None:
        await self._move(
            TaskMoved(
                task.task_id,
                "fail" if result.problem else "finish",
                result.problem,
                result.outcome,
            )
        )

    async def _move(self, move: TaskMoved) -> None:
        """Change a task; one that was cancelled meanwhile stays as it is."""
        with suppress(Conflict):
            await self._parts.registry.change(
                self._plan_id,
                self._identity,
                lambda now: [move] if now.task(move.task_id).state in ACTIVE else [],
            )

    def _executor(self, plan: Plan) -> TaskExecutor:
        found = self._parts.executors.get(plan.executor)
        if found is None:
            raise InvalidParams(
                f"The executor {plan.executor!r} of the plan is no longer in the settings."
            )
        return found

    def _preparation(self, plan: Plan) -> Preparation:
        wanted = self._parts.preparation()
        if wanted.setup not in {"", plan.setup}:
            raise Conflict(
                "plans.worktree_setup was changed since the plan was approved; make a new plan."
            )
        return wanted

    async def _give_up(self, reason: str) -> None:
        """End all attempts, and pause the plan."""
        self.is_over = True
        attempts = [*self._attempts.values()]
        for attempt in attempts:
            attempt.cancel()
        if attempts:
            await asyncio.wait(attempts)
        plan = await self._parts.registry.get(self._plan_id, self._identity)
        await self._parts.recovery.mend(plan, reason)


def lock_name(plan_id: str) -> str:
    """Return the name of the lock that is held while a plan runs."""
    return f"run-{plan_id}"


def _starts(plan: Plan) -> list[PlanChange]:
    return [TaskMoved(task.task_id, "start", task.reason) for task in startable(plan)]
