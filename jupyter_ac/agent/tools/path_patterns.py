"""Patterns of paths, such as `src/**/*.py`; matching takes bounded time whatever they hold."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Final

from jupyter_ac.errors import InvalidParams

MAX_PATTERN_CHARS: Final = 500
_ANY_FOLDERS: Final = "**"


def path_pattern(pattern: str) -> Sequence[str]:
    """Return the segments of a pattern; one without a slash is of names in any folder.

    `*`, `?` and `[…]` stand for characters of one segment, `**` for any number of segments.

    Raises:
        InvalidParams: it is empty or too long.
    """
    if not pattern.strip("/") or len(pattern) > MAX_PATTERN_CHARS:
        raise InvalidParams(f"pattern must have 1 to {MAX_PATTERN_CHARS} characters.")
    segments: list[str] = [] if "/" in pattern.rstrip("/") else [_ANY_FOLDERS]
    for segment in filter(None, pattern.split("/")):
        if segment != _ANY_FOLDERS or segments[-1:] != [_ANY_FOLDERS]:
            segments.append(segment)
    if pattern.endswith("/"):
        segments.append(_ANY_FOLDERS)
    return segments


def is_match(pattern: Sequence[str], path: str) -> bool:
    """Return whether a path matches the segments of a pattern.

    Args:
        pattern: as from `path_pattern`.
        path: of a file, with slashes.
    """
    names = path.split("/")
    # reached[n]: the pattern so far matches the first n names; never a search that goes back.
    reached = [True, *(False for _ in names)]
    for segment in pattern:
        if segment == _ANY_FOLDERS:
            first = reached.index(True) if True in reached else len(reached)
            reached = [at >= first for at in range(len(reached))]
        else:
            reached = [
                False,
                *(
                    before and fnmatchcase(name, segment)
                    for before, name in zip(reached, names, strict=False)
                ),
            ]
    return reached[-1]
