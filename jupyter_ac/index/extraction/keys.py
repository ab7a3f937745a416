"""The keys of a file of settings; a file of data has none that anybody looks for."""

from collections.abc import Sequence
from typing import Final

from jupyter_ac.index.records import Symbol

MAX_KEYS: Final = 50
_DATA: Final = 200
"""With more keys than this a file is a table of records, of messages, or of locked versions."""


def few_keys(symbols: Sequence[Symbol]) -> tuple[Symbol, ...]:
    """Return the symbols that count: the first keys of settings, none of data."""
    return tuple(symbols[:MAX_KEYS]) if len(symbols) <= _DATA else ()
