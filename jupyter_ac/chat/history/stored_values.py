"""Validates values read from a history, which anybody may have written."""

import json
from dataclasses import fields
from typing import Final

from jupyter_ac.models.client import Usage

MOST_BYTES: Final = 16_000_000
"""A longer message or JSON text is not read; a turn of this program's own stays far below."""

MOST_BLOCK_BYTES: Final = 64_000_000
"""A longer block is none that was ever sent."""

UNREADABLE: Final = (
    *(ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError, RecursionError),
)
"""The exceptions that parsing a damaged value can raise."""


def bounded(column: str) -> str:
    """Write the SQL that reads a text column, with a sentence in place of one that is too long."""
    size = f"length(CAST({column} AS BLOB))"  # that of a text ends at a NUL
    return (
        f"CASE WHEN typeof({column}) = 'text' AND {size} <= {MOST_BYTES} THEN {column}"
        f" ELSE '[not shown: ' || COALESCE({size}, 0) || ' bytes are too many]' END"
    )


def json_value(written: object) -> object:
    """Read a JSON text.

    Raises:
        ValueError: it is none, too long or too deep.
    """
    if not isinstance(written, str) or len(written) > MOST_BYTES:
        raise ValueError("no text, or too long")
    try:
        return json.loads(written, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("too deep") from None


def strings(written: object) -> tuple[str, ...]:
    """Read a JSON array of strings.

    Raises:
        ValueError: it is none.
    """
    found = json_value(written)
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValueError("no list of strings")
    return tuple(found)


def counts(written: object, how_many: int) -> tuple[int, ...]:
    """Read a JSON array of so many counts.

    Raises:
        ValueError: it is none.
    """
    found = json_value(written)
    if not isinstance(found, list) or len(found) != how_many:
        raise ValueError("no list of counts")
    if not all(type(each) is int and each >= 0 for each in found):
        raise ValueError("no counts")
    return tuple(found)


def number_and_strings(written: object) -> tuple[int, tuple[str, ...]]:
    """Read a JSON array of a count and strings.

    Raises:
        ValueError: it is none.
    """
    found = json_value(written)
    if not isinstance(found, list) or not found:
        raise ValueError("no list")
    number, *rest = found
    if type(number) is not int or number < 0 or not all(isinstance(each, str) for each in rest):
        raise ValueError("no count and strings")
    return number, tuple(rest)


def mapping(written: object) -> dict[str, object]:
    """Read a JSON object.

    Raises:
        ValueError: it is no JSON.
        TypeError: it is another value.
    """
    found = json_value(written)
    if not isinstance(found, dict):
        raise TypeError("no object")
    return found


def usage_of(written: object) -> Usage | None:
    """Read what an answer used; None for NULL.

    Raises:
        ValueError: it isn't that.
        TypeError: it is another value.
    """
    if written is None:
        return None
    found = mapping(written)
    cost = found.get("cost_usd")
    counts = {name: found.get(name, 0) for name in _COUNTS}
    if not all(type(each) is int for each in counts.values()) or not _is_cost(cost):
        raise ValueError("no usage")
    return Usage(
        **{name: int(str(each)) for name, each in counts.items()},
        cost_usd=float(str(cost)) if cost is not None else None,
        estimated=found.get("estimated") is True,
    )


_COUNTS: Final = tuple(
    field.name for field in fields(Usage) if field.name not in {"cost_usd", "estimated"}
)


def _is_cost(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")
