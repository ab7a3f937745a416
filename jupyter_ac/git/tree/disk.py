"""What the file system says about many files, packed so that they are compared at once.

A file is taken for the same when its times, its size, its inode and its kind are. That doesn't tell
a change that follows within one grain of the clock: a file that changed that recently is
*restless*, and has to be read anew the next time.
"""

import os
import struct
import time
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

GRAIN_S: Final = 0.05
COARSE_GRAIN_S: Final = 2.1
"""Where the file system keeps whole seconds, or every other one."""

_RECORD: Final = struct.Struct("5d")
_NOTHING: Final = (0.0,) * 5
_BLOCK: Final = 256 * _RECORD.size
_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class FileStat(NamedTuple):
    """What `lstat` says of a file; `mode` is 0 when there is none."""

    mtime: float
    ctime: float
    size: float
    inode: float
    mode: float


@dataclass(frozen=True, slots=True)
class Disk:
    """What was found under some names.

    Attributes:
        names: relative to the top folder.
        records: a `FileStat` for each name.
        restless: the names whose files changed so recently that they may change unseen.
    """

    names: Sequence[str] = ()
    records: bytes = b""
    restless: frozenset[str] = frozenset()

    def __getitem__(self, at: int) -> FileStat:
        """Return what was found under the name at a position."""
        return FileStat(*_RECORD.unpack_from(self.records, at * _RECORD.size))

    def find(self, name: str) -> FileStat | None:
        """Return what was found under a name; None when it isn't among the names, sorted here."""
        at = bisect_left(self.names, name)
        return self[at] if at < len(self.names) and self.names[at] == name else None

    def there(self) -> set[str]:
        """Return the names under which there is something."""
        modes = memoryview(self.records).cast("d")[4::5]
        return {name for name, mode in zip(self.names, modes, strict=True) if mode}

    def by_name(self) -> dict[str, bytes]:
        """Return the records by name."""
        size = _RECORD.size
        slices = (self.records[at : at + size] for at in range(0, len(self.records), size))
        return dict(zip(self.names, slices, strict=True))


def look(root: Path, names: Sequence[str]) -> Disk:
    """Look at files; for a thread when they are many."""
    now = time.time()
    recent = now - COARSE_GRAIN_S
    packed = array("d")
    restless: list[str] = []
    lstat, add = os.lstat, packed.extend
    try:
        top = os.open(root, _FLAGS)
    except OSError:
        return Disk(names, bytes(_RECORD.size * len(names)))
    try:
        for name in names:
            try:
                found = lstat(name, dir_fd=top)
            except OSError:
                add(_NOTHING)
                continue
            ctime = found.st_ctime
            add((found.st_mtime, ctime, found.st_size, found.st_ino, found.st_mode))
            if ctime > recent and is_restless(ctime, now):
                restless.append(name)
    finally:
        os.close(top)
    return Disk(names, packed.tobytes(), frozenset(restless))


def is_restless(ctime: float, now: float) -> bool:
    """Say whether a file could change again and keep its times."""
    return ctime > now - (GRAIN_S if ctime % 1 else COARSE_GRAIN_S)


def rearranged(root: Path, disk: Disk, names: Sequence[str]) -> Disk:
    """Return what was found under other names; looks at those that weren't looked at."""
    known = disk.by_name()
    more = look(root, [name for name in names if name not in known])
    known |= more.by_name()
    restless = (disk.restless | more.restless).intersection(names)
    return Disk(names, b"".join([known[name] for name in names]), restless)


def changed(before: Disk, after: Disk) -> set[str]:
    """Return the names under which something else was found, or that are in one of both only."""
    if before.names is not after.names and before.names != after.names:
        old, new = before.by_name(), after.by_name()
        differing = {name for name, record in new.items() if old.get(name) != record}
        return differing | (old.keys() - new.keys())
    return {after.names[at] for at in _differing(before.records, after.records)}


def _differing(one: bytes, other: bytes) -> list[int]:
    """Return the positions of the records that differ."""
    size = _RECORD.size
    return [
        at // size
        for block in range(0, len(one), _BLOCK)
        if one[block : block + _BLOCK] != other[block : block + _BLOCK]
        for at in range(block, min(block + _BLOCK, len(one)), size)
        if one[at : at + size] != other[at : at + size]
    ]
