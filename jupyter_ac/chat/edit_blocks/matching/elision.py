"""Detects lines of an old text that are placeholders for others: "...", "# rest unchanged"."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from jupyter_ac.chat.edit_blocks.matching.normalization import Folded, fold

_COMMENT: Final = r"(?:(?:#|//|/\*|\{/\*|--|;|%|<!--|\*)\s*)"
# Dots, alone or before words; not `...args`, which is code.
_DOTS: Final = re.compile(
    rf"\s*{_COMMENT}*+[\[(<]?(?:(?:\.{{3,}}|…)(?![\w\[({{])|(?:\.{{3}}|…)[^.…]*(?:\.{{3}}|…))"
)
_PHRASES: Final = (
    r"(?:the |other )?(?:rest|remainder) of\b",
    r"remain(?:s|ing)\b",
    r"(?:existing|previous) (?:code|lines|content)\b",
    r"unchanged\b",
    r"no changes?\b",
    r"(?:omitted|elided|snipped)\b",
    r"(?:same )?as before\b",
)
_WORDS: Final = re.compile(rf"\s*{_COMMENT}++.*\b(?:{'|'.join(_PHRASES)})", re.IGNORECASE)


def elided_line(old: Sequence[str], theirs: Folded) -> tuple[int, bool] | None:
    """Return which line, from 0, stands for left-out ones, and whether that is beyond doubt.

    Words in a comment may be meant as they stand, and dots that are in the file may be quoted; then
    it takes the parts around them to be in the file.
    """
    doubtful = None
    known: set[bytes] = set()
    for number, line in enumerate(old):
        if _DOTS.match(line):
            known = known or set(theirs.keys)
            if not known.issuperset(_folded([line]).keys):
                return number, True
        if doubtful is None and (_DOTS.match(line) or _WORDS.match(line)):
            doubtful = number
    return None if doubtful is None else (doubtful, False)


def elided_place(
    theirs: Folded, old: Sequence[str], elided: int, *, is_certain: bool
) -> tuple[int, int] | None:
    """Return the file's lines, from 0 and to the one behind, that the old text is about.

    Args:
        theirs: the file's lines, folded.
        old: the lines that were not found.
        elided: the first of them that stands for others.
        is_certain: it does; else more than one line of the file must lie at its place.

    Returns:
        None unless what stands before that line, and behind the last such, is in the file in this
        order; the closest such parts are the place.
    """
    last = max(number for number, line in enumerate(old) if number == elided or _DOTS.match(line))
    before, behind = _folded(old[:elided]), _folded(old[last + 1 :])
    if not before or not behind:
        whole = theirs.places(before or behind)
        return _span(theirs, whole[0], len(before) + len(behind)) if whole else None
    seconds = theirs.places(behind)
    pairs = []
    for first in theirs.places(before):
        after = first + len(before)
        second = bisect_left(seconds, after)
        if second < len(seconds):
            pairs.append((seconds[second] - after, first))
    gap, first = min(pairs, default=(0, -1))
    if first < 0 or (not is_certain and gap <= 1):
        return None
    return _span(theirs, first, len(before) + gap + len(behind))


def _folded(lines: Sequence[str]) -> Folded:
    return fold([line.encode(errors="replace") for line in lines])


def _span(theirs: Folded, first: int, count: int) -> tuple[int, int]:
    return theirs.numbers[first], theirs.numbers[first + count - 1] + 1
