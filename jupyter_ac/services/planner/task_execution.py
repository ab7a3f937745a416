"""`execute_task` of seed 004: one task as a plan of its own, from its start to its end."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import PurePosixPath
from typing import Final, Literal, TypedDict

from jupyter_ac.errors import AcError, InvalidParams, TimedOut
from jupyter_ac.git.paths import locate
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import Identity
from jupyter_ac.planner.execution.branch_application import BranchApplication
from jupyter_ac.planner.execution.plan_runner import PlanRunner
from jupyter_ac.planner.plans.plan import Plan, Task, TaskState, TaskType
from jupyter_ac.planner.plans.plan_changes import PlanMoved
from jupyter_ac.planner.plans.plan_registry import PlanRegistry, new_plan_id
from jupyter_ac.planner.plans.task_checks import MAX_DESCRIPTION
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, CallRules, method
from jupyter_ac.rpc.running_call import current_call
from jupyter_ac.store.shield import run_to_completion

TASK_ID: Final = "task"
LIMIT_S: Final = 3600.0
"""Without a report: what waits for the user's approvals may take long."""

MAX_FILES: Final = 200

SeedType = Literal["code_generation", "refactoring", "analysis", "testing"]

_CONTEXT: Final[Mapping[str, type[object]]] = {
    "files": list,
    "current_directory": str,
    "dependencies": list,
    "constraints": list,
}
_OPTIONS: Final[Mapping[str, type[object]]] = {
    "language": str,
    "framework": str,
    "style_guide": str,
    "timeout_ms": int,
    "stream": bool,
    "model": str,
    "executor": str,
    "allow_setup": str,
}
_TOLD: Final = ("language", "framework", "style_guide")


class ExecutedOutput(TypedDict):
    """What a task has made.

    Attributes:
        code: unified diff of what it has changed; "" for nothing.
        explanation: what was done and why.
        files_modified: paths relative to the repository, on the plan's branch.
        files_created: likewise.
        files_deleted: likewise.
    """

    code: str
    explanation: str
    files_modified: list[str]
    files_created: list[str]
    files_deleted: list[str]


class ExecutionMetadata(TypedDict):
    """How a task was carried out.

    Attributes:
        execution_time_ms: milliseconds from its start to its end.
        tokens_used: of all attempts.
        cost_usd: as far as prices are known.
        model: that did it.
        plan_id: of the plan that was made for it; `apply_plan` brings the result into the files.
    """

    execution_time_ms: int
    tokens_used: int
    cost_usd: float
    model: str
    plan_id: str


class ExecutedTask(TypedDict):
    """The result of a task.

    Attributes:
        status: `success`; `partial`: its changes could not be merged; `failed`.
        output: what it has made; on failure its explanation says why.
        metadata: how.
    """

    status: Literal["success", "partial", "failed"]
    output: ExecutedOutput
    metadata: ExecutionMetadata


