"""Restricts this process's file access to some folders, for all code in it.

Sources can refer to other folders: by `sys.path.append`, by relative imports above the repository,
by symbolic links. Code that reads sources for imports follows them; here such files don't exist.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_READING: Final = frozenset({"open", "os.listdir", "os.scandir"})
"""Events of the interpreter before it opens a file, or lists a folder."""


class PathGuard:
    """Decides which paths may be read.

    Args:
        folders: all paths below them are allowed.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(dict.fromkeys(os.path.realpath(each) for each in folders))

    def allows(self, path: str) -> bool:
        """Return whether a path, with links resolved, is below one of the folders."""
        real = os.path.realpath(path)
        return any(real == each or real.startswith(f"{each}{os.sep}") for each in self._folders)

    def check(self, event: str, subject: tuple[object, ...]) -> None:
        """Check an audit event of the interpreter.

        Raises:
            FileNotFoundError: the path isn't allowed, and must seem not to exist.
        """
        if event not in _READING:
            return
        path = subject[0] if subject else None
        if isinstance(path, int):
            return  # a descriptor, whose path was looked at when it was opened
        if not self.allows(os.fsdecode(path) if isinstance(path, (str, bytes)) else os.curdir):
            raise FileNotFoundError(path)


def close_in(folders: Iterable[Path]) -> None:
    """Restrict this process to reading below some folders, for the rest of its life."""
    sys.addaudithook(PathGuard(folders).check)
