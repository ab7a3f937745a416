"""Carries out single tasks: each attempt in a worktree of its own, checked, then merged."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.git.excluded_paths import ReadExcluded
from jupyter_ac.git.repository import Repository
from jupyter_ac.planner.execution.changed_file_checks import ChangedFileChecks
from jupyter_ac.planner.execution.executor import (
    Assignment,
    TaskAnswer,
    TaskExecutor,
    TaskSession,
)
from jupyter_ac.planner.execution.task_prompt import opening_prompt, repair_prompt
from jupyter_ac.planner.execution.worktree_preparation import link, set_up
from jupyter_ac.planner.plans.plan import Plan, Task, TaskOutcome
from jupyter_ac.planner.worktrees.plan_branch import PlanBranch
from jupyter_ac.planner.worktrees.snapshot_commit import snapshot_commit
from jupyter_ac.planner.worktrees.task_worktrees import TaskWorktrees
from jupyter_ac.planner.worktrees.tree_entries import CommitFiles, Entries, changed_files
from jupyter_ac.store.shield import run_to_completion

REPAIRS: Final = 2
"""How often an agent is told what the checks have found, before the task has failed."""

MAX_EXPLANATION: Final = 20_000

_CONFLICT: Final = (
    "Other tasks have changed the same lines of {paths}. Try it again: the task then gets the "
    "conflict and does its work on top of theirs."
)


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """How an attempt has ended.

    Attributes:
        outcome: what came out of all attempts so far.
        problem: why the task isn't done, a sentence; "" when it is.
    """

    outcome: TaskOutcome
    problem: str = ""


@dataclass(frozen=True, slots=True)
class AttemptHooks:
    """What an attempt tells while it goes on.

    Attributes:
        checking: called before its files are checked.
        on_text: gets what the agent says.
    """

    checking: Callable[[], Awaitable[None]]
    on_text: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Preparation:
    """What worktrees get that git doesn't have.

    Attributes:
        links: paths, as of `link_paths`.
        setup: a command that the user has allowed; "" for none.
        environ: of this process.
    """

    links: tuple[str, ...] = ()
    setup: str = ""
    environ: Mapping[str, str] | None = None


class TaskAttempts:
    """Carries out tasks of one repository.

    Args:
        repository: as the user has it.
        worktrees: makes those of tasks.
        checks: of what tasks have written.
        excluded: returns the files that agents aren't told of.
    """

    def __init__(
        self,
        repository: Repository,
        worktrees: TaskWorktrees,
        checks: ChangedFileChecks,
        excluded: ReadExcluded,
    ) -> None:
        self._repository, self._worktrees, self._checks = repository, worktrees, checks
        self._excluded = excluded
        self._merging = asyncio.Lock()

    async def carry_out(
        self,
        plan: Plan,
        task: Task,
        executor: TaskExecutor,
        preparation: Preparation,
        hooks: AttemptHooks,
    ) -> AttemptResult:
        """Make one attempt at a task; the branch of the plan gets its result.

        Args:
            plan: to which it belongs.
            task: as it was before the attempt was counted.
            executor: carries it out.
            preparation: of its worktree.
            hooks: told how it goes on.

        Raises:
            AcError: git, the disk or the executor fails; nothing was merged.
        """
        commits = self._worktrees.commits
        branch = PlanBranch(self._repository, plan.plan_id, commits)
        base = await branch.head()
        name = worktree_name(plan, task)
        worktree = await self._worktrees.create(name, base)
        try:
            links = await link(self._repository, worktree, preparation.links)
            if preparation.setup:
                await set_up(worktree, preparation.setup, preparation.environ or {})
            copy = _Copy(worktree, base, links)
            work = _Attempt(plan, task, copy, self._checks, commits, self._excluded)
            assignment = Assignment(
                plan_id=plan.plan_id,
                task_id=task.task_id,
                identity=plan.identity,
                worktree=worktree,
                model=plan.model,
                links=links,
                on_text=hooks.on_text,
            )
            async with executor.open(assignment) as session:
                result = await work.see_through(session, hooks)
        except BaseException:
            await run_to_completion(self._worktrees.remove(name))
            raise
        # The commit has all that is merged, so the worktree goes meanwhile.
        removal = asyncio.ensure_future(self._worktrees.remove(name))
        try:
            return await self._merged(branch, work, result)
        finally:
            await run_to_completion(removal)

    async def _merged(
        self, branch: PlanBranch, work: "_Attempt", result: AttemptResult
    ) -> AttemptResult:
        if result.problem or not result.outcome.commit:
            return result
        message = commit_message(work.plan, work.task, result.outcome.explanation)
        async with self._merging:
            merged = await branch.merge(work.copy.base, result.outcome.commit, message)
        outcome = replace(result.outcome, commit=merged.commit, conflicts=merged.conflicts)
        if merged.conflicts:
            paths = ", ".join(one.path for one in merged.conflicts[:5])
            return AttemptResult(outcome, _CONFLICT.format(paths=paths))
        return AttemptResult(outcome)


def worktree_name(plan: Plan, task: Task) -> str:
    """Return the name of the worktree of a task's next attempt."""
    names = [each.task_id for each in plan.tasks]
    return f"{worktree_prefix(plan)}{names.index(task.task_id)}-{task.attempts}"


