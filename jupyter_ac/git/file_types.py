"""Checks the type of entries, also for paths longer than the system accepts.

`pathlib` raises for such a path, but git's index may contain one.
"""

import os
import stat
from pathlib import Path


def is_folder(place: Path) -> bool:
    """Return whether there is a folder, and not a link to one."""
    return stat.S_ISDIR(_mode(place))


def is_link(place: Path) -> bool:
    """Return whether there is a symbolic link."""
    return stat.S_ISLNK(_mode(place))


def _mode(place: Path) -> int:
    try:
        return os.lstat(place).st_mode
    except (OSError, ValueError):
        return 0
