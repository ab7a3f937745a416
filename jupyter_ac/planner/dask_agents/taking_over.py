"""Brings the files of another machine into the worktree of a task."""

import asyncio
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from jupyter_ac.git.paths import folder_beneath, locate_normalised_entry
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.planner.dask_agents.bundles import UnpackedFiles, changed_contents
from jupyter_ac.planner.worktrees.tree_entries import Entries

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LINK: Final = "120000"
_EXECUTABLE: Final = "100755"


async def take_over(worktree: Repository, before: Entries, files: UnpackedFiles) -> None:
    """Make the files of a worktree those of a bundle; what git ignores stays.

    No link is followed: neither those that were there, nor those of the bundle.

    Args:
        worktree: as it was when its files were sent.
        before: the files that were sent.
        files: that have come back.

    Raises:
        TooLarge, RefusedPath, GitError: as `changed_contents`.
        RefusedPath: a path leads through a link out of the worktree.
        AcError: the disk refuses.
    """
    contents = await changed_contents(files, before)
    try:
        await asyncio.to_thread(_take_over, worktree, before, files.entries, contents)
    except OSError as error:
        raise explained_os_error(error, "The worktree of a task") from error


def _take_over(
    worktree: Repository, before: Entries, after: Entries, contents: Mapping[RepoPath, bytes]
) -> None:
    for path in before:
        if path not in after or path in contents:
            _remove(worktree, path)
    # Links last, so that none stands in the way of a folder.
    for path in sorted(contents, key=lambda path: after[path].mode == _LINK):
        _write(worktree, path, after[path].mode, contents[path])


def _remove(worktree: Repository, path: RepoPath) -> None:
    located = locate_normalised_entry(worktree, path)
    with (
        suppress(FileNotFoundError, NotADirectoryError),
        folder_beneath(worktree, located) as folder,
    ):
        os.unlink(located.real.name, dir_fd=folder)
    for above in located.real.parents:
        if above == worktree.root:
            break
        with suppress(OSError):  # there is something else in it
            above.rmdir()


def _write(worktree: Repository, path: RepoPath, mode: str, content: bytes) -> None:
    located = locate_normalised_entry(worktree, path)
    name = located.real.name
    with folder_beneath(worktree, located, make=True) as folder:
        if mode == _LINK:
            os.symlink(content, name, dir_fd=folder)
            return
        bits = 0o777 if mode == _EXECUTABLE else 0o666
        with os.fdopen(os.open(name, _NEW, bits, dir_fd=folder), "wb") as file:
            file.write(content)
