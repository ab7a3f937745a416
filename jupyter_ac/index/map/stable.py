"""The stable map: the structure of a tree, from its content alone.

It doesn't depend on a selection, a question or the history, so the text changes only with the tree
and the excluded files, and is the same on every machine. Files are ordered by their number of
references, in powers of two, so that one reference more or less rarely moves anything.
"""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.budget_fill import BudgetFill, Count
from jupyter_ac.index.map.file_importance import FileImportance, Level
from jupyter_ac.index.map.naming import is_test, names_of
from jupyter_ac.index.map.packing import Likely
from jupyter_ac.index.map.relevance import name_likelihoods
from jupyter_ac.index.map.text import LEGEND, map_text
from jupyter_ac.index.view import IndexView

_LOOKED_AT: Final = 300
"""Files whose names are considered."""
_PER_PATH: Final = 2
_REST_SHARE: Final = 0.06
"""Share of the budget that is reserved for the counts of left out files, by folder."""
_PRIVATE: Final = 0.3
"""The weight of a name that begins with an underscore, relative to another."""


class StableMap(NamedTuple):
    """A stable map.

    Attributes:
        text: the map, its legend first; "" when it names no file.
        tokens: of it.
        paths: files that it names.
    """

    text: str
    tokens: int
    paths: frozenset[RepoPath]


class _Drawn(NamedTuple):
    """The chosen files with their lines, and the input of the choice."""

    budget: int
    files: Mapping[RepoPath, Likely]
    shown: Mapping[RepoPath, str]


class _Known(NamedTuple):
    """A cached result for a file, and the content and level that it is valid for."""

    content: str
    level: Level
    likely: Likely


class StableMaps:
    """Renders the map of an index again after each change.

    Data cached from one map to the next saves work and does not affect the text: a new object would
    render the same one.

    Args:
        count: counts the tokens of a text.
    """

    def __init__(self, count: Count) -> None:
        self._count = count
        self._standing = FileImportance()
        self._known: dict[RepoPath, _Known] = {}
        self._bare: dict[Level, Likely] = {}
        self._drawn: _Drawn | None = None

    def draw(
        self, view: IndexView, budget: int, without: Collection[RepoPath] = frozenset()
    ) -> StableMap:
        """Return the map of a tree as it is, in at most so many tokens.

        Args:
            view: the index.
            budget: tokens.
            without: files that it doesn't show or count.
        """
        self._standing.follow(view)
        shown = self._chosen(self._files(view, budget, without), budget)
        text = LEGEND + map_text(shown, self._standing.left_out(shown, without))
        tokens = self._count(text)
        if tokens > budget:
            text = LEGEND + map_text(shown)
            tokens = self._count(text)
        if not shown or tokens > budget:
            return StableMap("", 0, frozenset())
        return StableMap(text, tokens, frozenset(shown))

    def _chosen(self, files: Mapping[RepoPath, Likely], budget: int) -> Mapping[RepoPath, str]:
        """Return the files that are shown, each with the text of its names."""
        drawn = self._drawn
        if drawn is None or (drawn.budget, drawn.files) != (budget, files):
            room = budget - int(budget * _REST_SHARE) - self._count(LEGEND)
            filling = BudgetFill(files, room, self._count)
            filling.fill()
            drawn = self._drawn = _Drawn(budget, files, filling.shown())
        return drawn.shown

    def _files(
        self, view: IndexView, budget: int, without: Collection[RepoPath]
    ) -> dict[RepoPath, Likely]:
        """Return the files that may be shown, those that matter most first."""
        before, self._known = self._known, {}
        found: dict[RepoPath, Likely] = {}
        for at, (path, level) in enumerate(self._standing.first(budget // _PER_PATH, without)):
            if at >= _LOOKED_AT or is_test(path):
                found[path] = self._bare.setdefault(level, Likely(2.0**level, (), ()))
                continue
            content, known = view.content(path), before.get(path)
            if known is None or known[:2] != (content, level):
                known = _Known(content, level, _likely(view, path, level))
            self._known[path] = known
            found[path] = known.likely
        return found


def _likely(view: IndexView, path: RepoPath, level: Level) -> Likely:
    """Return a file with what its names are worth."""
    value = 2.0**level
    names = names_of(view.record(path))
    shares = name_likelihoods(names, {}, (), tests=False) if names else ()
    values = [
        value * share * (_PRIVATE if name.text.startswith("_") else 1.0)
        for share, name in zip(shares, names, strict=True)
    ]
    return Likely(value, names, values)


def stable_map(view: IndexView, budget: int, count: Count) -> StableMap:
    """Return the map of a tree in at most so many tokens.

    Args:
        view: the index.
        budget: tokens.
        count: counts them.
    """
    return StableMaps(count).draw(view, budget)
