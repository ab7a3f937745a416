"""Finds references from documents to code: names and paths in backticks, and links."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.graph import DocumentGraph, parts_of
from jupyter_ac.index.documents.link_targets import looks_like_path
from jupyter_ac.index.records import DocumentLink
from jupyter_ac.index.view import Definition, IndexView

Meaning: TypeAlias = Definition | RepoPath
"""A symbol, or a file."""

MAX_NAMES: Final = 50_000
"""Different names in backticks that are looked up in one tree."""

_TELLING: Final = re.compile(r".+_.+|[^a-z\n]*[a-z].*[A-Z]|[A-Z].*[a-z]|[A-Z0-9]{4,}")
_MANY: Final = 50


class Mention(NamedTuple):
    """A place in a document that names something in the code.

    Attributes:
        path: the document.
        section: index of the heading that it stands under, `NOBODY` before the first.
        line: where.
    """

    path: RepoPath
    section: int
    line: int


class CodeReferences:
    """References between documents and code; a name counts where it can mean one thing only.

    Args:
        graph: the documents.
        view: the index of the same moment.
    """

    def __init__(self, graph: DocumentGraph, view: IndexView) -> None:
        self._graph = graph
        self._view = view
        self._meanings: dict[str, Definition | None] = {}

    def meaning(self, source: RepoPath, link: DocumentLink) -> Meaning | None:
        """Return what a name in backticks, or a link, of a document leads to in the code."""
        if not link.is_code:
            place = self._graph.files.link(source, link.target)
            return None if place is None else place.path
        if looks_like_path(link.target):
            file = self._graph.files.named(source, link.target)
            if file is not None:
                return file
        if link.target not in self._meanings:
            if len(self._meanings) >= MAX_NAMES:
                return None
            self._meanings[link.target] = self._symbol(link.target)
        return self._meanings[link.target]

    def mentions(self, definition: Definition) -> tuple[Mention, ...]:
        """Return where documents name a symbol, sorted."""
        record = self._view.record(definition.path)
        if record is None or not 0 <= definition.symbol < len(record.symbols):
            return ()
        name = record.symbols[definition.symbol].name
        return tuple(
            Mention(path, link.heading, link.line)
            for path, link in self._graph.naming(name)
            if self.meaning(path, link) == definition
        )

    def files(self, document: RepoPath) -> Mapping[RepoPath, int]:
        """Return the files of code that a document names, each with how often."""
        return self._edges[0].get(document, {})

    def documents(self, path: RepoPath) -> Mapping[RepoPath, int]:
        """Return the documents that name a file or something in it, each with how often."""
        return self._edges[1].get(path, {})

    @cached_property
    def _edges(self) -> tuple[Mapping[RepoPath, Counter[RepoPath]], ...]:
        files: dict[RepoPath, Counter[RepoPath]] = defaultdict(Counter)
        documents: dict[RepoPath, Counter[RepoPath]] = defaultdict(Counter)
        for document, link in self._links():
            found = self.meaning(document, link)
            path = found.path if isinstance(found, Definition) else found
            if path is not None and path != document and path not in self._graph.outlines:
                files[document][path] += 1
                documents[path][document] += 1
        return files, documents

    def _links(self) -> Iterator[tuple[RepoPath, DocumentLink]]:
        for document, outline in self._graph.outlines.items():
            for link in outline.links:
                yield document, link

    def _symbol(self, written: str) -> Definition | None:
        parts = parts_of(written)
        found = self._view.defining(parts[-1]) if parts[-1] else ()
        if len(found) > _MANY:
            return None
        if len(parts) > 1:
            found = [one for one in found if self._is_in(one, parts[-2])]
        elif not (written.endswith("()") or _TELLING.match(written)):
            # A plain word in backticks is an option or a value as often as a function.
            return None
        return found[0] if len(found) == 1 else None

    def _is_in(self, definition: Definition, name: str) -> bool:
        """Tell whether a symbol is inside a class, file or folder of this name."""
        record = self._view.record(definition.path)
        if record is None:
            return False
        parent = record.symbols[definition.symbol].parent
        if parent >= 0 and record.symbols[parent].name == name:
            return True
        steps = re.split(r"[/.]", definition.path)
        return name in steps
