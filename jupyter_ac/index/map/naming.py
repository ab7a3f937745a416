"""Selects the symbols of a file that a map may show."""

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
_FOLDERS_OWN: Final = frozenset({"init", "index", "mod"})
"""Names of files that stand for the folder that they are in."""
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
    return _named(record.symbols) if record else ()


@lru_cache(maxsize=256)
def _named(symbols: tuple[Symbol, ...]) -> tuple[Name, ...]:
    kept: list[Name] = []
    places: dict[int, int] = {}
    seen: dict[tuple[str, int], int] = {}
    for at, symbol in enumerate(symbols):
        name, kind, _, _, first_line, last_line, around, signature, _, _ = symbol
        if kind in UNNAMED or len(kept) == MAX_NAMES:
            continue
        parent = places.get(around, NOBODY)
        lines = max(1, last_line - first_line + 1)
        first = places[at] = seen.setdefault((name, parent), len(kept))
        if first == len(kept):
            kept.append(Name(name, kind, lines, parent, signature))
        else:
            # Overloads, and what is defined twice under conditions, are one name.
            kept[first] = kept[first]._replace(lines=kept[first].lines + lines)
    return tuple(kept)


def core(path: str) -> str:
    """Return a file's name without its ending and without what makes it a test of another.

    A file that stands for its folder has the folder's name.
    """
    folder, name = posixpath.split(path)
    name = _TEST.sub("", name)
    bare = (name.lstrip(".").partition(".")[0] or name).strip("_").lower()
    return posixpath.basename(folder).lower() if bare in _FOLDERS_OWN else bare


@lru_cache(maxsize=200_000)
def is_test(path: str) -> bool:
    """Say whether a file is one of tests, by its name or a folder's."""
    folder, name = posixpath.split(path)
    return bool(_TEST.search(name)) or not _TEST_FOLDERS.isdisjoint(folder.lower().split("/"))
