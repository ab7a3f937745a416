"""The rival: a plain ranking of files, in 150 lines.

BM25 of the question over identifiers and paths, personalised PageRank from the selected files over
references by name, and counts of changes made together. Each is divided by its highest value; the
sum ranks the files. 60 % of the budget goes to files with their symbols, in the order of the
source, the rest to bare paths grouped by folder. A plain list of files is here, too.
"""

import math
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.naming import UNNAMED, names_of
from jupyter_ac.index.records import FileRecord

Count: TypeAlias = Callable[[str], int]
Scores: TypeAlias = dict[RepoPath, float]

SYMBOLS_SHARE: Final = 0.6
_K1: Final = 1.2
_B: Final = 0.75
_DAMPING: Final = 0.85
_ROUNDS: Final = 20
_COMMON: Final = 8
"""Files that define a name beyond which it joins nothing."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words(text: str) -> list[str]:
    """Split a text, a path or an identifier into its words, in lower case."""
    return [word.lower() for word in _WORD.findall(text) if len(word) > 1]


class PlainRanking:
    """Ranks and prints the files of one tree.

    Args:
        records: what each file says of itself.
        commits: the files of each commit, newest first.
    """

    def __init__(
        self,
        records: Mapping[RepoPath, FileRecord | None],
        commits: Sequence[Sequence[RepoPath]],
    ) -> None:
        self._records = records
        self._commits = commits
        self._texts = {path: _text(path, record) for path, record in records.items()}
        self._edges = _edges(records)

    def ranked(self, selected: Sequence[RepoPath], question: str) -> list[RepoPath]:
        """Return all files, the best first."""
        total: Scores = defaultdict(float)
        for scores in (self._bm25(question), self._rank(selected), self._together(selected)):
            highest = max(scores.values(), default=0.0)
            for path, score in scores.items():
                total[path] += score / highest if highest else 0.0
        first = set(selected)
        return sorted(self._records, key=lambda path: (path not in first, -total[path], path))

    def print(
        self, order: Sequence[RepoPath], budget: int, count: Count, *, signatures: bool
    ) -> str:
        """Print as much as the budget holds of files in this order."""
        text = ""
        room = int(SYMBOLS_SHARE * budget)
        shown: set[RepoPath] = set()
        for path in order:
            block = _cut(
                _block(path, self._records[path], signatures=signatures), room - count(text), count
            )
            if not block:
                break
            text += block
            shown.add(path)
        rest = [path for path in order if path not in shown]
        return text + folders(rest, budget - count(text), count)

    def _bm25(self, question: str) -> Scores:
        count = len(self._texts)
        mean = sum(sum(text.values()) for text in self._texts.values()) / max(count, 1)
        scores: Scores = defaultdict(float)
        for word in set(words(question)):
            holders = [path for path, text in self._texts.items() if word in text]
            rarity = math.log(1 + (count - len(holders) + 0.5) / (len(holders) + 0.5))
            for path in holders:
                text = self._texts[path]
                size = 1 - _B + _B * sum(text.values()) / mean
                scores[path] += rarity * text[word] * (_K1 + 1) / (text[word] + _K1 * size)
        return scores

    def _rank(self, selected: Sequence[RepoPath]) -> Scores:
        start = {path: 1 / len(selected) for path in selected} if selected else {}
        now = dict(start)
        for _ in range(_ROUNDS):
            then: Scores = defaultdict(float)
            for path, value in now.items():
                out = self._edges.get(path, {})
                whole = sum(out.values())
                for target, weight in out.items():
                    then[target] += _DAMPING * value * weight / whole
            for path, value in start.items():
                then[path] += (1 - _DAMPING) * value
            now = then
        return {path: value for path, value in now.items() if path not in start}

    def _together(self, selected: Sequence[RepoPath]) -> Scores:
        scores: Scores = defaultdict(float)
        chosen = set(selected)
        for paths in self._commits:
            if chosen.intersection(paths):
                for path in paths:
                    if path in self._records and path not in chosen:
                        scores[path] += 1
        return scores


def folders(paths: Iterable[RepoPath], budget: int, count: Count) -> str:
    """Print paths grouped by folder, the first ones that fit."""
    order = list(paths)
    low, high = 0, len(order)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if count(_grouped(order[:middle])) <= budget else (low, middle - 1)
        )
    return _grouped(order[:low])


def _grouped(paths: Sequence[RepoPath]) -> str:
    groups: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        folder, name = posixpath.split(path)
        groups[folder].append(name)
    return "".join(f"{folder}/: {' '.join(names)}\n" for folder, names in sorted(groups.items()))


def _block(path: RepoPath, record: FileRecord | None, *, signatures: bool) -> str:
    if not signatures:
        return " ".join((f"{path}:", *dict.fromkeys(name.text for name in names_of(record)))) + "\n"
    rows = [
        f"  {symbol.name}{symbol.signature}\n"
        for symbol in (record.symbols if record else ())
        if symbol.kind not in UNNAMED
    ]
    return "".join((f"{path}:\n", *rows))


def _cut(block: str, room: int, count: Count) -> str:
    """Return as much of a file's block as fits, its path at least; "" when not even that does."""
    if count(block) <= room:
        return block
    pieces = re.findall(r"\S+\s*", block)
    low, high = 0, len(pieces)
    while low < high:
        middle = (low + high + 1) // 2
        fits = count("".join(pieces[:middle])) < room
        low, high = (middle, high) if fits else (low, middle - 1)
    return "".join(pieces[:low]).rstrip() + "\n" if low else ""


def _text(path: RepoPath, record: FileRecord | None) -> Counter[str]:
    found = Counter(words(path))
    for word in record.words if record else ():
        found.update(words(word))
    return found


def _edges(records: Mapping[RepoPath, FileRecord | None]) -> dict[RepoPath, Scores]:
    """Join each file with those that define a name that it uses, and back."""
    definers: dict[str, list[RepoPath]] = defaultdict(list)
    for path, record in records.items():
        for name in {symbol.name for symbol in record.symbols} if record else ():
            definers[name].append(path)
    edges: dict[RepoPath, Scores] = defaultdict(lambda: defaultdict(float))
    for path, record in records.items():
        for name, uses in Counter(use.name for use in record.uses).items() if record else ():
            targets = definers.get(name, ())
            for target in targets if len(targets) <= _COMMON else ():
                if target != path:
                    weight = math.sqrt(uses) / len(targets)
                    edges[path][target] += weight
                    edges[target][path] += weight
    return edges
