"""Which of the likely files and names come first: the most likelihood for the fewest tokens."""

import heapq
import posixpath
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
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


class Likely(NamedTuple):
    """A file that may be shown.

    Attributes:
        value: of its path.
        names: its symbols.
        values: of each of them.
    """

    value: float
    names: tuple[Name, ...]
    values: Sequence[float]


class Step(NamedTuple):
    """What is added to the map next: a file, or one of its names."""

    path: RepoPath
    at: int


@lru_cache(maxsize=100_000)
def tokens(text: str) -> float:
    """Guess the tokens of a name or path."""
    words = parts(text)
    return (
        0.6
        + sum(1 + len(word) // _PART for word in words)
        + 0.3 * (len(text) - sum(map(len, words)))
    )


class Packing:
    """Puts steps into the order of their worth.

    Args:
        files: what may be shown.
    """

    def __init__(self, files: Mapping[RepoPath, Likely]) -> None:
        self._files = files
        self._shown: dict[RepoPath, set[int]] = {}
        self._folders: set[str] = set()
        self._waiting: dict[str, list[Step]] = defaultdict(list)
        self._heap: list[tuple[float, RepoPath, int]] = []

    def order(self, limit: float, *, bare: bool) -> list[Step]:
        """Return the steps that make up so many tokens, about.

        Args:
            limit: tokens.
            bare: True for files without names, False for names, each with its file.
        """
        for path, file in self._files.items():
            if bare:
                self._offer(Step(path, FILE))
            else:
                for at in range(len(file.names)):
                    self._offer(Step(path, at))
        heapq.heapify(self._heap)
        steps: list[Step] = []
        spent = 0.0
        while self._heap and spent < limit:
            worth, path, at = heapq.heappop(self._heap)
            if at in self._shown.get(path, ()):
                continue
            step = Step(path, at)
            value, cost = self._weigh(step)
            if -worth > value / cost + _SAME:
                heapq.heappush(self._heap, (-value / cost, path, at))
                self._waiting[posixpath.dirname(path)].append(step)
                continue
            spent += cost
            steps.append(step)
            self._show(step)
        return steps

    def _offer(self, step: Step) -> None:
        """Offer a step as if its file and folder were there; its true worth is seen at its turn."""
        path, at = step
        file = self._files[path]
        if at == FILE:
            worth = file.value / tokens(posixpath.basename(path))
        else:
            worth = file.values[at] / tokens(file.names[at].text)
            parent = file.names[at].parent
            if parent != NOBODY:
                worth = max(worth, file.values[parent] / tokens(file.names[parent].text))
        self._heap.append((-worth, path, at))

    def _weigh(self, step: Step) -> tuple[float, float]:
        """Return what a step is worth and what it costs as the map stands."""
        path, at = step
        file = self._files[path]
        shown = self._shown.get(path)
        value = cost = 0.0
        if shown is None:
            folder, name = posixpath.split(path)
            value += file.value
            cost += tokens(name)
            if folder not in self._folders:
                cost += 1 + tokens(folder)
        if at != FILE:
            value += file.values[at]
            cost += tokens(file.names[at].text)
            if not shown or shown == {FILE}:
                cost += _LINE
            parent = file.names[at].parent
            while parent != NOBODY and parent not in (shown or ()):
                value += file.values[parent]
                cost += tokens(file.names[parent].text) + _BRACKETS
                parent = file.names[parent].parent
        return value, cost

    def _show(self, step: Step) -> None:
        path, at = step
        folder = posixpath.dirname(path)
        first = (
            folder not in self._folders or path not in self._shown or self._shown[path] == {FILE}
        )
        self._folders.add(folder)
        shown = self._shown.setdefault(path, {FILE})
        while at != FILE:
            shown.add(at)
            at = self._files[path].names[at].parent
        if first:
            # What stood back because of the folder's or the file's own cost is cheaper from here.
            for again in self._waiting.pop(folder, ()):
                if again.at not in self._shown.get(again.path, ()):
                    value, cost = self._weigh(again)
                    heapq.heappush(self._heap, (-value / cost, *again))
