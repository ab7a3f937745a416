"""Resolves a block's path, and checks whether edits may reach the file."""

import asyncio
import os
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock
from jupyter_ac.edit_rows import BlockStatus, ErrorType
from jupyter_ac.errors import AcError, RefusedPath
from jupyter_ac.git.excluded_paths import REASON, ExcludedPaths
from jupyter_ac.git.nested import repository_above
from jupyter_ac.git.path_lookup import find
from jupyter_ac.git.paths import Located
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.temp_files import tag_of
from jupyter_ac.ids import RepoPath

_NAME_BYTES: Final = 255


class LinkTarget(Enum):
    """The kind of a link's target."""

    NONE = auto()
    FILE = auto()
    FOLDER = auto()


@dataclass(frozen=True, slots=True)
class BlockTarget:
    """The resolved target of a block.

    Attributes:
        position: of the block in its batch.
        block: what is asked for.
        path: the file's name as it was given, in its one spelling.
        key: the entry that is changed, as git names it: of a link's target for an edit.
        new_key: likewise where a renamed file goes; None for other kinds.
        link: what kind of link the entry itself is that is removed or renamed.
    """

    position: int
    block: EditBlock
    path: RepoPath
    key: RepoPath
    new_key: RepoPath | None = None
    link: LinkTarget = LinkTarget.NONE

    @property
    def keys(self) -> tuple[RepoPath, ...]:
        """The entries that it changes."""
        return (self.key,) if self.new_key is None else (self.key, self.new_key)


async def target_of(
    repository: Repository,
    position: int,
    block: EditBlock,
    excluded: ExcludedPaths,
) -> BlockTarget | BlockOutcome:
    """Return what a block is about, or why it is refused before anything is looked at.

    Of an excluded file the model isn't told why: that would say something of the file.
    """
    if not block.path or (block.kind is BlockKind.RENAME and not block.new_path):
        message = "The block names no file; write its path on the line above the block."
        if block.path:
            message = "The block names no new path; write it on a line of its own in the block."
        return BlockOutcome(block, BlockStatus.FAILED, message, ErrorType.VALIDATION_ERROR)
    if not block.is_complete:
        message = "The block is not closed, so it was not applied; write it again, whole."
        return BlockOutcome(block, BlockStatus.FAILED, message, ErrorType.VALIDATION_ERROR)
    try:
        found = await _place(repository, block.path)
        is_entry = block.kind is not BlockKind.EDIT
        key = _key(repository, found, is_entry=is_entry)
        names = [found.path, key, _key(repository, found, is_entry=False)]
        new_key = None
        if block.kind is BlockKind.RENAME:
            target = await _place(repository, block.new_path)
            new_key = _key(repository, target, is_entry=True)
            names += (target.path, new_key)
    except AcError as error:
        return refused(block, error)
    if excluded.covers(*names):
        message = f"Not applied to {block.path!r}: {REASON}."
        return BlockOutcome(
            block, BlockStatus.SKIPPED, message, ErrorType.VALIDATION_ERROR, is_withheld=True
        )
    link = _link(found) if is_entry else LinkTarget.NONE
    return BlockTarget(position, block, found.path, key, new_key, link)


def refused(block: EditBlock, error: AcError) -> BlockOutcome:
    """Return the outcome of a block that may not be carried out."""
    return BlockOutcome(block, BlockStatus.SKIPPED, error.message, ErrorType.VALIDATION_ERROR)


async def _place(repository: Repository, path: str) -> Located:
    """Return where a path leads.

    Raises:
        RefusedPath: edits may not reach it.
    """
    found = await find(repository, path)
    await asyncio.to_thread(_require_allowed, repository, path, found)
    return found


def _require_allowed(repository: Repository, path: str, found: Located) -> None:
    if path[-1] in "/\\" and found.path[-1] != path[-1]:
        raise RefusedPath(f"{path!r} names a folder; name a file in it.")
    for name in (found.path, found.real.name):
        if tag_of(name) is not None:
            raise RefusedPath(f"{path!r} is a name that jupyter_ac uses itself; choose another.")
    if any(len(os.fsencode(part)) > _NAME_BYTES for part in found.real.parts):
        raise RefusedPath(f"A name in {path[:80]!r} … is too long for the file system.")
    if _dangles(repository.root, found.absolute):
        raise RefusedPath(f"{path!r} is, or leads through, a link to nothing; name a file.")
    inside = os.fspath(found.real.relative_to(repository.root))
    for name in (inside, found.path):
        above = repository_above(repository, name)
        if above:
            raise RefusedPath(
                f"{path!r} belongs to the repository {above!r} inside this one; edit it there."
            )


def _dangles(root: Path, place: Path) -> bool:
    """Tell whether a link on the way to a place, or at it, leads to nothing."""
    while place != root:
        if place.is_symlink() and not place.exists():
            return True
        place = place.parent
    return False


def _link(found: Located) -> LinkTarget:
    if not found.absolute.is_symlink():
        return LinkTarget.NONE
    return LinkTarget.FOLDER if found.real.is_dir() else LinkTarget.FILE


def _key(repository: Repository, found: Located, *, is_entry: bool) -> RepoPath:
    """Return git's name of a file; of the link itself where entries are meant."""
    real = found.real
    if is_entry and found.absolute.is_symlink():
        real = Path(os.path.realpath(found.absolute.parent)) / found.absolute.name
    return RepoPath(os.fspath(real.relative_to(repository.root)))
