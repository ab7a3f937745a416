"""The documents in the index: their map, their keywords, their mentions of code."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import Final, TypedDict

from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.git.likely_secrets import secret_warnings
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.tree.scan import LIST_TRACKED, read_list
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.enrichment import Enrichment, Status
from jupyter_ac.index.documents.graph import DocumentGraph
from jupyter_ac.index.documents.map import document_map
from jupyter_ac.index.documents.vocabulary import DocumentVocabulary
from jupyter_ac.index.extraction.decoding import cells_of, readable
from jupyter_ac.index.indexing.file_reader import blob_hash
from jupyter_ac.index.indexing.scan import MAX_BYTES
from jupyter_ac.index.languages.registry import NOTEBOOK, language_of
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.worker.index.context import IndexContext
from jupyter_ac.worker.jobs import emitter

_WAIT_S: Final = 1.0
"""How long a map waits for keywords; without them it has only headings."""


class DocumentMapWire(TypedDict):
    """The map of the documents.

    Attributes:
        text: the map.
        legend: what its signs mean.
        tokens: of both.
        files: how many documents it names.
        generation: names what it shows: the content of the tree, and whether with keywords.
    """

    text: str
    legend: str
    tokens: int
    files: int
    generation: str


class DocumentStatusWire(TypedDict):
    """How far the index of the documents is.

    Attributes:
        ready: the map can be had.
        building: keywords are being found.
        enriched: all documents have their keywords.
        enrichment_status: of the keywords.
        files: documents whose keywords are known.
        total: documents.
    """

    ready: bool
    building: bool
    enriched: bool
    enrichment_status: Status
    files: int
    total: int


class Documents:
    """Answers about documents.

    Args:
        context: the context that all parts share.
    """

    def __init__(self, context: IndexContext) -> None:
        self._context = context

    @method(Access.READ)
    async def document_map(self, budget: int, excluded: list[str] | None = None) -> DocumentMapWire:
        """Draw the map of the documents within a number of tokens.

        Args:
            budget: tokens.
            excluded: files and folders that it doesn't show, not as targets of links either.
        """
        graph = await self._context.documents.graph()
        generation = self._context.documents.generation
        blobs = self._blobs(graph)
        if self._enrichment.status(blobs) != "complete":
            await self._catch_up(graph, blobs)
        has_keywords = self._enrichment.status(blobs) == "complete"
        words = self._vocabulary
        # Keywords are words of the text; those of files that git does not track are not sent.
        shown = await self._tracked() if has_keywords else frozenset()
        hidden = ExcludedPaths(tuple(map(RepoPath, excluded or ())))
        if hidden.paths:
            graph = await asyncio.to_thread(graph.without, hidden)
        drawn = await asyncio.to_thread(
            document_map,
            graph,
            lambda path: words.keywords(path, graph.outlines[path]) if path in shown else (),
            budget,
            self._context.count,
        )
        return {
            "text": drawn.text,
            "legend": drawn.legend,
            "tokens": drawn.tokens,
            "files": drawn.files,
            "generation": f"{generation}{'+keywords' if has_keywords else ''}",
        }

    @method(Access.READ)
    async def document_status(self) -> DocumentStatusWire:
        """Say how far the index of the documents is."""
        graph = await self._context.documents.graph()
        blobs = self._blobs(graph)
        status = self._enrichment.status(blobs)
        return {
            "ready": True,
            "building": status == "building",
            "enriched": status == "complete",
            "enrichment_status": status,
            "files": self._enrichment.enriched(blobs),
            "total": len(blobs),
        }

    @method(Access.EXECUTE)
    async def enrich(self, channel: int) -> int:
        """Find the keywords of new and changed documents; how far it is goes out as events.

        Args:
            channel: of the job.

        Returns:
            how many documents were read.
        """
        emit = emitter(channel)
        graph = await self._context.documents.graph()
        work = self._enrichment.run(graph.outlines, self._blobs(graph), emit)
        return await self._context.jobs.run(channel, work)

    async def _tracked(self) -> frozenset[str]:
        repository = self._context.indexer.repository
        return frozenset(names_in(await read_list(repository, LIST_TRACKED)))

    @cached_property
    def _vocabulary(self) -> DocumentVocabulary:
        return DocumentVocabulary(self._context.indexer.cache)

    @cached_property
    def _enrichment(self) -> Enrichment:
        return Enrichment(self._vocabulary, self._text)

    async def _catch_up(self, graph: DocumentGraph, blobs: Mapping[RepoPath, str]) -> None:
        """Wait briefly for the keywords: enough for cached ones, or for a few documents."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_WAIT_S):
                await self._enrichment.run(graph.outlines, blobs, lambda _event: None)

    def _blobs(self, graph: DocumentGraph) -> dict[RepoPath, str]:
        """Return the documents with prose, each with the hash of its content."""
        indexer = self._context.indexer
        prose = (path for path in graph.outlines if not path.lower().endswith(".svg"))
        return {path: blob for path in prose if (blob := indexer.blob(path))}

    async def _text(self, path: RepoPath, blob: str) -> str | None:
        data = await self._context.indexer.read(path, MAX_BYTES)
        if blob_hash(data, len(blob)) != blob:
            return None  # changed since; the next refresh sees it
        text = readable(data)[0]
        is_notebook = language_of(path) == NOTEBOOK
        prose = cells_of(text).text if is_notebook else text.decode(errors="replace")
        return "" if secret_warnings(path, prose) else prose
