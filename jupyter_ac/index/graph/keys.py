"""Names as numbers of 64 bits: the index compares them and never reads them back."""

from functools import lru_cache
from hashlib import blake2b
from typing import Final

from jupyter_ac.index.graph.distinctive import distinction

NO_NAME: Final = 0
_LAST_BITS: Final = 3
_USE: Final = 0x5BD1E9955BD1E995
_IMPORT: Final = 0x27D4EB2F165667C5

SELF_NAMES: Final = frozenset({"self", "cls", "this", "Self", "@"})
SUPER_NAMES: Final = frozenset({"super", "base", "parent"})


@lru_cache(maxsize=1 << 16)
def key_of(name: str) -> int:
    """Return the number of a name, the same on every machine.

    Its last bits say how distinctive the name is.
    """
    data = name.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest()) & ~_LAST_BITS | distinction(name)


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
