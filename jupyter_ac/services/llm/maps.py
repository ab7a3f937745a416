"""Maps for prompts, rendered from the index and cached until the tree changes."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple, Protocol, TypeAlias

from jupyter_ac.chat.ports import MapAsk, MapState, MapText
from jupyter_ac.chat.prompt.maps import ShownStructure
from jupyter_ac.errors import AcError
from jupyter_ac.events import Mode
from jupyter_ac.git.excluded_paths import ExcludedPaths, ReadExcluded
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.client import IndexStatus
from jupyter_ac.services.llm.indexing import Indexing
from jupyter_ac.settings.app import PromptSettings

_logger = logging.getLogger(__name__)

_DRAW_S: Final = 60.0
_RANKED_S: Final = 0.5
_FRESH_S: Final = 0.2
_ATTEMPTS: Final = 6
"""Attempts for a question that may wait; the worker's own time limit is shorter."""

_OFF: Final = (
    "No map of the repository is sent: prompt.map_tokens in app.json is {tokens}; set it to "
    "{least} or more (5000 is usual)."
)
_METHODS: Final[Mapping[Mode, str]] = {
    "code": "Index.stable_map",
    "doc": "Index.document_map",
}


class MapIndex(Protocol):
    """The part of `IndexClient` that is used here."""

    @property
    def status(self) -> IndexStatus:
        """The status of the index."""

    async def call(self, name: str, *args: object, timeout_s: float) -> object:
        """Call a method of the worker."""


_LEAST: Final = 64
"""A smaller map has no space for names."""


class _Drawing(NamedTuple):
    """The cache key of a map: a change of any part invalidates the map."""

    budget: int
    generation: str
    enrichment: str
    excluded: ExcludedPaths


_Wanted: TypeAlias = tuple[MapAsk, str, ExcludedPaths]
"""A question, the content of the tree, and what isn't shown of it."""


