"""Entries of the working tree, looked at, moved and pruned through directory descriptors.

Each folder on the way is opened in the one above without following links (`paths.folder_beneath`),
so that a folder that somebody exchanges with a link leads nowhere, whenever that happens.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from jupyter_ac.errors import AlreadyExists, NotFound
from jupyter_ac.git.folder_walk import FolderWalk
from jupyter_ac.git.paths import Located, folder_beneath, open_beneath
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath


def located(repository: Repository, path: str) -> Located:
    """Return the place of a name of git's, none of whose folders is a link."""
    absolute = repository.root / path
    return Located(RepoPath(path), absolute, absolute)


def lstat(repository: Repository, path: str) -> os.stat_result | None:
    """Return what stands at a name of git's; None for nothing, or when a link is on the way."""
    try:
        with folder_beneath(repository, located(repository, path)) as folder:
            return os.stat(path.rpartition("/")[2], dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None


def is_special(mode: int) -> bool:
    """Tell whether a mode is a pipe's, a socket's or a device's."""
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def is_folder(repository: Repository, path: str) -> bool:
    """Tell whether a folder stands there, and no link to one."""
    found = lstat(repository, path)
    return found is not None and stat.S_ISDIR(found.st_mode)


@contextmanager
def opened(repository: Repository, path: str) -> Iterator[IO[bytes]]:
    """Open a plain file for reading, by a name of git's.

    Raises:
        NotFound: there is no plain file, or a link is on the way.
    """
    with os.fdopen(open_beneath(repository, located(repository, path)), "rb") as file:
        yield file


def move(repository: Repository, source: Located, target: Located, *, is_over: bool) -> None:
    """Give an entry another name; makes the folders above that.

    Args:
        repository: where.
        source: the entry, which may be a folder.
        target: its new place.
        is_over: the new name may be there: it is the old one in other case.

    Raises:
        NotFound: the entry isn't there.
        AlreadyExists: something has the new name.
        OSError: the file system refuses, or a link is on the way.
    """
    here, there = source.real.name, target.real.name
    with ExitStack() as stack:
        try:
            left = stack.enter_context(folder_beneath(repository, source))
        except (FileNotFoundError, NotADirectoryError):
            raise _gone(source) from None
        entered = stack.enter_context(folder_beneath(repository, target, make=True))
        with suppress(FileNotFoundError):
            os.stat(there, dir_fd=entered, follow_symlinks=False)
            if not is_over:
                raise AlreadyExists(
                    f"There is something at {target.path!r} already; choose another name."
                )
        try:
            os.rename(here, there, src_dir_fd=left, dst_dir_fd=entered)
        except FileNotFoundError:
            raise _gone(source) from None


def _gone(source: Located) -> NotFound:
    return NotFound(f"There is no file {source.path!r} in the repository.")


def prune(repository: Repository, folder: Path, stop: Path | None = None) -> None:
    """Remove folders that were left empty, from the inside out.

    Args:
        repository: where.
        folder: the innermost.
        stop: a folder that stays whatever is in it; None for the top folder.
    """
    stop = stop or repository.root
    if not folder.is_relative_to(stop):
        return
    parts = folder.relative_to(repository.root).parts
    going = parts[len(stop.relative_to(repository.root).parts) :]
    with suppress(OSError), FolderWalk(repository) as walk:
        walk.enter(*parts[:-1])
        for left, name in reversed(list(enumerate(going))):
            os.rmdir(name, dir_fd=walk.here)
            if left:
                walk.leave()
