"""Extracts keywords in the background: once for each content, stored in the machine's cache.

Outlines are available without it; it only adds to them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, Literal, TypeAlias, TypedDict

from jupyter_ac.errors import AcError
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.terms import encode_terms, terms_of
from jupyter_ac.index.documents.vocabulary import DocumentVocabulary
from jupyter_ac.index.records import Outline

Status: TypeAlias = Literal["pending", "building", "complete"]

Read: TypeAlias = Callable[[RepoPath, str], Awaitable[str | None]]
"""Gives the text of a document if its content still has this hash, else None."""

_BATCH: Final = 50
_MOST_NAMED: Final = 100
_MAX_EVENTS: Final = 200
"""Up to about this many progress reports; of more files, only every n-th is reported."""


class EnrichmentEvent(TypedDict, total=False):
    """How far it is; which members there are beside the first three depends on the stage.

    Attributes:
        stage: what has happened.
        message: for the user.
        percent: of the documents that wait.
        files: documents that wait, the first of them when they are many.
        total: how many wait.
        file: which one is done, or has failed.
        remaining: how many are left.
        error: why there are no keywords.
    """

    stage: Literal[
        "doc_enrichment_queued",
        "doc_enrichment_file_done",
        "doc_enrichment_complete",
        "doc_enrichment_failed",
    ]
    message: str
    percent: int
    files: list[RepoPath]
    total: int
    file: RepoPath
    remaining: int
    error: str


Emit: TypeAlias = Callable[[EnrichmentEvent], None]


class Enrichment:
    """Keeps the words of a tree's documents up to date. Belongs to one event loop.

    Args:
        vocabulary: that it fills.
        read: gives texts.
    """

    def __init__(self, vocabulary: DocumentVocabulary, read: Read) -> None:
        self._vocabulary = vocabulary
        self._read = read
        self._failed: dict[RepoPath, str] = {}
        self._running = asyncio.Lock()
        self._is_building = False
        self._is_begun = False

    def status(self, blobs: Mapping[RepoPath, str]) -> Status:
        """Say how far the keywords of these documents are.

        Args:
            blobs: hash of the content of each document.
        """
        if self._is_building:
            return "building"
        is_whole = not self._missing(blobs) and not self._vocabulary.has_more_than(blobs)
        return "complete" if self._is_begun and is_whole else "pending"

    def enriched(self, blobs: Mapping[RepoPath, str]) -> int:
        """Count the documents whose words are known."""
        return len(blobs) - len(self._vocabulary.missing(blobs))

    async def run(
        self, outlines: Mapping[RepoPath, Outline], blobs: Mapping[RepoPath, str], emit: Emit
    ) -> int:
        """Extract the words of documents that are new or changed.

        Args:
            outlines: of the documents.
            blobs: hash of the content of each.
            emit: gets the progress; it isn't called if the cache has all of them.

        Returns:
            how many documents were read.
        """
        async with self._running:
            self._is_begun = self._is_building = True
            try:
                self._vocabulary.keep_only(blobs)
                await self._vocabulary.recall(self._missing(blobs), blobs)
                missing = self._missing(blobs)
                if missing:
                    await self._work(missing, outlines, blobs, emit)
                return len(missing)
            finally:
                self._is_building = False

    def _missing(self, blobs: Mapping[RepoPath, str]) -> list[RepoPath]:
        missing = self._vocabulary.missing(blobs)
        return [path for path in missing if self._failed.get(path) != blobs[path]]

    async def _work(
        self,
        paths: Sequence[RepoPath],
        outlines: Mapping[RepoPath, Outline],
        blobs: Mapping[RepoPath, str],
        emit: Emit,
    ) -> None:
        total = len(paths)
        emit(_queued(paths))
        step = -(-total // _MAX_EVENTS)
        unsaved: dict[str, bytes] = {}
        try:
            for done, path in enumerate(paths, 1):
                data = await self._words(
                    path, blobs[path], outlines[path], emit, done * 100 // total
                )
                if data is not None:
                    unsaved[blobs[path]] = data
                    self._vocabulary.take(path, blobs[path], data)
                    if done % step == 0 or done == total:
                        emit(_done(path, done, total))
                if len(unsaved) >= _BATCH:
                    await self._vocabulary.save(unsaved)
                    unsaved = {}
        finally:
            if unsaved:
                await self._vocabulary.save(unsaved)
        message = "The keywords of the documents are ready"
        emit({"stage": "doc_enrichment_complete", "message": message, "percent": 100})

    async def _words(
        self, path: RepoPath, blob: str, outline: Outline, emit: Emit, percent: int
    ) -> bytes | None:
        """Find the words of a document; None when it has changed, or can't be read."""
        try:
            text = await self._read(path, blob)
            if text is None:
                return None
            return await asyncio.to_thread(_found, text, outline)
        except (OSError, ValueError, AcError) as error:
            self._failed[path] = blob
            emit(
                {
                    "stage": "doc_enrichment_failed",
                    "message": f"{path} has no keywords: {error}",
                    "percent": percent,
                    "file": path,
                    "error": str(error),
                }
            )
            return None


def _found(text: str, outline: Outline) -> bytes:
    return encode_terms(terms_of(text, outline.headings))


def _queued(paths: Sequence[RepoPath]) -> EnrichmentEvent:
    documents = "1 document" if len(paths) == 1 else f"{len(paths)} documents"
    return {
        "stage": "doc_enrichment_queued",
        "message": f"Finding the keywords of {documents}",
        "percent": 0,
        "files": list(paths[:_MOST_NAMED]),
        "total": len(paths),
    }


def _done(path: RepoPath, done: int, total: int) -> EnrichmentEvent:
    return {
        "stage": "doc_enrichment_file_done",
        "message": f"Keywords of {path}",
        "percent": 100 * done // total,
        "file": path,
        "remaining": total - done,
    }
