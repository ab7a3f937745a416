"""Aligns the lines of two versions of a file, as far as the alignment is unambiguous.

A line is followed from the two ends of the file, and from lines that occur once in each version. If
the two ways lead to different places, as among equal lines, the line is not aligned.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_DEPTH: Final = 6
"""How often what lies between such lines is looked at by itself; each time costs one pass."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines of both versions that face each other; ends are exclusive."""

    our_start: int
    our_end: int
    their_start: int
    their_end: int
    depth: int = 0


class Alignment:
    """Follows the lines of a file into another version.

    Args:
        ours: the lines of the one.
        theirs: the lines of the other.
    """

    def __init__(self, ours: Sequence[bytes], theirs: Sequence[bytes]) -> None:
        self._ours = ours
        self._theirs = theirs
        self._places: list[int | None] = [None] * len(ours)
        parts = [_Part(0, len(ours), 0, len(theirs))]
        while parts:
            parts += self._align(parts.pop())

    def place(self, start: int, end: int) -> int | None:
        """Return where these lines stand, one behind another; None where that isn't sure.

        Args:
            start: the first of our lines, from 0.
            end: behind the last one; the same as `start` for the place between two lines.
        """
        before = -1 if start == 0 else self._places[start - 1]
        if start == end:
            is_last = start == len(self._ours)
            behind = len(self._theirs) if is_last else self._places[start]
            is_there = before is not None and behind == before + 1
            return behind if is_there else None
        first = self._places[start]
        if first is None:
            return None
        wanted = range(first, first + end - start)
        is_whole = all(map(int.__eq__, map(_number, self._places[start:end]), wanted))
        return first if is_whole else None

    def _align(self, part: _Part) -> list[_Part]:
        """Follow lines from both ends of a part; returns what is left in the middle."""
        ours, theirs = self._ours, self._theirs
        our_count = part.our_end - part.our_start
        shift = part.their_end - part.their_start - our_count
        shorter = min(our_count, our_count + shift)
        head = 0
        while head < shorter and ours[part.our_start + head] == theirs[part.their_start + head]:
            head += 1
        tail = 0
        while tail < shorter and ours[part.our_end - 1 - tail] == theirs[part.their_end - 1 - tail]:
            tail += 1
        for at in range(head):
            if shift == 0 or at < our_count - tail:
                self._places[part.our_start + at] = part.their_start + at
        for at in range(our_count - tail, our_count):
            if at >= head:
                self._places[part.our_start + at] = part.their_start + at + shift
        if head + tail >= shorter or part.depth == _DEPTH:
            return []
        return self._between(
            _Part(
                part.our_start + head,
                part.our_end - tail,
                part.their_start + head,
                part.their_end - tail,
                part.depth + 1,
            )
        )

    def _between(self, part: _Part) -> list[_Part]:
        """Follow the lines that both versions have once there; returns what lies between them."""
        ours = self._ours[part.our_start : part.our_end]
        theirs = self._theirs[part.their_start : part.their_end]
        counts, their_counts = Counter(ours), Counter(theirs)
        numbers = {line: number for number, line in enumerate(theirs) if their_counts[line] == 1}
        pairs = [
            (number, numbers[line])
            for number, line in enumerate(ours)
            if counts[line] == 1 and line in numbers
        ]
        parts: list[_Part] = []
        our_at, their_at = part.our_start, part.their_start
        for one, other in _in_order(pairs):
            our, their = part.our_start + one, part.their_start + other
            self._places[our] = their
            parts.append(_Part(our_at, our, their_at, their, part.depth))
            our_at, their_at = our + 1, their + 1
        if not parts:
            return []
        return [*parts, _Part(our_at, part.our_end, their_at, part.their_end, part.depth)]


def _in_order(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs, which go up in the first number, that go up in the other."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for at, (_, number) in enumerate(pairs):
        length = bisect_left(ends, number)
        before.append(last[length - 1] if length else -1)
        if length == len(ends):
            ends.append(number)
            last.append(at)
        else:
            ends[length], last[length] = number, at
    found: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


def _number(place: int | None) -> int:
    return -1 if place is None else place
