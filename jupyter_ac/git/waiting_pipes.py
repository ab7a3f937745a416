"""Finds a named pipe that makes git hang: `.gitignore` or `.gitattributes` in any folder.

git opens these files in every folder that it reads, and waits for ever if one is a pipe. So when a
command takes unusually long, the folders are searched, once and with a time limit.
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


def find_blocking_pipe(root: Path) -> str:
    """Return the path of a pipe in a working tree that a process is reading; "" for none.

    Args:
        root: top of the tree; for other folders nothing is searched.
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
    """Return whether a pipe has a reader, including one that waits for the writer."""
    try:
        if not stat.S_ISFIFO(os.lstat(place).st_mode):
            return False
        os.close(os.open(place, _FLAGS))
    except OSError:  # nobody reads
        return False
    return True
