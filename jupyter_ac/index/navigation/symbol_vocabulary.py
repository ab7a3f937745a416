"""The set of all symbol names of a tree, updated incrementally, for search."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection
from sys import intern
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.view import FilesView

_SLICE_S: Final = 0.01
"""How long others wait for this at a time."""

_OF_ONE_FILE: Final = 20_000


class _FileNames(NamedTuple):
    """The names of a file, of a content."""

    blob: str
    names: tuple[str, ...]


class SymbolVocabulary:
    """Reads files when it is asked for, each once for a content. Belongs to the view's loop.

    Args:
        view: the index.
        blob_of: names the content of a file; "" for none.
    """

    def __init__(self, view: FilesView, blob_of: Callable[[RepoPath], str]) -> None:
        self._view = view
        self._blob_of = blob_of
        self._generation = ""
        self._files: dict[RepoPath, _FileNames] = {}
        self._names: Counter[str] = Counter()

    def names(self) -> Collection[str]:
        """Return the names of all files that were read, each once."""
        return self._names.keys()

    async def catch_up(self, limit_s: float) -> bool:
        """Read what is new or different, for a while; say whether nothing is left to read."""
        if self._generation == self._view.generation:
            return True
        generation, deadline = self._view.generation, time.monotonic() + limit_s
        rested = time.monotonic()
        paths = self._view.paths()
        for gone in self._files.keys() - set(paths):
            self._forget(gone)
        for path in paths:
            is_read = self._update_file(path)
            now = time.monotonic()
            if is_read and now > deadline:
                return False
            if now > rested + _SLICE_S:
                await asyncio.sleep(0)
                rested = time.monotonic()
        self._generation = generation
        return generation == self._view.generation

    def _update_file(self, path: RepoPath) -> bool:
        """Bring one file up to date; say whether it had to be read."""
        blob, said = self._blob_of(path), self._files.get(path)
        if blob == (said.blob if said is not None else ""):
            return False
        self._forget(path)
        record = self._view.record(path) if blob else None
        symbols = record.symbols[:_OF_ONE_FILE] if record is not None else ()
        names = tuple({intern(symbol.name): None for symbol in symbols})
        self._files[path] = _FileNames(blob, names)
        self._names.update(names)
        return True

    def _forget(self, path: RepoPath) -> None:
        said = self._files.pop(path, None)
        for name in said.names if said is not None else ():
            self._names[name] -= 1
            if not self._names[name]:
                del self._names[name]
