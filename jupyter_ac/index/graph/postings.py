"""Inverted index from keys to file numbers: eight bytes for each pair."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

Row: TypeAlias = "array[int]"

_SHIFT: Final = 24
"""Bits for a file's number; the 40 bits before them are the key's."""
_VALUE: Final = (1 << _SHIFT) - 1
_KEY: Final = ~_VALUE
_FIRST_BITS: Final = 10
_FULL: Final = 48
"""Pairs that a row holds on average before there are four times as many rows."""
_LONG: Final = 1024
"""A row with more pairs is looked through for keys that nearly every file holds."""


class Postings:
    """Pairs of a key of 64 bits, of which 40 count, and a file's number.

    Keys stand in rows, several in each. One that makes its row long gets a row of its own as soon
    as that row is read.
    """

    def __init__(self) -> None:
        self._mask = (1 << _FIRST_BITS) - 1
        self._rows: list[array[int] | None] = [None] * (self._mask + 1)
        self._own: dict[int, Row] = {}
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
            row, own = self._row(key), self._own.get(key & _KEY, ())
            pair = key & _KEY | value
            if pair in row:
                row.remove(pair)
                self._count -= 1
            elif value in own:
                self._own[key & _KEY].remove(value)

    def of(self, key: int) -> list[int]:
        """Return the values of a key, in no order."""
        row = self._row(key)
        first = key & _KEY
        last = first | _VALUE
        found = [pair & _VALUE for pair in row if first <= pair <= last]
        own = self._own.get(first)
        return found if own is None else found + own.tolist()

    def parts(self, size: int) -> Iterator[object]:
        """Yield all that `of_parts` takes, so many rows at a time."""
        for at in range(0, len(self._rows), size):
            yield self._rows[at : at + size]
        yield self._own

    @classmethod
    def of_parts(cls, parts: Iterator[object]) -> "Postings":
        """Make what has these parts; none that follow are taken."""
        made = cls()
        made._rows = []
        for part in parts:
            if isinstance(part, dict):
                made._own = part
                break
            if isinstance(part, list):
                made._rows += part
        made._mask = len(made._rows) - 1
        made._count = sum(len(row) for row in made._rows if row is not None)
        return made

    def _row(self, key: int) -> Row:
        """Return the row of a key, without those of its keys that make it long."""
        row = self._rows[(key >> _SHIFT) & self._mask]
        if row is None:
            return array("Q")
        if len(row) <= _LONG:
            return row
        counts = Counter([pair & _KEY for pair in row])
        for often in [key for key, count in counts.items() if count > _LONG // 2]:
            mine = [pair & _VALUE for pair in row if pair & _KEY == often]
            self._own.setdefault(often, array("I")).extend(mine)
            self._count -= len(mine)
            row[:] = array("Q", [pair for pair in row if pair & _KEY != often])
        return row

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
