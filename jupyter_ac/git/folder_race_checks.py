"""Whether a folder may have been exchanged with a link while git used it.

git opens a file by its whole path, and nothing in its answer tells that a folder on the way was a
link for that moment. But whoever exchanges a folder changes the one above, whose change time only
the file system sets. So what git read counts when all folders of its files have stood as they are
since before it began. What it read in other folders counts when it is proved to be the
repository's own; the rest is read again, or refused.
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
"""Where the file system keeps whole seconds."""

_FOLDER_FLAGS: Final = (
    getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC | os.O_DIRECTORY | os.O_NOFOLLOW
)
"""For looks alone, which don't ask whether the folder may be read."""

_PAUSE_S: Final = 0.02
_LONGEST_PAUSE_S: Final = 2.2


class CalmFolders:
    """Folders that nobody can have exchanged since a moment, nor one above them.

    Args:
        repository: where they are.
        since_s: the moment, as `time.time` gives it.
        margin_s: what the clock of the file system may be behind ours, beside its grain.
    """

    def __init__(self, repository: Repository, since_s: float, margin_s: float = 0.0) -> None:
        self._repository = repository
        self._since_s = since_s - margin_s
        self._known: dict[str, float] = {}

    def has(self, folder: str) -> bool:
        """Tell whether the folder, "" for the top one, is calm."""
        return self.changed_s(folder) <= self._since_s

    def latest(self, folders: Collection[str]) -> tuple[str, float]:
        """Return the folder that changed last, and when that may have been; "" and 0 for none."""
        moments = {folder: self.changed_s(folder) for folder in folders}
        last = max(moments, key=moments.__getitem__, default="")
        return last, moments.get(last, 0.0)

    def changed_s(self, folder: str) -> float:
        """Return when a folder or one above may last have changed; infinite when one is a link."""
        if folder not in self._known:
            self._descend(folder)
        return self._known[folder]

    def _descend(self, folder: str) -> None:
        """Look at the folders down to one, each opened in the one above."""
        try:
            here = os.open(self._repository.root, _FOLDER_FLAGS)
        except OSError:  # as without descriptors
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
        # Of what is no folder nothing was read, unless it is a link.
        self._known[folder] = newest


def _ends(folder: str) -> list[int]:
    """Return where the names of a folder and of those above it end, the outermost first."""
    return [at for at, letter in enumerate(folder) if letter == "/"] + [len(folder)] * bool(folder)


def _enter(above: int, name: str) -> tuple[float, int | None]:
    """Return when a folder may last have changed, and its descriptor; None when it is none."""
    try:
        below = os.open(name, _FOLDER_FLAGS, dir_fd=above)
    except OSError:
        with suppress(OSError):
            found = os.stat(name, dir_fd=above, follow_symlinks=False)
            # A folder that can't be opened, or was none a moment ago, is not known to be calm.
            is_calm = not (stat.S_ISLNK(found.st_mode) or stat.S_ISDIR(found.st_mode))
            return (0.0 if is_calm else float("inf")), None
        return 0.0, None
    return _changed_s(os.fstat(below)), below


def _changed_s(found: os.stat_result) -> float:
    return found.st_ctime + (_GRAIN_S if found.st_ctime % 1 else _COARSE_GRAIN_S)


async def while_calm(
    repository: Repository,
    work: Callable[[], Awaitable[T]],
    names: Callable[[T], Collection[str]],
    unproved: Callable[[T, Collection[str]], Awaitable[Collection[str]]],
) -> T:
    """Have git do something with files until what it read is surely the repository's own.

    Args:
        repository: where.
        work: may be done several times.
        names: says which files it was about; called in a thread.
        unproved: given the files whose folders may have been exchanged meanwhile, returns those of
            which git may have read something else than the file in the repository.

    Raises:
        Busy: folders were changed each time.
        Exception: what `work` or `unproved` raises.
    """
    restless = ""
    for _ in range(TRIES):
        begun_s = time.time()
        done = await work()
        calm = CalmFolders(repository, begun_s)
        doubtful = await asyncio.to_thread(_restless, calm, names, done)
        left = await unproved(done, doubtful) if doubtful else ()
        if not left:
            return done
        restless, until_s = calm.latest({_folder(name) for name in left})
        await asyncio.sleep(min(max(until_s - time.time(), 0.0) + _PAUSE_S, _LONGEST_PAUSE_S))
    shown = restless or "the top folder"
    raise Busy(f"Files of {shown!r} are being replaced all the time; try again when it is quiet.")


def _restless(calm: CalmFolders, names: Callable[[T], Collection[str]], done: T) -> list[str]:
    return [name for name in names(done) if not calm.has(_folder(name))]


def _folder(name: str) -> str:
    return name.rpartition("/")[0]
