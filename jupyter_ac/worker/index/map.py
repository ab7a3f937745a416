"""Renders maps in the index worker: the stable one, the ranked one, the command's."""

import asyncio
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Final, TypedDict

from jupyter_ac.errors import InvalidParams, NotReady
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.budget_fill import BudgetFill, TokenCounter
from jupyter_ac.index.map.ranked import likely_files
from jupyter_ac.index.map.relevance import MapQuery
from jupyter_ac.index.map.shown import ShownMaps
from jupyter_ac.index.map.sources import MapSources
from jupyter_ac.index.map.stable import StableMap, StableMaps
from jupyter_ac.index.map.text import map_text
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.worker.index.context import IndexContext

MIN_BUDGET: Final = 64
MAX_BUDGET: Final = 200_000

_MAX_TEXT: Final = 20_000
_MAX_TALK: Final = 4
_WAIT_S: Final = 0.35
"""How long the ranked part waits for its input."""


class MapWire(TypedDict):
    """A map.

    Attributes:
        text: the map; "" when nothing fits.
        tokens: of it.
        files: how many it names.
        generation: names the tree's content.
    """

    text: str
    tokens: int
    files: int
    generation: str


class ShownWire(TypedDict):
    """What a prompt shows.

    Attributes:
        maps: stable maps.
        ranked: what `Index.ranked_map` gave for earlier questions.
        files: of whole files git's hash of the text, a blank, and the path.
    """

    maps: list[str]
    ranked: list[str]
    files: list[str]


class Map:
    """Renders maps.

    Args:
        context: the context that all parts share.
    """

    def __init__(self, context: IndexContext) -> None:
        self._context = context
        self._count = TokenCounter(context.count)
        self._stable_maps = StableMaps(self._count)
        self._drawn: tuple[tuple[str, int, ExcludedPaths], StableMap] | None = None
        self._hidden: tuple[tuple[str, ExcludedPaths], frozenset[RepoPath]] | None = None

    @method(Access.READ)
    async def load_tokens(self) -> None:
        """Load the tokenizer, which can be done while the index is still read."""
        await asyncio.to_thread(self._context.count, "")

    @method(Access.READ)
    async def stable_map(self, budget: int, excluded: list[str] | None = None) -> MapWire:
        """Give the map of the tree's content, in at most so many tokens.

        Args:
            budget: tokens.
            excluded: files and folders that no map shows.
        """
        _require(budget)
        await self.load_tokens()
        drawn = self._stable(budget, _excluded(excluded))
        # A question is likely to follow.
        self._sources.follow()
        return self._wire(drawn.text, drawn.tokens, len(drawn.paths))

    @method(Access.READ)
    async def ranked_map(
        self,
        selected: list[str],
        question: str,
        talk: list[str],
        budget: int,
        shown: ShownWire,
        excluded: list[str] | None = None,
    ) -> MapWire:
        """Give what else a question is likely to need, as far as the prompt doesn't show it.

        Args:
            selected: files that the model sees whole.
            question: the user's text.
            talk: texts before it, the newest last.
            budget: tokens of all that the question is likely to need, shown or not.
            shown: by the prompt.
            excluded: files and folders that no map shows.

        Raises:
            NotReady: what it is made of isn't known in time.
        """
        _require(budget)
        if not await self._sources.ready(_WAIT_S):
            raise NotReady("The words of the files are still being counted; ask again in a moment.")
        ask = _ask(selected, question, talk)
        without = {*ask.selected, *self._hidden_by(_excluded(excluded))}
        filling = self._filling(ask, budget, without, ShownMaps(shown["maps"]).paths)
        filling.fill()
        seen = ShownMaps([*shown["maps"], *shown["ranked"]])
        unseen = filling.unseen(seen, self._read_whole(shown["files"]))
        text = map_text(unseen)
        return self._wire(text, self._count(text), len(unseen))

    @method(Access.READ)
    async def whole_map(
        self,
        selected: list[str],
        question: str,
        budget: int,
        excluded: list[str] | None = None,
    ) -> MapWire:
        """Give one map for some files and a question; the stable one without either."""
        _require(budget)
        await self.load_tokens()
        if not selected and not question.strip():
            return await self.stable_map(budget, excluded)
        await self._sources.ready(None)
        without = self._hidden_by(_excluded(excluded))
        filling = self._filling(_ask(selected, question, ()), budget, without)
        text = filling.fill()
        return self._wire(text, self._count(text), len(filling.shown()))

    @cached_property
    def _sources(self) -> MapSources:
        return MapSources(self._context.indexer)

    def _stable(self, budget: int, excluded: ExcludedPaths) -> StableMap:
        indexer = self._context.indexer
        wanted = indexer.generation, budget, excluded
        if self._drawn is None or self._drawn[0] != wanted:
            hidden = self._hidden_by(excluded)
            self._drawn = wanted, self._stable_maps.draw(indexer.view, budget, hidden)
        return self._drawn[1]

    def _hidden_by(self, excluded: ExcludedPaths) -> frozenset[RepoPath]:
        """Return the files of the index that are excluded."""
        if not excluded.paths:
            return frozenset()
        indexer = self._context.indexer
        wanted = indexer.generation, excluded
        if self._hidden is None or self._hidden[0] != wanted:
            self._hidden = wanted, frozenset(filter(excluded.covers, indexer.view.paths()))
        return self._hidden[1]

    def _read_whole(self, files: Sequence[str]) -> frozenset[RepoPath]:
        """Return those files of which the prompt has the present text."""
        pairs = (file.partition(" ") for file in files)
        blob_of = self._context.indexer.blob
        return frozenset(
            RepoPath(path) for blob, _, path in pairs if blob_of(RepoPath(path)) == blob
        )

    def _filling(
        self,
        ask: MapQuery,
        budget: int,
        without: Collection[RepoPath] = (),
        known: Collection[RepoPath] = (),
    ) -> BudgetFill:
        sources, view = self._sources, self._context.indexer.view
        files = likely_files(view, sources.word_index, sources.cochange, ask, budget, without)
        return BudgetFill(files, budget, self._count, known)

    def _wire(self, text: str, tokens: int, files: int) -> MapWire:
        generation = self._context.indexer.generation
        return {"text": text, "tokens": tokens, "files": files, "generation": generation}


def _excluded(paths: Sequence[str] | None) -> ExcludedPaths:
    return ExcludedPaths(tuple(map(RepoPath, paths or ())))


def _ask(selected: Sequence[str], question: str, talk: Sequence[str]) -> MapQuery:
    return MapQuery(tuple(map(RepoPath, selected)), question[:_MAX_TEXT], _newest(talk))


def _newest(talk: Sequence[str]) -> tuple[str, ...]:
    """Return the last texts, cut to the length that matters."""
    return tuple(text[:_MAX_TEXT] for text in talk[-_MAX_TALK:])


def _require(budget: int) -> None:
    if not MIN_BUDGET <= budget <= MAX_BUDGET:
        raise InvalidParams(f"budget must be from {MIN_BUDGET} to {MAX_BUDGET} tokens.")