def worktree_prefix(plan: Plan) -> str:
    """Return how the names of all worktrees of a plan begin."""
    return f"{plan.plan_id}-"


def commit_mark(plan: Plan, task: Task) -> str:
    """Return the line that tells whose commit one on the branch is."""
    return f"Jupyter-AC-Task: {plan.plan_id}/{task.task_id}"


def commit_message(plan: Plan, task: Task, explanation: str) -> str:
    """Return the message of the commit of a task."""
    subject = " ".join(task.description.split())[:60]
    body = explanation.replace("\0", "").strip()[:MAX_EXPLANATION]
    return f"{task.task_id}: {subject}\n\n{body}\n\n{commit_mark(plan, task)}\n"


@dataclass(frozen=True, slots=True)
class _Copy:
    """The copy of the repository in which a task works.

    Attributes:
        repository: the worktree.
        base: the commit of which it was made.
        links: paths that lead out of it, and don't belong to its result.
    """

    repository: Repository
    base: str
    links: tuple[str, ...]


class _Attempt:
    """One attempt in its worktree."""

    def __init__(
        self,
        plan: Plan,
        task: Task,
        copy: _Copy,
        checks: ChangedFileChecks,
        commits: CommitFiles,
        excluded: ReadExcluded,
    ) -> None:
        self.plan, self.task, self.copy = plan, task, copy
        self._checks, self._commits, self._excluded = checks, commits, excluded
        before = task.outcome or TaskOutcome()
        self._spent = TaskOutcome(tokens_used=before.tokens_used, cost_usd=before.cost_usd)

    async def see_through(self, session: TaskSession, hooks: AttemptHooks) -> AttemptResult:
        """Ask the agent, and again while the checks find something, within `REPAIRS`."""
        before = await self._commits.of(self.copy.base)
        prompt = opening_prompt(self.plan, self.task, await self._excluded())
        is_checking = False
        problems: list[str] = []
        for _ in range(REPAIRS + 1):
            answer = await session.ask(prompt)
            self._spent = _added(self._spent, answer)
            if answer.problem:
                return AttemptResult(self._spent, answer.problem)
            if not is_checking:
                await hooks.checking()
                is_checking = True
            outcome, after = await self._outcome(answer, before)
            problems = await self._checks.problems(before, after)
            if not problems:
                return AttemptResult(outcome)
            prompt = repair_prompt(problems, await self._excluded())
        found = "; ".join(problems[:3])
        return AttemptResult(self._spent, f"The checks of its files still find: {found}.")

    async def _outcome(self, answer: TaskAnswer, before: Entries) -> tuple[TaskOutcome, Entries]:
        """Commit what the worktree holds; the outcome has no commit when nothing was changed."""
        message = commit_message(self.plan, self.task, answer.text)
        copy = self.copy
        made = await snapshot_commit(copy.repository, message, [copy.base], copy.links)
        self._commits.keep(made.commit, made.files)
        changed = changed_files(before, made.files)
        outcome = replace(
            self._spent,
            explanation=answer.text[:MAX_EXPLANATION],
            files_modified=changed.modified,
            files_created=changed.created,
            files_deleted=changed.deleted,
            commit=made.commit if changed else "",
        )
        return outcome, made.files


def _added(spent: TaskOutcome, answer: TaskAnswer) -> TaskOutcome:
    return replace(
        spent,
        tokens_used=spent.tokens_used + answer.tokens,
        cost_usd=spent.cost_usd + answer.cost_usd,
        model=answer.model,
    )
