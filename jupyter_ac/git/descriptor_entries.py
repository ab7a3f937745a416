"""Inspects, moves and prunes entries of the working tree through directory descriptors.

Each folder on the path is opened relative to the one above, without following links
(`paths.folder_beneath`), so replacing a folder by a link at any moment redirects nothing.
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


def entry_location(repository: Repository, path: str) -> Located:
    """Return the location of a git path none of whose folders is a link."""
    absolute = repository.root / path
    return Located(RepoPath(path), absolute, absolute)


def lstat(repository: Repository, path: str) -> os.stat_result | None:
    """Return the attributes of the entry at a git path; None if missing or behind a link."""
    try:
        with folder_beneath(repository, entry_location(repository, path)) as folder:
            return os.stat(path.rpartition("/")[2], dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None


def is_special(mode: int) -> bool:
    """Return whether a mode belongs to a pipe, a socket or a device."""
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def is_folder(repository: Repository, path: str) -> bool:
    """Return whether there is a folder, and not a link to one."""
    found = lstat(repository, path)
    return found is not None and stat.S_ISDIR(found.st_mode)


@contextmanager
def open_entry(repository: Repository, path: str) -> Iterator[IO[bytes]]:
    """Open a regular file for reading by its git path.

    Raises:
        NotFound: there is no regular file, or a link is on the path.
    """
    with os.fdopen(open_beneath(repository, entry_location(repository, path)), "rb") as file:
        yield file


def move(repository: Repository, source: Located, target: Located, *, is_over: bool) -> None:
    """Rename an entry; creates the folders above the new name.

    Args:
        repository: the repository.
        source: the entry, which may be a folder.
        target: its new location.
        is_over: the new name may exist, because it differs from the old one only in case.

    Raises:
        NotFound: the entry doesn't exist.
        AlreadyExists: the new name is in use.
        OSError: the file system refuses, or a link is on the path.
    """
    here, there = source.real.name, target.real.name
    with ExitStack() as stack:
        try:
            left = stack.enter_context(folder_beneath(repository, source))
        except (FileNotFoundError, NotADirectoryError):
            raise _not_found(source) from None
        entered = stack.enter_context(folder_beneath(repository, target, make=True))
        with suppress(FileNotFoundError):
            os.stat(there, dir_fd=entered, follow_symlinks=False)
            if not is_over:
                raise AlreadyExists(f"{target.path!r} exists already; choose another name.")
        try:
            os.rename(here, there, src_dir_fd=left, dst_dir_fd=entered)
        except FileNotFoundError:
            raise _not_found(source) from None


def _not_found(source: Located) -> NotFound:
    return NotFound(f"There is no file {source.path!r} in the repository.")


def prune(repository: Repository, folder: Path, stop: Path | None = None) -> None:
    """Remove empty folders from the innermost outwards.

    Args:
        repository: the repository.
        folder: the innermost folder.
        stop: a folder that is never removed; None for the top folder.
    """
    stop = stop or repository.root
    if not folder.is_relative_to(stop):
        return
    parts = folder.relative_to(repository.root).parts
    folders = parts[len(stop.relative_to(repository.root).parts) :]
    with suppress(OSError), FolderWalk(repository) as walk:
        walk.enter(*parts[:-1])
        for left, name in reversed(list(enumerate(folders))):
            os.rmdir(name, dir_fd=walk.here)
            if left:
                walk.leave()
