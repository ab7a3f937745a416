"""Finds the references of a symbol among the occurrences of its name in code."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.languages.registry import described
from jupyter_ac.index.navigation.candidates import closest, family_in
from jupyter_ac.index.navigation.member_resolution import Resolver
from jupyter_ac.index.navigation.scopes import Goal
from jupyter_ac.index.navigation.source_text import units
from jupyter_ac.index.occurrences.occurrence import Occurrence
from jupyter_ac.index.records import NOBODY, FileRecord
from jupyter_ac.index.view import IndexView, Spot

MAX_FILES: Final = 400
_WORD: Final = 3
"""Shorter names are no words of the index."""


def files_to_look_at(view: IndexView, goal: Goal) -> list[tuple[RepoPath, list[str]]]:
    """Return the files that may name a symbol, the nearest first, with its names in each.

    At most `MAX_FILES`.
    """
    record = view.record(goal.path)
    if record is None or goal.symbol == NOBODY:
        return []
    name, family = record.symbols[goal.symbol].name, family_in(record)
    near = [goal.path, *view.sources(goal.path)]
    far: Sequence[RepoPath] = view.holders(name) if units(name) >= _WORD else ()
    found = []
    for path in dict.fromkeys((*near, *far)):
        there = view.record(path)
        if there is not None and family_in(there) == family:
            found.append((path, _names_in(there, name)))
        if len(found) == MAX_FILES:
            break
    return found


class ReferenceFilter:
    """Filters occurrences of a name for those that refer to one symbol.

    Args:
        view: the index.
        goal: the symbol.
    """

    def __init__(self, view: IndexView, goal: Goal) -> None:
        self._view = view
        self._goal = goal
        self._wanted = _group(view, goal)
        self._resolver = Resolver(view)

    def among(self, path: RepoPath, occurrences: Iterable[Occurrence]) -> Iterator[Spot]:
        """Give those of some places in a file that mean the symbol; its own is none."""
        record = self._view.record(path)
        own = {
            (symbol.line, symbol.column): at
            for at, symbol in enumerate(record.symbols if record is not None else ())
        }
        for occurrence in occurrences:
            at = own.get((occurrence.line, occurrence.column), NOBODY)
            if self._is_meant(path, at, occurrence):
                end = occurrence.column + units(occurrence.name)
                yield Spot(path, occurrence.line, occurrence.column, end)

    def _is_meant(self, path: RepoPath, at: int, occurrence: Occurrence) -> bool:
        if at != NOBODY:
            return Goal(path, at) in self._wanted and Goal(path, at) != self._goal
        known = self._resolver.meaning(path, occurrence)
        return known is not None and known[0] in self._wanted


def places_of_local(
    path: RepoPath, local: tuple[int, int], occurrences: Iterable[Occurrence]
) -> set[Spot]:
    """Return the places that mean a local name; its declaration is none."""
    return {
        Spot(path, occurrence.line, occurrence.column, occurrence.column + units(occurrence.name))
        for occurrence in occurrences
        if occurrence.local == local and (occurrence.line, occurrence.column) != local
    }


def _names_in(record: FileRecord, name: str) -> list[str]:
    """Return a name, and those that a file's imports give it."""
    pairs = (pair for line in record.imports for pair in line.names)
    return list(dict.fromkeys([name, *(here for there, here in pairs if there == name)]))


def _group(view: IndexView, goal: Goal) -> frozenset[Goal]:
    """Return a symbol with its overloads, and with what declares or defines the same elsewhere."""
    record = view.record(goal.path)
    if record is None:
        return frozenset()
    symbol = record.symbols[goal.symbol]
    found = {
        Goal(goal.path, at)
        for at, other in enumerate(record.symbols)
        if other.name == symbol.name and other.parent == symbol.parent
    }
    return frozenset(found | set(counterparts(view, goal)))


def counterparts(view: IndexView, goal: Goal) -> list[Goal]:
    """Return the declarations of a function of C that is defined, and the other way round."""
    record = view.record(goal.path)
    if (
        record is None
        or goal.symbol == NOBODY
        or not described(record.language).names.declares_apart
    ):
        return []
    symbol = record.symbols[goal.symbol]
    if symbol.kind not in {"function", "method"} or _is_private(record, goal.symbol):
        return []
    is_declared = is_declaration(record, goal.symbol)
    found = []
    for each in view.defining(symbol.name):
        other = view.record(each.path)
        if other is None or family_in(other) != family_in(record):
            continue
        is_other = is_declaration(other, each.symbol) != is_declared
        if is_other and _owner(other, each.symbol) == _owner(record, goal.symbol):
            is_own = each.path == goal.path or not _is_private(other, each.symbol)
            found += [Goal(each.path, each.symbol)] if is_own else []
    return found


def defined(view: IndexView, goal: Goal) -> Goal:
    """Return the function with a body that a mere declaration of C stands for, if there is one."""
    record = view.record(goal.path)
    if record is None or goal.symbol == NOBODY or not is_declaration(record, goal.symbol):
        return goal
    found = counterparts(view, goal)
    return closest(goal.path, found) if found else goal


def is_declaration(record: FileRecord, at: int) -> bool:
    """Tell whether a function of C is only declared."""
    symbol = record.symbols[at]
    return symbol.kind in {"function", "method"} and symbol.detail.rstrip().endswith(";")


def _is_private(record: FileRecord, at: int) -> bool:
    """Tell whether a function of C is known in its file alone."""
    return record.symbols[at].detail.startswith("static ") and not _owner(record, at)


def _owner(record: FileRecord, at: int) -> str:
    """Return the name of the class that a method belongs to, wherever it stands."""
    symbol = record.symbols[at]
    if symbol.parent != NOBODY:
        parent = record.symbols[symbol.parent]
        return "" if parent.kind == "module" else parent.name
    head = symbol.detail.partition(symbol.name)[0]
    return head.rpartition("::")[0].rpartition(" ")[2].rpartition("::")[2] if "::" in head else ""
