"""The branch of a plan: the results of its tasks, merged one after the other.

No driver and no attribute of the repository has a say in a merge: files that one side has changed
are taken, and of those that both have changed the lines are merged by `git merge-file`.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from jupyter_ac.errors import Conflict, InvalidParams
from jupyter_ac.git.checkpoints.object_folder import FileVersion
from jupyter_ac.git.environment import Level
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.git.stderr import failure
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.worktrees.snapshot_commit import commit_tree, object_folder
from jupyter_ac.planner.worktrees.task_worktrees import read_blobs
from jupyter_ac.planner.worktrees.tree_entries import entries_of, merge_entries

PREFIX: Final = "refs/heads/jupyter-ac/"

_PLAN: Final = re.compile(r"plan_[0-9a-f]{16}")
_MOST_CONFLICTS: Final = 127
"""What `git merge-file` counts to; above it has failed."""


@dataclass(frozen=True, slots=True)
class MergedTask:
    """The merge of a task.

    Attributes:
        commit: of the merge; "" when there are conflicts, and nothing was changed.
        conflicts: the paths that the task and others have changed in different ways, with the
            text between conflict marks where it is one.
    """

    commit: str
    conflicts: tuple[tuple[RepoPath, str], ...] = ()


class PlanBranch:
    """The branch of one plan.

    Args:
        repository: in which it lies.
        plan_id: `plan_` and 16 hex digits.

    Raises:
        InvalidParams: that is no id of a plan.
    """

    def __init__(self, repository: Repository, plan_id: str) -> None:
        if _PLAN.fullmatch(plan_id) is None:
            raise InvalidParams("The id of a plan is `plan_` and 16 hexadecimal digits.")
        self.ref = f"{PREFIX}{plan_id.replace('_', '-')}"
        self._repository = repository

    async def head(self) -> str:
        """Return the commit of the branch; "" when there is none."""
        args = ("for-each-ref", "--format=%(objectname)", self.ref)
        output = await read_git(self._repository.root, args)
        return output.data.decode("ascii", "replace").strip()

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

    async def merge(self, base: str, task: str, message: str) -> MergedTask:
        """Merge the result of a task into the branch.

        Args:
            base: the commit from which the task began; the branch has all of it.
            task: the commit of its result.
            message: of the merge.

        Raises:
            Conflict: the branch was moved meanwhile.
            GitError: git fails.
        """
        head = await self.head()
        if head == base:
            await self.move(task, head)
            return MergedTask(task)
        repository = self._repository
        base_files, ours, theirs = [
            await entries_of(repository, commit) for commit in (base, head, task)
        ]
        merge = merge_entries(base_files, ours, theirs)
        conflicts = [(path, "") for path in merge.conflicts]
        objects = await object_folder(repository)
        for path in merge.texts:
            versions = [base_files[path], ours[path], theirs[path]]
            text, is_clean = await self._merged_text(versions)
            if not is_clean:
                conflicts.append((path, text.decode("utf-8", "replace")))
                continue
            blob = await asyncio.to_thread(objects.add, "blob", text)
            mode = versions[2].mode if versions[1].mode == versions[0].mode else versions[1].mode
            merge.entries[path] = FileVersion(mode, blob)
        if conflicts:
            return MergedTask("", tuple(sorted(conflicts)))
        tree = await asyncio.to_thread(objects.add_tree, merge.entries)
        commit = await commit_tree(repository, tree, message, [head, task])
        await self.move(commit, head)
        return MergedTask(commit)

    async def _merged_text(self, versions: Sequence[FileVersion]) -> tuple[bytes, bool]:
        """Merge the lines of base, ours and theirs; returns whether there was no conflict."""
        blobs = [version.blob for version in versions]
        base, ours, theirs = await read_blobs(self._repository, blobs)
        if any(b"\0" in content for content in (base, ours, theirs)):
            return b"", False
        with TemporaryDirectory(prefix="jupyter-ac-merge-") as folder:
            places = [Path(folder) / name for name in ("ours", "base", "theirs")]
            for place, content in zip(places, (ours, base, theirs), strict=True):
                await asyncio.to_thread(place.write_bytes, content)
            labels = ("-L", "plan", "-L", "base", "-L", "task")
            args = ("merge-file", "-p", "--diff3", *labels, *map(str, places))
            output = await read_git(self._repository.root, args)
        if output.exit_code > _MOST_CONFLICTS or output.truncated:
            raise failure("merge-file", output.complaint)
        return output.data, output.exit_code == 0
