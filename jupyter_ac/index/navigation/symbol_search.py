"""Searches symbols by a part of their name."""

import re
from collections.abc import Iterable
from heapq import nsmallest
from typing import Final, NamedTuple

from jupyter_ac.index.navigation.rows import SymbolRow
from jupyter_ac.index.records import NOBODY
from jupyter_ac.index.view import Definition, IndexView

MOST: Final = 200
_LONGEST_QUERY: Final = 200
_MOST_NAMES: Final = 5_000
_OF_ONE_NAME: Final = 20
"""Definitions of one name that are looked at, unless it is exactly the name looked for."""

_BETWEEN: Final = re.compile(r"::|->|[.#/]")
"""The separators, in any language, between the names of a container and of its symbol."""

_HUMP: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


class SymbolMatch(NamedTuple):
    """A name that fits.

    Attributes:
        rank: how well; less is better.
        length: of the name.
        name: itself.
    """

    rank: int
    length: int
    name: str


class SymbolQuery(NamedTuple):
    """A query for symbols.

    Attributes:
        name: a part of a symbol's name.
        container: the beginning of the name of the symbol around it; "" for any.
        limit: how many to find at most.
    """

    name: str
    container: str
    limit: int


def wanted(query: str, limit: int) -> list[SymbolQuery]:
    """Read a query: a part of a name, or `Class.part` for a symbol in another; the likelier first.

    Keys and rules may have in their names what else stands between two names.
    """
    text = query.strip()[:_LONGEST_QUERY]
    *outer, name = _BETWEEN.split(text)
    container = outer[-1].casefold() if outer else ""
    most = min(limit, MOST)
    return list(dict.fromkeys((SymbolQuery(name, container, most), SymbolQuery(text, "", most))))


def matching(names: Iterable[str], looked_for: SymbolQuery) -> list[SymbolMatch]:
    """Return the names that fit, the best first; no more than can be of use."""
    if not looked_for.name or looked_for.limit <= 0:
        return []
    fit = _Fit(looked_for.name)
    found = (match for name in names if (match := fit.match(name)) is not None)
    return nsmallest(_MOST_NAMES if looked_for.container else looked_for.limit, found)


def rows(
    view: IndexView, matches: Iterable[SymbolMatch], looked_for: SymbolQuery
) -> list[SymbolRow]:
    """Return the symbols of names that fit, the best first."""
    found: list[SymbolRow] = []
    for match in matches:
        if len(found) >= looked_for.limit:
            break
        found += _rows(view, match, looked_for.container, looked_for.limit - len(found))
    return found


def called(view: IndexView, names: Iterable[str]) -> list[SymbolRow]:
    """Return the symbols of exactly these names, `Class.name` among them, a few for each."""
    cut = [name[:_LONGEST_QUERY] for name in names]
    lasts = dict.fromkeys(last for name in cut for last in (name, _BETWEEN.split(name)[-1]))
    matches = (SymbolMatch(0, len(name), name) for name in lasts if name)
    return [row for match in matches for row in _rows(view, match, "", _OF_ONE_NAME)]


class _Fit:
    """Compares names with what is looked for."""

    def __init__(self, wanted: str) -> None:
        self._wanted = wanted
        self._folded = wanted.casefold()
        self._is_plain = self._folded.isalnum()

    def match(self, name: str) -> SymbolMatch | None:
        """Say how well a name fits, None when it doesn't."""
        if name == self._wanted:
            return SymbolMatch(0, len(name), name)
        folded = name.casefold()
        if folded == self._folded:
            return SymbolMatch(1, len(name), name)
        if folded.startswith(self._folded):
            return SymbolMatch(2, len(name), name)
        is_inside = self._folded in folded
        may_be = self._is_plain and (is_inside or self._may_be_humps(folded))
        if may_be and _covers(_HUMP.findall(name), self._folded):
            begins = folded.lstrip("_").startswith(self._folded[0])
            return SymbolMatch(3 if begins else 4, len(name), name)
        return SymbolMatch(5, len(name), name) if is_inside else None

    def _may_be_humps(self, folded: str) -> bool:
        """Tell whether the letters come in this order at all; quick, for most names don't."""
        at = 0
        for letter in self._folded:
            at = folded.find(letter, at) + 1
            if not at:
                return False
        return True


def _covers(humps: list[str], wanted: str) -> bool:
    """Tell whether a text consists of beginnings of successive humps, from any of them on."""
    rests = {wanted}
    for hump in humps:
        folded = hump.casefold()
        grown = set(rests)
        for rest in rests:
            for length, (ours, theirs) in enumerate(zip(rest, folded, strict=False), 1):
                if ours != theirs:
                    break
                grown.add(rest[length:])
        if "" in grown:
            return True
        rests = grown
    return False


def _rows(view: IndexView, match: SymbolMatch, container: str, limit: int) -> list[SymbolRow]:
    most = limit if match.rank == 0 or container else min(limit, _OF_ONE_NAME)
    rows: list[SymbolRow] = []
    for definition in view.defining(match.name):
        row = _row(view, definition)
        if row is not None and row["container"].casefold().startswith(container):
            rows.append(row)
        if len(rows) >= most:
            break
    return rows


def _row(view: IndexView, definition: Definition) -> SymbolRow | None:
    record = view.record(definition.path)
    if record is None:
        return None
    symbol = record.symbols[definition.symbol]
    parent = record.symbols[symbol.parent].name if symbol.parent != NOBODY else ""
    return {
        "name": symbol.name,
        "kind": symbol.kind,
        "file": definition.path,
        "line": symbol.line,
        "column": symbol.column + 1,
        "container": parent,
        "signature": symbol.signature,
    }
