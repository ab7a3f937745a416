"""The stable map: the structure of a tree, from its content alone.

Neither a selection nor a question nor the history has a say, so the text stays as long as the tree
does and is the same on every machine. Files that many others refer to come first, by powers of two,
so that one reference more or less rarely moves anything.
"""

import heapq
import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.filling import Count, Filling
from jupyter_ac.index.map.naming import is_test, names_of
from jupyter_ac.index.map.packing import Likely
from jupyter_ac.index.map.relevance import name_likelihoods
from jupyter_ac.index.map.text import LEGEND, map_text
from jupyter_ac.index.view import IndexView

_LOOKED_AT: Final = 300
"""Files whose names are considered."""
_PER_PATH: Final = 2
_REST_SHARE: Final = 0.06
"""Of the budget: kept for saying how many files are left out, folder by folder."""
_PRIVATE: Final = 0.3
"""What a name that begins with an underscore counts beside another."""


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


def stable_map(view: IndexView, budget: int, count: Count) -> StableMap:
    """Return the map of a tree in at most so many tokens.

    Args:
        view: the index.
        budget: tokens.
        count: counts them.
    """
    paths = view.paths()
    files = _files(view, paths, budget)
    room = budget - int(budget * _REST_SHARE) - count(LEGEND)
    filling = Filling(files, room, count)
    filling.fill()
    shown = filling.shown()
    text = LEGEND + map_text(shown, left_out(paths, shown))
    tokens = count(text)
    if tokens > budget:
        text = LEGEND + map_text(shown)
        tokens = count(text)
    if not shown or tokens > budget:
        return StableMap("", 0, frozenset())
    return StableMap(text, tokens, frozenset(shown))


def _files(view: IndexView, paths: Sequence[RepoPath], budget: int) -> dict[RepoPath, Likely]:
    """Return the files that may be shown, those that matter most first."""
    fame = view.popularity()
    level = {path: _level(path, fame) for path in paths}
    order = heapq.nsmallest(budget // _PER_PATH, paths, key=lambda path: (-level[path], path))
    found: dict[RepoPath, Likely] = {}
    for at, path in enumerate(order):
        value = 2.0 ** level[path]
        names = () if at >= _LOOKED_AT or is_test(path) else names_of(view.record(path))
        likely = name_likelihoods(names, {}, (), tests=False) if names else ()
        shares = [
            share * (_PRIVATE if name.text[0] == "_" else 1.0)
            for share, name in zip(likely, names, strict=True)
        ]
        found[path] = Likely(value, names, [value * share for share in shares])
    return found


def _level(path: RepoPath, fame: Mapping[RepoPath, int]) -> int:
    """Return how much a file matters, in few steps."""
    if is_test(path):
        return 0
    return 1 + fame.get(path, 0).bit_length()


def left_out(paths: Sequence[RepoPath], shown: Mapping[RepoPath, str]) -> Counter[str]:
    """Return how many files aren't shown, by the nearest folder above them that is.

    Args:
        paths: all files.
        shown: those that are shown.
    """
    folders = {posixpath.dirname(path) for path in shown}
    missing = Counter(posixpath.dirname(path) for path in paths)
    missing.subtract(Counter(posixpath.dirname(path) for path in shown))
    found: Counter[str] = Counter()
    for folder, number in missing.items():
        at = folder
        while at and at not in folders:
            at = posixpath.dirname(at)
        found[at] += number
    return +found
