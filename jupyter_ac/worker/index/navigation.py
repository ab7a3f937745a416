"""Navigation in the index worker: answers from the index and the file as it is on disk now."""

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

from jupyter_ac.errors import AcError, NotFound
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.graph import is_document
from jupyter_ac.index.documents.link_targets import LinkTargets
from jupyter_ac.index.documents.rendering import Detail, render
from jupyter_ac.index.languages.registry import described, language_of
from jupyter_ac.index.map import naming
from jupyter_ac.index.map.text import map_text, names_text
from jupyter_ac.index.navigation.completion import completions
from jupyter_ac.index.navigation.hover import doc_lines, hover, mentioned
from jupyter_ac.index.navigation.locations import (
    definition,
    linking,
    names_of,
    on_its_line,
    references,
)
from jupyter_ac.index.navigation.outline_rows import section_rows, symbol_rows
from jupyter_ac.index.navigation.references import counterparts, defined
from jupyter_ac.index.navigation.rows import (
    Completion,
    FileMapBlock,
    HoverFound,
    OutlineRow,
    PlacesFound,
    SymbolRow,
    Target,
    TargetFound,
)
from jupyter_ac.index.navigation.scopes import Goal
from jupyter_ac.index.navigation.source_text import SourceText, TextPosition
from jupyter_ac.index.navigation.symbol_at import SymbolAt, find
from jupyter_ac.index.navigation.symbol_search import called, matching, rows, wanted
from jupyter_ac.index.navigation.symbol_vocabulary import SymbolVocabulary
from jupyter_ac.index.records import NOBODY
from jupyter_ac.index.view import Definition, IndexView
from jupyter_ac.notebook.percent import percent_text
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.worker.index.context import IndexContext
from jupyter_ac.worker.index.occurrence_worker import OccurrenceFinder

_logger = logging.getLogger(__name__)

_REFRESH_S: Final = 1.0
"""How long an answer waits for the index of its file; then it uses the old index."""

_READ_S: Final = 3.0
"""How long a search waits for names that weren't read yet; then it searches the others."""

_MAX_BYTES: Final = 1 << 20
_MOST: Final = 2_000
"""Maximum number of references in a response; nobody reads more."""

_MOST_DECLARED: Final = 5
_MOST_READ: Final = 100
"""LinkTargets that are read for the places of names on their lines."""

_NO_FILES: Final = LinkTargets(())
_NOTHING: Final = SourceText("")


class FilePosition(NamedTuple):
    """A file, and the symbol at the requested position."""

    view: IndexView
    source: SourceText
    found: SymbolAt | None


