"""Answers hover, definition, references and completion from the index worker and jedi."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias, cast

from jupyter_ac.errors import AcError, InvalidParams, NotReady
from jupyter_ac.git.paths import locate
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.client import IndexState, IndexStatus
from jupyter_ac.index.languages.registry import described, language_of
from jupyter_ac.index.navigation.completion import MOST, best
from jupyter_ac.index.navigation.hover import fenced, plain
from jupyter_ac.index.navigation.locations import range_of
from jupyter_ac.index.navigation.rows import (
    Completion,
    FileMapBlock,
    Hover,
    HoverFound,
    OutlineRow,
    PlacesFound,
    SymbolRow,
    Target,
    TargetFound,
)

_logger = logging.getLogger(__name__)

_CALL_S: Final = 5.0
_NOT_READY: Final = "The index isn't ready yet; try again in a moment."


class NavigationIndex(Protocol):
    """The part of `IndexClient` that is used."""

    @property
    def status(self) -> IndexStatus:
        """How the index is."""

    async def call(self, name: str, *args: object, timeout_s: float) -> object:
        """Call a method of the worker."""


class Python(Protocol):
    """The part of `JediClient` that is used."""

    async def ask(
        self, question: str, path: RepoPath, line: int, column: int, *, patient: bool = ...
    ) -> object:
        """Ask for `help`, `goto`, `references` or `complete` at a place; None for no answer."""


Place: TypeAlias = tuple[RepoPath, int, int]
"""A file, a 1-based line and a 0-based column."""


class _Spot(NamedTuple):
    """A name in a file, as jedi tells it."""

    path: RepoPath
    line: int
    column: int
    end_column: int

    @property
    def place(self) -> Place:
        return self.path, self.line, self.column

    @property
    def target(self) -> Target:
        return {"file": self.path, "range": range_of(self.line, self.column, self.end_column)}


class Navigator:
    """Answers about places in files; lines and columns count from 1, columns in UTF-16 code units.

    An index that isn't ready answers with nothing. Where both know something, jedi has the last
    word on Python: it knows locals, types and the standard library, the index only names.

    Args:
        repository: whose files.
        index: of them.
        python: knows Python.
    """

    def __init__(self, repository: Repository, index: NavigationIndex, python: Python) -> None:
        self._repository = repository
        self._index = index
        self._python = python

    async def hover(self, path: str, line: int, col: int) -> Hover | None:
        """Say what is known of what stands at a place.

        Raises:
            RefusedPath: the path leads out of the repository.
            InvalidParams: there are no such lines or columns.
        """
        place = await self._place(path, line, col)
        found = await self._hover(place)
        if found is None or found["certainty"] != "certain":
            spots = await self._jedis_goal(place, found)
            if spots is not None and not _are_files(spots):
                found = await self._hover(spots[0].place) if spots else None
        if found is not None:
            return {"contents": found["contents"]}
        return _help(await self._ask("help", place))

    async def definition(self, path: str, line: int, col: int) -> Target | None:
        """Find where what stands at a place is defined; raises as `hover`."""
        return await self._definition(await self._place(path, line, col))

    async def _definition(self, place: Place) -> Target | None:
        found = cast("TargetFound | None", await self._call("Index.definition", *place))
        if found is None or found["certainty"] != "certain":
            spots = await self._jedis_goal(place, found)
            if spots is not None:
                return spots[0].target if spots else None
        return None if found is None else {"file": found["file"], "range": found["range"]}

    async def references(self, path: str, line: int, col: int) -> list[Target]:
        """Find where what stands at a place is used, sorted; raises as `hover`."""
        place = await self._place(path, line, col)
        found = await self._references(place)
        if found is None or found["certainty"] != "certain":
            spots = await self._jedis_goal(place, found)
            if spots is not None and not _are_files(spots):
                found = await self._references(spots[0].place) if spots else None
        if found is None:
            return await self._near(place)
        return _joined(found["places"], await self._values(place))

    async def completions(self, path: str, line: int, col: int, prefix: str) -> list[Completion]:
        """Find what could be written at a place; raises as `hover`."""
        place = await self._place(path, line, col)
        found, known = await asyncio.gather(
            self._call("Index.completions", *place, prefix), self._ask("complete", place)
        )
        ours: list[Completion] = [*found] if isinstance(found, list) else []
        rows = known if isinstance(known, list) else []
        labels = {row["label"] for row in ours}
        jedis: list[Completion] = [
            {"label": row["label"], "kind": row["kind"], "detail": ""}
            for row in rows
            if row["label"] not in labels
        ]
        # Names of the repository have precedence: of the builtins alone there are more than `MOST`.
        return best([*ours, *best(jedis, prefix)[: MOST - len(ours)]], prefix)

    async def symbols(self, query: str, limit: int) -> list[SymbolRow]:
        """Find symbols by a part of their name, the best first."""
        found = await self._call("Index.search_symbols", query, limit)
        return found if isinstance(found, list) else []

    async def resolve(self, names: Sequence[str]) -> list[SymbolRow]:
        """Find the symbols of exactly these names, a few for each."""
        found = await self._call("Index.resolve_symbols", list(names))
        return found if isinstance(found, list) else []

    async def block(self, path: str) -> FileMapBlock:
        """Show one file as the map does.

        Raises:
            RefusedPath: the path leads out of the repository.
            NotReady: the index isn't there yet.
            NotFound: the map doesn't show this file.
        """
        name = await self._name(path)
        if self._index.status.state is not IndexState.READY:
            raise NotReady(self._index.status.reason or _NOT_READY)
        found = await self._index.call("Index.block", name, timeout_s=_CALL_S)
        return cast("FileMapBlock", found)

    async def outline(self, path: str) -> list[OutlineRow]:
        """List the symbols of a file, or the sections of a document, parents before children.

        Raises:
            RefusedPath: the path leads out of the repository.
        """
        found = await self._call("Index.outline", await self._name(path))
        return found if isinstance(found, list) else []

    async def _place(self, path: str, line: int, col: int) -> Place:
        if line < 1 or col < 1:
            raise InvalidParams("line and col count from 1.")
        return await self._name(path), line, col - 1

    async def _name(self, path: str) -> RepoPath:
        """Return the path of what a path leads to, links followed inside the repository."""
        located = await asyncio.to_thread(locate, self._repository, path)
        return RepoPath(located.real.relative_to(self._repository.root).as_posix())

    async def _call(self, name: str, *args: object) -> object:
        """Ask the index; None when it isn't ready or fails."""
        if self._index.status.state is not IndexState.READY:
            return None
        try:
            return await self._index.call(name, *args, timeout_s=_CALL_S)
        except AcError as error:
            _logger.info("the index does not answer %s: %s", name, error)
            return None

    async def _hover(self, place: Place) -> HoverFound | None:
        return cast("HoverFound | None", await self._call("Index.hover", *place))

    async def _references(self, place: Place) -> PlacesFound | None:
        return cast("PlacesFound | None", await self._call("Index.references", *place))

    async def _values(self, place: Place) -> list[Target]:
        """Return where a name of Python is used in its file, and in the one that defines it.

        The index knows what is called, inherited or imported, jedi also which values are read.
        """
        if not _is_known_to_jedi(place[0]):
            return []
        target = await self._definition(place)
        asked = {place[0]: place}
        if target is not None and target["range"]["start"] != target["range"]["end"]:
            start = target["range"]["start"]
            goal = RepoPath(target["file"])
            asked.setdefault(goal, (goal, start["line"] + 1, start["character"]))
        found = [each for there in asked.values() for each in await self._near(there)]
        return [each for each in found if each != target]

    async def _near(self, place: Place) -> list[Target]:
        """Return where jedi says that a name is used in the file."""
        known = await self._ask("references", place)
        return [spot.target for spot in await self._inside(known)]

    async def _ask(self, question: str, place: Place, *, patient: bool = True) -> object:
        """Ask jedi; None for files that it doesn't read."""
        if not _is_known_to_jedi(place[0]):
            return None
        return await self._python.ask(question, *place, patient=patient)

    async def _jedis_goal(
        self, place: Place, found: HoverFound | TargetFound | PlacesFound | None
    ) -> list[_Spot] | None:
        """Return where jedi says that a name is defined in the repository; None for no idea.

        When the index has found something likely, a jedi that is only starting isn't waited for.
        """
        patient = found is None or found["certainty"] == "guess"
        known = await self._ask("goto", place, patient=patient)
        return await self._inside(known["spots"]) if isinstance(known, dict) else None

    async def _inside(self, spots: object) -> list[_Spot]:
        """Return the spots in files of the repository; others may lie in its folder, ignored."""
        if not isinstance(spots, list) or not spots:
            return []
        known = await self._call("Index.known", sorted({spot["path"] for spot in spots}))
        there = known if isinstance(known, list) else ()
        return [_Spot(**spot) for spot in spots if spot["path"] in there]


def _is_known_to_jedi(path: RepoPath) -> bool:
    return described(language_of(path)).is_known_to_jedi


def _are_files(spots: Sequence[_Spot]) -> bool:
    """Tell whether modules are meant, and not what stands at their beginnings."""
    return any(spot.column == spot.end_column for spot in spots)


def _joined(places: Sequence[Target], more: Sequence[Target]) -> list[Target]:
    """Return places of both, sorted; a line as a whole gives way to a name on it."""
    found = {_order(each): each for each in (*places, *more)}
    named = {(file, line) for file, line, start, end in found if start != end}
    return [found[at] for at in sorted(found) if at[2] != at[3] or (at[0], at[1]) not in named]


def _order(target: Target) -> tuple[str, int, int, int]:
    stretch = target["range"]
    start, end = stretch["start"], stretch["end"]
    return target["file"], start["line"], start["character"], end["character"]


def _help(known: object) -> Hover | None:
    """Show what jedi knows of a name."""
    if not isinstance(known, dict):
        return None
    parts = [fenced("python", str(known["signature"])), plain(str(known["doc"]))]
    return {"contents": "\n\n".join(filter(None, parts))}
