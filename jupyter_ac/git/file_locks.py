"""Locks of files of the working tree, shared by all processes on the repository.

A few locks stand for all files: writers of two files seldom meet, and who moves files of the whole
tree can take every lock there is.
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
from jupyter_ac.store.exclusive import Exclusive

EVERY_FILE: Final = tuple(f"file-{digit}" for digit in "0123456789abcdef")
"""The locks of all files together."""


class FileLocks:
    """Keeps writers of one file apart, however they name it.

    Args:
        repository: whose files.
        exclusive: the repository's locks.
    """

    def __init__(self, repository: Repository, exclusive: Exclusive) -> None:
        self._repository = repository
        self._exclusive = exclusive

    def tag(self, located: Located) -> str:
        """Name the file itself, whatever its file system thinks of case: 16 hex digits."""
        inside = located.real.relative_to(self._repository.root).as_posix()
        name = unicodedata.normalize("NFC", f"{self._repository.worktree}\0{inside}").casefold()
        return hashlib.sha256(os.fsencode(name)).hexdigest()[:16]

    async def tags(self, *paths: str) -> list[str]:
        """Return the tags of entries that need not exist.

        Raises:
            RefusedPath: a path leads out of the repository or into git's own directory.
        """
        return [self.tag(await find_entry(self._repository, path)) for path in paths]

    @asynccontextmanager
    async def alone(self, path: str, *tags: str) -> AsyncIterator[None]:
        """Keep everybody else from the files with these tags for the body.

        Args:
            path: what to name when it can't be had.
            tags: of the files.

        Raises:
            Busy: others had one of them all the time.
        """
        names = (f"file-{tag[0]}" for tag in tags)
        async with self._exclusive.alone_with_all(names, f"{path!r} can't be written"):
            yield
