"""What stands at a place of the working tree, also where a path is longer than the system takes.

`pathlib` raises for such a path, which git may well hold in its index.
"""

import os
import stat
from pathlib import Path


def is_folder(place: Path) -> bool:
    """Tell whether there is a folder, and no link to one."""
    return stat.S_ISDIR(_mode(place))


def is_link(place: Path) -> bool:
    """Tell whether there is a symbolic link."""
    return stat.S_ISLNK(_mode(place))


def _mode(place: Path) -> int:
    try:
        return os.lstat(place).st_mode
    except (OSError, ValueError):
        return 0
