"""Detects edits of `.gitignore` that may make ignored files visible to git."""

from collections.abc import Sequence
from typing import Final

IGNORE_FILE: Final = ".gitignore"
UNIGNORES: Final = (
    "it may make git stop ignoring files, and files that aren't ignored are in the map"
)


def only_ignores_more(old: Sequence[str], new: Sequence[str]) -> bool:
    """Return whether after an edit git still ignores everything that it ignored before.

    This is the case if patterns are only added, none of them with `!` (gitignore(5)).

    Args:
        old: the replaced lines, without their ends.
        new: the new lines.
    """
    rest = iter(old)
    wanted = next(rest, None)
    for line in new:
        if line == wanted:
            wanted = next(rest, None)
        elif line.startswith("!"):
            return False
    return wanted is None
