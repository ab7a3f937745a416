"""Merges three versions of a tree of files; lines by `git merge-file`, which knows no driver."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from jupyter_ac.git.checkpoints.object_folder import FileVersion, ObjectFolder
from jupyter_ac.git.runner import read_git
from jupyter_ac.git.stderr import failure
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.plans.plan import FileConflict
from jupyter_ac.planner.worktrees.tree_entries import Entries, merge_entries

MAX_SHOWN: Final = 20_000
"""Characters of a conflict that are kept; also the number of conflicts is bounded."""

MAX_CONFLICTS: Final = 50

_MOST_COUNTED: Final = 127
"""What `git merge-file` counts to; above it has failed."""

ReadBlobs = Callable[[Sequence[str]], Awaitable[Sequence[bytes]]]


@dataclass(frozen=True, slots=True)
class MergedFiles:
    """A merge of files.

    Attributes:
        entries: the result; only without conflicts.
        conflicts: files that both sides have changed in different ways, sorted, at most 50.
    """

    entries: dict[RepoPath, FileVersion]
    conflicts: tuple[FileConflict, ...] = ()


async def merge_files(
    sides: Sequence[Entries], read_blobs: ReadBlobs, objects: ObjectFolder, folder: Path
) -> MergedFiles:
    """Merge two changes of the same files.

    Args:
        sides: the files from which both come, after the one change, after the other.
        read_blobs: returns contents of these files.
        objects: where merged contents are stored.
        folder: in which git runs.

    Raises:
        GitError: git fails.
        AcError: the disk refuses.
    """
    base, ours, theirs = sides
    merge = merge_entries(base, ours, theirs)
    conflicts = [FileConflict(path) for path in merge.conflicts]
    for path in merge.texts:
        versions = [base[path], ours[path], theirs[path]]
        contents = await read_blobs([version.blob for version in versions])
        text, is_clean = await _merged_text(contents, folder)
        if not is_clean:
            conflicts.append(FileConflict(path, text.decode("utf-8", "replace")[:MAX_SHOWN]))
            continue
        blob = await asyncio.to_thread(objects.add, "blob", text)
        mode = versions[2].mode if versions[1].mode == versions[0].mode else versions[1].mode
        merge.entries[path] = FileVersion(mode, blob)
    found = sorted(conflicts, key=lambda conflict: conflict.path)
    return MergedFiles(merge.entries, tuple(found[:MAX_CONFLICTS]))


async def _merged_text(contents: Sequence[bytes], folder: Path) -> tuple[bytes, bool]:
    """Merge the lines of base, ours and theirs; returns whether there was no conflict."""
    base, ours, theirs = contents
    if any(b"\0" in content for content in contents):
        return b"", False
    with TemporaryDirectory(prefix="jupyter-ac-merge-") as temporary:
        places = [Path(temporary) / name for name in ("ours", "base", "theirs")]
        for place, content in zip(places, (ours, base, theirs), strict=True):
            await asyncio.to_thread(place.write_bytes, content)
        labels = ("-L", "plan", "-L", "base", "-L", "task")
        args = ("merge-file", "-p", "--diff3", *labels, *map(str, places))
        output = await read_git(folder, args)
    if output.exit_code > _MOST_COUNTED or output.truncated:
        raise failure("merge-file", output.complaint)
    return output.data, output.exit_code == 0