class TaskExecutionMethods:
    """Carries out single tasks.

    Args:
        repository: in which they work.
        registry: keeps their plans.
        runner: runs them.
        application: reads what they have changed.
    """

    def __init__(
        self,
        repository: Repository,
        registry: PlanRegistry,
        runner: PlanRunner,
        application: BranchApplication,
    ) -> None:
        self._repository, self._registry = repository, registry
        self._runner, self._application = runner, application

    @method(Access.EXECUTE, rules=CallRules(is_billed=True, time_limit_s=LIMIT_S))
    async def execute_task(
        self,
        task_type: SeedType,
        prompt: str,
        context: dict[str, object] | None = None,
        options: dict[str, object] | None = None,
    ) -> ExecutedTask:
        """Have an agent carry out one task in a copy of the repository, and return its result.

        The user's files stay as they are; `apply_plan(metadata.plan_id)` brings the result into
        them. `context` may have `files` (paths below the repository), `current_directory`,
        `dependencies` and `constraints`; `options` has `language`, `framework`, `style_guide`,
        `timeout_ms`, `model`, `executor`, and `stream`: then what the agent says comes as
        `stream_data`.
        """
        wanted = _members("options", options or {}, _OPTIONS)
        about = _members("context", context or {}, _CONTEXT)
        description = await asyncio.to_thread(self._description, prompt, about, wanted)
        identity = current_caller().identity
        plan = await self._registry.create(
            _plan(identity, TaskType(task_type), description, str(wanted.get("model", ""))),
            [PlanMoved("propose")],
        )
        async with _listening(is_wanted=wanted.get("stream") is True) as on_text:
            plan = await self._see_through(plan, wanted, on_text)
        return await self._result(plan)

    async def _see_through(
        self, plan: Plan, wanted: Mapping[str, object], on_text: Callable[[str], None]
    ) -> Plan:
        """Run a plan to its end; a caller that gives up ends it."""
        limit_ms = wanted.get("timeout_ms")
        limit_s = limit_ms / 1000 if isinstance(limit_ms, int) and limit_ms > 0 else None
        try:
            plan = await self._runner.run(
                plan,
                str(wanted.get("executor", "agent")),
                str(wanted.get("allow_setup", "")),
                on_text=on_text,
            )
            async with asyncio.timeout(limit_s):
                return await self._runner.ended(plan)
        except TimeoutError:
            await self._runner.cancel(plan, f"It took longer than {limit_ms} ms.")
            raise TimedOut(
                f"The task took longer than {limit_ms} ms and was stopped; allow more in "
                "options.timeout_ms."
            ) from None
        except asyncio.CancelledError:
            await run_to_completion(self._runner.cancel(plan, "The caller gave up."))
            raise
        except AcError:
            await self._runner.cancel(plan, "It could not be started.")
            raise

    async def _result(self, plan: Plan) -> ExecutedTask:
        task = plan.task(TASK_ID)
        outcome, is_done = task.outcome, task.state is TaskState.DONE
        explanation = outcome.explanation if outcome is not None and is_done else task.reason
        return ExecutedTask(
            status=_status(task),
            output=ExecutedOutput(
                code=await self._application.diff(plan, task),
                explanation=explanation or plan.reason,
                files_modified=list(outcome.files_modified) if outcome else [],
                files_created=list(outcome.files_created) if outcome else [],
                files_deleted=list(outcome.files_deleted) if outcome else [],
            ),
            metadata=ExecutionMetadata(
                execution_time_ms=plan.updated_ms - plan.created_ms,
                tokens_used=outcome.tokens_used if outcome else 0,
                cost_usd=outcome.cost_usd if outcome else 0.0,
                model=outcome.model if outcome else "",
                plan_id=plan.plan_id,
            ),
        )

    def _description(
        self, prompt: str, about: Mapping[str, object], wanted: Mapping[str, object]
    ) -> str:
        """Return what the task's agent is told; checks the paths, on the disk.

        Raises:
            InvalidParams: a path leads out of the repository, or something is too long.
        """
        parts = [prompt.strip()]
        if not parts[0]:
            raise InvalidParams("prompt is empty; say what is to be done.", {"path": "$.prompt"})
        if files := self._paths("files", about.get("files", [])):
            parts.append(f"Begin with these files: {', '.join(files)}.")
        folder = str(about.get("current_directory", "")).strip()
        if folder:
            [inside] = self._paths("current_directory", [folder])
            parts.append(f"The folder in question: {inside or 'the top folder'}.")
        if names := _texts("dependencies", about.get("dependencies", [])):
            parts.append(f"Packages that may be used: {', '.join(names)}.")
        rules = _texts("constraints", about.get("constraints", []))
        parts += [f"Constraint: {rule}" for rule in rules]
        parts += [f"{name.replace('_', ' ')}: {wanted[name]}" for name in _TOLD if wanted.get(name)]
        description = "\n".join(parts)
        if len(description) > MAX_DESCRIPTION:
            raise InvalidParams(
                f"prompt, context and options have more than {MAX_DESCRIPTION:,} characters.",
                {"path": "$.prompt"},
            )
        return description

    def _paths(self, name: str, given: object) -> list[str]:
        found: list[str] = []
        root = self._repository.root
        for at, path in enumerate(_texts(name, given)):
            inside = PurePosixPath(path)
            if inside.is_absolute() and inside.is_relative_to(root):
                inside = inside.relative_to(root)
            try:
                text = "" if str(inside) == "." else locate(self._repository, str(inside)).path
            except AcError as error:
                raise InvalidParams(
                    f"context.{name}: {error.message}", {"path": f"$.context.{name}[{at}]"}
                ) from error
            found.append(text)
        return found


def _plan(identity: Identity, task_type: TaskType, description: str, model: str) -> Plan:
    task = Task(TASK_ID, task_type, description)
    return Plan(new_plan_id(), identity, description, (task,), model=model)


def _status(task: Task) -> Literal["success", "partial", "failed"]:
    if task.state is TaskState.DONE:
        return "success"
    return "partial" if task.outcome is not None and task.outcome.conflicts else "failed"


def _members(
    name: str, given: Mapping[str, object], known: Mapping[str, type[object]]
) -> Mapping[str, object]:
    """Return an object of the seed's, its members checked; unknown ones are left alone."""
    for key, kind in known.items():
        value = given.get(key)
        is_wrong = not isinstance(value, kind) or (kind is int and isinstance(value, bool))
        if value is not None and is_wrong:
            words = {list: "a list", str: "a text", int: "a whole number", bool: "true or false"}
            raise InvalidParams(f"{name}.{key} must be {words[kind]}.", {"path": f"$.{name}.{key}"})
    return {key: value for key, value in given.items() if value is not None}


def _texts(name: str, given: object) -> Sequence[str]:
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise InvalidParams(
            f"context.{name} must be a list of texts.", {"path": f"$.context.{name}"}
        )
    if len(given) > MAX_FILES:
        raise InvalidParams(
            f"context.{name} may have {MAX_FILES} entries.", {"path": f"$.context.{name}"}
        )
    return given


@asynccontextmanager
async def _listening(*, is_wanted: bool) -> AsyncIterator[Callable[[str], None]]:
    """Give what the agent's words go to: a stream to the caller, or nothing but a sign of life."""
    call = current_call()
    if not is_wanted:
        yield lambda _text: call.touch()
        return
    async with call.stream() as stream:
        yield stream.write
