r"""Resolves paths from outside with git's help: deleted files, and files behind links.

`paths` accepts a name with a backslash literally if such a file exists on disk. This module also
checks the index and the last commit, so that an operation on a deleted `a\b` never affects `a/b`.
And a file reached through a linked folder gets the name by which git knows it.
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
    locate_normalised,
    locate_normalised_entry,
    normalise,
    resolved,
)
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import read_git
from jupyter_ac.ids import RepoPath

_INDEX: Final = ("ls-files", "-z", "--cached", "--")
_HEAD: Final = ("ls-tree", "-z", "--name-only", "--full-tree", "HEAD", "--")


async def find(repository: Repository, path: str) -> Located:
    """Return the location of a path, as `paths.locate`.

    Raises:
        RefusedPath: as `paths.locate`.
    """
    name = await _of_deleted(repository, path)
    if name is not None:
        return await asyncio.to_thread(locate_normalised, repository, name)
    return await asyncio.to_thread(locate, repository, path)


async def find_entry(repository: Repository, path: str) -> Located:
    """Return the location of an entry, as `paths.locate_entry`, with links among folders resolved.

    Raises:
        RefusedPath: as `paths.locate`.
    """
    name = await _of_deleted(repository, path)
    if name is not None:
        found = await asyncio.to_thread(locate_normalised_entry, repository, name)
    else:
        found = await asyncio.to_thread(locate_entry, repository, path)
    inside = RepoPath(os.fspath(found.real.relative_to(repository.root)))
    return Located(inside, found.real, found.real)


async def names_for_git(repository: Repository, paths: Iterable[str]) -> list[RepoPath]:
    """Return git's names for paths, each once; the paths need not exist.

    For a file that git knows the disk is not consulted: its folder may have been replaced by a
    link.

    Raises:
        RefusedPath: as `paths.locate`, for any of them.
    """
    asked = list(paths)
    plain = await asyncio.to_thread(lambda: [_plain(repository, path) for path in asked])
    pairs = zip(plain, asked, strict=True)
    return list(dict.fromkeys([name or await _known(repository, path) for name, path in pairs]))


def _plain(repository: Repository, path: str) -> RepoPath | None:
    """Return a name that can be determined without git; None if git must be asked."""
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
    """Return the literal name of a file that is not on disk but known to git."""
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
