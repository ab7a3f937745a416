"""Which files hold a key, in eight bytes for each pair."""

from array import array
from collections.abc import Iterable
from typing import Final

_SHIFT: Final = 24
"""Bits for a file's number; the 40 bits before them are the key's."""
_VALUE: Final = (1 << _SHIFT) - 1
_KEY: Final = ~_VALUE
_FIRST_BITS: Final = 10
_FULL: Final = 64
"""Pairs that a row holds on average before there are four times as many rows."""


class Postings:
    """Pairs of a key of 64 bits, of which 40 count, and a file's number."""

    def __init__(self) -> None:
        self._mask = (1 << _FIRST_BITS) - 1
        self._rows: list[array[int] | None] = [None] * (self._mask + 1)
        self._count = 0

    def add(self, keys: Iterable[int], value: int) -> None:
        """Add a value for each of some keys; none of the pairs may be there."""
        rows, mask, count = self._rows, self._mask, 0
        for key in keys:
            at = (key >> _SHIFT) & mask
            row = rows[at]
            if row is None:
                rows[at] = array("Q", (key & _KEY | value,))
            else:
                row.append(key & _KEY | value)
            count += 1
        self._count += count
        while self._count > _FULL * (self._mask + 1):
            self._grow()

    def discard(self, keys: Iterable[int], value: int) -> None:
        """Take a value out of each of some keys."""
        for key in keys:
            row = self._rows[(key >> _SHIFT) & self._mask]
            pair = key & _KEY | value
            if row is not None and pair in row:
                row.remove(pair)
                self._count -= 1

    def of(self, key: int) -> list[int]:
        """Return the values of a key, in no order."""
        row = self._rows[(key >> _SHIFT) & self._mask]
        if not row:
            return []
        first = key & _KEY
        last = first | _VALUE
        return [pair & _VALUE for pair in row if first <= pair <= last]

    def _grow(self) -> None:
        size, old = 4 * (self._mask + 1), self._rows
        self._mask = size - 1
        self._rows = [None] * size
        for row in old:
            parts: dict[int, list[int]] = {}
            for pair in row or ():
                parts.setdefault((pair >> _SHIFT) & self._mask, []).append(pair)
            for at, pairs in parts.items():
                self._rows[at] = array("Q", pairs)
