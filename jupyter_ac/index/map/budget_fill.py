"""Fills a token budget: names of likely files first, then bare paths, then signatures."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.packing import FILE, Likely, Packing, PackingStep, tokens
from jupyter_ac.index.map.shown import ShownMaps
from jupyter_ac.index.map.text import map_text, names_text

Count: TypeAlias = Callable[[str], int]

NAMES_SHARE: Final = 0.68
"""Of the budget: what the likeliest files and names may take before paths get the rest."""

_SLACK: Final = 1.5
"""Steps are prepared for more tokens than there are, since their costs are guessed."""
_LEAST: Final = 0.01
"""Share of the budget that may stay unused rather than be filled to the last token."""
_GUESSES: Final = 4
"""Tries after which what is in question is halved each time."""


class BudgetFill:
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
        self._steps: list[PackingStep] = []
        self._signed: frozenset[tuple[RepoPath, int]] = frozenset()
        self._written: dict[tuple[RepoPath, int, frozenset[int]], str] = {}

    def fill(self) -> str:
        """Return the map; "" when not even one file fits."""
        room = self._budget * _SLACK
        names = _Supply(Packing(self._files, bare=False).order(room))
        self._add(names, int(self._budget * NAMES_SHARE))
        shown = {step.path for step in self._steps}
        unknown = {path: file for path, file in self._files.items() if path not in self._known}
        order = Packing(unknown, bare=True).order(room)
        paths = _Supply(step for step in order if step.path not in shown)
        if self._add(paths, self._budget) and self._add(names, self._budget):
            self._sign()
        return self._text(self._steps)

    def _add(self, supply: "_Supply", budget: int) -> bool:
        """Add steps from the first as long as the map fits; tell whether all do."""

        def used(steps: Sequence[PackingStep]) -> int:
            return self._count(self._text([*self._steps, *steps]))

        self._steps += supply.take(_most(supply, budget, used, int(_LEAST * budget)))
        return not supply.has(1)

    def _sign(self) -> None:
        """Give the likeliest names their signatures, as many as fit."""

        def used(steps: Sequence[PackingStep]) -> int:
            self._signed = frozenset((step.path, step.at) for step in steps)
            return self._count(self._text(self._steps))

        able = ((step, self._signature(step)) for step in self._steps if step.at != FILE)
        supply = _Supply(step._replace(cost=tokens(text)) for step, text in able if text)
        used(supply.take(_most(supply, self._budget, used, 0)))

    def _signature(self, step: PackingStep) -> str:
        return "" if step.at == FILE else self._files[step.path].names[step.at].signature

    def shown(self) -> dict[RepoPath, str]:
        """Return the files of the map, each with the text of its names."""
        return self._shown(self._steps)

    def unseen(self, seen: ShownMaps, whole: Collection[RepoPath] = ()) -> dict[RepoPath, str]:
        """Return what of the map isn't shown elsewhere; classes stay where members need them.

        Args:
            seen: other maps.
            whole: files of which the text is shown.
        """
        names: dict[RepoPath, list[int]] = defaultdict(list)
        for path, at, _ in self._steps:
            names[path] += [at] if at != FILE else ()
        found: dict[RepoPath, str] = {}
        for path, some in names.items():
            likely = self._files[path]
            known = seen.names(path, likely.names)
            fresh = [at for at in some if at not in known]
            signed = [at for at in fresh if (path, at) in self._signed]
            if path not in whole and (fresh or path not in seen.paths):
                found[path] = names_text(likely.names, fresh, signed)
        return found

    def _text(self, steps: Collection[PackingStep]) -> str:
        shown = self._shown(steps)
        return map_text(shown) if shown else ""

    def _shown(self, steps: Collection[PackingStep]) -> dict[RepoPath, str]:
        names: dict[RepoPath, list[int]] = defaultdict(list)
        for path, at, _ in steps:
            some = names[path]
            if at != FILE:
                some.append(at)
        return {path: self._names(path, some) if some else "" for path, some in names.items()}

    def _names(self, path: RepoPath, some: Sequence[int]) -> str:
        signed = frozenset(at for at in some if (path, at) in self._signed) if self._signed else _NO
        # Steps are only added at the end, so their number says which ones they are.
        key = (path, len(some), signed)
        if key not in self._written:
            self._written[key] = names_text(self._files[path].names, some, signed)
        return self._written[key]


_NO: Final[frozenset[int]] = frozenset()


class _Supply:
    """Steps, worked out as far as they are asked for.

    Args:
        steps: in their order.
    """

    def __init__(self, steps: Iterable[PackingStep]) -> None:
        self._steps: Iterator[PackingStep] = iter(steps)
        self._known: list[PackingStep] = []
        self._costs: list[float] = [0.0]

    def has(self, number: int) -> bool:
        """Tell whether there are so many."""
        while len(self._known) < number:
            step = next(self._steps, None)
            if step is None:
                return False
            self._known.append(step)
            self._costs.append(self._costs[-1] + step.cost)
        return True

    def reach(self, cost: float) -> int:
        """Return how many have no more than this cost."""
        while self._costs[-1] <= cost and self.has(len(self._known) + 1):
            pass
        return max(bisect_right(self._costs, cost) - 1, 0)

    def cost(self, number: int) -> float:
        """Return what the first ones cost."""
        return self._costs[number]

    def first(self, number: int) -> Sequence[PackingStep]:
        """Return the first ones, which are known."""
        return self._known[:number]

    def take(self, number: int) -> Sequence[PackingStep]:
        """Return the first ones and go on behind them."""
        taken, self._known = self._known[:number], self._known[number:]
        self._costs = [cost - self._costs[number] for cost in self._costs[number:]]
        return taken


def _most(
    supply: _Supply, budget: int, used: Callable[[Sequence[PackingStep]], int], least: int
) -> int:
    """Return how many steps fit.

    Args:
        supply: of them.
        budget: tokens.
        used: counts the tokens of the map with some steps.
        least: tokens that may stay unused.
    """
    base = used(())
    fitting, tries, scale = 0, 0, 1.0
    beyond: int | None = None
    while beyond is None or beyond - fitting > 1:
        # What steps cost is guessed: each try says how well.
        guess = supply.reach((budget - base) * scale)
        if tries > _GUESSES:
            guess = 2 * fitting if beyond is None else (fitting + beyond) // 2
        guess = max(guess, fitting + 1)
        guess = guess if beyond is None else min(guess, beyond - 1)
        while not supply.has(guess) and guess > fitting:
            guess -= 1
        if guess == fitting:
            break
        found = used(supply.first(guess))
        if found > budget:
            beyond = guess
        else:
            fitting = guess
            if budget - found < least:
                break
        scale = supply.cost(guess) / max(found - base, 1)
        tries += 1
    return fitting


_LINES: Final = 20_000
_PARTS: Final = 100_000


class TokenCounter:
    """Counts tokens incrementally: parts shared with earlier texts are cached.

    The tokenizer's own expression splits before a blank and behind the end of a line, so a text has
    the tokens of its parts. Of several blanks in a row each counts, which may be too many and is
    never too few.

    Args:
        count: counts the tokens of a part.
    """

    def __init__(self, count: Callable[[str], int]) -> None:
        self._part = lru_cache(_PARTS)(count)
        self._line = lru_cache(_LINES)(self._count_line)

    def __call__(self, text: str) -> int:
        """Return the tokens of a text."""
        *lines, last = text.split("\n")
        found = sum(map(self._line, lines))
        return found + (self._line(last) - self._part("\n") if last else 0)

    def _count_line(self, line: str) -> int:
        first, *others = f"{line}\n".split(" ")
        found = self._part(first) if first else 0
        return found + sum([self._part(f" {other}") for other in others])
