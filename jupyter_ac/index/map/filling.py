"""A map that fills a budget: names of likely files first, then bare paths, then signatures."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, TypeAlias

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.packing import FILE, Likely, Packing, Step
from jupyter_ac.index.map.text import map_text, names_text

Count: TypeAlias = Callable[[str], int]

NAMES_SHARE: Final = 0.65
"""Of the budget: what the likeliest files and names may take before paths get the rest."""

_SLACK: Final = 1.5
"""Steps are prepared for more tokens than there are, since their costs are guessed."""
_LEAST: Final = 0.01
"""Share of the budget that may stay unused rather than be filled to the last token."""
_FEW: Final = 50


class Filling:
    """Puts files and names into a map, as many as fit.

    Args:
        files: what may be shown.
        budget: tokens that the map may have.
        count: counts the tokens of a text.
        known: files that need no path of their own, since they stand elsewhere.
    """

    def __init__(
        self,
        files: Mapping[RepoPath, Likely],
        budget: int,
        count: Count,
        known: Collection[RepoPath] = (),
    ) -> None:
        self._files = files
        self._known = known
        self._budget = budget
        self._count = count
        self._steps: list[Step] = []
        self._signed: set[Step] = set()
        self._written: dict[tuple[RepoPath, int, frozenset[int]], str] = {}

    def fill(self) -> str:
        """Return the map; "" when not even one file fits."""
        room = self._budget * _SLACK
        named = Packing(self._files).order(room, bare=False)
        left = self._add(named, int(self._budget * NAMES_SHARE))
        unknown = {path: file for path, file in self._files.items() if path not in self._known}
        paths = Packing(unknown).order(room, bare=True)
        if not self._add(paths, self._budget) and not self._add(left, self._budget):
            self._sign()
        return self._text(self._steps)

    def _sign(self) -> None:
        """Give the likeliest names their signatures, as many as fit."""
        able = [step for step in self._steps if step.at != FILE and self._signature(step)]
        low, high = 0, len(able)
        while low < high:
            middle = (low + high + 1) // 2
            self._signed = set(able[:middle])
            fits = self._count(self._text(self._steps)) <= self._budget
            low, high = (middle, high) if fits else (low, middle - 1)
        self._signed = set(able[:low])

    def _signature(self, step: Step) -> str:
        return self._files[step.path].names[step.at].signature

    def _add(self, steps: Sequence[Step], budget: int) -> Sequence[Step]:
        """Add steps from the first as long as the map fits; return those that don't."""
        there = set(self._steps)
        new = [step for step in steps if step not in there]
        low, high = 0, len(new)
        guess = high if high <= _FEW else int(high / _SLACK)
        while low < high:
            found = self._count(self._text([*self._steps, *new[:guess]]))
            if found <= budget:
                low = guess
                if budget - found < _LEAST * budget:
                    break
            else:
                high = guess - 1
            # Tokens grow about as the steps do.
            likely = int(guess * budget / max(found, 1))
            guess = min(max(likely, low + 1), high)
            if found > budget and guess == high > low + 1:
                guess = (low + high + 1) // 2
        self._steps += new[:low]
        return new[low:]

    def shown(self) -> dict[RepoPath, str]:
        """Return the files of the map, each with the text of its names."""
        return self._shown(self._steps)

    def _text(self, steps: Collection[Step]) -> str:
        shown = self._shown(steps)
        return map_text(shown) if shown else ""

    def _shown(self, steps: Collection[Step]) -> dict[RepoPath, str]:
        names: dict[RepoPath, list[int]] = defaultdict(list)
        for path, at in steps:
            names[path].extend(() if at == FILE else (at,))
        return {path: self._names(path, some) for path, some in names.items()}

    def _names(self, path: RepoPath, some: Sequence[int]) -> str:
        signed = frozenset(at for at in some if (path, at) in self._signed)
        # Steps are only added at the end, so their number says which ones they are.
        key = (path, len(some), signed)
        if key not in self._written:
            self._written[key] = names_text(self._files[path].names, some, signed)
        return self._written[key]
