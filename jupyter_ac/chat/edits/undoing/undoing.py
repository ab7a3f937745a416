"""Undoes edits: all blocks of a batch, or some, also if others have changed the files since.

An undo is atomic: everything is planned first, and if a step fails, the earlier ones are rolled
back. If the process dies in the middle, each file is as it was before or after; the undo is
idempotent, so a retry completes it.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from jupyter_ac.chat.edit_blocks.file_changes import FOREIGN, Act, Change
from jupyter_ac.chat.edits.undoing.index_restoring import (
    IndexRestore,
    plan_index_restore,
    restore_index,
)
from jupyter_ac.chat.edits.undoing.revert_preview import (
    RevertPreview,
    RevertStatus,
    preview_revert,
    standings,
)
from jupyter_ac.chat.edits.undoing.undo_state import GONE, UndoState, look, read_undo_state
from jupyter_ac.chat.edits.undoing.weave import WovenFiles
from jupyter_ac.chat.history.before_images import BeforeImage, BeforeImages
from jupyter_ac.chat.history.stored_values import UNREADABLE
from jupyter_ac.errors import AcError, Conflict
from jupyter_ac.events import FilesModified
from jupyter_ac.git.disk_entries import (
    NOTHING,
    DiskEntry,
    entry_location,
    read_entry,
    remove_entry,
    restore_entry,
)
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.git.index_entries import Entries
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.write_commands import Git, RepositoryWriter
from jupyter_ac.git.writing import FileLocks
from jupyter_ac.ids import RepoPath

Tag: TypeAlias = Callable[[RepoPath], str]
"""Names a file's lock."""


def restore(
    repository: Repository, state: UndoState, wanted: Mapping[RepoPath, DiskEntry], tag: Tag
) -> None:
    """Make files what they are to be.

    What goes makes room first where there is need; else it goes last, so that a file that is only
    moved is never without a name.

    Args:
        repository: where; the caller holds the locks of the files.
        state: what stands there.
        wanted: by path.
        tag: names a file's lock.

    Raises:
        AcError: the disk refuses, or somebody has just written a file; all is as it was.
    """
    done: list[RepoPath] = []
    try:
        for path in _in_order(wanted):
            entry = wanted[path]
            found = state.disk.get(path, NOTHING)
            if path in state.scene.disk and read_entry(repository, path, MAX_FILE_BYTES) != found:
                raise Conflict(f"{path!r} has just been changed; nothing was undone.")
            if entry.exists:
                restore_entry(repository, path, tag(path), entry)
            else:
                kept_folder = _made_for(path, state.images.values()).rpartition("/")[0]
                remove_entry(repository, path, RepoPath(kept_folder))
            done.append(path)
    except AcError:
        unrestore(repository, state, done, tag)
        raise


def _in_order(wanted: Mapping[RepoPath, DiskEntry]) -> list[RepoPath]:
    going = [path for path, entry in wanted.items() if not entry.exists]
    coming = [path for path, entry in wanted.items() if entry.exists]
    blocked = [path for path in coming if any(_is_in_way(other, path) for other in going)]
    return [*(path for path in coming if path not in blocked), *going, *blocked]


def _is_in_way(one: RepoPath, other: RepoPath) -> bool:
    return one.startswith(f"{other}/") or other.startswith(f"{one}/")


def unrestore(
    repository: Repository, state: UndoState, paths: Iterable[RepoPath], tag: Tag
) -> None:
    """Make files again what they were when the undo began."""
    changed = list(paths)
    for path in changed:
        if not state.disk.get(path, NOTHING).exists:
            remove_entry(repository, path)
    for path in changed:
        found = state.disk.get(path, NOTHING)
        if found.exists:
            restore_entry(repository, path, tag(path), found)


def _made_for(path: RepoPath, images: Iterable[BeforeImage]) -> str:
    """Return the outermost folder that edits made above a file; the file itself for none."""
    made = [image.made for image in images if path.startswith(f"{image.made}/")]
    return min(made, key=len, default=path)


