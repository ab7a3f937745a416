"""The ranked map: the files and names that the next question most likely needs."""

import heapq
import itertools
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.budget_fill import BudgetFill, Count
from jupyter_ac.index.map.cochange import CoChange
from jupyter_ac.index.map.inverted_index import Field, InvertedIndex
from jupyter_ac.index.map.naming import is_test, names_of
from jupyter_ac.index.map.packing import Likely
from jupyter_ac.index.map.relevance import (
    MapQuery,
    asked_words,
    file_likelihoods,
    name_likelihoods,
    resting_likelihood,
)
from jupyter_ac.index.map.words import names, stems
from jupyter_ac.index.view import IndexView, NamesView

_FEWEST: Final = 60
_MOST: Final = 300
_PER_FILE: Final = 20
"""Tokens of the budget for which one more file's names are looked at."""
_PER_PATH: Final = 2


def ranked_map(
    view: IndexView,
    word_index: InvertedIndex,
    cochange: CoChange,
    ask: MapQuery,
    budget: int,
    count: Count,
) -> str:
    """Return a map for a question, of at most so many tokens; "" when nothing fits.

    Args:
        view: the index.
        word_index: the words of the same files.
        cochange: what the history says of them.
        ask: the question.
        budget: tokens.
        count: counts them.
    """
    return BudgetFill(likely_files(view, word_index, cochange, ask, budget), budget, count).fill()


def likely_files(
    view: IndexView,
    word_index: InvertedIndex,
    cochange: CoChange,
    ask: MapQuery,
    budget: int,
    without: Collection[RepoPath] = (),
) -> dict[RepoPath, Likely]:
    """Return the files that a map of so many tokens could show.

    Args:
        view: the index.
        word_index: the words of the same files.
        cochange: what the history says of them.
        ask: the question.
        budget: tokens.
        without: files that needn't be shown.
    """
    mentioned = mentioned_files(view, word_index, ask.question)
    likely = file_likelihoods(word_index, view, cochange, ask, mentioned)
    for path in without:
        likely.pop(path, None)
    asked, exact = asked_words(ask, word_index), frozenset(names(ask.question))
    kin = _kin(view, ask.selected)
    looked_at = min(_MOST, _FEWEST + budget // _PER_FILE)
    found: dict[RepoPath, Likely] = {}
    for at, path in enumerate(_order(view, likely, budget // _PER_PATH, without)):
        value = likely.get(path) or resting_likelihood(path)
        shown = names_of(view.record(path)) if at < looked_at else ()
        own = () if path in ask.selected else kin
        values = name_likelihoods(shown, asked, exact, own, tests=is_test(path)) if shown else ()
        found[path] = Likely(value, shown, [value * share for share in values])
    return found


def _kin(view: IndexView, selected: Sequence[RepoPath]) -> frozenset[str]:
    """Return the words of the names that the selected files define."""
    found = (name.text for path in selected for name in names_of(view.record(path)))
    return frozenset(word for text in found for word in stems(text))


def _order(
    view: IndexView, likely: Mapping[RepoPath, float], most: int, without: Collection[RepoPath]
) -> Iterator[RepoPath]:
    """Yield the likeliest files, then those of which nothing is known in the tree's order."""
    order = heapq.nsmallest(most, likely, key=lambda path: (-likely[path], path))
    yield from order
    rest = (path for path in view.paths() if path not in likely and path not in without)
    yield from itertools.islice(rest, most - len(order))


_MAX_PIECES: Final = 400
_FEW: Final = 3
"""Files that define a name up to which its mention is theirs."""
_CODE: Final = re.compile(r"_|[a-z\d][A-Z]")
"""A name that is no word of a language."""


def mentioned_files(view: NamesView, word_index: InvertedIndex, question: str) -> set[RepoPath]:
    """Return the files that a question is likely to speak of."""
    found: set[RepoPath] = set()
    for piece in question.split()[:_MAX_PIECES]:
        path = RepoPath(piece.strip("`'\"()[]{}<>,;:.?!*"))
        if path in word_index:
            found.add(path)
        elif "." in path:
            same = word_index.find(Field.FILE, posixpath.basename(path).lower())
            found.update(same if len(same) <= _FEW else ())
    for name in sorted(set(names(question)))[:_MAX_PIECES]:
        if _CODE.search(name):
            definers = {definition.path for definition in view.defining(name)}
            found.update(definers if len(definers) <= _FEW else ())
    return found
