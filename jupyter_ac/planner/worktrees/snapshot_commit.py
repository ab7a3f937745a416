"""Commits what a working tree holds, tracked or not, to the exact bytes.

Nothing of the repository's runs: no hook, no filter, no signing program. Branches, the index and
the files stay as they are; no ref leads to the commit until somebody makes one.
"""

import asyncio
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.git.checkpoints.listing import list_files
from jupyter_ac.git.checkpoints.notes import LeftOut
from jupyter_ac.git.checkpoints.object_folder import FileVersion, ObjectFolder
from jupyter_ac.git.checkpoints.worktree_scan import CheckpointScan, RunMemory
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import run_git
from jupyter_ac.ids import RepoPath

_SHA256_DIGITS: Final = 64
_WHO: Final = b"jupyter_ac <jupyter_ac@localhost>"
"""Whose commits these are, so that nothing asks for the user's name or looks for it."""


@dataclass(frozen=True, slots=True)
class SnapshotCommit:
    """A commit of a working tree.

    Attributes:
        commit: its hash.
        files: that it holds.
        left_out: what it doesn't hold: long files, nested repositories, pipes.
    """

    commit: str
    files: Mapping[RepoPath, FileVersion]
    left_out: tuple[LeftOut, ...] = ()


async def snapshot_commit(
    repository: Repository,
    message: str,
    parents: Sequence[str] = (),
    without: Collection[str] = (),
) -> SnapshotCommit:
    """Commit what the working tree holds, without what git ignores.

    Args:
        repository: whose working tree.
        message: of the commit.
        parents: hashes of commits.
        without: paths of files and links that don't belong to it.

    Raises:
        Busy: folders are moved meanwhile.
        GitError: git can't list the files, or make the commit.
        AcError: the disk is full or read-only, or fails.
    """
    listed = await list_files(repository)
    listed = replace(listed, names=listed.names.difference(without))
    objects = await object_folder(repository, parents[0] if parents else "")
    scan = CheckpointScan(repository, listed, RunMemory(), objects)

    def store() -> str:
        scan.run()
        return add_commit(objects, objects.add_tree(scan.files), message, parents)

    commit = await asyncio.to_thread(store)
    return SnapshotCommit(commit, scan.files, scan.notes().left_out)


async def object_folder(repository: Repository, commit: str = "") -> ObjectFolder:
    """Return what writes objects into the repository's own database.

    Args:
        repository: whose.
        commit: any hash of it, which tells the format; "" asks git.
    """
    is_long = len(commit) == _SHA256_DIGITS
    if not commit:
        answer = await run_git(repository.root, "rev-parse", "--show-object-format")
        is_long = answer.strip() == b"sha256"
    return ObjectFolder(repository.common_dir / "objects", "sha256" if is_long else "sha1")


def add_commit(objects: ObjectFolder, tree: str, message: str, parents: Sequence[str]) -> str:
    """Write a commit of a tree as git does, and return its hash; no ref is changed.

    Blocks on the disk. Line ends and the last line of the message stay as they are; a NUL, which no
    commit may have, becomes a replacement character.

    Raises:
        AcError: the disk is full or read-only, or fails.
    """
    when = _WHO + f" {int(time.time())} +0000".encode("ascii")
    rows = [f"tree {tree}".encode("ascii")]
    rows += [f"parent {parent}".encode("ascii") for parent in parents]
    rows += [b"author " + when, b"committer " + when, b""]
    text = message.replace("\0", "\ufffd").encode("utf-8", "replace")
    return objects.add("commit", b"\n".join([*rows, text]))
