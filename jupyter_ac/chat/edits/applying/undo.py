"""Edits, taken back: files and index entries are made what they were before a batch.

All of it or nothing: every file is looked at first, and what fails on the way is made good. A
process that dies in the middle leaves each file as it was before or after; the images stay until
the end, so that the undo can be asked for again.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

from jupyter_ac.chat.edits.applying.scene import Scene, look_around
from jupyter_ac.chat.edits.applying.terms import Undone
from jupyter_ac.chat.history.before_images import BeforeImages, Image
from jupyter_ac.errors import AcError, Conflict
from jupyter_ac.git.changing import Git
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry, look_at, put_back, take_away
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.git.index_entries import (
    missing_blobs,
    put_entries_back,
    trusts_modes,
    without_orders,
)
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath

Tag = Callable[[RepoPath], str]


async def take_back(
    git: Git, kept: BeforeImages, batch: str, tag: Tag, confirmed: Collection[str]
) -> Undone:
    """Undo a batch; the caller holds the locks of its files.

    Args:
        git: alone with the repository.
        kept: the images.
        batch: whose.
        tag: names a file's lock.
        confirmed: protected files that may change; nothing is done when others would.

    Raises:
        AcError: git or the disk refuses; all is as it was.
    """
    images = await kept.of(batch)
    scene = await look_around(git.repository, [image.path for image in images], MAX_FILE_BYTES)
    reason = await _refusal(git.repository, images, scene)
    if reason:
        return Undone(reason=reason)
    protected = _protected(images, scene)
    if not protected.keys() <= set(confirmed):
        return Undone(protected=protected)
    await kept.note_index(batch, [(image.path, scene.entries[image.path]) for image in images])
    before = {image.path: image.entries for image in images}
    held = {path: scene.entries[path] for path in before}
    restaged = {
        path: entries
        for path, entries in before.items()
        if without_orders(entries) != without_orders(held[path])
    }
    restored = await asyncio.to_thread(_restore, git.repository, images, scene, tag)
    try:
        await put_entries_back(git, restaged)
    except AcError:
        await asyncio.to_thread(_leave, git.repository, restored, scene, tag)
        raise
    with suppress(AcError):  # it is done, and doing it again would change nothing
        await kept.forget(batch)
    back = [image.path for image in restored if image.disk.exists and not _stood(image, scene)]
    return Undone([image.path for image in images], back)


def differing(repository: Repository, images: Sequence[Image]) -> list[RepoPath]:
    """Return the files that aren't what they were."""
    return [image.path for image in images if not _is_as_before(repository, image)]


def _is_as_before(repository: Repository, image: Image) -> bool:
    try:
        return look_at(repository, image.path, MAX_FILE_BYTES).sign == image.disk.sign
    except AcError:
        return False


def _protected(images: Sequence[Image], scene: Scene) -> Mapping[RepoPath, str]:
    """Return the protected files that would change, with the reasons."""
    found: dict[RepoPath, str] = {}
    for image in images:
        path, disk = image.path, scene.disk.get(image.path, NOTHING)
        held = scene.entries[path]
        if disk.sign == image.disk.sign and without_orders(held) == without_orders(image.entries):
            continue
        is_link = disk.is_link or image.disk.is_link
        reason = scene.protected.reason(path, is_folder=is_link)
        if reason:
            found[path] = reason
    return found


async def _refusal(repository: Repository, images: Sequence[Image], scene: Scene) -> str:
    """Return why a batch can't be undone; "" when it can."""
    has_modes = await trusts_modes(repository)
    for image in images:
        path = image.path
        if image.is_foreign:
            return f"{path!r} was changed between the edits; nothing was undone."
        found = _standing(image, images, scene)
        if found is None or not _is_known(found.sign, image, has_modes=has_modes):
            return f"{path!r} has changed since the edits; nothing was undone. Edit it by hand."
        entries = scene.entries[path]
        is_staged = path in scene.staged or (found == NOTHING and not entries)
        known = map(without_orders, (image.entries, *image.entries_after))
        if not is_staged and without_orders(entries) not in known:
            return (
                f"What is staged of {path!r} has changed since the edits; nothing was undone. "
                "Edit it by hand."
            )
    wanted = {entry.blob: image.path for image in images for entry in image.entries}
    lost = await missing_blobs(repository, [entry for image in images for entry in image.entries])
    if lost:
        path = wanted[min(lost)]
        return f"git has thrown away what was staged of {path!r}; nothing was undone."
    return ""


def _is_known(sign: str, image: Image, *, has_modes: bool) -> bool:
    """Tell whether edits have found or made what stands there."""
    known = {image.disk.sign, *image.signs}
    if has_modes:
        return sign in known
    return sign.partition(":")[2] in {each.partition(":")[2] for each in known}


def _standing(image: Image, images: Sequence[Image], scene: Scene) -> DiskEntry | None:
    """Return what stands at a file's place; None when it is nothing that edits could have left."""
    found = scene.disk.get(image.path)
    if found is not None:
        return found
    # Edits may have removed a file and made others in a folder of its name, or the reverse.
    is_replaced = any(
        other.path.startswith(f"{image.path}/") or image.path.startswith(f"{other.path}/")
        for other in images
    )
    return NOTHING if is_replaced else None


def _restore(
    repository: Repository, images: Sequence[Image], scene: Scene, tag: Tag
) -> list[Image]:
    """Make the files what they were, and return those that were not; what goes makes room first.

    Raises:
        AcError: the disk refuses, or somebody has just written a file; all is as it was.
    """
    restored: list[Image] = []
    try:
        for image in sorted(images, key=lambda image: image.disk.exists):
            path, found = image.path, scene.disk.get(image.path, NOTHING)
            if found.sign == image.disk.sign:
                continue
            if path in scene.disk and look_at(repository, path, MAX_FILE_BYTES) != found:
                raise Conflict(f"{path!r} has just been changed; nothing was undone.")
            if image.disk.exists:
                put_back(repository, path, tag(path), image.disk)
            else:
                kept_folder = _made_for(path, images).rpartition("/")[0]
                take_away(repository, path, RepoPath(kept_folder))
            restored.append(image)
    except AcError:
        _leave(repository, restored, scene, tag)
        raise
    return restored


def _stood(image: Image, scene: Scene) -> bool:
    return scene.disk.get(image.path, NOTHING).exists


def _made_for(path: RepoPath, images: Sequence[Image]) -> str:
    """Return the outermost folder that edits made above a file; the file itself for none."""
    made = [image.made for image in images if path.startswith(f"{image.made}/")]
    return min(made, key=len, default=path)


def _leave(repository: Repository, images: Sequence[Image], scene: Scene, tag: Tag) -> None:
    """Make the files again what they were when the undo began."""
    for image in images:
        found = scene.disk.get(image.path, NOTHING)
        if not found.exists and image.disk.exists:
            take_away(repository, image.path)
    for image in images:
        found = scene.disk.get(image.path, NOTHING)
        if found.exists:
            put_back(repository, image.path, tag(image.path), found)
