"""The state from which an undo starts: a batch's files before it, through its changes, and now."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from jupyter_ac.chat.edit_blocks.file_changes import Act, Change, lines_of, rewritten
from jupyter_ac.chat.edits.file_snapshot import FileSnapshot, look_around
from jupyter_ac.chat.edits.undoing.weave import WovenFiles
from jupyter_ac.chat.history.before_images import BeforeImage, BeforeImages
from jupyter_ac.chat.history.stored_values import UNREADABLE
from jupyter_ac.errors import AcError, Conflict
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry, read_entry
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath

GONE = "These edits can't be undone any more; nothing is kept of them."


@dataclass(frozen=True, slots=True)
class UndoState:
    """The files of a batch: before it, through its changes, and now.

    Attributes:
        images: the before-images, by path.
        woven: the files through its changes.
        scene: the state on disk and in the index.
        disk: the contents on disk; files that can't be read are missing.
        is_whole: the single changes were not stored, so that only all can be undone together.
    """

    images: Mapping[RepoPath, BeforeImage]
    woven: WovenFiles
    scene: FileSnapshot
    disk: Mapping[RepoPath, DiskEntry]
    is_whole: bool = False


async def read_undo_state(repository: Repository, kept: BeforeImages, batch: str) -> UndoState:
    """Read the files of a batch.

    Raises:
        Conflict: nothing is stored of it, or only the images are stored and the files aren't what
            the batch left.
        AcError: git or the disk refuses.
    """
    images = await kept.of(batch)
    journal = await kept.journal(batch)
    scene = await look_around(repository, [image.path for image in images], MAX_FILE_BYTES)
    disk = disk_of(images, scene.disk)
    changes = journal or whole_changes(images, disk)
    try:
        woven = await asyncio.to_thread(WovenFiles, images, changes)
    except UNREADABLE:
        raise Conflict(GONE) from None
    named = {path for change in changes for path in (change.path, change.new_path)}
    by_path = {image.path: image for image in images}
    if journal and not by_path.keys() <= named:
        raise Conflict(GONE)  # somebody has put files into the history
    return UndoState(by_path, woven, scene, disk, is_whole=not journal)


def look(repository: Repository, images: Sequence[BeforeImage]) -> Mapping[RepoPath, DiskEntry]:
    """Return what stands at the places of files, as `UndoState.disk`."""
    found: dict[RepoPath, DiskEntry] = {}
    for image in images:
        try:
            found[image.path] = read_entry(repository, image.path, MAX_FILE_BYTES)
        except AcError:
            continue
    return disk_of(images, found)


def disk_of(
    images: Sequence[BeforeImage], found: Mapping[RepoPath, DiskEntry]
) -> dict[RepoPath, DiskEntry]:
    """Complete what was read: edits may have put a folder in a file's place, or the reverse."""
    names = {image.path for image in images}
    replaced = [path for path in names if path not in found and _is_replaced(path, names)]
    return {**found, **dict.fromkeys(replaced, NOTHING)}


def _is_replaced(path: RepoPath, names: Collection[RepoPath]) -> bool:
    return any(other.startswith(f"{path}/") or path.startswith(f"{other}/") for other in names)


def whole_changes(
    images: Sequence[BeforeImage], disk: Mapping[RepoPath, DiskEntry]
) -> list[Change]:
    """Return one change for each file, for a batch of which only the images are stored.

    Raises:
        Conflict: a file isn't what the edits left.
    """
    changes: list[Change] = []
    for image in images:
        path, before, now = image.path, image.disk, disk.get(image.path)
        if image.is_foreign:
            raise Conflict(f"{path!r} was changed between the edits; nothing was undone.")
        known = {_content(sign) for sign in (before.sign, *image.signs)}
        if now is None or _content(now.sign) not in known:
            raise Conflict(
                f"{path!r} has changed since the edits; nothing was undone. Edit it by hand."
            )
        if before.exists and now.exists:
            changes.append(rewritten(path, 0, before.data, now.data))
        elif before.exists:
            changes.append(Change(Act.REMOVE, path, 0))
        elif now.exists:
            changes.append(Change(Act.CREATE, path, 0, put=tuple(lines_of(now.data))))
    return changes


def _content(sign: str) -> str:
    """Return a sign without the mode, which some file systems make up."""
    return sign.partition(":")[2]
