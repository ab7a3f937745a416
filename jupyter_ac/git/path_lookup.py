r"""Resolves paths from outside with git's help: deleted files, and files behind links.

`paths` accepts a name with a backslash literally if such a file exists on disk. This module also
checks the index and the last commit, so that an operation on a deleted `a\b` never affects `a/b`.
And a file reached through a linked folder gets the name by which git knows it.
"""

import asyncio
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from jupyter_ac.errors import RefusedPath, TooLarge
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
_MAX_ARGUMENT_BYTES: Final = 100_000


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
    return _inside(repository, found)


async def names_for_git(
    repository: Repository, paths: Iterable[str], most_asked: int | None = None
) -> list[RepoPath]:
    """Return git's names for paths, each once; the paths need not exist.

    For a file that git knows the disk is not consulted: its folder may have been replaced by a
    link.

    Args:
        repository: whose paths.
        paths: from outside.
        most_asked: of how many git may be asked, which takes longer; None for no limit.

    Raises:
        RefusedPath: as `paths.locate`, for any of them.
        TooLarge: git would have to be asked about more than `most_asked`.
    """
    asked = list(paths)
    plain = await asyncio.to_thread(lambda: [_plain(repository, path) for path in asked])
    odd = [path for path, name in zip(asked, plain, strict=True) if name is None]
    if most_asked is not None and len(odd) > most_asked:
        raise TooLarge(
            f"{len(odd):,} of the paths have a backslash, a colon or a linked folder in them; at "
            f"most {most_asked:,} of these can be given at once. Give their folder, or fewer."
        )
    wanted = [name for path in odd for name in (literal(path), _usual(path)) if name is not None]
    known = await _known_of(repository, list(dict.fromkeys(wanted)))
    found = await asyncio.to_thread(lambda: [_name(repository, path, known) for path in odd])
    rest = iter(found)
    return list(dict.fromkeys(next(rest) if name is None else name for name in plain))


def _plain(repository: Repository, path: str) -> RepoPath | None:
    """Return a name that can be determined without git; None if git must be asked."""
    if literal(path) is not None or _is_behind_link(repository, normalise(path)):
        return None
    return locate_entry(repository, path).path


def _usual(path: str) -> RepoPath | None:
    """Return what a path means that isn't taken literally; None if that is refused."""
    try:
        return normalise(path)
    except RefusedPath:
        return None


def _name(repository: Repository, path: str, known: Collection[str]) -> RepoPath:
    """Return git's name of a path.

    Args:
        repository: whose path.
        path: from outside.
        known: those of its possible names that git knows.
    """
    name = literal(path)
    if name is not None and name in known:
        return name
    if (name is None or not _is_there(repository, name)) and (usual := normalise(path)) in known:
        return usual
    return _inside(repository, locate_entry(repository, path)).path


async def _known_of(repository: Repository, names: Sequence[RepoPath]) -> set[str]:
    """Return those names that the index or the last commit has, as a file or as a folder."""
    known: set[str] = set()
    for some in _portions(names):
        for question in (_INDEX, _HEAD):
            output = (await read_git(repository.root, (*question, *some))).data
            for line in set(output.split(b"\0")):
                path = os.fsdecode(line)
                while path and path not in known:
                    known.add(path)
                    path = path.rpartition("/")[0]
    return known


def _portions(names: Sequence[RepoPath]) -> Iterator[list[RepoPath]]:
    """Divide names into lists that fit into a command line."""
    portion, size = list[RepoPath](), 0
    for name in names:
        length = len(os.fsencode(name)) + 1
        if portion and size + length > _MAX_ARGUMENT_BYTES:
            yield portion
            portion, size = [], 0
        portion.append(name)
        size += length
    if portion:
        yield portion


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


def _inside(repository: Repository, found: Located) -> Located:
    inside = RepoPath(os.fspath(found.real.relative_to(repository.root)))
    return Located(inside, found.real, found.real)


def _is_there(repository: Repository, name: str) -> bool:
    return os.path.lexists(repository.root / name)


def _is_behind_link(repository: Repository, name: RepoPath) -> bool:
    folder = (repository.root / name).parent
    return resolved(folder, name) != folder
