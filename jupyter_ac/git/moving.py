"""Renaming and removing files and folders of the working tree.

What git tracks is renamed in the index as well; an untracked file is only moved. Removing leaves
the index as it is, so that the change can be staged or discarded like any other.

`git mv` is only asked whether it would (`--dry-run`), where it has reasons that we don't know: it
follows a folder that somebody exchanges with a link. The entry is moved through directory
descriptors (`beneath`), then the index follows.
"""

import asyncio
import os
import re
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError, AlreadyExists, Conflict, NotFound, RefusedPath
from jupyter_ac.git import descriptor_entries
from jupyter_ac.git.configuration import last_value
from jupyter_ac.git.discarding import remove_files
from jupyter_ac.git.index_entries import LIST_ENTRIES, SUBMODULE, entries_in
from jupyter_ac.git.index_moves import Tracked, move_in_index
from jupyter_ac.git.nested import repository_above
from jupyter_ac.git.path_lookup import find_entry
from jupyter_ac.git.paths import Located
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.staging import folders_above, rows
from jupyter_ac.git.submodule_moves import repair_links
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.store.shield import to_end

_ROW: Final = re.compile(r"(\S) (\d+) [0-9a-f]+ (\d)\t(.*)", re.DOTALL)
_GONE: Final = re.compile(r"(?>.*?bad source, source=)(.+), destination=", re.DOTALL)
_SPARSE_TAGS: Final = "Ss"
_MERGED: Final = "0"


async def rename_file(git: Git, old: str, new: str) -> tuple[RepoPath, RepoPath]:
    """Give a file or a link another name, and return both in their one spelling.

    Folders above the new name are made; those that the old one leaves empty are removed.

    Raises:
        RefusedPath: a path leads out of the repository, into git's own directory or into a nested
            repository, or the old one is a folder.
        NotFound: there is no such file.
        AlreadyExists: something has the new name.
        Conflict: a merge has left it in conflict.
        GitError: git can't move it.
        AccessDenied: the file system refuses.
    """
    source, target = await _checked(git.repository, old, new)
    if await asyncio.to_thread(_is_folder, source.absolute):
        raise RefusedPath(f"{old!r} is a folder; rename it as one.")
    return await _rename(git, source, target)


async def rename_folder(git: Git, old: str, new: str) -> tuple[RepoPath, RepoPath]:
    """Give a folder another name, all that is in it included; raises what `rename_file` raises."""
    source, target = await _checked(git.repository, old, new)
    if not await asyncio.to_thread(_is_folder, source.absolute):
        raise NotFound(f"{old!r} is no folder; rename it as a file.")
    if target.path.startswith(f"{source.path}/"):
        raise RefusedPath(f"{old!r} can't be moved into itself; choose another name.")
    return await _rename(git, source, target)


async def remove(repository: Repository, path: str) -> RepoPath:
    """Remove a file or a link from the working tree and return its path in its one spelling.

    Raises:
        RefusedPath: the path leads out of the repository or into git's directory, or is a folder.
        NotFound: there is nothing.
        AccessDenied: the file system refuses.
    """
    located = await find_entry(repository, path)
    return await asyncio.to_thread(_remove, repository, located)


def _remove(repository: Repository, located: Located) -> RepoPath:
    path = located.path
    found = descriptor_entries.lstat(repository, path)
    if found is None:
        raise NotFound(f"There is no file {path!r} in the repository.")
    if stat.S_ISDIR(found.st_mode):
        raise RefusedPath(f"{path!r} is a folder; remove its files one by one.")
    remove_files(repository, [path])
    return path


async def _checked(repository: Repository, old: str, new: str) -> tuple[Located, Located]:
    source, target = await find_entry(repository, old), await find_entry(repository, new)
    await asyncio.to_thread(_require_free, source, target)
    return source, target


def _require_free(source: Located, target: Located) -> None:
    if not os.path.lexists(source.absolute):
        raise NotFound(f"There is no file {source.path!r} in the repository.")
    if os.path.lexists(target.absolute) and not _is_other_case(source, target):
        raise AlreadyExists(f"There is something at {target.path!r} already; choose another name.")


def _is_other_case(source: Located, target: Located) -> bool:
    """Tell whether the new name is the old one in other case, on a disk that takes them for one."""
    if source.path == target.path or source.path.casefold() != target.path.casefold():
        return False
    try:
        return source.absolute.samefile(target.absolute)
    except OSError:
        return False


def _is_folder(place: Path) -> bool:
    return place.is_dir() and not place.is_symlink()


