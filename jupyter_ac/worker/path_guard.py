"""Restricts this process's file access to some folders, for all code in it.

Sources say where else to look: by `sys.path.append`, by relative imports that climb out of the
repository, by links in it. What reads sources for imports follows them; here they lead nowhere.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_READING: Final = frozenset({"open", "os.listdir", "os.scandir"})
"""Events of the interpreter before it opens a file, or lists a folder."""


class PathGuard:
    """Tells what may be read.

    Args:
        folders: below which all may.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(dict.fromkeys(os.path.realpath(each) for each in folders))

    def allows(self, path: str) -> bool:
        """Tell whether a path, its links followed, leads below one of the folders."""
        real = os.path.realpath(path)
        return any(real == each or real.startswith(f"{each}{os.sep}") for each in self._folders)

    def check(self, event: str, subject: tuple[object, ...]) -> None:
        """Look at an event of the interpreter.

        Raises:
            FileNotFoundError: something would be read that isn't to be known of.
        """
        if event not in _READING:
            return
        path = subject[0] if subject else None
        if isinstance(path, int):
            return  # a descriptor, whose path was looked at when it was opened
        if not self.allows(os.fsdecode(path) if isinstance(path, (str, bytes)) else os.curdir):
            raise FileNotFoundError(path)


def close_in(folders: Iterable[Path]) -> None:
    """Let this process read below some folders only, for the rest of its life."""
    sys.addaudithook(PathGuard(folders).check)
