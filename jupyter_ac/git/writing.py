"""Writing text files of the working tree: whole, alone, and only over what the writer has seen.

A write takes the lock of its file, which all processes on the repository share, compares what is on
disk with what the writer means to replace, and puts the new bytes in its place at once. The text's
own line ends and byte order mark are what is written.
"""

import asyncio
import re
from typing import Final

from jupyter_ac.errors import GitError, InvalidParams, RefusedPath
from jupyter_ac.git.file_locks import FileLocks
from jupyter_ac.git.name_lists import names_in
from jupyter_ac.git.path_lookup import find
from jupyter_ac.git.paths import Located
from jupyter_ac.git.replacing import WriteRequest, Written, encoded, put, remove
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import read_git
from jupyter_ac.git.temp_files import LIST_DRAFTS, tag_of
from jupyter_ac.ids import RepoPath
from jupyter_ac.store.shield import to_end

_HASH: Final = re.compile(r"[0-9a-f]{64}")


class FileWriter:
    """Writes the files of one working tree. Belongs to one event loop.

    Args:
        repository: whose files.
        locks: keep it alone with a file.
    """

    def __init__(self, repository: Repository, locks: FileLocks) -> None:
        self._repository = repository
        self._locks = locks

    async def write(self, path: str, content: str, expected_hash: str = "") -> Written:
        """Replace a file's text, or make the file and the folders above it.

        Args:
            path: relative to the root.
            content: the new text; its line ends are kept.
            expected_hash: SHA-256 of the bytes that it may replace; "" replaces whatever is there.

        Raises:
            RefusedPath: the path leads elsewhere, or to something that is no file.
            Conflict: the file has changed since it had that hash, or is gone.
            BinaryFile: the file, or the new content, is no UTF-8 text.
            TooLarge: the file, or the new content, is longer than `MAX_FILE_BYTES`.
            InvalidParams: the hash is none, or the content holds half a character.
            AccessDenied: the file or its folder may not be written.
            Busy: other processes kept writing it.
            GitError: the repository is gone.
            AcError: the disk is full, or fails.
        """
        over = expected_hash.lower()
        if over and _HASH.fullmatch(over) is None:
            raise InvalidParams("expected_hash must be a SHA-256 in 64 hex digits, or empty.")
        return await self._put(path, content, over=over)

    async def create(self, path: str, content: str = "") -> Written:
        """Make a file that isn't there, and the folders above it; raises what `write` raises.

        Raises:
            AlreadyExists: something has that name.
        """
        return await self._put(path, content, is_new=True)

    async def sweep(self) -> list[RepoPath]:
        """Remove the drafts that processes which were killed left behind; returns their paths."""
        listed = await read_git(self._repository.root, LIST_DRAFTS)
        names = names_in(listed.data)
        left = [(name, tag) for name in names if (tag := tag_of(name)) is not None]
        for name, tag in left:
            async with self._locks.alone(name, tag):
                await to_end(asyncio.to_thread(remove, self._repository, name))
        return [RepoPath(name) for name, _ in left]

    async def _put(
        self, path: str, content: str, *, over: str = "", is_new: bool = False
    ) -> Written:
        data = encoded(path, content)
        located = await find(self._repository, path)
        await asyncio.to_thread(_require_file, self._repository, path, located)
        tag = self._locks.tag(located)
        wanted = WriteRequest(data, tag, over, is_new)
        async with self._locks.alone(located.path, tag):
            return await to_end(asyncio.to_thread(put, self._repository, located, wanted))


def _require_file(repository: Repository, path: str, located: Located) -> None:
    """Refuse where no file may be written."""
    if path[-1] in "/\\" and located.path[-1] != path[-1]:
        raise RefusedPath(f"{path!r} names a folder; name a file in it.")
    if tag_of(located.path) is not None:
        raise RefusedPath(f"{path!r} is a name that jupyter_ac uses itself; choose another.")
    if not repository.root.is_dir():
        raise GitError(f"The folder {repository.root.name!r} is gone; open another one.")
