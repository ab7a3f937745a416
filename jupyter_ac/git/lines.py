"""How many lines files have, remembered while they stay the same.

A file is taken for the same when its size, its times and its inode are. It is not remembered while
its time is so recent that a further change could leave it unchanged.
"""

import os
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from jupyter_ac.git.files import BINARY_PROBE_BYTES

MAX_COUNTED_BYTES: Final = 64 * 1024 * 1024
"""Longer files have 0 lines: reading them would take longer than the answer is worth."""

_CHUNK_BYTES: Final = 1024 * 1024
_SETTLED_NS: Final = 50_000_000
_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW


@dataclass(frozen=True, slots=True)
class LineCount:
    """Line ends in a file, and whether it is binary (then 0)."""

    lines: int
    is_binary: bool


NOTHING: Final = LineCount(0, is_binary=False)

_Key = tuple[int, int, int, int]


class LineCounts:
    """Line counts of one repository's files; used from one thread at a time or several.

    Args:
        now_ns: the clock by which a file's time is recent, nanoseconds since the epoch.
    """

    def __init__(self, now_ns: Callable[[], int] = time.time_ns) -> None:
        self._now_ns = now_ns
        self._known: dict[str, tuple[_Key, LineCount]] = {}

    def count(self, absolute: str, found: os.stat_result) -> LineCount:
        """Return the count of a file; `found` is its `lstat`.

        Links, pipes, unreadable and very long files have 0 lines.
        """
        if not stat.S_ISREG(found.st_mode):
            return NOTHING
        key = (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
        known = self._known.get(absolute)
        if known is not None and known[0] == key:
            return known[1]
        count = _count(absolute, found.st_size)
        if self._now_ns() - max(found.st_mtime_ns, found.st_ctime_ns) > _SETTLED_NS:
            self._known[absolute] = (key, count)
        return count

    def keep_only(self, paths: set[str]) -> None:
        """Forget all files but these."""
        if len(self._known) > len(paths):
            self._known = {path: one for path, one in self._known.items() if path in paths}


def _count(absolute: str, size: int) -> LineCount:
    try:
        descriptor = os.open(absolute, _FLAGS)
    except OSError:
        return NOTHING
    try:
        chunk = os.read(descriptor, _CHUNK_BYTES)
        if b"\0" in chunk[:BINARY_PROBE_BYTES]:
            return LineCount(0, is_binary=True)
        if size > MAX_COUNTED_BYTES:
            return NOTHING
        lines = 0
        while chunk:
            lines += chunk.count(b"\n")
            chunk = os.read(descriptor, _CHUNK_BYTES)
    except OSError:
        return NOTHING
    finally:
        os.close(descriptor)
    return LineCount(lines, is_binary=False)
