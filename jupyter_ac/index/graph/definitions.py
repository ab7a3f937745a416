"""Where names are defined."""

from array import array
from collections.abc import Iterable, Sequence
from typing import Final

_BITS: Final = 24
WHOLE: Final = (1 << _BITS) - 1
"""Number of no symbol: the file itself is meant."""


def place(slot: int, symbol: int) -> int:
    """Return a file and a symbol in it as one number."""
    return slot << _BITS | symbol


def slot_of(number: int) -> int:
    """Return the file of a place."""
    return number >> _BITS


def symbol_of(number: int) -> int:
    """Return the symbol of a place."""
    return number & WHOLE


class Definitions:
    """Places by the keys of names; a number alone where there is only one."""

    def __init__(self) -> None:
        self._places: dict[int, int | array[int]] = {}

    def __contains__(self, key: int) -> bool:
        return key in self._places

    def of(self, key: int) -> Sequence[int]:
        """Return the places of a name, in no order."""
        found = self._places.get(key)
        if found is None:
            return ()
        return (found,) if isinstance(found, int) else found

    def add(self, slot: int, names: Iterable[int]) -> None:
        """Add a file's symbols, in the order of its record."""
        places = self._places
        for symbol, key in enumerate(names):
            found = places.get(key)
            if found is None:
                places[key] = slot << _BITS | symbol
            elif isinstance(found, int):
                places[key] = array("Q", (found, slot << _BITS | symbol))
            else:
                found.append(slot << _BITS | symbol)

    def remove(self, slot: int, names: Iterable[int]) -> None:
        """Remove a file's symbols."""
        for symbol, key in enumerate(names):
            found = self._places.get(key)
            if isinstance(found, array):
                found.remove(slot << _BITS | symbol)
                if len(found) == 1:
                    self._places[key] = found[0]
            else:
                self._places.pop(key, None)
