"""Changes of `.gitignore` after which git may show files that it ignored before."""

from collections.abc import Sequence
from typing import Final

IGNORE_FILE: Final = ".gitignore"
UNIGNORES: Final = "git may stop ignoring files by it, and what git doesn't ignore is in the map"


def only_ignores_more(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether lines in the place of others make git ignore at least what it ignored before.

    That is so when patterns are only added, none of them with `!` (gitignore(5)).

    Args:
        old: the lines that are replaced, without their ends.
        new: the lines in their place.
    """
    rest = iter(old)
    wanted = next(rest, None)
    for line in new:
        if line == wanted:
            wanted = next(rest, None)
        elif line.startswith("!"):
            return False
    return wanted is None
