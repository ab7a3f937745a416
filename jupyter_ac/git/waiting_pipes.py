"""The pipe that git waits for: one named like a file that git reads in every folder it looks into.

Nobody knows of it before git opens it, and git waits for ever then. So when a command takes longer
than most, the folders are looked through, once and for a bounded time.
"""

import os
import stat
import time
from collections import deque
from pathlib import Path
from typing import Final

_NAMES: Final = (".gitignore", ".gitattributes")
_FLAGS: Final = os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST_S: Final = 3.0


def pipe_waited_for(root: Path) -> str:
    """Return the path of a pipe in a working tree that somebody waits for; "" for none.

    Args:
        root: top of the tree; elsewhere nothing is looked at.
    """
    if not os.path.lexists(root / ".git"):
        return ""
    end = time.monotonic() + _LONGEST_S
    folders = deque([""])
    while folders and time.monotonic() < end:
        folder = folders.popleft()
        try:
            with os.scandir(root / folder) as entries:
                found = list(entries)
        except OSError:
            continue
        for entry in found:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False) and entry.name != ".git":
                folders.append(path)
            elif entry.name in _NAMES and _is_waited_for(entry.path):
                return path
    return ""


def _is_waited_for(place: str) -> bool:
    """Tell whether a pipe has a reader, one that waits in opening it included."""
    try:
        if not stat.S_ISFIFO(os.lstat(place).st_mode):
            return False
        os.close(os.open(place, _FLAGS))
    except OSError:  # nobody reads
        return False
    return True
