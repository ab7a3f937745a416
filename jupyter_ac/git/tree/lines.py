"""Counts the lines of a file."""

import os
import stat
from dataclasses import dataclass
from typing import Final

from jupyter_ac.git.files import BINARY_PROBE_BYTES
from jupyter_ac.git.unlinked_files import open_unlinked

MAX_COUNTED_BYTES: Final = 64 * 1024 * 1024
"""Longer files have 0 lines: reading them would take too long."""

_CHUNK_BYTES: Final = 1024 * 1024
_LEAST_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class LineCount:
    """Number of line ends in a file, and whether it is binary (then 0)."""

    lines: int
    is_binary: bool


NOTHING: Final = LineCount(0, is_binary=False)


def count_lines(root: str, path: str) -> LineCount:
    """Count the lines of a file.

    Links, files behind a link, pipes, unreadable and very long files have 0 lines.

    Args:
        root: top of the working tree, links resolved.
        path: relative to it.
    """
    try:
        descriptor = open_unlinked(root, path)
    except OSError:
        return NOTHING
    try:
        found = os.fstat(descriptor)
        return _count(descriptor, found.st_size) if stat.S_ISREG(found.st_mode) else NOTHING
    except OSError:
        return NOTHING
    finally:
        os.close(descriptor)


def _count(descriptor: int, size: int) -> LineCount:
    # One byte more than expected: a shorter read means the end.
    wanted = min(max(size + 1, _LEAST_BYTES), _CHUNK_BYTES)
    chunk = os.read(descriptor, wanted)
    if b"\0" in chunk[:BINARY_PROBE_BYTES]:
        return LineCount(0, is_binary=True)
    if size > MAX_COUNTED_BYTES:
        return NOTHING
    lines = chunk.count(b"\n")
    while len(chunk) == wanted:
        chunk = os.read(descriptor, wanted)
        lines += chunk.count(b"\n")
    return LineCount(lines, is_binary=False)