async def _rename(git: Git, source: Located, target: Located) -> tuple[RepoPath, RepoPath]:
    repository = git.repository
    listed = await _around(git, source, target)
    tracked = await _look(git, source, target, listed)
    try:
        kept = await asyncio.to_thread(_deepest_folder, repository, target)
        if tracked and await _may_object(git, tracked):
            await git.run("mv", "--dry-run", "--force", "--", source.path, target.path)
        entries = await entries_in(repository, listed, [each.path for each in tracked])
        await to_end(asyncio.to_thread(_move, repository, source, target, kept))
        try:
            await move_in_index(git, (source.path, target.path), tracked, entries)
        except BaseException:
            await to_end(asyncio.to_thread(_undo, repository, source, target, kept))
            raise
    except OSError as error:
        raise explained_os_error(error, repr(target.path)) from error
    except AcError as error:
        raise _explained(error, target.path) from error
    await repair_links(git, source.path, target.path, tracked)
    await asyncio.to_thread(descriptor_entries.prune, repository, source.real.parent)
    return source.path, target.path


async def _may_object(git: Git, tracked: Sequence[Tracked]) -> bool:
    """Tell whether `git mv` has reasons of its own to refuse what was looked at here.

    That are sparse checkouts, submodules, files that are gone, and another git at work.
    """
    sparse = last_value((await git.policy()).settings, "core.sparsecheckout")
    if sparse is not None and sparse.is_on:
        return True
    if any(each.mode == SUBMODULE or each.tag in _SPARSE_TAGS for each in tracked):
        return True
    root = git.repository.root
    lock = git.repository.git_dir / "index.lock"
    return await asyncio.to_thread(
        lambda: (
            os.path.lexists(lock) or not all(os.path.lexists(root / each.path) for each in tracked)
        )
    )


async def _around(git: Git, source: Located, target: Located) -> list[str]:
    """Return what the index has of an entry, of what has its new name and of folders above that."""
    return await rows(git, LIST_ENTRIES, [source.path, target.path, *folders_above(target.path)])


def _deepest_folder(repository: Repository, target: Located) -> Path:
    """Return the folder above the new name that is there already.

    Raises:
        RefusedPath: something that is no folder stands in the way.
    """
    folder = target.real.parent
    while folder != repository.root and not os.path.lexists(folder):
        folder = folder.parent
    if not _is_folder(folder):
        raise RefusedPath(f"{target.path!r} leads through something that is no folder.")
    return folder


def _move(repository: Repository, source: Located, target: Located, kept: Path) -> None:
    try:
        descriptor_entries.move(repository, source, target, is_over=_is_other_case(source, target))
    except BaseException:
        descriptor_entries.prune(repository, target.real.parent, kept)
        raise


def _undo(repository: Repository, source: Located, target: Located, kept: Path) -> None:
    """Leave all as it was, as far as nobody has taken the old name."""
    with suppress(OSError, AcError):
        descriptor_entries.move(repository, target, source, is_over=_is_other_case(target, source))
    descriptor_entries.prune(repository, target.real.parent, kept)


async def _look(git: Git, source: Located, target: Located, listed: Iterable[str]) -> list[Tracked]:
    """Return what git tracks of what is to be moved; refuse what git would make nonsense of."""
    is_folder, ours, theirs = await asyncio.to_thread(_nesting, git.repository, source, target)
    tracked: list[Tracked] = []
    conflicted: set[str] = set()
    for row in listed:
        match = _ROW.fullmatch(row)
        if match is None:
            continue
        tag, mode, merged, name = match.groups()
        if mode == SUBMODULE and target.path.startswith(f"{name}/"):
            theirs = theirs or name
        is_inside = is_folder and name.startswith(f"{source.path}/")
        is_moved = is_inside or (name == source.path and (mode == SUBMODULE) == is_folder)
        if is_moved:
            tracked.append(Tracked(RepoPath(name), mode, tag))
        if merged != _MERGED and (is_moved or name == target.path):
            conflicted.add(name)
    if tracked and conflicted:
        name = min(conflicted)
        raise Conflict(f"{name!r} is in conflict; resolve and stage it before you move a file.")
    if ours != theirs:
        inner = max(ours, theirs, key=len)
        raise RefusedPath(
            f"{inner!r} is a repository of its own; nothing is moved into it or out of it from "
            "here. Write the file anew there, and delete the old one."
        )
    return tracked


def _nesting(repository: Repository, source: Located, target: Located) -> tuple[bool, str, str]:
    """Return whether a folder is to be moved, and the nested repositories it leaves and enters."""
    return (
        _is_folder(source.absolute),
        repository_above(repository, source.path),
        repository_above(repository, target.path),
    )


def _explained(error: AcError, path: str) -> AcError:
    gone = _GONE.match(error.message)
    if gone is not None:
        return Conflict(
            f"{gone[1]!r} is deleted, but the index still has it; stage or discard that before "
            "you move its folder."
        )
    if "sparse-checkout" not in error.message:
        return error
    return RefusedPath(
        f"{path!r} lies outside of the sparse checkout; "
        "widen it by `git sparse-checkout add` in a terminal."
    )
