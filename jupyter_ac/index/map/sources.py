"""Keeps the data of maps up to date: the inverted index of words and git's history."""

import asyncio
import hashlib
import logging
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jupyter_ac.errors import AcError
from jupyter_ac.git.runner import run_git
from jupyter_ac.index.cache_version import source_name
from jupyter_ac.index.indexing.cache import Key
from jupyter_ac.index.indexing.indexer import Indexer
from jupyter_ac.index.map.cochange import LOG, CoChange, read_log
from jupyter_ac.index.map.inverted_index import InvertedIndex

if TYPE_CHECKING:
    from jupyter_ac.index.view import IndexView

_logger = logging.getLogger(__name__)

_FORMAT: Final = ("map/inverted_index.py", "map/words.py", "map/naming.py")
_SLICE_S: Final = 0.005
_LOG_S: Final = 20.0
_WORTH_KEEPING: Final = 20
_SHARE: Final = 20
"""The word index is written to the cache again when at least one of so many files has changed."""

_WORTH_KEEPING_EARLY: Final = 1000
_EARLY_SHARE: Final = 2
"""The same before all changes are counted: who stops a long first count loses a part of it."""

_WASTED: Final = 0.5


class MapSources:
    """Follows an index. Belongs to one event loop.

    Args:
        indexer: the index.
    """

    def __init__(self, indexer: Indexer) -> None:
        self.word_index = InvertedIndex()
        self.cochange = CoChange()
        self._indexer = indexer
        self._generation = ""
        self._seen: tuple[IndexView, InvertedIndex] | None = None
        self._version = 0
        self._history = ""
        self._is_restored = False
        self._unsaved = 0
        self._following: asyncio.Task[None] | None = None

    async def ready(self, wait_s: float | None) -> bool:
        """Bring all up to date, for so long; say whether that was enough."""
        following = self.follow()
        await asyncio.wait({following}, timeout=wait_s)
        return following.done()

    def follow(self) -> "asyncio.Task[None]":
        """Begin to bring all up to date, unless that is under way."""
        if self._following is None or self._following.done():
            loop = asyncio.get_running_loop()
            self._following = loop.create_task(self._follow(), name="map: sources")
        return self._following

    async def _follow(self) -> None:
        await asyncio.gather(self._follow_files(), self.follow_history())

    async def _follow_files(self) -> None:
        if not self._is_restored:
            self._is_restored = True
            await self._restore()
        while self._generation != (generation := self._indexer.generation):
            if self.word_index.wasted > _WASTED * len(self.word_index) + _WORTH_KEEPING:
                self.word_index = InvertedIndex()
            await self._put_changed()
            self._generation = generation
        await self._save_from(_WORTH_KEEPING, _SHARE)

    async def _save_from(self, files: int, share: int) -> None:
        """Keep the word index for the next process if so many of its files are new."""
        if self._unsaved >= max(files, len(self.word_index) // share):
            dumped = await asyncio.to_thread(self.word_index.dump)
            await self._indexer.cache.write({self._key(): dumped})
            self._unsaved = 0

    async def _put_changed(self) -> None:
        """Take over what differs."""
        word_index, indexer, view = self.word_index, self._indexer, self._indexer.view
        version, paths = view.version, view.paths()
        there, looked_at = frozenset(paths), view.changed_since(self._version)
        if looked_at is None or self._seen != (view, word_index):
            looked_at = {*paths, *word_index}
        gone = [path for path in looked_at if path in word_index and path not in there]
        for path in gone:
            word_index.remove(path)
        self._unsaved += len(gone)
        turn = time.monotonic() + _SLICE_S
        for path in sorted(there.intersection(looked_at)):
            blob = indexer.blob(path)
            if word_index.blob(path) != blob:
                word_index.put(path, blob, view.record_without_uses(path))
                self._unsaved += 1
                await self._save_from(_WORTH_KEEPING_EARLY, _EARLY_SHARE)
            if time.monotonic() > turn:
                await asyncio.sleep(0)
                await indexer.calm()
                turn = time.monotonic() + _SLICE_S
        # What has changed meanwhile is looked at in the next round.
        self._seen, self._version = (view, word_index), version

    async def follow_history(self) -> None:
        """Read what was changed together, once for each history that is checked out."""
        root = self._indexer.repository.root
        try:
            found = await run_git(root, "rev-parse", "-q", "--verify", "HEAD", ok=(0, 1, 128))
            head = found.decode("ascii", "replace").strip()
            # A shallow history that has been deepened is another one with the same end.
            ends = await asyncio.to_thread(_bytes, self._indexer.repository.common_dir / "shallow")
            history = f"{head} {hashlib.sha256(ends).hexdigest()[:32]}" if ends else head
            if history == self._history:
                return
            key = Key("map-history", history)
            kept = (await self._indexer.cache.read([key])).get(key) if head else b""
            if kept is None:
                kept = await run_git(root, *LOG, head, timeout_s=_LOG_S)
                await self._indexer.cache.write({key: kept})
        except AcError as error:
            _logger.info("the map does without the history: %s", error.message)
            return
        self.cochange, self._history = CoChange(read_log(kept)), history

    async def _restore(self) -> None:
        key = self._key()
        data = (await self._indexer.cache.read([key])).get(key)
        if data is None:
            return
        try:
            self.word_index.restore(data)
        except ValueError as error:
            _logger.info("the words of the files are counted anew: %s", error)

    def _key(self) -> Key:
        tree = hashlib.sha256(os.fsencode(self._indexer.repository.root)).hexdigest()[:32]
        return Key("map-words", f"{source_name(_FORMAT)}-{tree}")


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""
