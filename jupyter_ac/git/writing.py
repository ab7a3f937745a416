"""Writes text files of the working tree atomically, under a lock, with an optional hash check.

A write holds the lock of its file, which all processes on the repository share, compares the
content on disk with the expected hash, and replaces the file atomically. Line ends and byte order
mark are written as in the text.

The files are distributed over a few locks: two writers seldom need the same one, and an operation
on the whole tree can acquire all of them.
"""

import asyncio
import hashlib
import os
import re
import unicodedata
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from jupyter_ac.errors import GitError, InvalidParams, RefusedPath
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.path_lookup import find, find_entry
from jupyter_ac.git.paths import Located
from jupyter_ac.git.replacing import WriteRequest, WriteResult, encode_text, remove, write
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import read_git
from jupyter_ac.git.temp_files import LIST_TEMP_FILES, tag_of
from jupyter_ac.ids import RepoPath
from jupyter_ac.store.locks import NamedLocks
from jupyter_ac.store.shield import run_to_completion

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


_HASH: Final = re.compile(r"[0-9a-f]{64}")


class FileWriter:
    """Writes the files of one working tree. Belongs to one event loop.

    Args:
        repository: the repository.
        locks: locks of single files.
    """

    def __init__(self, repository: Repository, locks: FileLocks) -> None:
        self._repository = repository
        self._locks = locks

    async def write(self, path: str, content: str, expected_hash: str = "") -> WriteResult:
        """Replace a file's text, or create the file and the folders above it.

        Args:
            path: relative to the root.
            content: the new text; its line ends are preserved.
            expected_hash: SHA-256 of the bytes that may be replaced; "" for any content.

        Raises:
            RefusedPath: the path leads elsewhere, or to something that isn't a file.
            Conflict: the file's hash is different, or it no longer exists.
            BinaryFile: the file, or the new content, is not UTF-8 text.
            TooLarge: the file, or the new content, is longer than `MAX_FILE_BYTES`.
            InvalidParams: the hash is not valid, or the content contains half of a character.
            AccessDenied: the file or its folder may not be written.
            Busy: other processes held the file's lock the whole time.
            GitError: the repository no longer exists.
            AcError: the disk is full, or fails.
        """
        over = expected_hash.lower()
        if over and _HASH.fullmatch(over) is None:
            raise InvalidParams("expected_hash must be a SHA-256 in 64 hex digits, or empty.")
        return await self._write(path, content, over=over)

    async def create(self, path: str, content: str = "") -> WriteResult:
        """Create a file and the folders above it; raises as `write`.

        Raises:
            AlreadyExists: the name is in use.
        """
        return await self._write(path, content, is_new=True)

    async def remove_temp_files(self) -> list[RepoPath]:
        """Remove temporary files left by killed processes; returns their paths."""
        listed = await read_git(self._repository.root, LIST_TEMP_FILES)
        names = names_in(listed.data)
        left = [(name, tag) for name in names if (tag := tag_of(name)) is not None]
        for name, tag in left:
            async with self._locks.hold(name, tag):
                await run_to_completion(asyncio.to_thread(remove, self._repository, name))
        return [RepoPath(name) for name, _ in left]

    async def _write(
        self, path: str, content: str, *, over: str = "", is_new: bool = False
    ) -> WriteResult:
        data = encode_text(path, content)
        located = await find(self._repository, path)
        await asyncio.to_thread(_require_file, self._repository, path, located)
        tag = self._locks.tag(located)
        wanted = WriteRequest(data, tag, over, is_new)
        async with self._locks.hold(located.path, tag):
            return await run_to_completion(
                asyncio.to_thread(write, self._repository, located, wanted)
            )


def _require_file(repository: Repository, path: str, located: Located) -> None:
    """Refuse a path at which no file may be written."""
    if path[-1] in "/\\" and located.path[-1] != path[-1]:
        raise RefusedPath(f"{path!r} names a folder; name a file in it.")
    if tag_of(located.path) is not None:
        raise RefusedPath(f"{path!r} is a name that jupyter_ac uses itself; choose another.")
    if not repository.root.is_dir():
        raise GitError(f"The folder {repository.root.name!r} was removed; open another one.")
