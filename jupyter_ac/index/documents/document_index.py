"""The index of a tree's documents: outlines, graph, keywords."""

import asyncio
import time
from collections.abc import Iterator
from typing import Final, Protocol

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.code_references import CodeReferences, Mention
from jupyter_ac.index.documents.graph import DocumentGraph, is_document
from jupyter_ac.index.records import Outline
from jupyter_ac.index.view import Definition, IndexView

MAX_DOCUMENTS: Final = 20_000
"""Of one tree; those that come first by path are read."""

_SLICE_S: Final = 0.01
"""How long others wait for this at a time."""


class IndexedTree(Protocol):
    """The index of a working tree, which another object updates."""

    @property
    def view(self) -> IndexView:
        """The index as of the last refresh."""

    @property
    def generation(self) -> str:
        """Names the tree's content."""

    def blob(self, path: RepoPath) -> str:
        """Return the hash of a file's content; "" for a file that isn't read."""


class DocumentIndex:
    """Belongs to one event loop, on which the index changes, too.

    Args:
        tree: whose documents.
    """

    def __init__(self, tree: IndexedTree) -> None:
        self._tree = tree
        self._outlines: dict[RepoPath, tuple[str, Outline]] = {}
        self._graph: tuple[str, DocumentGraph] | None = None
        self._code: tuple[str, CodeReferences] | None = None
        self._making = asyncio.Lock()

    @property
    def generation(self) -> str:
        """Names the content of the tree that `graph` gave last; "" before."""
        return self._graph[0] if self._graph is not None else ""

    async def graph(self) -> DocumentGraph:
        """Return the documents as of the last refresh, and how they refer to each other."""
        async with self._making:
            while self._graph is None or self._graph[0] != self._tree.generation:
                generation = self._tree.generation
                outlines = await self._read()
                paths = self._tree.view.paths()
                if generation != self._tree.generation:
                    continue
                made = self._graph[1] if self._graph is not None else None
                if made is None or made.outlines != outlines or made.paths != paths:
                    made = await asyncio.to_thread(DocumentGraph, outlines, paths)
                self._graph = generation, made
            return self._graph[1]

    async def code(self) -> CodeReferences:
        """Return what the documents say about the code, as of the last refresh."""
        return self._code_of(await self.graph())

    def mentions(self, definition: Definition) -> tuple[Mention, ...]:
        """Return where documents name a symbol, sorted; none while that isn't known."""
        if self._graph is None or self.generation != self._tree.generation:
            return ()
        return self._code_of(self._graph[1]).mentions(definition)

    def _code_of(self, graph: DocumentGraph) -> CodeReferences:
        if self._code is None or self._code[0] != self.generation:
            self._code = self.generation, CodeReferences(graph, self._tree.view)
        return self._code[1]

    async def _read(self) -> dict[RepoPath, Outline]:
        """Collect the outlines; records are decoded again only where the content is another."""
        found: dict[RepoPath, tuple[str, Outline]] = {}
        since = time.monotonic()
        for path in self._documents():
            blob = self._tree.blob(path)
            known = self._outlines.get(path)
            if known is None or known[0] != blob:
                record = self._tree.view.record(path)
                if record is None or record.outline is None:
                    continue
                known = blob, record.outline
            found[path] = known
            if time.monotonic() - since > _SLICE_S:
                await asyncio.sleep(0)
                since = time.monotonic()
        self._outlines = found
        return {path: outline for path, (_, outline) in found.items()}

    def _documents(self) -> Iterator[RepoPath]:
        documents = [path for path in self._tree.view.paths() if is_document(path)]
        return iter(documents[:MAX_DOCUMENTS])
