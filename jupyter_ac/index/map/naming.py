"""What the map may name of a file."""

import posixpath
import re
from functools import lru_cache
from typing import Final, NamedTuple

from jupyter_ac.index.records import NOBODY, FileRecord, Kind, Symbol

MAX_NAMES: Final = 400
"""Symbols of one file that the map may name."""
UNNAMED: Final[frozenset[Kind]] = frozenset({"key", "element", "rule"})
"""Kinds that it leaves out: values of settings, parts of pages."""

_TEST: Final = re.compile(
    r"^(?:tests?|spec)[_.-]|[_.-](?:tests?|spec)(?=\.|$)|(?<=[a-z])(?:Tests?|Spec)(?=\.)"
)
_TEST_FOLDERS: Final = frozenset({"test", "tests", "testing", "__tests__", "spec", "testdata"})


class Name(NamedTuple):
    """A symbol as the map knows it.

    Attributes:
        text: as written.
        kind: what it is.
        lines: how long it is.
        parent: index in the same file of the name around it, `NOBODY` at top level.
        signature: its parameters and result, in short.
    """

    text: str
    kind: Kind
    lines: int
    parent: int
    signature: str = ""


def names_of(record: FileRecord | None) -> tuple[Name, ...]:
    """Return what the map may name of a file, each once, in the order of the source."""
    kept: list[Name] = []
    places: dict[int, int] = {}
    seen: dict[tuple[str, int], int] = {}
    for at, symbol in enumerate(record.symbols if record else ()):
        if symbol.kind in UNNAMED or len(kept) == MAX_NAMES:
            continue
        parent = places.get(symbol.parent, NOBODY)
        first = seen.setdefault((symbol.name, parent), len(kept))
        places[at] = first
        if first == len(kept):
            kept.append(Name(symbol.name, symbol.kind, _lines(symbol), parent, symbol.signature))
        else:
            # Overloads, and what is defined twice under conditions, are one name.
            kept[first] = kept[first]._replace(lines=kept[first].lines + _lines(symbol))
    return tuple(kept)


def _lines(symbol: Symbol) -> int:
    return max(1, symbol.last_line - symbol.first_line + 1)


def core(path: str) -> str:
    """Return a file's name without its ending and without what makes it a test of another."""
    name = _TEST.sub("", posixpath.basename(path))
    bare = name.lstrip(".").partition(".")[0] or name
    return bare.strip("_").lower()


@lru_cache(maxsize=200_000)
def is_test(path: str) -> bool:
    """Say whether a file is one of tests, by its name or a folder's."""
    folder, name = posixpath.split(path)
    return bool(_TEST.search(name)) or not _TEST_FOLDERS.isdisjoint(folder.lower().split("/"))
