"""File attributes of many files, packed for a fast comparison.

A file counts as unchanged if its times, size, inode and kind are equal. This doesn't detect a
change within one tick of the file system's clock: a file that changed that recently is *unsettled*,
and is read again next time.
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
"""For file systems with time stamps of one or two seconds."""

_RECORD: Final = struct.Struct("5d")
_NOTHING: Final = (0.0,) * 5
_BLOCK: Final = 256 * _RECORD.size
_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class FileStat(NamedTuple):
    """Result of `lstat`; `mode` is 0 if there is no file."""

    mtime: float
    ctime: float
    size: float
    inode: float
    mode: float


@dataclass(frozen=True, slots=True)
class Disk:
    """Attributes of the files with some names.

    Attributes:
        names: relative to the top folder.
        records: a `FileStat` for each name.
        unsettled: names of files that changed so recently that another change may be undetectable.
    """

    names: Sequence[str] = ()
    records: bytes = b""
    unsettled: frozenset[str] = frozenset()

    def __getitem__(self, at: int) -> FileStat:
        """Return the attributes for the name at a position."""
        return FileStat(*_RECORD.unpack_from(self.records, at * _RECORD.size))

    def find(self, name: str) -> FileStat | None:
        """Return the attributes for a name; None if it isn't listed. Requires sorted names."""
        at = bisect_left(self.names, name)
        return self[at] if at < len(self.names) and self.names[at] == name else None

    def existing(self) -> set[str]:
        """Return the names of existing files."""
        modes = memoryview(self.records).cast("d")[4::5]
        return {name for name, mode in zip(self.names, modes, strict=True) if mode}

    def by_name(self) -> dict[str, bytes]:
        """Return the records by name."""
        size = _RECORD.size
        slices = (self.records[at : at + size] for at in range(0, len(self.records), size))
        return dict(zip(self.names, slices, strict=True))


def stat_files(root: Path, names: Sequence[str]) -> Disk:
    """Read the attributes of files; blocks, so call it in a thread for many files."""
    now = time.time()
    recent = now - COARSE_GRAIN_S
    packed = array("d")
    unsettled: list[str] = []
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
            if ctime > recent and is_unsettled(ctime, now):
                unsettled.append(name)
    finally:
        os.close(top)
    return Disk(names, packed.tobytes(), frozenset(unsettled))


def is_unsettled(ctime: float, now: float) -> bool:
    """Return whether a file could change again without a change of its times."""
    return ctime > now - (GRAIN_S if ctime % 1 else COARSE_GRAIN_S)


def with_names(root: Path, disk: Disk, names: Sequence[str]) -> Disk:
    """Return the attributes for another list of names; reads those that are missing."""
    known = disk.by_name()
    more = stat_files(root, [name for name in names if name not in known])
    known |= more.by_name()
    unsettled = (disk.unsettled | more.unsettled).intersection(names)
    return Disk(names, b"".join([known[name] for name in names]), unsettled)


def changed(before: Disk, after: Disk) -> set[str]:
    """Return the names with different attributes, or that are in only one of both."""
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
