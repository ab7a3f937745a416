"""Finds the place of a file that is most similar to a text that is missing there.

The work is bounded, whatever the file: rare lines of the text vote for the place where it would
begin, only the best few places are compared line by line, and only a few lines letter by letter.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Final

from jupyter_ac.chat.edit_blocks.matching.lines import Folded

# How much of the old text, and of how many like lines of the file, is looked at.
_OLD_LINES: Final = 300
_SAME_LINES: Final = 50
_PLACES: Final = 3
# Lines by which parts of one place may be apart from each other.
_SLACK: Final = 8
# Words that are looked for, and lines that are compared letter by letter.
_WORDS: Final = 12
_WORD: Final = re.compile(rb"\w{3,}")
_COMPARED_LINES: Final = 60
_COMPARED_BYTES: Final = 200
_ALIKE: Final = 0.6


@dataclass(frozen=True, slots=True)
class LineRange:
    """A place of the file, as lines counted from 0.

    Attributes:
        start: its first line.
        stop: the line behind it.
        likeness: how much of the old text stands there, 0 to 1.
    """

    start: int
    stop: int
    likeness: float


def nearest(
    lines: Sequence[bytes], theirs: Folded, old: Sequence[bytes], ours: Folded
) -> LineRange:
    """Return the closest place; its likeness is 0 when nothing is alike.

    Args:
        lines: the file's, without their ends.
        theirs: the same folded.
        old: the lines that were not found.
        ours: the same folded.
    """
    by_lines = [
        _compare(theirs, ours, begin) for begin in _beginnings(theirs.keys, ours.keys[:_OLD_LINES])
    ]
    best = max(by_lines, key=lambda place: place.likeness, default=LineRange(0, 0, 0.0))
    if best.likeness > 0 and len(ours.keys) > 1:
        return best
    return _by_words(lines, old)


def _beginnings(keys: list[bytes], wanted: list[bytes]) -> list[int]:
    """Return the lines where the wanted ones most likely begin; each that is rare votes."""
    standing: dict[bytes, list[int]] = {key: [] for key in wanted if _WORD.search(key)}
    for number, key in enumerate(keys):
        if key in standing and len(standing[key]) <= _SAME_LINES:
            standing[key].append(number)
    votes: Counter[int] = Counter()
    for position, key in enumerate(wanted):
        found = standing.get(key, ())
        if len(found) <= _SAME_LINES:
            for number in found:
                # Neighbours vote together, as lines may have been added or removed between them.
                near = (number - position) // _SLACK
                for bucket in (near, near + 1):
                    votes[bucket] += 60 // len(found)
    return [bucket * _SLACK - _SLACK for bucket, _ in votes.most_common(_PLACES)]


def _compare(theirs: Folded, ours: Folded, begin: int) -> LineRange:
    """Return the place around a beginning that holds the most of the old text's lines."""
    wanted = ours.keys[:_OLD_LINES]
    begin = max(begin, 0)
    window = theirs.keys[begin : begin + len(wanted) + 3 * _SLACK]
    matcher = SequenceMatcher(None, window, wanted, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if not blocks:
        return LineRange(0, 0, 0.0)
    first, last = blocks[0], blocks[-1]
    # Lines of the old text before its first like line, and behind its last, have a place too.
    low = max(first.a - first.b, 0)
    high = min(last.a + last.size + len(wanted) - last.b - last.size, len(window))
    likeness = sum(block.size for block in blocks) / len(wanted)
    if likeness < _ALIKE:
        likeness = max(likeness, _by_letters(window[low:high], wanted))
    return LineRange(
        theirs.numbers[begin + low],
        theirs.numbers[begin + high - 1] + 1,
        likeness,
    )


def _by_letters(window: list[bytes], wanted: list[bytes]) -> float:
    """Return how much lines that face each other have in common, 0 when that may be chance."""
    pairs = list(zip(window, wanted, strict=False))[:_COMPARED_LINES]
    mean = sum(_likeness(theirs, ours) for theirs, ours in pairs) / max(len(pairs), 1)
    return mean if mean >= _ALIKE else 0.0


def _likeness(theirs: bytes, ours: bytes) -> float:
    """Return how much two lines have in common, 0 to 1."""
    letters = (theirs[:_COMPARED_BYTES], ours[:_COMPARED_BYTES])
    return SequenceMatcher(None, *letters, autojunk=False).ratio()


def _by_words(lines: Sequence[bytes], old: Sequence[bytes]) -> LineRange:
    """Return the place of the line that shares rare words with the old text and is most like it."""
    best = LineRange(0, 0, 0.0)
    for number, position in _pairs(lines, old[:_OLD_LINES]):
        likeness = _likeness(lines[number].strip(), old[position].strip())
        if likeness >= _ALIKE and likeness > best.likeness:
            start = max(number - position, 0)
            best = LineRange(start, min(max(start + len(old), number + 1), len(lines)), likeness)
    return best


def _pairs(lines: Sequence[bytes], old: Sequence[bytes]) -> list[tuple[int, int]]:
    """Return pairs of a line of the file and one of the old text that share rare words."""
    text = b"\n".join(lines)
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    home = {word: number for number, line in enumerate(old) for word in _WORD.findall(line)}
    longest = sorted(home, key=len, reverse=True)[:_WORDS]
    votes: Counter[tuple[int, int]] = Counter()
    for word in longest:
        found = -1
        for _ in range(_SAME_LINES):
            found = text.find(word, found + 1)
            if found < 0:
                break
            votes[bisect_right(starts, found) - 1, home[word]] += len(word)
    fullest = max(range(len(old)), key=lambda number: len(old[number]))
    for found, size in _ends_of(old[fullest].strip()[:_COMPARED_BYTES], text):
        votes[bisect_right(starts, found) - 1, fullest] += size
    return [pair for pair, _ in votes.most_common(_COMPARED_LINES)]


def _ends_of(line: bytes, text: bytes) -> Iterator[tuple[int, int]]:
    """Yield where a line's longest start, and its longest end, stand first; and their lengths."""
    for is_start in (True, False):
        known, beyond, place = 0, len(line) + 1, -1
        while beyond - known > 1:
            size = (known + beyond) // 2
            found = text.find(line[:size] if is_start else line[-size:])
            known, beyond, place = (size, beyond, found) if found >= 0 else (known, size, place)
        if known:
            yield place, known
