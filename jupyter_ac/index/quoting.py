"""Quotes names for text in which blanks, brackets and line ends mean something."""

import json
import re
from typing import Final

HIDDEN: Final = (
    "\x00-\x20\x7f-\xa0\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ud800-\uf8ff\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
)
"""Characters that nobody sees, or sees as something else, to stand in an expression's brackets.

They are listed, since each version of Python has tables of its own and maps are the same anywhere.
"""

_HIDDEN: Final = re.compile(f"[{HIDDEN}]")


def quoted(name: str) -> str:
    """Write a name as a JSON string in which nothing is hidden."""
    bare = json.dumps(name, ensure_ascii=False)
    return _HIDDEN.sub(_escaped, bare)


def _escaped(match: re.Match[str]) -> str:
    sign = match.group()
    return sign if sign == " " else json.dumps(sign)[1:-1]


def on_one_line(text: str) -> str:
    """Put a blank for each character that is hidden."""
    return _HIDDEN.sub(" ", text)
