"""Reads a file for what it tells of its project, within limits; each language knows how."""

from itertools import islice
from typing import Final

from jupyter_ac.index.languages.registry import manifest_reader
from jupyter_ac.index.records import Manifest

MAX_BYTES: Final = 64 << 10
MAX_ROWS: Final = 200
_MAX_CHARS: Final = 500


def manifest_of(language: str, data: bytes) -> Manifest:
    """Return what a file tells of the project; () for what isn't such a file. Never raises.

    Args:
        language: of the file.
        data: the file.
    """
    if len(data) > MAX_BYTES:
        return ()
    rows = manifest_reader(language)(data)
    return tuple(islice((row for row in rows if _is_short(row)), MAX_ROWS))


def _is_short(row: tuple[str, ...]) -> bool:
    return all(len(value) <= _MAX_CHARS and "\0" not in value for value in row)
