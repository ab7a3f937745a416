"""Restores the files of an undo atomically: all of them or none."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from jupyter_ac.chat.edits.undoing.undo_state import UndoState
from jupyter_ac.chat.history.before_images import BeforeImage
from jupyter_ac.errors import AcError, Conflict
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry, read_entry, remove_entry, restore_entry
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.git.repository import Repository
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
