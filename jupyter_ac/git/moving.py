"""Renaming and removing files and folders of the working tree.

What git tracks is renamed in the index as well; an untracked file is only moved. Removing leaves
the index as it is, so that the change can be staged or discarded like any other.
"""

import asyncio
import errno
import os
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AccessDenied, AcError, AlreadyExists, NotFound, RefusedPath
from jupyter_ac.git.changing import Git
from jupyter_ac.git.discarding import remove_files
from jupyter_ac.git.paths import Located, locate_entry
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.staging import listed
from jupyter_ac.ids import RepoPath

_INDEX: Final = ("ls-files", "-z", "--cached")


async def rename_file(git: Git, old: str, new: str) -> tuple[RepoPath, RepoPath]:
    """Give a file or a link another name, and return both in their one spelling.

    Folders above the new name are made; those that the old one leaves empty are removed.

    Raises:
        RefusedPath: a path leads out of the repository or into git's own directory, or the old one
            is a folder.
        NotFound: there is no such file.
        AlreadyExists: something has the new name.
        GitError: git can't move it.
        AccessDenied: the file system refuses.
    """
    source, target = await asyncio.to_thread(_checked, git.repository, old, new)
    if await asyncio.to_thread(_is_folder, source.absolute):
        raise RefusedPath(f"{old!r} is a folder; rename it as one.")
    return await _rename(git, source, target)


async def rename_folder(git: Git, old: str, new: str) -> tuple[RepoPath, RepoPath]:
    """Give a folder another name, all that is in it included; raises what `rename_file` raises."""
    source, target = await asyncio.to_thread(_checked, git.repository, old, new)
    if not await asyncio.to_thread(_is_folder, source.absolute):
        raise NotFound(f"There is no folder {old!r} in the repository.")
    if target.path.startswith(f"{source.path}/"):
        raise RefusedPath(f"{old!r} can't be moved into itself; choose another name.")
    return await _rename(git, source, target)


def remove(repository: Repository, path: str) -> RepoPath:
    """Remove a file or a link from the working tree and return its path in its one spelling.

    Raises:
        RefusedPath: the path leads out of the repository or into git's directory, or is a folder.
        NotFound: there is nothing.
        AccessDenied: the file system refuses.
    """
    located = locate_entry(repository, path)
    if not os.path.lexists(located.absolute):
        raise NotFound(f"There is no file {path!r} in the repository.")
    if _is_folder(located.absolute):
        raise RefusedPath(f"{path!r} is a folder; remove its files one by one.")
    remove_files(repository, [located.path])
    return located.path


def _checked(repository: Repository, old: str, new: str) -> tuple[Located, Located]:
    source, target = locate_entry(repository, old), locate_entry(repository, new)
    if not os.path.lexists(source.absolute):
        raise NotFound(f"There is no file {old!r} in the repository.")
    if os.path.lexists(target.absolute) and not _is_other_case(source, target):
        raise AlreadyExists(f"There is something at {new!r} already; choose another name.")
    return source, target


def _is_other_case(source: Located, target: Located) -> bool:
    """Tell whether the new name is the old one in other case, on a disk that takes them for one."""
    if source.path == target.path or source.path.casefold() != target.path.casefold():
        return False
    return source.absolute.samefile(target.absolute)


def _is_folder(place: Path) -> bool:
    return place.is_dir() and not place.is_symlink()


async def _rename(git: Git, source: Located, target: Located) -> tuple[RepoPath, RepoPath]:
    tracked = await listed(git, _INDEX, [source.path])
    try:
        await asyncio.to_thread(os.makedirs, target.absolute.parent, exist_ok=True)
        if tracked.names:
            await git.run("mv", "--force", "--", source.path, target.path)
        else:
            await asyncio.to_thread(os.rename, source.absolute, target.absolute)
    except OSError as error:
        raise _explained(error, target.path) from error
    await asyncio.to_thread(_prune, git.repository.root, source.absolute.parent)
    return source.path, target.path


def _prune(root: Path, folder: Path) -> None:
    """Remove folders that were left empty, from the inside out."""
    while folder != root and folder.is_relative_to(root):
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def _explained(error: OSError, path: str) -> AcError:
    if error.errno in {errno.ENOTDIR, errno.EEXIST}:
        return RefusedPath(f"{path!r} leads through something that is no folder.")
    return AccessDenied(f"{path!r} can't be made: {error.strerror}.")
