"""Caches the words of all documents of a tree, in memory and on the machine."""

import asyncio
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.keywords import Corpus, Keywords, keywords_of
from jupyter_ac.index.documents.terms import SectionTerms, decode_terms
from jupyter_ac.index.indexing.cache import Key
from jupyter_ac.index.records import Outline

_BATCH: Final = 100


class TermsCache(Protocol):
    """A cache of words by content."""

    async def read(self, keys: Iterable[Key], /) -> dict[Key, bytes]:
        """Return the entries that are there."""

    async def write(self, entries: Mapping[Key, bytes], /) -> None:
        """Keep entries."""


class _CachedWords(NamedTuple):
    blob: str
    packed: bytes

    def terms(self) -> list[SectionTerms]:
        return decode_terms(self.packed)


class DocumentVocabulary:
    """Belongs to one event loop.

    Args:
        cache: of the machine.
    """

    def __init__(self, cache: TermsCache) -> None:
        self._cache = cache
        self._corpus = Corpus()
        self._kept: dict[RepoPath, _CachedWords] = {}

    def keywords(self, path: RepoPath, outline: Outline) -> Keywords:
        """Return the keywords of a document's headings; empty when they aren't known."""
        kept = self._kept.get(path)
        if kept is None:
            return ()
        return keywords_of(outline.headings, kept.terms(), self._corpus)

    def missing(self, blobs: Mapping[RepoPath, str]) -> list[RepoPath]:
        """Return the documents whose words aren't known.

        Args:
            blobs: hash of the content of each document.
        """
        return [
            path
            for path, blob in blobs.items()
            if (kept := self._kept.get(path)) is None or kept.blob != blob
        ]

    def has_more_than(self, blobs: Mapping[RepoPath, str]) -> bool:
        """Tell whether words of other documents are among these."""
        return any(path not in blobs for path in self._kept)

    def keep_only(self, blobs: Mapping[RepoPath, str]) -> None:
        """Remove the documents that no longer exist."""
        for path in [path for path in self._kept if path not in blobs]:
            self.drop(path)

    async def recall(self, paths: Sequence[RepoPath], blobs: Mapping[RepoPath, str]) -> None:
        """Take what the cache has of some documents."""
        for start in range(0, len(paths), _BATCH):
            batch = paths[start : start + _BATCH]
            found = await self._cache.read({_key(blobs[path]) for path in batch})
            for path in batch:
                data = found.get(_key(blobs[path]))
                if data is not None:
                    self.take(path, blobs[path], data)
                    await asyncio.sleep(0)

    async def save(self, found: Mapping[str, bytes]) -> None:
        """Keep words in the machine's cache by the hash of the content."""
        await self._cache.write({_key(blob): data for blob, data in found.items()})

    def take(self, path: RepoPath, blob: str, data: bytes) -> None:
        """Count a document in, in place of what it was; damaged data is nothing."""
        try:
            terms = decode_terms(data)
        except (ValueError, TypeError, zlib.error):
            return
        self.drop(path)
        self._corpus.add(terms)
        self._kept[path] = _CachedWords(blob, data)

    def drop(self, path: RepoPath) -> None:
        """Count a document out; an unknown one is nothing."""
        kept = self._kept.pop(path, None)
        if kept is not None:
            self._corpus.remove(kept.terms())


def _key(blob: str) -> Key:
    return Key("keywords", blob)
