r"""Paths from outside that git may know where the disk does not: of deleted files, behind links.

`paths` takes a name that holds a backslash as it stands when there is such a file. Here the index
and the last commit count as well, so that what is done to a deleted `a\b` never hits `a/b`. And a
file that is reached through a linked folder has the name by which git knows it.
"""

import asyncio
import os
from collections.abc import Iterable
from typing import Final

from jupyter_ac.git.paths import (
    Located,
    literal,
    locate,
    locate_entry,
    normalise,
    place,
    place_entry,
    resolved,
)
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import read_git
from jupyter_ac.ids import RepoPath

_INDEX: Final = ("ls-files", "-z", "--cached", "--")
_HEAD: Final = ("ls-tree", "-z", "--name-only", "--full-tree", "HEAD", "--")


async def find(repository: Repository, path: str) -> Located:
    """Return where a path leads, as `paths.locate`.

    Raises:
        RefusedPath: as `paths.locate`.
    """
    name = await _of_deleted(repository, path)
    if name is not None:
        return await asyncio.to_thread(place, repository, name)
    return await asyncio.to_thread(locate, repository, path)


async def find_entry(repository: Repository, path: str) -> Located:
    """Return where an entry of a folder is, as `paths.locate_entry`, folders of links resolved.

    Raises:
        RefusedPath: as `paths.locate`.
    """
    name = await _of_deleted(repository, path)
    if name is not None:
        found = await asyncio.to_thread(place_entry, repository, name)
    else:
        found = await asyncio.to_thread(locate_entry, repository, path)
    inside = RepoPath(os.fspath(found.real.relative_to(repository.root)))
    return Located(inside, found.real, found.real)


async def names_for_git(repository: Repository, paths: Iterable[str]) -> list[RepoPath]:
    """Return the names that git has for paths, or would have; each once.

    Where git knows a file, the disk has no say: a link may stand in the place of its folder.

    Raises:
        RefusedPath: as `paths.locate`, for any of them.
    """
    asked = list(paths)
    plain = await asyncio.to_thread(lambda: [_plain(repository, path) for path in asked])
    pairs = zip(plain, asked, strict=True)
    return list(dict.fromkeys([name or await _known(repository, path) for name, path in pairs]))


def _plain(repository: Repository, path: str) -> RepoPath | None:
    """Return a name that can be had without git; None where git has to be asked."""
    if literal(path) is not None or _is_behind_link(repository, normalise(path)):
        return None
    return locate_entry(repository, path).path


async def _known(repository: Repository, path: str) -> RepoPath:
    name = literal(path)
    if name is not None and await _knows(repository, name):
        return name
    if name is None or not _is_there(repository, name):
        usual = normalise(path)
        if await _knows(repository, usual):
            return usual
    return (await find_entry(repository, path)).path


async def _of_deleted(repository: Repository, path: str) -> RepoPath | None:
    """Return the literal name of a file that is not on disk, but which git knows."""
    name = literal(path)
    if name is None or _is_there(repository, name) or not await _knows(repository, name):
        return None
    return name


async def _knows(repository: Repository, name: str) -> bool:
    for question in (_INDEX, _HEAD):
        if (await read_git(repository.root, (*question, name))).data:
            return True
    return False


def _is_there(repository: Repository, name: str) -> bool:
    return os.path.lexists(repository.root / name)


def _is_behind_link(repository: Repository, name: RepoPath) -> bool:
    folder = (repository.root / name).parent
    return resolved(folder, name) != folder
