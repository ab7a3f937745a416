"""Finds occurrences for navigation with a parser process that runs only during navigation."""

import asyncio
import logging
import time
from collections.abc import Sequence
from itertools import islice
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.languages.registry import NOTEBOOK, described, language_of
from jupyter_ac.index.navigation.member_resolution import Resolver
from jupyter_ac.index.navigation.references import (
    ReferenceFilter,
    files_to_look_at,
    places_of_local,
)
from jupyter_ac.index.navigation.scopes import Goal
from jupyter_ac.index.navigation.source_text import SourceText, TextPosition, Word
from jupyter_ac.index.navigation.symbol_at import SymbolAt
from jupyter_ac.index.occurrences.occurrence import Occurrence, from_row
from jupyter_ac.index.view import IndexView, Spot
from jupyter_ac.worker.index.context import IndexContext
from jupyter_ac.workers.process import Worker

_logger = logging.getLogger(__name__)

_AT_S: Final = 2.0
"""Time limit for the name at one position, including the start of the parser."""

_ALL_S: Final = 1.8
"""Time limit for all positions of a name; later results are left out."""

_TELL_S: Final = 1.0
"""Time limit for selecting the positions that mean the same symbol."""

_MOST: Final = 500
"""ReferenceFilter in one file."""

_BATCH: Final = 40
_IDLE_S: Final = 60.0

Wanted = tuple[RepoPath, list[str]]


class OccurrenceFinder:
    """Finds names in files of the index, as they are on disk.

    Args:
        context: the context that all parts share.
    """

    def __init__(self, context: IndexContext) -> None:
        self._context = context
        self._worker = Worker("parse")
        self._ending: asyncio.TimerHandle | None = None
        self._resting: asyncio.Task[None] | None = None

    async def closer(
        self,
        view: IndexView,
        path: RepoPath,
        source: SourceText,
        place: TextPosition,
        found: SymbolAt | None,
    ) -> SymbolAt | None:
        """Parse the code around a position for which the index alone isn't certain.

        Args:
            view: the index.
            path: of the file.
            source: its text.
            place: the position in it.
            found: the index's result for it.
        """
        word = source.word_at(place)
        if word is None or (_is_known_to_jedi(path) and found is not None):
            return found  # jedi knows more about Python: its result takes precedence
        occurrence = await self._at(path, place, word)
        if occurrence is None:
            return found
        meant = Resolver(view).meaning(path, occurrence)
        if meant is None:
            # An attribute of something (`x.name`) isn't the plain name (`name`).
            is_open = not occurrence.is_member or (found and found.certainty == "guess")
            return found if is_open else None
        is_surer = found is not None and found.certainty == "likely" and meant[1] == "guess"
        if is_surer and not occurrence.is_member:
            return found
        return SymbolAt(meant[0], word, meant[1])

    async def owner(
        self, view: IndexView, path: RepoPath, source: SourceText, place: TextPosition
    ) -> Goal | None:
        """Return the class or module of the member that is being typed at a position."""
        before = source.before_member(place)
        word = source.word_at(before) if before is not None else None
        if before is None or word is None or _is_known_to_jedi(path):
            return None
        occurrence = await self._at(path, before, word)
        return Resolver(view).owner_named(path, occurrence) if occurrence is not None else None

    async def places(self, view: IndexView, goal: Goal, name: str) -> set[Spot]:
        """Return the positions in code that name a symbol or a local name.

        Args:
            view: the index.
            goal: the symbol, or the local name.
            name: the text of the local name.
        """
        if goal.local is not None:
            seen = await self._everywhere([(goal.path, [name])])
            return {
                spot
                for path, occurrences in seen
                for spot in places_of_local(path, goal.local, occurrences)
            }
        end = time.monotonic() + _ALL_S + _TELL_S
        seen = await self._everywhere(files_to_look_at(view, goal))
        places, found = ReferenceFilter(view, goal), set[Spot]()
        for path, occurrences in seen:
            if time.monotonic() > end:
                break
            found.update(islice(places.among(path, occurrences), _MOST))
            await asyncio.sleep(0)
        return found

    async def _at(self, path: RepoPath, place: TextPosition, word: Word) -> Occurrence | None:
        """Return the occurrence of a name in a file; None if it isn't code, or is unknown."""
        language = _language(self._context.indexer.view, path)
        if not language:
            return None
        found = await self._call(
            "Parse.occurrence_at",
            path,
            language,
            word.text,
            place.line,
            word.column,
            timeout_s=_AT_S,
        )
        return from_row(found) if isinstance(found, list) else None

    async def _everywhere(
        self, wanted: Sequence[Wanted]
    ) -> list[tuple[RepoPath, list[Occurrence]]]:
        """Return the positions of names in files, within the time limit."""
        view, end = self._context.indexer.view, time.monotonic() + _ALL_S
        found: list[tuple[RepoPath, list[Occurrence]]] = []
        for at in range(0, len(wanted), _BATCH):
            batch, left = wanted[at : at + _BATCH], end - time.monotonic()
            if left <= 0:
                break
            rows = [[path, _language(view, path), names] for path, names in batch]
            answer = await self._call("Parse.occurrences_of", rows, timeout_s=left)
            seen = answer if isinstance(answer, list) else ()
            # Files after the time limit are missing at the end.
            rows_of = zip(batch, seen, strict=False)
            found += [(path, [from_row(row) for row in each]) for (path, _), each in rows_of]
        return found

    async def _call(self, name: str, *args: object, timeout_s: float) -> object:
        self._postpone_end()
        root = str(self._context.indexer.repository.root)
        try:
            return await self._worker.call(name, root, *args, timeout_s=timeout_s)
        except AcError as error:
            _logger.info("nothing is seen: %s", error)
            return None

    def _postpone_end(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
        self._ending = asyncio.get_running_loop().call_later(_IDLE_S, self._rest)

    def _rest(self) -> None:
        worker, self._worker = self._worker, Worker("parse")
        self._resting = asyncio.ensure_future(worker.aclose())


def _language(view: IndexView, path: RepoPath) -> str:
    """Return the language in which to parse a file; a header may be C++."""
    known = language_of(path)
    record = view.record(path)
    return known if record is None or known == NOTEBOOK else record.language


def _is_known_to_jedi(path: RepoPath) -> bool:
    return described(language_of(path)).is_known_to_jedi
