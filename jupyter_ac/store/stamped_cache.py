"""A cache of data read from files, validated by the files' metadata on each use.

An entry is valid as long as `lstat` gives the same for all files that it was read from, and for the
folders above them. Sizes and times alone are not sufficient: a second write within one tick of the
file system's clock doesn't change them. So data from recently changed files is not cached (git
calls such entries racily clean), and no entry outlives `lifetime_s`, which limits the effect of
changes that metadata doesn't show (writes through shared memory maps, a clock that is set back).

For local disks only: another machine's writes may become visible without their times.
"""

import os
import stat
import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

T = TypeVar("T")

MAX_BYTES: Final = 32 << 20
LIFETIME_S: Final = 2.0
SETTLED_S: Final = 2.5
"""Longer than a tick of any file system's clock; the coarsest is two seconds."""

_Mark = tuple[int, int, int, int, int, int] | None


@dataclass(frozen=True, slots=True)
class Stamp:
    """The metadata of files at one moment.

    Attributes:
        paths: the files.
        marks: their metadata, in the same order; None for a missing file.
        taken_ns: the moment.
    """

    paths: tuple[str, ...]
    marks: tuple[_Mark, ...]
    taken_ns: int


@dataclass(slots=True)
class _Entry(Generic[T]):
    stamp: Stamp
    value: T
    size_bytes: int
    renew_s: float
    is_renewed: bool = False


class StampedCache(Generic[T]):
    """Values by key; evicts the least recently used ones.

    Args:
        max_bytes: limit for all values.
        lifetime_s: maximum age of a value.
        settled_s: minimum age of the newest file change for a value to be cached.
    """

    def __init__(
        self,
        max_bytes: int = MAX_BYTES,
        lifetime_s: float = LIFETIME_S,
        settled_s: float = SETTLED_S,
    ) -> None:
        self._max_bytes = max_bytes
        self._lifetime_s = lifetime_s
        self._settled_ns = int(settled_s * 1e9)
        self._entries: dict[Hashable, _Entry[T]] = {}
        self._size_bytes = 0

    def get(self, key: Hashable) -> T | None:
        """Return a value if its files are unchanged; takes a few microseconds per file.

        In the second half of its lifetime one caller gets None, so that it refreshes the value for
        all.
        """
        entry = self._entries.get(key)
        if entry is None:
            return None
        age_s = time.monotonic() - entry.renew_s
        if age_s >= self._lifetime_s / 2 or _marks(entry.stamp.paths) != entry.stamp.marks:
            self._drop(key)
            return None
        if age_s >= 0 and not entry.is_renewed:
            entry.is_renewed = True
            return None
        # Moved to the end, as the most recently used one.
        self._entries[key] = self._entries.pop(key)
        return entry.value

    def put(self, key: Hashable, before: Stamp | None, value: T, size_bytes: int) -> None:
        """Store a value if none of its files can have changed unnoticed.

        Args:
            key: for `get`.
            before: result of `take_stamp` before the files were read.
            value: the value.
            size_bytes: of the value.
        """
        if before is None or size_bytes > self._max_bytes or not self._is_settled(before):
            return
        if _marks(before.paths) != before.marks:
            return
        self._drop(key)
        renew_s = time.monotonic() + self._lifetime_s / 2
        self._entries[key] = _Entry(before, value, size_bytes, renew_s)
        self._size_bytes += size_bytes
        while self._size_bytes > self._max_bytes:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._size_bytes -= entry.size_bytes

    def _is_settled(self, stamp: Stamp) -> bool:
        latest = stamp.taken_ns - self._settled_ns
        return all(mark is None or max(mark[-2:]) < latest for mark in stamp.marks)


def take_stamp(paths: Sequence[str]) -> Stamp | None:
    """Return the stamp of files and folders; None if one is a link or can't be read.

    Args:
        paths: absolute; must include every folder whose replacement would change the value.
    """
    taken_ns = time.time_ns()
    marks = _marks(paths)
    return None if marks is None else Stamp(tuple(paths), marks, taken_ns)


def _marks(paths: Sequence[str]) -> tuple[_Mark, ...] | None:
    try:
        return tuple([_mark(path) for path in paths])
    except OSError:
        return None


def _mark(path: str) -> _Mark:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    mode = found.st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        # The target of a link, a pipe or a device has no stamp.
        raise OSError(path)
    return mode, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
