"""Detects whether a folder may have been replaced by a link while git used it (a race).

git opens a file by its whole path, and its output doesn't show that a folder on the path was a link
at that moment. But replacing a folder changes the one above, and its change time is set only by the
file system. So a result is accepted if no folder of its files has changed since before the command
began. For files in other folders it is accepted if their content is verified to be the repository's
own; otherwise git runs again, or the request is refused.
"""

import asyncio
import os
import stat
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final, TypeVar

from jupyter_ac.errors import Busy
from jupyter_ac.git.repository import Repository

T = TypeVar("T")

TRIES: Final = 4
_GRAIN_S: Final = 0.05
_COARSE_GRAIN_S: Final = 2.1
"""For file systems with time stamps in whole seconds."""

_FOLDER_FLAGS: Final = (
    getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC | os.O_DIRECTORY | os.O_NOFOLLOW
)
"""For inspection only, which needs no read permission for the folder."""

_PAUSE_S: Final = 0.02
_LONGEST_PAUSE_S: Final = 2.2


class UnchangedFolders:
    """Checks that a folder and all folders above it are unchanged since a moment.

    Args:
        repository: the repository.
        since_s: the moment, as from `time.time`.
        margin_s: how far the file system's clock may be behind, in addition to its granularity.
    """

    def __init__(self, repository: Repository, since_s: float, margin_s: float = 0.0) -> None:
        self._repository = repository
        self._since_s = since_s - margin_s
        self._known: dict[str, float] = {}

    def has(self, folder: str) -> bool:
        """Return whether a folder ("" for the top one) has not changed since the moment."""
        return self.changed_s(folder) <= self._since_s

    def latest(self, folders: Collection[str]) -> tuple[str, float]:
        """Return the folder that changed last, and its latest possible time; "" and 0 for none."""
        moments = {folder: self.changed_s(folder) for folder in folders}
        last = max(moments, key=moments.__getitem__, default="")
        return last, moments.get(last, 0.0)

    def changed_s(self, folder: str) -> float:
        """Return the latest possible change time of a folder or one above; infinite for a link."""
        if folder not in self._known:
            self._descend(folder)
        return self._known[folder]

    def _descend(self, folder: str) -> None:
        """Inspect all folders down to one, each opened relative to the one above."""
        try:
            here = os.open(self._repository.root, _FOLDER_FLAGS)
        except OSError:  # for example no free descriptors
            self._known[folder] = float("inf")
            return
        try:
            newest = self._known[""] = _changed_s(os.fstat(here))
            for end in _ends(folder):
                above = folder[:end]
                found, below = _enter(here, above.rpartition("/")[2])
                newest = self._known[above] = max(newest, found)
                if below is None:
                    break
                os.close(here)
                here = below
        finally:
            os.close(here)
        # Nothing was read from an entry that is no folder, unless it is a link.
        self._known[folder] = newest


def _ends(folder: str) -> list[int]:
    """Return the end positions of a folder's name and of those above it, the outermost first."""
    return [at for at, letter in enumerate(folder) if letter == "/"] + [len(folder)] * bool(folder)


def _enter(above: int, name: str) -> tuple[float, int | None]:
    """Return a folder's latest possible change time and its descriptor; None if it is no folder."""
    try:
        below = os.open(name, _FOLDER_FLAGS, dir_fd=above)
    except OSError:
        with suppress(OSError):
            found = os.stat(name, dir_fd=above, follow_symlinks=False)
            # A folder that can't be opened, or was none a moment ago, may have been replaced.
            is_unchanged = not (stat.S_ISLNK(found.st_mode) or stat.S_ISDIR(found.st_mode))
            return (0.0 if is_unchanged else float("inf")), None
        return 0.0, None
    return _changed_s(os.fstat(below)), below


def _changed_s(found: os.stat_result) -> float:
    return found.st_ctime + (_GRAIN_S if found.st_ctime % 1 else _COARSE_GRAIN_S)


async def retry_while_changing(
    repository: Repository,
    work: Callable[[], Awaitable[T]],
    names: Callable[[T], Collection[str]],
    unproved: Callable[[T, Collection[str]], Awaitable[Collection[str]]],
) -> T:
    """Run git on files, and retry until the result certainly comes from the repository.

    Args:
        repository: the repository.
        work: the command; may run several times.
        names: returns the files that a result is about; called in a thread.
        unproved: gets the files whose folders may have been replaced meanwhile; returns those for
            which git may have read something else than the file in the repository.

    Raises:
        Busy: folders were changed during each try.
        Exception: whatever `work` or `unproved` raises.
    """
    changed = ""
    for _ in range(TRIES):
        begun_s = time.time()
        done = await work()
        unchanged = UnchangedFolders(repository, begun_s)
        doubtful = await asyncio.to_thread(_in_changed_folders, unchanged, names, done)
        left = await unproved(done, doubtful) if doubtful else ()
        if not left:
            return done
        changed, until_s = unchanged.latest({_folder(name) for name in left})
        await asyncio.sleep(min(max(until_s - time.time(), 0.0) + _PAUSE_S, _LONGEST_PAUSE_S))
    shown = changed or "the top folder"
    raise Busy(f"Files in {shown!r} keep changing; try again when they no longer do.")


def _in_changed_folders(
    unchanged: UnchangedFolders, names: Callable[[T], Collection[str]], done: T
) -> list[str]:
    return [name for name in names(done) if not unchanged.has(_folder(name))]


def _folder(name: str) -> str:
    return name.rpartition("/")[0]
