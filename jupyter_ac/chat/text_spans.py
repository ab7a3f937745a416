"""Places in a text, and searches through long texts."""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

Span: TypeAlias = tuple[int, int]
"""Start and end of a place in a text, in characters."""

_SLICE_CHARS: Final = 64 * 1024
"""A regular expression holds the interpreter lock, so long texts are searched in slices."""

_OVERLAP_CHARS: Final = 8 * 1024


def merged(spans: list[Span]) -> list[Span]:
    """Sort spans and join those that overlap."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif end > start:
            joined.append((start, end))
    return joined


def matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches in slices of a text; one that a slice cuts is completed."""
    for start in range(0, len(text), _SLICE_CHARS):
        edge = start + _SLICE_CHARS + _OVERLAP_CHARS
        for match in pattern.finditer(text, start, edge):
            if match.start() >= start + _SLICE_CHARS:
                break
            whole = pattern.match(text, match.start()) if match.end() == edge else match
            if whole is not None:
                yield whole
