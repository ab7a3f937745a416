"""Brings the branch of a plan into the user's files, and takes that back.

Both are restores of checkpoints: the files are compared with what was seen and swapped under the
locks of all files and of the repository, all or none, and staged.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.git.checkpoints.comparison import MAX_DIFF_BYTES, diff_text, version_changes
from jupyter_ac.git.checkpoints.notes import INDEX
from jupyter_ac.git.checkpoints.object_folder import FileVersion
from jupyter_ac.git.checkpoints.plan import KeptPath
from jupyter_ac.git.checkpoints.restore import CheckpointRestorer
from jupyter_ac.git.checkpoints.store import Checkpoint
from jupyter_ac.git.diffs import DIFF
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.git.stderr import failure
from jupyter_ac.git.write_commands import TIMEOUT_S
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.plans.plan import AppliedChanges, FileConflict, Plan, Task
from jupyter_ac.planner.worktrees.merge_files import merge_files
from jupyter_ac.planner.worktrees.plan_branch import PlanBranch
from jupyter_ac.planner.worktrees.snapshot_commit import object_folder
from jupyter_ac.planner.worktrees.tree_entries import Entries, entries_in, entries_of

_NAMED: Final = 5
_NOTHING: Final = (
    "There is nothing to apply: no task that has changed files is done, or one is being carried "
    "out; pause the plan, or wait for its end."
)
_ONCE: Final = "The plan is applied already; undo that first."


class BranchApplication:
    """Applies branches of plans.

    Args:
        restorer: changes the user's files.
    """

    def __init__(self, restorer: CheckpointRestorer) -> None:
        self._restorer, self._repository = restorer, restorer.store.repository

    async def apply(self, plan: Plan) -> AppliedChanges:
        """Merge the branch of a plan into the user's files as they are now, and stage that.

        Raises:
            Conflict: the user and the plan have changed the same lines, or the files are being
                changed; nothing was changed.
            NotFound: the branch is gone.
            AcError: git or the disk fails; everything is as it was.
        """
        if not plan.can_apply:
            raise Conflict(_NOTHING if plan.applied is None else _ONCE)
        store = self._restorer.store
        now = await store.take(plan.plan_id)
        wanted = await self._merged(plan, now)
        if wanted.name == now.name:
            raise Conflict("The files have all of the plan's results already.")
        await self._swap(wanted, now)
        after = await store.take(plan.plan_id)
        files = tuple(await version_changes(store, now, wanted))
        self._restorer.changed(files)
        return AppliedChanges(now.name, after.name, tuple(sorted(files)))

    async def undo(self, plan: Plan) -> tuple[Sequence[RepoPath], Sequence[KeptPath]]:
        """Give the files the bytes from before the last application.

        Returns:
            the files that were restored, and those that were changed since and stay as they are.

        Raises:
            Conflict: nothing is applied.
            NotFound: the checkpoints are no longer stored.
            AcError: the disk refuses; nothing was changed.
        """
        if plan.applied is None:
            raise Conflict("Nothing of this plan is applied.")
        names = [(plan.applied.before, plan.applied.after)]
        done = await self._restorer.take_back(plan.plan_id, names)
        return done.restored, done.kept

    async def diff(self, plan: Plan, task: Task | None = None) -> str:
        """Return a unified diff of what a plan has changed, or one of its tasks; "" for nothing.

        Raises:
            NotFound: the branch is gone.
            GitError: git can't compare.
        """
        if not plan.base:
            return ""
        if task is None:
            ends = plan.base, await self._head(plan)
        elif task.outcome is not None and task.outcome.commit:
            ends = f"{task.outcome.commit}^", task.outcome.commit
        else:
            return ""
        options = GitOptions(max_bytes=MAX_DIFF_BYTES, timeout_s=TIMEOUT_S)
        return await diff_text(await read_git(self._repository.root, (*DIFF, *ends, "--"), options))

    async def _head(self, plan: Plan) -> str:
        head = await PlanBranch(self._repository, plan.plan_id).head()
        if not plan.base or not head:
            raise NotFound(f"The plan {plan.plan_id} has no branch; run it first.")
        return head

    async def _swap(self, wanted: Checkpoint, now: Checkpoint) -> None:
        """Make the files as wanted where they are still as they were seen; all or none."""
        done = await self._restorer.restore([(wanted, now)])
        if not done.kept:
            return
        await self._restorer.restore([(now, wanted)])
        one = done.kept[0]
        raise Conflict(
            f"{one.path} {one.reason}, while the plan was applied; nothing was changed. Try again."
        )

    async def _merged(self, plan: Plan, now: Checkpoint) -> Checkpoint:
        """Store a checkpoint of the files as they are to be."""
        head = await self._head(plan)
        sides = [
            await entries_of(self._repository, plan.base),
            await self._entries_at(now),
            await entries_of(self._repository, head),
        ]
        objects = await object_folder(self._repository)
        store = self._restorer.store
        read = partial(store.read_objects, [now])
        merged = await merge_files(sides, read, objects, self._repository.root)
        if merged.conflicts:
            raise _conflict(merged.conflicts)
        (index,) = await read([f"{now.name}:{INDEX}"])
        changed = {
            path: merged.entries.get(path)
            for path in sides[1].keys() | merged.entries.keys()
            if sides[1].get(path) != merged.entries.get(path)
        }
        staged = await asyncio.to_thread(_with_staged, index, changed)
        return await store.derive(now, merged.entries, staged)

    async def _entries_at(self, checkpoint: Checkpoint) -> Entries:
        """Return the files of a checkpoint."""
        command = ("ls-tree", "-r", "-z", checkpoint.files)
        output = await self._restorer.store.git([checkpoint], command, GitOptions())
        if output.exit_code != 0 or output.truncated:
            raise failure("ls-tree", output.complaint)
        return await asyncio.to_thread(entries_in, output.data)


def _conflict(conflicts: Sequence[FileConflict]) -> Conflict:
    names = ", ".join(one.path for one in conflicts[:_NAMED])
    more = len(conflicts) - _NAMED
    further = f" and {more} more" if more > 0 else ""
    return Conflict(
        f"You and the plan have changed the same lines of {names}{further}; nothing was changed. "
        "Undo your change or commit it elsewhere, then apply again; or merge the plan's branch "
        "with git.",
        {"conflicts": [{"path": one.path, "text": one.text} for one in conflicts]},
    )


def _with_staged(index: bytes, changed: Mapping[RepoPath, FileVersion | None]) -> bytes:
    """Return the index as git prints it, with some files as they are to be."""
    rows = [row for row in names_in(index) if RepoPath(row.partition("\t")[2]) not in changed]
    rows += [
        f"H {version.mode} {version.blob} 0\t{path}"
        for path, version in changed.items()
        if version is not None
    ]
    rows.sort(key=lambda row: row.partition("\t")[2])
    return "".join(f"{row}\0" for row in rows).encode("utf-8", "surrogateescape")
