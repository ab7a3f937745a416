"""Orders files and names by likelihood per token, for packing into a budget."""

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.naming import Name
from jupyter_ac.index.map.words import parts
from jupyter_ac.index.records import NOBODY

FILE: Final = -1
"""Stands for a file itself where a number stands for one of its names."""

_LINE: Final = 3.0
"""Tokens of a line of its own for a file with names."""
_BRACKETS: Final = 1.5
_SAME: Final = 1e-12
_PART: Final = 7
"""Characters of one word that are a token, about."""


@dataclass(frozen=True, eq=False)
class Likely:
    """A file that may be shown.

    Attributes:
        value: of its path.
        names: its symbols.
        values: of each of them.
    """

    value: float
    names: tuple[Name, ...]
    values: Sequence[float]

    @cached_property
    def costs(self) -> list[float]:
        """About how many tokens each name takes."""
        return [tokens(name.text) for name in self.names]

    @cached_property
    def offers(self) -> list[tuple[float, int]]:
        """The names, the best first, each after what it is worth if its file is there, negated."""
        own = [-value / cost for value, cost in zip(self.values, self.costs, strict=True)]
        worths = [
            worth if name.parent == NOBODY else min(worth, own[name.parent])
            for name, worth in zip(self.names, own, strict=True)
        ]
        return sorted(zip(worths, range(len(worths)), strict=True))


class PackingStep(NamedTuple):
    """One addition to the map.

    Attributes:
        path: of the file.
        at: which of its names, or `FILE`.
        cost: in tokens, about.
    """

    path: RepoPath
    at: int
    cost: float


@lru_cache(maxsize=100_000)
def tokens(text: str) -> float:
    """Guess the tokens of a name or path."""
    words = parts(text)
    return (
        0.6
        + sum(1 + len(word) // _PART for word in words)
        + 0.3 * (len(text) - sum(map(len, words)))
    )


class _Sheet:
    """A file, and what of it is shown.

    Attributes:
        likely: the file.
        folder: its folder.
        price: of its own name.
        shown: numbers of names, and `FILE`; empty when the file isn't shown.
        offers: what wasn't offered yet.
    """

    __slots__ = ("folder", "likely", "offers", "price", "shown")

    def __init__(self, path: RepoPath, likely: Likely, *, bare: bool) -> None:
        self.likely = likely
        self.folder, _, name = path.rpartition("/")
        self.price = tokens(name)
        self.shown: set[int] = set()
        self.offers = iter([(-likely.value / self.price, FILE)] if bare else likely.offers)


class Packing:
    """Puts steps into the order of their worth.

    Args:
        files: what may be shown.
        bare: True for files without names, False for names, each with its file.
    """

    def __init__(self, files: Mapping[RepoPath, Likely], *, bare: bool) -> None:
        self._sheets = {
            path: _Sheet(path, file, bare=bare)
            for path, file in files.items()
            if bare or file.names
        }
        self._folders: set[str] = set()
        self._waiting: dict[str, list[tuple[RepoPath, int]]] = defaultdict(list)
        self._heap: list[tuple[float, RepoPath, int, bool]] = []

    def order(self, limit: float) -> Iterator[PackingStep]:
        """Yield the steps that make up so many tokens, about."""
        # Each file's best offer waits in the heap for the others' and brings the next one.
        for path, sheet in self._sheets.items():
            for worth, at in sheet.offers:
                self._heap.append((worth, path, at, True))
                break
        heapq.heapify(self._heap)
        spent = 0.0
        while self._heap and spent < limit:
            worth, path, at, is_offer = self._heap[0]
            sheet = self._sheets[path]
            following = next(sheet.offers, None) if is_offer else None
            if following is not None:
                heapq.heapreplace(self._heap, (following[0], path, following[1], True))
            else:
                heapq.heappop(self._heap)
            if at in sheet.shown:
                continue
            value, cost = self._weigh(sheet, at)
            if -worth > value / cost + _SAME:
                # Its file, class or folder comes with it, which was left out of the offer.
                heapq.heappush(self._heap, (-value / cost, path, at, False))
                self._waiting[sheet.folder].append((path, at))
                continue
            spent += cost
            self._show(sheet, at)
            yield PackingStep(path, at, cost)

    def _weigh(self, sheet: _Sheet, at: int) -> tuple[float, float]:
        """Return what a step is worth and what it costs as the map stands."""
        likely, shown = sheet.likely, sheet.shown
        value = cost = 0.0
        if not shown:
            value += likely.value
            cost += sheet.price
            if sheet.folder not in self._folders:
                cost += 1 + tokens(sheet.folder)
        if at != FILE:
            value += likely.values[at]
            cost += likely.costs[at]
            if len(shown) <= 1:
                cost += _LINE
            parent = likely.names[at].parent
            while parent != NOBODY and parent not in shown:
                value += likely.values[parent]
                cost += likely.costs[parent] + _BRACKETS
                parent = likely.names[parent].parent
        return value, cost

    def _show(self, sheet: _Sheet, at: int) -> None:
        is_first = len(sheet.shown) <= 1 or sheet.folder not in self._folders
        self._folders.add(sheet.folder)
        sheet.shown.add(FILE)
        while at != FILE:
            sheet.shown.add(at)
            at = sheet.likely.names[at].parent
        if is_first:
            # What stood back because of the folder's or the file's own cost is cheaper from here.
            for path, again in self._waiting.pop(sheet.folder, ()):
                other = self._sheets[path]
                if again not in other.shown:
                    value, cost = self._weigh(other, again)
                    heapq.heappush(self._heap, (-value / cost, path, again, False))
