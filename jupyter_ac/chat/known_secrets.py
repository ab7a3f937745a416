"""Finds values that are known to be secrets wherever they stand, also when they were cut."""

import json
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from jupyter_ac.chat.text_spans import Span

_LEAST_CUT_CHARS: Final = 12
"""So much of the beginning of a value is found as well: summaries cut long values."""

_CUT_ENDS: Final = ("…", "'", '"', "|", " ", "\n", "")

_COMPARED_CHARS: Final = 256
"""Of values that are alike, the nearest is looked for by so many characters."""

_MOST_VALUES: Final = 500
"""Values that are searched for in each text."""


class KnownSecrets:
    """Values, each also as it is written in a literal, in JSON and in an address."""

    def __init__(self) -> None:
        """Begin without values."""
        self._values: dict[str, None] = {}
        self._alike: dict[str, list[str]] = {}

    def learn(self, value: str) -> None:
        """Add a value; further ones than 500 are left out."""
        if value in self._values or len(self._values) >= _MOST_VALUES:
            return
        quoted = quote(value, safe="", errors="replace")
        for written in dict.fromkeys((value, repr(value)[1:-1], json.dumps(value)[1:-1], quoted)):
            if written in self._values:
                continue
            self._values[written] = None
            if len(written) > _LEAST_CUT_CHARS:
                alike = self._alike.setdefault(written[:_LEAST_CUT_CHARS], [])
                alike.insert(bisect_left(alike, written), written)

    def spans(self, text: str) -> Iterator[Span]:
        """Yield where values stand in a text, in no order; takes time linear in its length."""
        for value in self._values:
            yield from _places(text, value)
        for beginning, alike in self._alike.items():
            yield from _cut_places(text, beginning, alike)


def _places(text: str, value: str) -> Iterator[Span]:
    at = text.find(value)
    while at >= 0:
        yield at, at + len(value)
        at = text.find(value, at + len(value))


def _cut_places(text: str, beginning: str, alike: list[str]) -> Iterator[Span]:
    """Yield where one of the values with this beginning stands whose rest was cut off."""
    longest = max(map(len, alike))
    at = text.find(beginning)
    while at >= 0:
        following = text[at : at + min(longest, _COMPARED_CHARS)]
        place = bisect_left(alike, following)
        near = alike[max(0, place - 1) : place + 1]
        length, value = max((_common(text, at, value), value) for value in near)
        if length < len(value) and text[at + length : at + length + 1] in _CUT_ENDS:
            yield at, at + length
        at = text.find(beginning, at + length)


def _common(text: str, at: int, value: str) -> int:
    """Return how many characters of a value stand at a place."""
    low, step = 0, _LEAST_CUT_CHARS
    while low < len(value) and text.startswith(value[low : low + step], at + low):
        low += min(step, len(value) - low)
        step *= 2
    while low < len(value) and text[at + low : at + low + 1] == value[low]:
        low += 1
    return low
