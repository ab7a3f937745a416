"""Commits what a working tree holds, tracked or not, to the exact bytes.

Nothing of the repository's runs: no hook, no filter, no signing program. Branches, the index and
the files stay as they are; no ref leads to the commit until somebody makes one.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.git.checkpoints.listing import list_files
from jupyter_ac.git.checkpoints.notes import LeftOut
from jupyter_ac.git.checkpoints.object_folder import FileVersion, ObjectFolder
from jupyter_ac.git.checkpoints.worktree_scan import CheckpointScan, RunMemory
from jupyter_ac.git.environment import Level
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git, run_git
from jupyter_ac.git.stderr import failure
from jupyter_ac.ids import RepoPath

_SHA256_DIGITS: Final = 64
_WHO: Final = ("jupyter_ac", "jupyter_ac@localhost")
AS_US: Final[Mapping[str, str]] = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in zip(("NAME", "EMAIL"), _WHO, strict=True)
}
"""Variables with which commits of plans are this program's: the user may have named nobody."""


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
        return objects.add_tree(scan.files)

    tree = await asyncio.to_thread(store)
    commit = await commit_tree(repository, tree, message, parents)
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


async def commit_tree(
    repository: Repository, tree: str, message: str, parents: Sequence[str]
) -> str:
    """Make a commit of a tree, and return its hash; no ref is changed.

    Raises:
        GitError: git can't make it.
    """
    args = ["commit-tree", tree, "-F", "-"]
    for parent in parents:
        args += ["-p", parent]
    options = GitOptions(
        stdin=message.encode("utf-8", "replace"), level=Level.CHANGING, variables=AS_US
    )
    output = await read_git(repository.root, args, options)
    if output.exit_code != 0:
        raise failure("commit-tree", output.complaint)
    return output.data.decode("ascii").strip()
