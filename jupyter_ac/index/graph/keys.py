"""Names as numbers of 64 bits: the index compares them and never reads them back."""

from collections.abc import Callable
from typing import Final

from jupyter_ac.index.graph.distinctive import distinction

NO_NAME: Final = 0
_LAST_BITS: Final = 3
_USE: Final = 0x5BD1E9955BD1E995
_IMPORT: Final = 0x27D4EB2F165667C5

# The bytes of a name as one number, by a prime: a hash that costs a third of a cryptographic one.
_PRIME: Final = (1 << 61) - 1
_SPREAD: Final = 0x9E3779B97F4A7C15
_LONGEST: Final = (1 << 64) - 1
_MAX_KEYS: Final = 1 << 17

SELF_NAMES: Final = frozenset({"self", "cls", "this", "Self", "@"})
SUPER_NAMES: Final = frozenset({"super", "base", "parent"})


class _Keys(dict[str, int]):
    """Numbers of names that were asked for; a look-up in a dict costs half of a cached call."""

    def __missing__(self, name: str) -> int:
        if len(self) >= _MAX_KEYS:
            self.clear()
        number = int.from_bytes(name.encode("utf-8", "surrogatepass")) % _PRIME
        key = self[name] = (number * _SPREAD & _LONGEST) & ~_LAST_BITS | distinction(name)
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


def import_key(part: str) -> int:
    """Return the key of the postings that say whose imports hold this part of a path."""
    return key_of(part) ^ _IMPORT


SELF: Final = key_of("self")
SUPER: Final = key_of("super")
EVERYTHING: Final = key_of("*")
