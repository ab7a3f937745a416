"""The integers that the graph compares: 64-bit keys of names; definitions by file and symbol."""

from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Final

from jupyter_ac.index.graph.name_frequency import distinction

NO_NAME: Final = 0
_LAST_BITS: Final = 3
_USE: Final = 0x5BD1E9955BD1E995
_IMPORT: Final = 0x27D4EB2F165667C5

_MAX_KEYS: Final = 1 << 17


class _Keys(dict[str, int]):
    """Numbers of names that were asked for; a look-up in a dict costs half of a cached call."""

    def __missing__(self, name: str) -> int:
        if not name:
            return NO_NAME
        if len(self) >= _MAX_KEYS:
            self.clear()
        # No repository can be written so that its names get the keys of others.
        written = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        key = self[name] = int.from_bytes(written) & ~_LAST_BITS | distinction(name)
        return key


key_of: Final[Callable[[str], int]] = _Keys().__getitem__
"""Returns the number of a name, the same on every machine.

Its last bits say how distinctive the name is.
"""


def distinction_of(key: int) -> int:
    """Return what `distinction` says of the name with this key."""
    return key & _LAST_BITS


def use_key(key: int) -> int:
    """Return the key of the postings that say who uses a name."""
    return key ^ _USE


def use_keys(keys: Iterable[int]) -> list[int]:
    """Return the same of many."""
    return [key ^ _USE for key in keys]


def import_key(part: str) -> int:
    """Return the key of the postings that say whose imports hold this part of a path."""
    return key_of(part) ^ _IMPORT


def import_key_of(key: int) -> int:
    """Return the same for the key of a name."""
    return key ^ _IMPORT


SELF: Final = key_of("self")
SUPER: Final = key_of("super")
EVERYTHING: Final = key_of("*")


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
