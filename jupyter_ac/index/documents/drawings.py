"""Finds the SVG files that a text names."""

import re
from collections.abc import Iterator
from typing import Final

LONGEST: Final = 300
"""Characters of a name before its extension."""

_RUN: Final = re.compile(r"[^\s\"'`()<>\[\]|,;=]{5,}+")
_EXTENSION: Final = re.compile(r"\.svg\b", re.IGNORECASE)
DRAWING: Final = re.compile(r".++", re.DOTALL)
"""The pattern of the matches that `drawings_in` yields."""


def drawings_in(text: str) -> Iterator[re.Match[str]]:
    """Yield one match for each run of characters without blanks that names an SVG file."""
    if ".svg" not in text:
        return
    for run in _RUN.finditer(text):
        ends = [found.span() for found in _EXTENSION.finditer(text, *run.span())]
        begin, end = ends[-1] if ends else (0, 0)
        name = DRAWING.match(text, max(run.start(), begin - LONGEST), end)
        if name is not None and begin > run.start():
            yield name