@dataclass(frozen=True, slots=True)
class Undone:
    """The result of an undo.

    Attributes:
        blocks: the edit blocks that were undone, by their number in the turn; () when it was
            refused.
        files: that it has changed, or that were already as before.
        clean: those of them in which nothing of the turn is left.
        back: those of them that had been deleted.
        reason: why it was refused; "" when it was done.
        possible: with a reason, the blocks that can be undone nevertheless.
        protected: by path, why files that it would change need a separate confirmation; nothing
            was changed when there are any.
    """

    blocks: Sequence[int] = ()
    files: Sequence[RepoPath] = ()
    clean: Sequence[RepoPath] = ()
    back: Sequence[RepoPath] = ()
    reason: str = ""
    possible: Sequence[int] = ()
    protected: Mapping[RepoPath, str] = field(default_factory=dict)


_ONLY_WHOLE = "Of these edits only all together can be undone; nothing was."


@dataclass(frozen=True, slots=True)
class _Ask:
    """The request of an undo.

    Attributes:
        batch: of which batch.
        blocks: which blocks; None for all.
        confirmed: protected files that may change.
    """

    batch: str
    blocks: Collection[int] | None
    confirmed: Collection[str]


class Undoing:
    """Takes back what was applied in one working tree. Belongs to one event loop.

    Args:
        repository: whose files.
        locks: keep it alone with the files.
        changer: keeps it alone with the index.
        changed: called with the files that it has changed.
        images: what the files were before, and the changes.
    """

    def __init__(
        self,
        repository: Repository,
        locks: FileLocks,
        changer: RepositoryWriter,
        changed: Callable[[FilesModified], None],
        images: BeforeImages,
    ) -> None:
        self._repository = repository
        self._locks = locks
        self._changer = changer
        self._changed = changed
        self._images = images

    async def undo(
        self,
        batch: str,
        blocks: Collection[int] | None = None,
        confirmed: Collection[str] = (),
    ) -> Undone:
        """Take blocks of a batch back: their files and index entries as if they had not been.

        Lines that others have changed since stay as they are. Nothing is done unless all of it
        can be.

        Args:
            batch: the name that `Applier.apply` was given.
            blocks: which, by their number in the turn; None for all.
            confirmed: protected files that may change; nothing is done when others would.
        """
        paths = await self._images.paths_of(batch)
        if not paths:
            return Undone(reason=GONE)
        ask = _Ask(batch, blocks, confirmed)
        try:
            async with self._locks.hold(paths[0], *map(self._tag, paths)):
                undone = await self._changer.change(lambda git: self._undo(git, ask))
        except AcError as error:
            return Undone(reason=error.message)
        if undone.files:
            self._changed(FilesModified(undone.files))
        return undone

    async def standings(
        self, batch: str, blocks: Collection[int]
    ) -> Mapping[int, tuple[RevertStatus, bool]]:
        """Say how blocks of a batch stand in the files, and whether each can be taken back alone.

        Left out are those of which nothing is known.
        """
        images = await self._images.of(batch)
        changes = await self._images.journal(batch) if images else ()
        if not changes:
            return {}
        return await asyncio.to_thread(_standings, self._repository, images, changes, blocks)

    async def differing(self, batch: str) -> list[RepoPath]:
        """Return the files of a batch that aren't what they were before it, as the disk tells."""
        images = await self._images.of(batch)
        return await asyncio.to_thread(_differing, self._repository, images)

    def _tag(self, path: RepoPath) -> str:
        return self._locks.tag(entry_location(self._repository, path))

    async def _undo(self, git: Git, ask: _Ask) -> Undone:
        """Do it; the caller holds the locks.

        Raises:
            AcError: git or the disk refuses; all is as it was.
        """
        state = await read_undo_state(self._repository, self._images, ask.batch)
        if state.is_whole and ask.blocks is not None:
            return Undone(reason=_ONLY_WHOLE)
        woven = state.woven
        wanted = woven.own if ask.blocks is None else woven.of_blocks(ask.blocks)
        back = await _worked_out(git, state, wanted)
        if back.seen.taken != wanted:
            return await _refused(git, state, wanted, back)
        protected = _protected(state, back)
        if not protected.keys() <= set(ask.confirmed):
            return Undone(protected=protected)
        await self._images.note_index(ask.batch, _held(state, back))
        await asyncio.to_thread(restore, self._repository, state, back.seen.wanted, self._tag)
        try:
            await restore_index(git, state, back.index)
        except AcError:
            changed = back.seen.wanted
            await asyncio.to_thread(unrestore, self._repository, state, changed, self._tag)
            raise
        rest = woven.own - wanted
        with suppress(AcError):  # it is done, and doing it again would change nothing
            if rest:
                await self._images.note(ask.batch, Act.UNDO, wanted)
            else:
                await self._images.forget(ask.batch)
        return _done(state, back, ask)


