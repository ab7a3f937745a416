"""Restores files of the last commit on disk.

`git checkout` writes by path, and would follow a folder that is replaced by a link. So git writes
the files into a temporary folder inside the git directory, with line ends and allowed filters
applied, and each file is moved to its path through directory descriptors.
"""

import asyncio
import os
import stat
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from jupyter_ac.git import descriptor_entries
from jupyter_ac.git.entry_writing import write_entries
from jupyter_ac.git.folder_walk import FolderWalk
from jupyter_ac.git.paths import folder_beneath
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.staging import feed, listed, rows
from jupyter_ac.git.temp_files import temporary_folder
from jupyter_ac.git.write_commands import Git
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.store.shield import run_to_completion

_TREE: Final = ("ls-tree", "-r", "-z", "--full-tree", "HEAD")
_RESET: Final = ("reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul")
_DIFFERENT: Final = ("diff-files", "--name-only", "-z", "--ignore-submodules=all")
_SUBMODULE: Final = "160000 "


async def last_versions(git: Git, paths: Sequence[str]) -> dict[str, str]:
    """Return mode and blob of files in the last commit, for `restore`.

    Args:
        git: to read the commit; there is one, or `paths` is empty.
        paths: files, or folders with all files below; empty for none.

    Raises:
        GitError: git can't read the commit.
    """
    found: dict[str, str] = {}
    for row in await rows(git, _TREE, paths):
        entry, _, name = row.partition("\t")
        mode, _, blob = entry.split(" ")
        found[name] = f"{mode} {blob}"
    return found


async def restore(git: Git, committed: Mapping[str, str], staged: Collection[str]) -> None:
    """Restore files, in the index and on disk, to their version in the last commit.

    Args:
        git: with exclusive access to the repository and its files.
        committed: mode and blob in the last commit, separated by a space, by name; no untracked
            entry is in their way.
        staged: those for which the index may differ.

    Raises:
        GitError: git can't write; files not yet written are unchanged.
        AcError: a file can't be moved to its path; the message contains the reason.
    """
    if not committed:
        return
    await feed(git, _RESET, staged)
    submodules = sorted(name for name, held in committed.items() if held.startswith(_SUBMODULE))
    names = (await listed(git, _DIFFERENT, sorted(committed))).names
    different = sorted(names.intersection(committed).difference(submodules))
    if different:
        with temporary_folder(git.repository.git_dir) as folder:
            prefix = f"--prefix={folder}{os.sep}"
            await feed(git, ("checkout-index", "--quiet", "-z", "--stdin", prefix), different)
            await run_to_completion(
                asyncio.to_thread(_move_into_place, git.repository, folder, different)
            )
    await asyncio.to_thread(_make_folders, git.repository, submodules)
    # Otherwise an entry whose size differs from the file's would be listed as modified.
    await write_entries(git, {name: committed[name] for name in different})


def _move_into_place(repository: Repository, made: Path, names: Iterable[str]) -> None:
    for name in names:
        try:
            _clear(repository, name)
            with folder_beneath(
                repository, descriptor_entries.entry_location(repository, name), make=True
            ) as folder:
                os.rename(made / name, name.rpartition("/")[2], dst_dir_fd=folder)
        except OSError as error:
            raise explained_os_error(error, repr(name)) from error


def _clear(repository: Repository, name: str) -> None:
    """Remove what is in the way: a file or link where a folder is needed, folders for a file."""
    *folders, last = name.split("/")
    with FolderWalk(repository) as walk:
        for folder in folders:
            found = _entry(walk, folder)
            if found is None:
                return
            if not stat.S_ISDIR(found.st_mode):
                os.unlink(folder, dir_fd=walk.here)
                return
            walk.enter(folder)
        found = _entry(walk, last)
        if found is not None and stat.S_ISDIR(found.st_mode):
            walk.remove_empty(last)


def _entry(walk: FolderWalk, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=walk.here, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _make_folders(repository: Repository, names: Iterable[str]) -> None:
    """Create the empty folders of submodules."""
    for name in names:
        if descriptor_entries.lstat(repository, name) is None:
            place = descriptor_entries.entry_location(repository, name)
            with suppress(OSError), folder_beneath(repository, place, make=True) as folder:
                os.mkdir(place.real.name, dir_fd=folder)
