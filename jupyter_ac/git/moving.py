"""Renames and removes files and folders of the working tree.

Tracked files are renamed in the index as well; an untracked file is only moved. Removing leaves the
index unchanged, so that the change can be staged or discarded like any other.

`git mv` is only used for its checks (`--dry-run`), because it follows a folder that is replaced by
a link (a race). The entry is moved through directory descriptors (`descriptor_entries`), then the
index is updated.
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
from jupyter_ac.git.index_moves import Tracked, move_in_index, repair_links
from jupyter_ac.git.nested import repository_above
from jupyter_ac.git.path_lookup import find_entry
from jupyter_ac.git.paths import Located
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.staging import folders_above, rows
from jupyter_ac.git.untracked_files import shown_untracked
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.store.shield import run_to_completion

_ROW: Final = re.compile(r"(\S) (\d+) [0-9a-f]+ (\d)\t(.*)", re.DOTALL)
_MISSING: Final = re.compile(r"(?>.*?bad source, source=)(.+), destination=", re.DOTALL)
_SPARSE_TAGS: Final = "Ss"
_MERGED: Final = "0"


async def rename_file(git: Git, old: str, new: str) -> tuple[RepoPath, RepoPath]:
    """Rename a file or a link, and return both paths normalized.

    Folders above the new name are created; those that become empty are removed.

    Raises:
        RefusedPath: a path leads out of the repository, into git's own directory or into a nested
            repository, or the old one is a folder.
        NotFound: there is no such file.
        AlreadyExists: the new name is in use.
        Conflict: it is in a merge conflict.
        GitError: git can't move it.
        AccessDenied: the file system refuses.
    """
    source, target = await _checked(git.repository, old, new)
    if await asyncio.to_thread(_is_folder, source.absolute):
        raise RefusedPath(f"{old!r} is a folder; rename it as one.")
    return await _rename(git, source, target)


async def rename_folder(git: Git, old: str, new: str) -> tuple[RepoPath, RepoPath]:
    """Rename a folder with its content; raises as `rename_file`."""
    source, target = await _checked(git.repository, old, new)
    if not await asyncio.to_thread(_is_folder, source.absolute):
        raise NotFound(f"{old!r} is not a folder; rename it as a file.")
    if target.path.startswith(f"{source.path}/"):
        raise RefusedPath(f"{old!r} can't be moved into itself; choose another name.")
    return await _rename(git, source, target)


async def remove(repository: Repository, path: str) -> RepoPath:
    """Remove a file or a link from the working tree and return its normalized path.

    Raises:
        RefusedPath: the path leads out of the repository or into git's directory, or is a folder.
        NotFound: it doesn't exist.
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


_SHOWN: Final = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--")


async def remove_folder(git: Git, path: str) -> list[RepoPath]:
    """Remove the files of a folder that git tracks or that are shown, and folders left empty.

    Files that git ignores, submodules and other repositories in it stay.

    Args:
        git: with exclusive access to the repository and its files.
        path: of the folder.

    Returns:
        the removed files.

    Raises:
        RefusedPath: the path leads out of the repository or into git's directory, is its top, or
            is a link.
        NotFound: there is no such folder.
        AccessDenied: the file system refuses.
    """
    repository = git.repository
    located = await find_entry(repository, path)
    if not await asyncio.to_thread(_is_folder, located.absolute):
        raise NotFound(f"There is no folder {path!r} in the repository.")
    output = await git.run(*_SHOWN, located.path)
    listed = output.data.decode("utf-8", "surrogateescape").split("\0")[:-1]
    is_shown = shown_untracked(repository)
    tracked = set(await _tracked_below(git, located.path))
    paths = [path for path in dict.fromkeys(listed) if path in tracked or is_shown(path)]
    return await asyncio.to_thread(_remove_below, repository, paths)


async def _tracked_below(git: Git, folder: str) -> list[str]:
    output = await git.run("ls-files", "-z", "--cached", "--", folder)
    return output.data.decode("utf-8", "surrogateescape").split("\0")[:-1]


def _remove_below(repository: Repository, paths: Sequence[str]) -> list[RepoPath]:
    there = [path for path in paths if _is_file_or_link(descriptor_entries.lstat(repository, path))]
    remove_files(repository, there)
    for folder in sorted({above for path in there for above in folders_above(path)}, reverse=True):
        descriptor_entries.prune(repository, repository.root / folder)
    return [RepoPath(path) for path in there]