@dataclass(frozen=True, slots=True)
class _Back:
    """The planned result of an undo: on disk, and in the index."""

    seen: RevertPreview
    index: IndexRestore


async def _worked_out(git: Git, state: UndoState, numbers: Collection[int]) -> _Back:
    """Work out what can be taken back of some changes.

    Raises:
        AcError: git refuses.
    """
    reasons: dict[int, str] = {}
    rest = set(numbers)
    while True:
        seen = await asyncio.to_thread(preview_revert, state.woven, rest, state.disk)
        reasons |= seen.reasons
        index = await plan_index_restore(git, state, seen)
        if not index.reasons:
            return _Back(replace(seen, reasons=reasons), index)
        reasons |= index.reasons
        rest = seen.taken - index.reasons.keys()


async def _refused(git: Git, state: UndoState, wanted: set[int], back: _Back) -> Undone:
    """Say why not all of it can be taken back, and what can."""
    woven = state.woven
    reason = next(back.seen.reasons[number] for number in sorted(back.seen.reasons))
    if state.is_whole:
        return Undone(reason=f"Nothing was undone: {reason}.")
    left = woven.blocks_of(wanted - back.seen.taken)
    possible = woven.blocks_of(back.seen.taken) - left
    together = woven.with_builders(wanted)
    if not possible and together != wanted and FOREIGN not in woven.blocks_of(together):
        is_whole = (await _worked_out(git, state, together)).seen.taken == together
        possible = woven.blocks_of(together) if is_whole else set()
    return Undone(reason=f"Nothing was undone: {reason}.", possible=sorted(possible))


def _done(state: UndoState, back: _Back, ask: _Ask) -> Undone:
    woven, taken = state.woven, back.seen.taken
    names = {name for file in woven.touched(taken) for name in file.names}
    files = [path for path in state.images if path in names]
    return Undone(
        blocks=sorted(woven.blocks_of(taken) if ask.blocks is None else ask.blocks),
        files=files,
        clean=[path for path in files if woven.is_free_of(path, woven.own - taken)],
        back=[
            path
            for path, entry in back.seen.wanted.items()
            if entry.exists and not state.disk.get(path, NOTHING).exists
        ],
    )


def _held(state: UndoState, back: _Back) -> list[tuple[RepoPath, Entries]]:
    """Return what the index holds of files that get all of it back, so that it can begin again."""
    return [
        (path, state.scene.entries[path])
        for path, entries in back.index.entries.items()
        if entries == state.images[path].entries
    ]


def _protected(state: UndoState, back: _Back) -> Mapping[RepoPath, str]:
    """Return the protected files that would change, with the reasons."""
    found: dict[RepoPath, str] = {}
    for path in dict.fromkeys((*back.seen.wanted, *back.index.paths)):
        now, then = state.disk.get(path, NOTHING), back.seen.wanted.get(path, NOTHING)
        is_link = now.is_link or then.is_link
        reason = state.scene.protected.reason(path, is_folder=is_link)
        if reason:
            found[path] = reason
    return found


def _standings(
    repository: Repository,
    images: Sequence[BeforeImage],
    changes: Sequence[Change],
    blocks: Collection[int],
) -> Mapping[int, tuple[RevertStatus, bool]]:
    try:
        woven = WovenFiles(images, changes)
    except UNREADABLE:
        return {}
    return standings(woven, blocks, look(repository, images))


def _differing(repository: Repository, images: Sequence[BeforeImage]) -> list[RepoPath]:
    disk = look(repository, images)
    return [
        image.path
        for image in images
        if (found := disk.get(image.path)) is None or found.sign != image.disk.sign
    ]
