"""Estimates the probability that the next question needs a file, or a name in it.

Both are logistic functions of a weighted sum of a few features. The weights come from logistic
regressions over commits of public projects (docs/map.md). Features are computed only for files that
have them, so the cost of a question grows with those files, not with the whole tree.
"""

import math
import posixpath
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.cochange import CoChange
from jupyter_ac.index.map.inverted_index import Field, InvertedIndex
from jupyter_ac.index.map.naming import Name, core, is_test
from jupyter_ac.index.map.pagerank import near
from jupyter_ac.index.map.words import asked_stems, stems
from jupyter_ac.index.records import Kind
from jupyter_ac.index.view import GraphView

FILE_WEIGHTS: Final[Mapping[str, float]] = {
    "text": 2.3,  # BM25 of the question, beside the best file's
    "text_first": 1.0,  # 1 for the best file by it, 1/2 for the second, …
    "path": 0.4,  # share of the question's words in the path, rare ones count more
    "defined": 0.9,  # the same for names defined in the file
    "used": 1.6,  # the same for all its identifiers
    "graph": 0.75,  # personalised PageRank from the selected files, beside the best file's
    "edge": 1.0,  # refers to a selected file, or the other way round
    "pair": 1.6,  # a selected file's test, or what it tests
    "folder": 0.3,  # lies beside a selected file
    "alike": 0.7,  # share of the words of a selected file's path in its own, rare ones count more
    "changes": 0.8,  # changed with the selected files, beside the best file's
    "changes_first": 0.7,
    "together": 0.7,  # how likely it changes with them
    "told": 0.9,  # the subjects of its commits have the question's words, beside the best file's
    "told_first": 0.6,
    "activity": 0.8,  # changed often and lately
    "mentioned": 3.0,  # the question names it, or a symbol that only it defines
    "test": -0.2,
}
NAME_WEIGHTS: Final[Mapping[str, float]] = {
    "asked": 2.5,  # share of the question's words in the name
    "exact": 1.0,  # stands in the question as written
    "lines": 0.45,  # logarithm of its length
    "many": -0.6,  # logarithm of the number of names in the file
    "kin": 1.2,  # share of its words that names of the selected files have, too
    "inner": 0.3,  # a member of a class
    "data": -0.6,  # neither code nor a type
    "test": -0.2,
}
_DATA: Final[frozenset[Kind]] = frozenset({"variable", "constant", "property"})
_FILE_BASE: Final = -6.5
_NAME_BASE: Final = -0.9
_SELECTED: Final = 0.4
"""How likely a selected file is to be what the question is about."""
_TALK: Final = 0.5
"""The weight of a word of the earlier talk, relative to one of the question."""
_MOST_PAIRED: Final = 8
"""Files of one name beyond which it says nothing: each folder has its `Makefile`."""
_MOST_ALIKE: Final = 100
"""Files with a word in their paths beyond which it makes none of them alike."""
_K1: Final = 1.2
_B: Final = 0.75

_Signs = defaultdict[RepoPath, dict[str, float]]


class MapQuery(NamedTuple):
    """The query of a ranked map.

    Attributes:
        selected: files that the question is about.
        question: its text.
        talk: texts before it, the newest last.
    """

    selected: tuple[RepoPath, ...] = ()
    question: str = ""
    talk: tuple[str, ...] = ()


def asked_words(ask: MapQuery, word_index: InvertedIndex) -> dict[str, float]:
    """Return the words that are asked for, each with its share of the whole weight."""
    weights = dict.fromkeys(asked_stems(" ".join(ask.talk)), _TALK)
    weights.update(dict.fromkeys(asked_stems(ask.question), 1.0))
    for word in weights:
        holders = word_index.count(Field.DEFINED, word)
        weights[word] *= math.log((2 + len(word_index)) / (1 + holders))
    whole = sum(weights.values()) or 1.0
    return {word: value / whole for word, value in sorted(weights.items())}


def file_likelihoods(
    word_index: InvertedIndex,
    graph: GraphView,
    cochange: CoChange,
    ask: MapQuery,
    mentioned: Collection[RepoPath],
) -> dict[RepoPath, float]:
    """Return the likelihood of each file that has any sign, those of the rest being equal."""
    signs: _Signs = defaultdict(dict)
    asked = asked_words(ask, word_index)
    _text_signs(signs, word_index, asked)
    _near_signs(signs, word_index, graph, ask.selected)
    _alike_signs(signs, word_index, ask.selected)
    _change_signs(signs, word_index, cochange, ask.selected)
    _rank(signs, "told", _there(word_index, cochange.told(asked), ()))
    for path in mentioned:
        signs[path]["mentioned"] = 1.0
    likely = {path: _likelihood(path, found) for path, found in signs.items()}
    likely.update(dict.fromkeys((path for path in ask.selected if path in word_index), _SELECTED))
    return likely


def resting_likelihood(path: RepoPath) -> float:
    """Return the likelihood of a file without any sign."""
    return _likelihood(path, {})


