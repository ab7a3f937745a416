"""Counts the tokens of maps, each distinct part once."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

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
