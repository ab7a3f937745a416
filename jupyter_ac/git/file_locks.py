"""Locks for files of the working tree, shared by all processes that use the repository.

The files are distributed over a few locks: two writers seldom need the same one, and an operation
on the whole tree can acquire all of them.
"""

import hashlib
import os
import unicodedata
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from jupyter_ac.git.path_lookup import find_entry
from jupyter_ac.git.paths import Located
from jupyter_ac.git.repository import Repository
from jupyter_ac.store.exclusive import NamedLocks

ALL_FILES: Final = tuple(f"file-{digit}" for digit in "0123456789abcdef")
"""All locks together."""


class FileLocks:
    """Serializes writers of the same file, whatever name they use for it.

    Args:
        repository: the repository.
        exclusive: its locks.
    """

    def __init__(self, repository: Repository, exclusive: NamedLocks) -> None:
        self._repository = repository
        self._exclusive = exclusive

    def tag(self, located: Located) -> str:
        """Return the lock tag of a file, 16 hex digits; names that differ only in case share it."""
        inside = located.real.relative_to(self._repository.root).as_posix()
        name = unicodedata.normalize("NFC", f"{self._repository.worktree}\0{inside}").casefold()
        return hashlib.sha256(os.fsencode(name)).hexdigest()[:16]

    async def tags(self, *paths: str) -> list[str]:
        """Return the tags of entries; they need not exist.

        Raises:
            RefusedPath: a path leads out of the repository or into git's own directory.
        """
        return [self.tag(await find_entry(self._repository, path)) for path in paths]

    @asynccontextmanager
    async def hold(self, path: str, *tags: str) -> AsyncIterator[None]:
        """Hold the locks of the files with these tags for the body.

        Args:
            path: name for the error message.
            tags: of the files.

        Raises:
            Busy: a lock was held by others the whole time.
        """
        names = (f"file-{tag[0]}" for tag in tags)
        async with self._exclusive.hold_all(names, f"{path!r} can't be written"):
            yield