def name_likelihoods(
    found: Sequence[Name],
    asked: Mapping[str, float],
    exact: Collection[str],
    kin: Collection[str] = (),
    *,
    tests: bool,
) -> list[float]:
    """Return how likely each of a file's names is meant when the file is.

    Args:
        found: the names.
        asked: words that are asked for, each with its share.
        exact: what may be a name in the question.
        kin: words of the names of the selected files.
        tests: whether the file is one of tests.
    """
    weights = NAME_WEIGHTS
    base = _NAME_BASE + weights["many"] * math.log(max(len(found), 1))
    base += weights["test"] if tests else 0.0
    likely: list[float] = []
    for name in found:
        value = base + weights["lines"] * math.log(name.lines)
        words = stems(name.text)
        if not asked.keys().isdisjoint(words):
            # The exact sum: words come in no order, and the last digit is the same anywhere.
            value += weights["asked"] * math.fsum(asked.get(word, 0.0) for word in words)
        value += weights["exact"] if name.text in exact else 0.0
        if kin and words:
            value += weights["kin"] * sum(word in kin for word in words) / len(words)
        value += weights["inner"] if name.parent >= 0 else 0.0
        value += weights["data"] if name.kind in _DATA else 0.0
        likely.append(1 / (1 + math.exp(-value)))
    return likely


def _likelihood(path: RepoPath, signs: Mapping[str, float]) -> float:
    value = _FILE_BASE + sum(FILE_WEIGHTS[sign] * found for sign, found in signs.items())
    value += FILE_WEIGHTS["test"] if is_test(path) else 0.0
    return 1 / (1 + math.exp(-value))


def _text_signs(signs: _Signs, word_index: InvertedIndex, asked: Mapping[str, float]) -> None:
    """Say how the words that are asked for stand in each file."""
    bm25: dict[RepoPath, float] = defaultdict(float)
    mean = word_index.mean_size or 1.0
    fields = (Field.PATH, "path"), (Field.DEFINED, "defined"), (Field.USED, "used")
    shares = {sign: _shares(word_index, field, asked) for field, sign in fields}
    for word in asked:
        counts = word_index.find(Field.USED, word)
        for field, sign in fields:
            share = shares[sign][word]
            for path in counts if field is Field.USED else word_index.find(field, word):
                signs[path][sign] = signs[path].get(sign, 0.0) + share
        for path in word_index.find(Field.PATH, word):
            counts[path] = counts.get(path, 0) + 1
        rarity = math.log(1 + (len(word_index) - len(counts) + 0.5) / (len(counts) + 0.5))
        for path, count in counts.items():
            size = _K1 * (1 - _B + _B * word_index.size(path) / mean)
            bm25[path] += rarity * count * (_K1 + 1) / (count + size)
    _rank(signs, "text", bm25)


def _shares(word_index: InvertedIndex, field: Field, asked: Collection[str]) -> dict[str, float]:
    """Return what each word counts in a field: the rarer there, the more; 1 in all."""
    whole = {
        word: math.log((1 + len(word_index)) / (1 + word_index.count(field, word)))
        for word in asked
    }
    return {word: max(value, 0.0) / (sum(whole.values()) or 1.0) for word, value in whole.items()}


def _near_signs(
    signs: _Signs, word_index: InvertedIndex, graph: GraphView, selected: Sequence[RepoPath]
) -> None:
    """Say what is near the selected files: by references, by name, by folder."""
    reached = near(graph, selected)
    _rank(signs, "graph", {path: value for path, value in reached.items() if path not in selected})
    for path in selected:
        for other in {*graph.targets(path), *graph.sources(path)}:
            signs[other]["edge"] = 1.0
        same = word_index.find(Field.CORE, core(path))
        for other in same if len(same) <= _MOST_PAIRED else ():
            signs[other]["pair"] = 1.0
        for other in word_index.find(Field.FOLDER, posixpath.dirname(path)):
            signs[other]["folder"] = 1.0


def _alike_signs(signs: _Signs, word_index: InvertedIndex, selected: Sequence[RepoPath]) -> None:
    """Say whose paths have the words of a selected file's: its parts elsewhere, its like."""
    for path in selected:
        found: dict[RepoPath, float] = defaultdict(float)
        for word, share in _shares(word_index, Field.PATH, sorted(stems(path))).items():
            if share and word_index.count(Field.PATH, word) <= _MOST_ALIKE:
                for other in word_index.find(Field.PATH, word):
                    found[other] += share
        for other, share in found.items():
            signs[other]["alike"] = max(share, signs[other].get("alike", 0.0))


def _change_signs(
    signs: _Signs, word_index: InvertedIndex, cochange: CoChange, selected: Sequence[RepoPath]
) -> None:
    """Say what the history knows: changed together, changed lately."""
    together = _there(word_index, cochange.together(selected), selected)
    _rank(signs, "changes", together)
    for path, value in together.items():
        signs[path]["together"] = value
    for path, value in cochange.activity.items():
        if path in word_index:
            signs[path]["activity"] = math.log1p(value)


def _there(
    word_index: InvertedIndex, scores: Mapping[RepoPath, float], without: Collection[RepoPath]
) -> dict[RepoPath, float]:
    return {
        path: value for path, value in scores.items() if path in word_index and path not in without
    }


def _rank(signs: _Signs, sign: str, scores: Mapping[RepoPath, float]) -> None:
    """Say how high files stand in an order: their score beside the best, and their place."""
    highest = max(scores.values(), default=0.0)
    for at, path in enumerate(sorted(scores, key=lambda path: (-scores[path], path))):
        signs[path][sign] = scores[path] / highest if highest else 0.0
        if f"{sign}_first" in FILE_WEIGHTS:
            signs[path][f"{sign}_first"] = 1 / (1 + at)
