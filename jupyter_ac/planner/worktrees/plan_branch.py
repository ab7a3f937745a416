"""The branch of a plan: the results of its tasks, one commit for each, one after the other.

No driver and no attribute of the repository has a say in a merge: files that one side has changed
are taken, and of those that both have changed the lines are merged by `git merge-file`.
"""

import asyncio
import re
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import Conflict, InvalidParams
from jupyter_ac.git.environment import Level
from jupyter_ac.git.plain_files import read_regular
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git, run_git
from jupyter_ac.planner.plans.plan import FileConflict
from jupyter_ac.planner.worktrees.merge_files import merge_files
from jupyter_ac.planner.worktrees.snapshot_commit import add_commit, object_folder
from jupyter_ac.planner.worktrees.tree_entries import ChangedFiles, CommitFiles, changed_files

PREFIX: Final = "refs/heads/jupyter-ac/"

_PLAN: Final = re.compile(r"plan_[0-9a-f]{16}")
_COMMIT: Final = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\n?")
_REF_BYTES: Final = 100


@dataclass(frozen=True, slots=True)
class MergedTask:
    """The merge of a task.

    Attributes:
        commit: of the merge; "" when there are conflicts, and nothing was changed.
        conflicts: the paths that the task and others have changed in different ways.
    """

    commit: str
    conflicts: tuple[FileConflict, ...] = ()


@dataclass(frozen=True, slots=True)
class BranchCommit:
    """The commit of a task on a branch.

    Attributes:
        commit: its hash.
        explanation: what the executor has said.
        changed: files that it changes.
    """

    commit: str
    explanation: str
    changed: ChangedFiles


class PlanBranch:
    """The branch of one plan.

    Args:
        repository: in which it lies.
        plan_id: `plan_` and 16 hex digits.
        commits: files of commits; None: they are read anew.

    Raises:
        InvalidParams: that is no id of a plan.
    """

    def __init__(
        self, repository: Repository, plan_id: str, commits: CommitFiles | None = None
    ) -> None:
        if _PLAN.fullmatch(plan_id) is None:
            raise InvalidParams("The id of a plan is `plan_` and 16 hexadecimal digits.")
        self.ref = f"{PREFIX}{plan_id.replace('_', '-')}"
        self._repository, self._commits = repository, commits or CommitFiles(repository)

    async def head(self) -> str:
        """Return the commit of the branch; "" when there is none."""
        if found := await asyncio.to_thread(self._read_file):
            return found
        args = ("for-each-ref", "--format=%(objectname)", self.ref)
        output = await read_git(self._repository.root, args)
        return output.data.decode("ascii", "replace").strip()

    def _read_file(self) -> str:
        """Return the commit that the branch's file has; "" where git keeps it elsewhere."""
        try:
            found = read_regular(self._repository.common_dir / self.ref, _REF_BYTES)
        except OSError:
            return ""
        text = found.decode("ascii", "replace")
        return text.strip() if _COMMIT.fullmatch(text) else ""

    async def move(self, commit: str, before: str) -> None:
        """Let the branch name a commit.

        Args:
            commit: which.
            before: which it names now; "" when there is no branch yet.

        Raises:
            Conflict: it names another one.
        """
        old = before or "0" * len(commit)
        args = ("update-ref", "-m", "jupyter_ac: plan", self.ref, commit, old)
        output = await read_git(self._repository.root, args, GitOptions(level=Level.CHANGING))
        if output.exit_code != 0:
            raise Conflict(f"The branch of the plan was moved meanwhile: {output.complaint}")

    async def find(self, mark: str, base: str) -> BranchCommit | None:
        """Return the commit on the branch whose message ends in a line; None if there is none.

        Args:
            mark: the line; what an agent has said stands before it.
            base: the commit from which the branch begins.

        Raises:
            GitError: git can't read the branch.
        """
        if not base or not await self.head():
            return None
        args = ("log", "--format=%H%x00%P%x00%B%x00%x00", f"{base}..{self.ref}", "--")
        log = await run_git(self._repository.root, *args)
        for row in log.decode("utf-8", "replace").split("\0\0"):
            commit, _, rest = row.strip().partition("\0")
            parent, _, message = rest.partition("\0")
            if message.splitlines()[-1:] == [mark]:
                before, after = [await self._commits.of(each) for each in (parent, commit)]
                _, _, body = message.partition("\n\n")
                said = body.rpartition(mark)[0].strip()
                return BranchCommit(commit, said, changed_files(before, after))
        return None

    async def merge(self, base: str, task: str, message: str) -> MergedTask:
        """Put the result of a task onto the branch, as one commit.

        Args:
            base: the commit from which the task began; the branch has all of it.
            task: the commit of its result, whose only parent is `base`.
            message: of the commit.

        Raises:
            Conflict: the branch was moved meanwhile.
            GitError: git fails.
        """
        head = await self.head()
        if head == base:
            await self.move(task, head)
            return MergedTask(task)
        repository = self._repository
        sides = [await self._commits.of(commit) for commit in (base, head, task)]
        objects = await object_folder(repository, base)
        merged = await merge_files(sides, self._commits.contents, objects, repository.root)
        if merged.conflicts:
            return MergedTask("", merged.conflicts)

        def store() -> str:
            return add_commit(objects, objects.add_tree(merged.entries), message, [head])

        commit = await asyncio.to_thread(store)
        self._commits.keep(commit, merged.entries)
        await self.move(commit, head)
        return MergedTask(commit)
