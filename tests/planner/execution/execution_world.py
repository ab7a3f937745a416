"""A real repository whose plans are carried out by agents that do what a test says."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_ac.git.checkpoints.restore import CheckpointRestorer
from jupyter_ac.git.checkpoints.store import CheckpointStore
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.write_commands import RepositoryWriter
from jupyter_ac.git.writing import FileLocks
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.execution.branch_application import BranchApplication
from jupyter_ac.planner.execution.changed_file_checks import ChangedFileChecks
from jupyter_ac.planner.execution.executor import Assignment, TaskAnswer, TaskExecutor
from jupyter_ac.planner.execution.plan_drive import DriveParts
from jupyter_ac.planner.execution.plan_recovery import PlanRecovery
from jupyter_ac.planner.execution.plan_runner import PlanRunner
from jupyter_ac.planner.execution.task_attempts import Preparation, TaskAttempts
from jupyter_ac.planner.plans.plan import Plan, TaskState
from jupyter_ac.planner.plans.plan_changes import PlanMoved
from jupyter_ac.planner.plans.plan_journal import PlanJournal
from jupyter_ac.planner.plans.plan_registry import PlanRegistry, Published
from jupyter_ac.planner.validation.validator import Checkers, CodeValidator
from jupyter_ac.planner.worktrees.task_worktrees import TaskWorktrees
from jupyter_ac.store.locks import NamedLocks
from jupyter_ac.store.sqlite import Database
from jupyter_ac.store.state_paths import state_dir
from tests.planner.plans.planned import plan_of
from tests.support.exclusions import none_excluded
from tests.support.plans import plans_in
from tests.support.repositories import RepositoryFolder, make_repository

PLAN = "plan_0123456789abcdef"

Deed = Callable[[Path], Awaitable[str | TaskAnswer] | str | TaskAnswer]
"""What an agent does in its worktree; returns what it says."""


@dataclass
class ScriptedAgents:
    """Agents that do what a test says, by the task's id; later prompts get later deeds.

    Attributes:
        deeds: of each task.
        prompts: that were given, by the task's id.
        running: tasks that are being carried out now.
        most: as many as ran at the same time.
        worktrees: that were seen.
    """

    deeds: dict[str, list[Deed]] = field(default_factory=dict)
    prompts: dict[str, list[str]] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)
    most: int = 0
    worktrees: list[Path] = field(default_factory=list)

    @asynccontextmanager
    async def open(self, assignment: Assignment) -> AsyncIterator["_Session"]:
        self.running.add(assignment.task_id)
        self.most = max(self.most, len(self.running))
        self.worktrees.append(assignment.worktree.root)
        try:
            yield _Session(self, assignment)
        finally:
            self.running.discard(assignment.task_id)


class _Session:
    def __init__(self, agents: ScriptedAgents, assignment: Assignment) -> None:
        self._agents, self._assignment = agents, assignment

    async def ask(self, prompt: str) -> TaskAnswer:
        name = self._assignment.task_id
        prompts = self._agents.prompts.setdefault(name, [])
        prompts.append(prompt)
        deeds = self._agents.deeds.get(name, [nothing])
        done = deeds[min(len(prompts), len(deeds)) - 1](self._assignment.worktree.root)
        said = await done if isinstance(done, Awaitable) else done
        if isinstance(said, TaskAnswer):
            return said
        self._assignment.on_text(said)
        return TaskAnswer(said, tokens=10, cost_usd=0.5, model="scripted")


def nothing(_root: Path) -> str:
    return "Nothing to do."


def writing(files: Mapping[str, str | None], said: str = "Done.") -> Deed:
    """A deed that writes files; None removes one."""

    def deed(root: Path) -> str:
        for path, text in files.items():
            if text is None:
                (root / path).unlink()
                continue
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return said

    return deed


@dataclass
class Gate:
    """A deed that waits until a test lets it go on."""

    deed: Deed = nothing
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    leave: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, root: Path) -> str | TaskAnswer:
        self.begun.set()
        await self.leave.wait()
        done = self.deed(root)
        return await done if isinstance(done, Awaitable) else done


@dataclass
class ExecutionWorld:
    """What runs plans in a repository.

    Attributes:
        folder: the user's files.
        agents: carry out the tasks.
        registry: of the plans.
        runner: of the plans.
        application: brings results into the user's files.
        seen: states of tasks after each change.
        worktrees: the folder of worktrees.
        preparation: of worktrees.
        changed: files that others were told of.
        validator: checks code.
        database: of the plans.
    """

    folder: RepositoryFolder
    repository: Repository
    agents: ScriptedAgents
    registry: PlanRegistry
    runner: PlanRunner
    application: BranchApplication
    seen: list[Plan]
    worktrees: Path
    preparation: list[Preparation]
    changed: list[RepoPath]
    validator: CodeValidator
    database: Database

    async def planned(self, dependencies: Mapping[str, list[str]], concurrency: int = 2) -> Plan:
        """A plan that waits for approval."""
        plan = plan_of(dependencies, concurrency=concurrency, plan_id=PLAN)
        return await self.registry.create(plan, [PlanMoved("propose")])

    async def run(self, dependencies: Mapping[str, list[str]], concurrency: int = 2) -> Plan:
        """Run a plan to where it stands still."""
        plan = await self.planned(dependencies, concurrency)
        return await self.runner.ended(await self.runner.run(plan, "scripted"))

    def branch_file(self, path: str) -> str:
        return self.folder.git("show", f"jupyter-ac/{PLAN.replace('_', '-')}:{path}")

    def states(self, plan: Plan) -> dict[str, TaskState]:
        return {task.task_id: task.state for task in plan.tasks}


@asynccontextmanager
async def execution_world(
    folder: Path,
    files: Mapping[str, str] | None = None,
    published: Published | None = None,
    executors: Mapping[str, TaskExecutor] | None = None,
) -> AsyncIterator[ExecutionWorld]:
    made = (
        make_repository(folder / "r", dict(files or {"a.py": "a = 1\n", "b.py": "b = 1\n"}))
        if not (folder / "r").exists()
        else RepositoryFolder(folder / "r")
    )
    repository = await discover(made.root)
    state = state_dir(repository.common_dir)
    plans, seen, changed = plans_in(folder), list[Plan](), list[RepoPath]()

    def publish(plan: Plan, ids: Sequence[str]) -> None:
        seen.append(plan)
        if published is not None:
            published(plan, ids)

    validator = CodeValidator(Checkers.of(made.root, os.environ), 120.0)
    registry = PlanRegistry(PlanJournal(plans, ""), publish)
    worktrees = TaskWorktrees(repository, folder / "worktrees")
    agents, preparation = ScriptedAgents(), [Preparation()]
    runner = PlanRunner(
        DriveParts(
            repository=repository,
            state_dir=state,
            registry=registry,
            attempts=TaskAttempts(
                repository, worktrees, ChangedFileChecks(repository, validator), none_excluded
            ),
            recovery=PlanRecovery(repository, registry, worktrees),
            executors={"scripted": agents, **(executors or {})},
            preparation=lambda: preparation[-1],
        )
    )
    exclusive = NamedLocks(state)
    parts = CheckpointRestorer(
        CheckpointStore(repository, state),
        FileLocks(repository, exclusive),
        RepositoryWriter(repository, exclusive),
        changed.extend,
    )
    try:
        yield ExecutionWorld(
            folder=made,
            repository=repository,
            agents=agents,
            registry=registry,
            runner=runner,
            application=BranchApplication(parts),
            seen=seen,
            worktrees=folder / "worktrees",
            preparation=preparation,
            changed=changed,
            validator=validator,
            database=plans,
        )
    finally:
        await runner.aclose()
        await validator.aclose()
        await plans.aclose()