def _is_file_or_link(found: os.stat_result | None) -> bool:
    return found is not None and not stat.S_ISDIR(found.st_mode)


async def _checked(repository: Repository, old: str, new: str) -> tuple[Located, Located]:
    source, target = await find_entry(repository, old), await find_entry(repository, new)
    await asyncio.to_thread(_require_free, source, target)
    return source, target


def _require_free(source: Located, target: Located) -> None:
    if not os.path.lexists(source.absolute):
        raise NotFound(f"There is no file {source.path!r} in the repository.")
    if os.path.lexists(target.absolute) and not _is_other_case(source, target):
        raise AlreadyExists(f"{target.path!r} exists already; choose another name.")


def _is_other_case(source: Located, target: Located) -> bool:
    """Return whether both names differ only in case and mean the same file on this disk."""
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
    listed = await _list_entries(git, source, target)
    tracked = await _tracked(git, source, target, listed)
    try:
        existing = await asyncio.to_thread(_deepest_folder, repository, target)
        if tracked and await _may_refuse(git, tracked):
            await git.run("mv", "--dry-run", "--force", "--", source.path, target.path)
        entries = await entries_in(repository, listed, [each.path for each in tracked])
        await run_to_completion(asyncio.to_thread(_move, repository, source, target, existing))
        try:
            await move_in_index(git, (source.path, target.path), tracked, entries)
        except BaseException:
            await run_to_completion(asyncio.to_thread(_undo, repository, source, target, existing))
            raise
    except OSError as error:
        raise explained_os_error(error, repr(target.path)) from error
    except AcError as error:
        raise _explained(error, target.path) from error
    await repair_links(git, source.path, target.path, tracked)
    await asyncio.to_thread(descriptor_entries.prune, repository, source.real.parent)
    return source.path, target.path


async def _may_refuse(git: Git, tracked: Sequence[Tracked]) -> bool:
    """Return whether `git mv` may refuse for reasons that are not checked here.

    These are sparse checkouts, submodules, missing files, and another git process at work.
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


async def _list_entries(git: Git, source: Located, target: Located) -> list[str]:
    """Return the index entries of the old name, the new one, and the folders above the new one."""
    return await rows(git, LIST_ENTRIES, [source.path, target.path, *folders_above(target.path)])


def _deepest_folder(repository: Repository, target: Located) -> Path:
    """Return the deepest existing folder above the new name.

    Raises:
        RefusedPath: something that isn't a folder is in the way.
    """
    folder = target.real.parent
    while folder != repository.root and not os.path.lexists(folder):
        folder = folder.parent
    if not _is_folder(folder):
        raise RefusedPath(f"{target.path!r} leads through something that isn't a folder.")
    return folder


def _move(repository: Repository, source: Located, target: Located, existing: Path) -> None:
    try:
        descriptor_entries.move(repository, source, target, is_over=_is_other_case(source, target))
    except BaseException:
        descriptor_entries.prune(repository, target.real.parent, existing)
        raise


def _undo(repository: Repository, source: Located, target: Located, existing: Path) -> None:
    """Undo the move, unless the old name is in use again."""
    with suppress(OSError, AcError):
        descriptor_entries.move(repository, target, source, is_over=_is_other_case(target, source))
    descriptor_entries.prune(repository, target.real.parent, existing)


async def _tracked(
    git: Git, source: Located, target: Located, listed: Iterable[str]
) -> list[Tracked]:
    """Return the tracked paths to move; refuse moves after which git's index would be wrong."""
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
            "here. Create the file there, and delete the old one."
        )
    return tracked


def _nesting(repository: Repository, source: Located, target: Located) -> tuple[bool, str, str]:
    """Return whether the source is a folder, and the nested repositories of source and target."""
    return (
        _is_folder(source.absolute),
        repository_above(repository, source.path),
        repository_above(repository, target.path),
    )


def _explained(error: AcError, path: str) -> AcError:
    missing = _MISSING.match(error.message)
    if missing is not None:
        return Conflict(
            f"{missing[1]!r} is deleted, but the index still has it; stage or discard that before "
            "you move its folder."
        )
    if "sparse-checkout" not in error.message:
        return error
    return RefusedPath(
        f"{path!r} lies outside of the sparse checkout; "
        "widen it with `git sparse-checkout add` in a terminal."
    )