class NavigationWorker:
    """The wire's view of `jupyter_ac.index.navigation`; lines from 1, columns from 0.

    Args:
        context: the context that all parts share.
    """

    def __init__(self, context: IndexContext) -> None:
        self._context = context
        self._refreshing: set[asyncio.Task[object]] = set()
        self._occurrences = OccurrenceFinder(context)

    @method(Access.READ)
    async def hover(self, path: str, line: int, column: int) -> HoverFound | None:
        """Say what is known of what stands at a place."""
        seen = await self._see(RepoPath(path), TextPosition(line, column))
        if seen.found is None:
            return None
        goal = defined(seen.view, seen.found.goal)
        source = seen.source if goal.path == path else await self._source(goal.path)
        remarks = await self._remarks(seen.view, goal)
        told = hover(seen.view, seen.found._replace(goal=goal), source, remarks)
        mentions = self._context.documents.mentions(Definition(goal.path, goal.symbol))
        contents = "\n\n".join([told["contents"], *mentioned(mentions)])
        return {"contents": contents, "certainty": seen.found.certainty}

    @method(Access.READ)
    async def definition(self, path: str, line: int, column: int) -> TargetFound | None:
        """Find where what stands at a place is defined."""
        seen = await self._see(RepoPath(path), TextPosition(line, column))
        if seen.found is None:
            return None
        found = seen.found._replace(goal=defined(seen.view, seen.found.goal))
        return {**definition(seen.view, found), "certainty": found.certainty}

    @method(Access.READ)
    async def references(self, path: str, line: int, column: int) -> PlacesFound | None:
        """Find where what stands at a place is used; None when the index doesn't know it."""
        seen = await self._see(RepoPath(path), TextPosition(line, column))
        if seen.found is None:
            return None
        goal = seen.found.goal
        if goal.symbol == NOBODY and goal.local is None:
            more = {*linking(await self._context.documents.graph(), goal)}
        else:
            more = await self._occurrences.places(seen.view, goal, seen.found.word.text)
        places = references(seen.view, seen.found, more)[:_MOST]
        places = await self._on_their_lines(places, names_of(seen.view, goal))
        return {"places": places, "certainty": seen.found.certainty}

    @method(Access.READ)
    async def completions(self, path: str, line: int, column: int, prefix: str) -> list[Completion]:
        """Find what could be written at a place."""
        source = await self._current(RepoPath(path))
        view = self._context.indexer.view
        name, place = RepoPath(path), TextPosition(line, column)
        owner = await self._occurrences.owner(view, name, source, place)
        return completions(view, name, place, source, prefix, owner)

    @method(Access.READ)
    async def search_symbols(self, query: str, limit: int) -> list[SymbolRow]:
        """Find symbols by a part of their name."""
        vocabulary = self._vocabulary
        await vocabulary.catch_up(_READ_S)
        # A copy, since the index changes while the thread searches.
        names = list(vocabulary.names())
        for looked_for in wanted(query, limit):
            matches = await asyncio.to_thread(matching, names, looked_for)
            found = rows(self._context.indexer.view, matches, looked_for)
            if found:
                return found
        return []

    @method(Access.READ)
    def resolve_symbols(self, names: Sequence[str]) -> list[SymbolRow]:
        """Find the symbols of exactly these names."""
        return called(self._context.indexer.view, names)

    @method(Access.READ)
    async def block(self, path: str) -> FileMapBlock:
        """Show one file as the map of its kind does, with all of its names.

        Raises:
            NotFound: there is nothing of it to show.
        """
        name, view = RepoPath(path), self._context.indexer.view
        if is_document(path):
            graph = await self._context.documents.graph()
            if name in graph.outlines:
                content = render(name, graph, (), Detail.REFERENCES)
                return {"path": path, "content": content, "mode": "doc"}
        names = naming.names_of(view.record(name))
        if not names:
            is_there = bool(self.known([path]))
            known = "maps name no symbol of it" if is_there else "the index has no such file"
            reason = view.skipped().get(name, known)
            raise NotFound(f"No map shows more of {path!r} than its name: {reason}.")
        every = range(len(names))
        content = map_text({name: names_text(names, every, every)})
        return {"path": path, "content": content, "mode": "code"}

    @method(Access.READ)
    async def outline(self, path: str) -> list[OutlineRow]:
        """List the symbols of a file, or the sections of a document, parents before children."""
        name = RepoPath(path)
        await self._rescan(name)
        if is_document(path):
            found = (await self._context.documents.graph()).outlines.get(name)
            return [] if found is None else section_rows(found)
        record = self._context.indexer.view.record_without_uses(name)
        return [] if record is None else symbol_rows(record.symbols)

    @method(Access.READ)
    def known(self, paths: Sequence[str]) -> list[RepoPath]:
        """Return those of some paths that are files of the tree."""
        there = set(self._context.indexer.view.paths())
        return [found for path in paths if (found := RepoPath(path)) in there]

    @method(Access.READ)
    def languages(self) -> dict[str, int]:
        """Count the files of each language, by their names; "" for those that aren't read."""
        return dict(Counter(map(language_of, self._context.indexer.view.paths())))

    @cached_property
    def _vocabulary(self) -> SymbolVocabulary:
        return SymbolVocabulary(self._context.indexer.view, self._context.indexer.blob)

    async def _see(self, path: RepoPath, place: TextPosition) -> FilePosition:
        source = await self._current(path)
        if not source.has(place):
            return FilePosition(self._context.indexer.view, source, None)
        seen = await self._find(path, place, source)
        goal = seen.found.goal.path if seen.found is not None else path
        if goal != path and await self._has_changed(goal):
            return await self._find(path, place, source)
        return seen

    async def _find(self, path: RepoPath, place: TextPosition, source: SourceText) -> FilePosition:
        view = self._context.indexer.view
        files = (await self._context.documents.graph()).files if is_document(path) else _NO_FILES
        found = find(view, files, path, place, source)
        if found is None or found.certainty != "certain":
            found = await self._occurrences.closer(view, path, source, place, found)
        return FilePosition(view, source, found)

    async def _has_changed(self, path: RepoPath) -> bool:
        """Update the index of one file, and return whether the file had changed."""
        blob = self._context.indexer.blob(path)
        await self._rescan(path)
        return self._context.indexer.blob(path) != blob

    async def _current(self, path: RepoPath) -> SourceText:
        """Update the index of one file, and return the file's text."""
        await self._rescan(path)
        return await self._source(path)

    async def _on_their_lines(self, places: list[Target], names: list[str]) -> list[Target]:
        """Find the columns of names in the lines of imports and links."""
        sources: dict[str, SourceText] = {}
        found = []
        for each in places:
            stretch, path = each["range"], each["file"]
            is_whole = stretch["startColumn"] == stretch["endColumn"]
            if is_whole and path not in sources and len(sources) < _MOST_READ:
                sources[path] = await self._source(RepoPath(path))
            if is_whole and path in sources:
                line = sources[path].line(stretch["startLineNumber"])
                found.append(on_its_line(each, line, names))
            else:
                found.append(each)
        return found

    async def _remarks(self, view: IndexView, goal: Goal) -> list[str]:
        """Return the comment above a C function's declarations in headers."""
        for each in counterparts(view, goal)[:_MOST_DECLARED]:
            record = view.record(each.path)
            symbol = record.symbols[each.symbol] if record is not None else None
            if record is not None and symbol is not None:
                said = doc_lines(record.language, await self._source(each.path), symbol)
                if said:
                    return said
        return []

    async def _rescan(self, path: RepoPath) -> None:
        refreshing = asyncio.ensure_future(self._refresh(path))
        self._refreshing.add(refreshing)
        refreshing.add_done_callback(self._refreshing.discard)
        # A scan of the whole tree may be running; it continues after the time limit.
        await asyncio.wait({refreshing}, timeout=_REFRESH_S)

    async def _refresh(self, path: RepoPath) -> None:
        try:
            await self._context.indexer.refresh([path])
        except AcError as error:
            _logger.warning("%r can't be looked at again: %s", path, error)

    async def _source(self, path: RepoPath) -> SourceText:
        """Return a file's text, a notebook's in percent format; empty if it can't be read."""
        try:
            data = await self._context.indexer.read(path, _MAX_BYTES)
            text = data.decode("utf-8", "replace")
            if path.endswith(".ipynb"):
                text = await asyncio.to_thread(percent_text, text)
        except (OSError, AcError):
            return _NOTHING
        record = self._context.indexer.view.record_without_uses(path)
        return SourceText(text, described(record.language if record else "").reading)
