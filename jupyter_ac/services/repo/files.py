"""RPC methods that read files, and diffs as text."""

import asyncio
import base64
import mimetypes
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from jupyter_ac.errors import InvalidParams, NotFound, RefusedPath
from jupyter_ac.git.diffs import diff_to, staged_diff, unstaged_diff
from jupyter_ac.git.files import exists, file_hash, is_binary, read_bytes, read_text
from jupyter_ac.git.paths import literal, normalise
from jupyter_ac.git.repository import Repository
from jupyter_ac.index.extraction.decoding import cells_of
from jupyter_ac.notebook.percent import percent_text
from jupyter_ac.rpc.codec import Encoded, encode
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.repo.shapes import Diff, FileData
from jupyter_ac.store.stamped_cache import Stamp, StampedCache, take_stamp
from jupyter_ac.store.state_paths import is_local

# Not in the standard library's table on every machine.
_IMAGES: Final[Mapping[str, str]] = {
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".svg": "image/svg+xml",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
}


_MAX_KEPT: Final = 1 << 19
"""Characters; a longer text isn't cached."""


class FileMethods:
    """`Repo` methods that look at one file."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._contents = StampedCache[Encoded[str]]()
        self._is_local: bool | None = None

    @method(Access.READ)
    async def get_file_content(self, path: str, version: str | None = None) -> str | Encoded[str]:
        """Return a file's text, of the working tree or of a branch, tag or commit."""
        known = None if version else self._contents.get(path)
        if known is not None:
            return known
        before = None if version else await self._stamp_before(path)
        text = await read_text(self._repository, path, version)
        if before is None or len(text) > _MAX_KEPT:
            return text
        encoded = Encoded[str]([encode(text)])
        self._contents.put(path, before, encoded, encoded.size_bytes)
        return encoded

    async def _stamp_before(self, path: str) -> Stamp | None:
        """Take the stamp of a file before reading it; None if the text must not be cached."""
        if self._is_local is None:
            self._is_local = await asyncio.to_thread(is_local, self._repository.root)
        try:
            paths = _with_folders(self._repository.root, path)
        except RefusedPath:
            return None  # reading it raises the error
        return take_stamp(paths) if paths and self._is_local else None

    @method(Access.READ)
    async def get_notebook_text(self, path: str, version: str | None = None) -> str:
        """Return a notebook as the text of its cells, which is what the model reads.

        Lines of symbols in notebooks are lines of this text.
        """
        ipynb = await read_text(self._repository, path, version)
        return await asyncio.to_thread(percent_text, ipynb)

    @method(Access.READ)
    async def get_notebook_language(self, path: str, version: str | None = None) -> str:
        """Return the language of a notebook's code, in small letters; "" when it is no notebook."""
        ipynb = await read_text(self._repository, path, version)
        try:
            found = await asyncio.to_thread(cells_of, ipynb.encode("utf-8", "replace"))
        except ValueError:
            return ""
        return found.language

    @method(Access.READ)
    async def get_file_base64(self, path: str) -> FileData:
        """Return a file's bytes as a data URI, for previews; its kind is told by its name."""
        data = await read_bytes(self._repository, path)
        encoded = await asyncio.to_thread(base64.b64encode, data)
        return {"data_uri": f"data:{_kind(path)};base64,{encoded.decode('ascii')}"}

    @method(Access.READ)
    async def get_file_hash(self, path: str) -> str | None:
        """Return the SHA-256 of a file's bytes, as `write_file` takes it; null when it is missing.

        Ask for it before the content: a change in between is then refused at the write.
        """
        return await file_hash(self._repository, path)

    @method(Access.READ)
    async def file_exists(self, path: str) -> bool:
        """Tell whether a path is a regular file."""
        return await exists(self._repository, path)

    @method(Access.READ)
    async def is_binary_file(self, path: str) -> bool:
        """Tell whether a file is binary; false for a missing one."""
        return await is_binary(self._repository, path)


def _with_folders(root: Path, path: str) -> list[str]:
    """List a file and its parent folders, the root first; none for an unusual path."""
    if literal(path) is not None or normalise(path) != path:
        return []
    folders = [root / folder for folder in reversed(PurePosixPath(path).parents)]
    return [*map(os.fspath, folders), os.fspath(root / path)]


def _kind(path: str) -> str:
    """Return the MIME type for a file's name; a compressed file is just bytes."""
    kind, packed = mimetypes.guess_type(path, strict=True)
    known = _IMAGES.get(PurePosixPath(path).suffix.lower()) or kind
    return known if known and not packed else "application/octet-stream"


class DiffMethods:
    """`Repo` methods that compare."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    @method(Access.READ)
    async def get_staged_diff(self) -> str:
        """Return what the index changes of the last commit, as a unified diff.

        Under a file that is too large to show, or can't be read, one line says so.
        """
        return await staged_diff(self._repository)

    @method(Access.READ)
    async def get_unstaged_diff(self) -> str:
        """Return what the tracked files change of the index, as a unified diff.

        Under a file that is too large to show, or can't be read, one line says so.
        """
        return await unstaged_diff(self._repository)

    @method(Access.READ, refusal=Refusal, refused=(NotFound, InvalidParams))
    async def get_diff_to_branch(self, ref: str) -> Diff:
        """Return what the tracked files change of a branch, tag or commit, as a unified diff."""
        return {"diff": await diff_to(self._repository, ref)}
