"""Throwing changes away, as far as a file's own history goes back.

A file that the last commit has is made as it is there, in the index and on disk. One that only the
index has is taken out of both. One that git doesn't know is removed. A folder that git doesn't know
stays: too much could be in it.
"""

import asyncio
import os
import stat
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Final

from jupyter_ac.errors import AccessDenied
from jupyter_ac.git.changing import Git
from jupyter_ac.git.paths import folder_beneath, locate_entry
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.staging import in_last_commit, listed
from jupyter_ac.ids import RepoPath

_INDEX: Final = ("ls-files", "-z", "--cached")
_RENAMES: Final = (
    "diff",
    "--cached",
    "--name-status",
    "-z",
    "--find-renames",
    "--diff-filter=R",
    "--no-ext-diff",
    "--ignore-submodules=dirty",
)
_FROM_STDIN: Final = ("--pathspec-from-file=-", "--pathspec-file-nul")
_RESTORE: Final = ("checkout", "--quiet", *_FROM_STDIN, "HEAD")
_FORGET: Final = ("rm", "--cached", "--quiet", "--force", *_FROM_STDIN)


async def discard(git: Git, paths: Sequence[RepoPath]) -> None:
    """Throw the changes of files away; one that is missing and unknown is passed over.

    The new name of a staged rename takes the old one along: its file comes back.

    Args:
        git: alone with the repository.
        paths: files, or folders with all that git knows below them; checked.

    Raises:
        GitError: git can't write.
        AccessDenied: a file can't be removed.
    """
    wanted = list(dict.fromkeys([*paths, *await _old_names(git, paths)]))
    index = await listed(git, _INDEX, wanted)
    head = await in_last_commit(git, wanted)
    added = index.names - head.names
    await _feed(git, _FORGET, added)
    unknown = [path for path in paths if not index.has(path) and not head.has(path)]
    await asyncio.to_thread(remove_files, git.repository, [*sorted(added), *unknown])
    await _feed(git, _RESTORE, head.names)


def remove_files(repository: Repository, paths: Iterable[str]) -> None:
    """Remove files and links; what is gone already, or is a folder, is passed over.

    Raises:
        RefusedPath: a path leads out of the repository.
        AccessDenied: one can't be removed.
    """
    for path in paths:
        located = locate_entry(repository, path)
        try:
            with (
                suppress(FileNotFoundError, NotADirectoryError),
                folder_beneath(repository, located) as folder,
            ):
                found = os.stat(located.real.name, dir_fd=folder, follow_symlinks=False)
                if not stat.S_ISDIR(found.st_mode):
                    os.unlink(located.real.name, dir_fd=folder)
        except OSError as error:
            raise AccessDenied(f"{path!r} can't be removed: {error.strerror}.") from error


async def _old_names(git: Git, paths: Collection[str]) -> list[RepoPath]:
    """Return what the renamed files among these paths were called."""
    output = await git.run(*_RENAMES)
    fields = output.data.decode("utf-8", "surrogateescape").split("\0")
    pairs = zip(fields[1::3], fields[2::3], strict=False)
    return [RepoPath(old) for old, new in pairs if _is_among(new, paths)]


def _is_among(name: str, paths: Collection[str]) -> bool:
    return any(name == path or name.startswith(f"{path}/") for path in paths)


async def _feed(git: Git, command: Sequence[str], names: Collection[str]) -> None:
    if names:
        lines = (name.encode("utf-8", "surrogateescape") + b"\0" for name in sorted(names))
        await git.run(*command, stdin=b"".join(lines))
