"""Reads members of the browser's events, whatever a page has made of them.

A page chooses most of what is in an event: members are missing or of another type, numbers are NaN,
strings have 10 MB or halves of surrogate pairs. Each function returns a value that is safe to store
and to encode as JSON.
"""

import math
import re
from typing import Final, cast

from jupyter_ac.browser.cdp import Json

_LONGEST_NOTE: Final = 40
_CUT: Final = re.compile(r"… \([\d,]{1,20} characters\)$")
"""What a text that was cut ends with."""

SHORT: Final = 200
"""Longest name of a type, a method, a level or an id, in characters."""


def text_of(value: object, limit: int = SHORT) -> str:
    """Return a string that has at most `limit` characters and can be encoded; "" for no string."""
    return clip(value, limit) if isinstance(value, str) else ""


def clip(text: str, limit: int) -> str:
    """Cut a text, saying how long it was at first, and replace halves of surrogate pairs."""
    if len(text) > limit:
        known = _CUT.search(text, len(text) - _LONGEST_NOTE)
        note = f"… ({len(text):,} characters)" if known is None else known.group(0)
        text = f"{text[:limit]}{note}"
    return encodable(text)


def encodable(text: str) -> str:
    """Replace halves of surrogate pairs, which UTF-8 can't encode."""
    if text.isascii():
        return text
    # Two halves that belong together come as one character, except after a cut.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def number_of(value: object) -> float | None:
    """Return a finite number; None for anything else, such as NaN."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def whole_of(value: object, default: int = 0) -> int:
    """Return a whole number; `default` for anything else, such as NaN."""
    number = number_of(value)
    return default if number is None else int(number)


def object_of(value: object) -> Json:
    """Return an object; an empty one for anything else."""
    return cast("Json", value) if isinstance(value, dict) else {}


def items_of(value: object) -> list[object]:
    """Return a list; an empty one for anything else."""
    return value if isinstance(value, list) else []