class IndexMaps:
    """Renders maps through the index worker. Belongs to one event loop.

    Args:
        index: the worker.
        freshness: knows whether the index is up to date.
        settings: say how large a map is.
        excluded: returns the files that no map shows.
    """

    def __init__(
        self,
        index: MapIndex,
        freshness: Indexing,
        settings: Callable[[], PromptSettings],
        excluded: ReadExcluded,
    ) -> None:
        self._excluded = excluded
        self._index = index
        self._freshness = freshness
        self._settings = settings
        self._kept: dict[Mode, tuple[_Drawing, MapText]] = {}
        self._drawing: dict[Mode, asyncio.Task[None]] = {}
        self._preparing: asyncio.Task[MapText | None] | None = None
        self._last: tuple[_Wanted, asyncio.Task[str | None]] | None = None

    async def head(self, mode: Mode, wait_s: float) -> MapText | None:
        """Return the map of a mode; the cached one if a newer one isn't ready in time.

        None is ever returned that shows files which are excluded by now.

        Raises:
            AcError: which files are excluded can't be known.
        """
        if self._settings().map_tokens < _LEAST:
            return None
        excluded = await self._excluded()
        deadline = time.monotonic() + wait_s
        if wait_s > 0:
            await self._freshness.settled(wait_s)
        # The running rendering may be of an older tree, so a second one may be needed.
        for _ in range(2):
            drawing = self._draw(mode, excluded)
            if drawing is not None and wait_s > 0:
                await asyncio.wait({drawing}, timeout=max(0.0, deadline - time.monotonic()))
        kept = self._kept.get(mode)
        return kept[1] if kept is not None and kept[0].excluded == excluded else None

    def prepare(self) -> None:
        """Render the map of the code as early as possible, for the first question."""
        if self._preparing is None:
            work = self.head("code", _DRAW_S)
            self._preparing = asyncio.create_task(work, name="first map")

    async def ranked(self, ask: MapAsk) -> str | None:
        """Return a map of other code that a question may need; "" for none, None if not in time.

        A question is usually previewed before it is sent; the result of the preview is cached.

        Raises:
            AcError: which files are excluded can't be known.
        """
        end = time.monotonic() + max(_RANKED_S, ask.wait_s)
        fresh_s = max(_FRESH_S, ask.wait_s)
        if ask.budget_tokens < _LEAST:
            return ""
        excluded = await self._excluded()
        if not await self._freshness.settled(fresh_s):
            return None
        found = await self._found(ask, excluded, max(_RANKED_S, end - time.monotonic()))
        attempts = _ATTEMPTS if ask.wait_s else 1
        while found is None and attempts > 1 and time.monotonic() < end:
            attempts -= 1
            found = await self._found(ask, excluded, end - time.monotonic())
        return found

    async def _found(self, ask: MapAsk, excluded: ExcludedPaths, wait_s: float) -> str | None:
        wanted = ask, self._index.status.generation, excluded
        if self._last is None or self._last[0] != wanted:
            ranking = self._rank(ask, excluded)
            self._last = wanted, asyncio.create_task(ranking, name="map for a question")
        finding = self._last[1]
        await asyncio.wait({finding}, timeout=wait_s)
        if not finding.done() or finding.cancelled():
            return None
        if finding.result() is None:
            self._last = None
        return finding.result()

    async def _rank(self, ask: MapAsk, excluded: ExcludedPaths) -> str | None:
        args = list(ask.selected), ask.question, list(ask.talk), ask.budget_tokens
        try:
            found = await self._index.call(
                "Index.ranked_map",
                *args,
                shown_wire(ask.shown),
                *excluded_wire(excluded),
                timeout_s=_RANKED_S,
            )
        except AcError as error:
            _logger.info("no map for a question: %s", error)
            return None
        return str(found["text"]) if isinstance(found, dict) else ""

    def state(self) -> MapState:
        """Return the progress of the indexes."""
        tokens = self._settings().map_tokens
        off = _OFF.format(tokens=tokens, least=_LEAST) if tokens < _LEAST else ""
        return replace(self._freshness.state(), off=off)

    async def aclose(self) -> None:
        """Stop rendering."""
        tasks: set[asyncio.Task[None] | asyncio.Task[str | None]] = set(self._drawing.values())
        if self._last is not None:
            tasks.add(self._last[1])
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _draw(self, mode: Mode, excluded: ExcludedPaths) -> "asyncio.Task[None] | None":
        """Start to render a map unless the cached one is valid; None if there is nothing to do."""
        state = self._freshness.state()
        if not (state.doc_ready if mode == "doc" else state.code_ready):
            return None
        kept = self._kept.get(mode)
        if kept is not None and kept[0] == self._wanted(mode, excluded):
            return None
        drawing = self._drawing.get(mode)
        if drawing is None or drawing.done():
            drawing = asyncio.create_task(self._drawn(mode, excluded), name=f"map of {mode}")
            self._drawing[mode] = drawing
        return drawing

    def _wanted(self, mode: Mode, excluded: ExcludedPaths) -> _Drawing:
        enrichment = self._freshness.state().enrichment if mode == "doc" else ""
        generation = self._index.status.generation
        return _Drawing(self._settings().map_tokens, generation, enrichment, excluded)

    async def _drawn(self, mode: Mode, excluded: ExcludedPaths) -> None:
        wanted = self._wanted(mode, excluded)
        args = wanted.budget, *excluded_wire(excluded)
        try:
            found = await self._index.call(_METHODS[mode], *args, timeout_s=_DRAW_S)
        except AcError as error:
            _logger.info("the map of %s can't be drawn: %s", mode, error)
            return
        if isinstance(found, dict):
            self._kept[mode] = wanted, _map_text(found)


def shown_wire(shown: ShownStructure) -> dict[str, list[str]]:
    """Write for the worker what a prompt shows; in an order that doesn't vary."""
    return {
        "maps": list(shown.maps),
        "ranked": list(shown.ranked),
        "files": [f"{blob} {path}" for path, blob in sorted(shown.files)],
    }


def excluded_wire(excluded: ExcludedPaths) -> tuple[list[RepoPath], ...]:
    """Return the last argument of the worker's methods for maps, if it is needed."""
    return (list(excluded.paths),) if excluded.paths else ()


def _map_text(found: Mapping[str, object]) -> MapText:
    return MapText(
        text=str(found["text"]),
        legend=str(found.get("legend", "")),
        tokens=_number(found.get("tokens")),
        generation=str(found.get("generation", "")),
        files=_number(found.get("files")),
    )


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
