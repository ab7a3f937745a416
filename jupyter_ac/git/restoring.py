"""Files of the last commit, put back on disk.

`git checkout` writes by path, and would follow a folder that somebody exchanges with a link. So git
writes the files into a folder of our own inside the git directory, line ends and allowed filters
seen to, and each takes its place from there through directory descriptors.
"""

import asyncio
import os
import stat
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from jupyter_ac.git import beneath
from jupyter_ac.git.changing import Git
from jupyter_ac.git.name_lists import names_in
from jupyter_ac.git.paths import folder_beneath
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.staging import feed, in_parts, rows
from jupyter_ac.git.temporary_folders import temporary_folder
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.store.to_end import to_end

_RESET: Final = ("reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul")
_DIFFERENT: Final = ("diff-files", "--name-only", "-z", "--ignore-submodules=all")
_GONE: Final = ("ls-files", "-z", "--deleted")
_ENTRIES: Final = ("ls-files", "-z", "--stage")
_SUBMODULE: Final = "160000 "


async def restore(git: Git, names: Collection[str]) -> None:
    """Make files, in the index and on disk, what they are in the last commit.

    Args:
        git: alone with the repository and its files.
        names: of the last commit; nothing that git doesn't know stands in their way.

    Raises:
        GitError: git can't write; what it has not written yet is as it was.
        AcError: a file can't take its place; the message says why.
    """
    if not names:
        return
    await feed(git, _RESET, names)
    different, submodules = await _different(git, names)
    entries = await rows(git, _ENTRIES, different)
    if not different and not submodules:
        return
    with temporary_folder(git.repository.git_dir) as folder:
        prefix = f"--prefix={folder}{os.sep}"
        await feed(git, ("checkout-index", "--quiet", "-z", "--stdin", prefix), different)
        await to_end(asyncio.to_thread(_place, git.repository, folder, different))
    await asyncio.to_thread(_make_folders, git.repository, submodules)
    # An entry whose size isn't the file's would count as modified before anybody reads it.
    await feed(git, ("update-index", "-z", "--index-info"), entries)
    await git.run("update-index", "-q", "--refresh", ok=(0, 1))


async def _different(git: Git, names: Collection[str]) -> tuple[list[str], list[str]]:
    """Return the files that are other on disk than in the index, and the submodules in it."""
    different: set[str] = set()
    submodules: set[str] = set()
    for part in in_parts(sorted(names)):
        for command in (_DIFFERENT, _GONE):
            different.update(names_in((await git.run(*command, "--", *part)).data))
        entries = names_in((await git.run(*_ENTRIES, "--", *part)).data)
        submodules.update(row.partition("\t")[2] for row in entries if row.startswith(_SUBMODULE))
    return sorted(different.intersection(names) - submodules), sorted(submodules)


def _place(repository: Repository, made: Path, names: Iterable[str]) -> None:
    for name in names:
        try:
            _clear(repository, name)
            with folder_beneath(repository, beneath.located(repository, name), make=True) as folder:
                os.rename(made / name, name.rpartition("/")[2], dst_dir_fd=folder)
        except OSError as error:
            raise explained_os_error(error, repr(name)) from error


def _clear(repository: Repository, name: str) -> None:
    """Take away what stands in the way: a file or link for a folder, folders for a file."""
    parts = name.split("/")
    for depth in range(1, len(parts)):
        above = "/".join(parts[:depth])
        found = beneath.lstat(repository, above)
        if found is not None and not stat.S_ISDIR(found.st_mode):
            with folder_beneath(repository, beneath.located(repository, above)) as folder:
                os.unlink(parts[depth - 1], dir_fd=folder)
    found = beneath.lstat(repository, name)
    if found is not None and stat.S_ISDIR(found.st_mode):
        beneath.remove_empty(repository, name)


def _make_folders(repository: Repository, names: Iterable[str]) -> None:
    """Make the empty folders that stand for submodules."""
    for name in names:
        if beneath.lstat(repository, name) is None:
            place = beneath.located(repository, name)
            with suppress(OSError), folder_beneath(repository, place, make=True) as folder:
                os.mkdir(place.real.name, dir_fd=folder)
