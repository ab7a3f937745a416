"""The choices for a folder without a repository: repositories nearby, a new one, or none.

A new one is made of the folder that the person was asked about, and of no other: whoever wants it
made says again which one that is.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from jupyter_ac.errors import AcError, Conflict, InvalidParams
from jupyter_ac.git.nearby import marked_folders_above, repositories_below
from jupyter_ac.git.repository import (
    Repository,
    initialise,
    open_plain_folder,
    require_initialisable,
    require_project,
)

FindAbove = Callable[[Path], Awaitable["Nearby | None"]]
"""Finds the repository of a folder that has a `.git`; None when it may not be opened."""


@dataclass(frozen=True, slots=True)
class Nearby:
    """A repository that can be opened instead.

    Attributes:
        path: the folder to ask for, absolute.
        name: as shown: relative to the folder for one below, the absolute top for one above.
    """

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class RepositoryChoices:
    """A folder that is in no repository.

    Attributes:
        folder: absolute, links resolved: what would become a repository.
        above: repositories around it, the nearest first.
        below: repositories inside, at most two levels down.
        is_complete: False when not all of those below were found.
        refusal: why it may not become a repository, in a sentence; "" when it may.
        plain_refusal: why it may not be worked on without one, in a sentence; "" when it may.
    """

    folder: Path
    above: tuple[Nearby, ...]
    below: tuple[Nearby, ...]
    is_complete: bool
    refusal: str
    plain_refusal: str


async def look_around(folder: Path, find_above: FindAbove) -> RepositoryChoices:
    """Look for repositories near a folder.

    Args:
        folder: absolute, links resolved, in no repository.
        find_above: knows which folders may be opened.
    """
    marked = await asyncio.to_thread(marked_folders_above, folder)
    above = {found: None for place in marked if (found := await find_above(place)) is not None}
    below = await asyncio.to_thread(repositories_below, folder)
    return RepositoryChoices(
        folder=folder,
        above=tuple(above),
        below=tuple(Nearby(folder / path, path) for path in below.paths),
        is_complete=below.is_complete,
        refusal=await _refusal(require_initialisable(folder)),
        plain_refusal=await _refusal(require_project(folder)),
    )


def surroundings_shape(around: RepositoryChoices) -> dict[str, object]:
    """Word the surroundings for a page."""
    return {
        "folder": str(around.folder),
        "above": [_nearby_shape(nearby) for nearby in around.above],
        "below": [_nearby_shape(nearby) for nearby in around.below],
        "complete": around.is_complete,
        "refusal": around.refusal,
        "plain_refusal": around.plain_refusal,
    }


async def open_confirmed(folder: Path, confirmed: object, *, with_git: bool = True) -> Repository:
    """Open a folder without a repository, or make it one, when this very folder was confirmed.

    Args:
        folder: absolute, links resolved, in no repository.
        confirmed: as a client sent it: the absolute path of the folder.
        with_git: False opens it as it is.

    Raises:
        RefusedPath: it may not become one, or not be opened, whatever was confirmed.
        AccessDenied: the user may not write there.
        InvalidParams: nothing was confirmed.
        Conflict: another folder was.
        NotReady: Jupyter's data directory can't be written.
        GitError: git is missing or can't write there.
    """
    if not with_git:
        await require_project(folder)
        _require_confirmed(folder, confirmed, "open without a repository")
        return await open_plain_folder(folder)
    await require_initialisable(folder)
    _require_confirmed(folder, confirmed, "make a repository of")
    return await initialise(folder)


def _require_confirmed(folder: Path, confirmed: object, action: str) -> None:
    if confirmed is None or confirmed == "":
        raise InvalidParams(
            f"This would {action} {str(folder)!r}: ask the person whether that is the right "
            'folder, then send the same again with it as "confirm".'
        )
    if confirmed != str(folder):
        raise Conflict(
            f"Another folder was confirmed; this would {action} {str(folder)!r}: ask the person, "
            'then send that folder as "confirm".'
        )


def _nearby_shape(nearby: Nearby) -> dict[str, str]:
    return {"path": str(nearby.path), "name": nearby.name}


async def _refusal(check: Awaitable[None]) -> str:
    try:
        await check
    except AcError as error:
        return str(error)
    return ""
