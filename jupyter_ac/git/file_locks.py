"""Locks of single files of the working tree, shared by all processes on the repository."""

import asyncio
import hashlib
import os
import unicodedata
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from jupyter_ac.git.paths import Located, locate_entry
from jupyter_ac.git.repository import Repository
from jupyter_ac.store.exclusive import Exclusive


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
        return await asyncio.to_thread(
            lambda: [self.tag(locate_entry(self._repository, path)) for path in paths]
        )

    @asynccontextmanager
    async def alone(self, path: str, *tags: str) -> AsyncIterator[None]:
        """Keep everybody else from the files with these tags for the body.

        Args:
            path: what to name when it can't be had.
            tags: of the files; their locks are taken in one order, so that nobody waits in a ring.

        Raises:
            Busy: others had one of them all the time.
        """
        # Short names, so that there are a few thousand locks at most; files may share one.
        names = sorted({f"file-{tag[:3]}" for tag in tags})
        async with AsyncExitStack() as stack:
            for name in names:
                await stack.enter_async_context(
                    self._exclusive.alone(name, f"{path!r} can't be written")
                )
            yield
