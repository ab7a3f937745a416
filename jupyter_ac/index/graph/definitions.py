"""A definition as one integer: the file's number and the symbol's."""

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
