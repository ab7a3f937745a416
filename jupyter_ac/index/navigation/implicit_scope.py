"""Names visible in a file without an import by name: included, of its package, inherited."""

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import attrgetter
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.languages.registry import described
from jupyter_ac.index.navigation.candidates import family_in
from jupyter_ac.index.navigation.scopes import (
    WHOLE,
    Goal,
    Scopes,
    class_around,
    goal_of,
)
from jupyter_ac.index.project.path_tree import folder_of
from jupyter_ac.index.records import NOBODY, FileRecord, Import, Symbol
from jupyter_ac.index.view import IndexView

_MOST_FILES: Final = 100
_MOST_SYMBOLS: Final = 10_000
"""That are compared with the beginning of a name, of all files."""

_MOST: Final = 100


class VisibleSymbol(NamedTuple):
    """A symbol of another file, or of a class around, that is visible without an import.

    Attributes:
        path: of its file.
        record: of its file.
        symbol: its index there.
    """

    path: RepoPath
    record: FileRecord
    symbol: int


class ImplicitScope:
    """Lists the names visible in a file that it neither defines nor imports by name.

    Args:
        view: the index.
        path: of the file.
        record: of the file.
    """

    def __init__(self, view: IndexView, path: RepoPath, record: FileRecord) -> None:
        self._view = view
        self._path = path
        self._record = record
        self._family = family_in(record)
        self._rules = described(record.language).names

    def known(self, line: int, word: str) -> Iterator[VisibleSymbol]:
        """Give the names that begin with a word on a line, the nearest first; not endless many."""
        begun = word.casefold()
        looked_at = islice(self._all(line), _MOST_SYMBOLS)
        found = (each for each in looked_at if _name(each).casefold().startswith(begun))
        return islice(found, _MOST)

    def _all(self, line: int) -> Iterator[VisibleSymbol]:
        yield from self._own_members(line)
        for path in islice(self._files(), _MOST_FILES):
            record = self._view.record_without_uses(path)
            if record is not None and family_in(record) == self._family:
                yield from (VisibleSymbol(path, record, at) for at in _shared(record))
        for opened in self._view.opened_classes(self._path):
            yield from self._members(goal_of(opened))

    def _own_members(self, line: int) -> Iterator[VisibleSymbol]:
        """Give the members of the class around a line, what it inherits among them."""
        within = class_around(self._record, line)
        if self._rules.has_bare_members and within != NOBODY:
            yield from self._members(Goal(self._path, within))

    def _members(self, owner: Goal) -> Iterator[VisibleSymbol]:
        members = Scopes(self._view).members(owner)
        for path, goals in groupby(members, attrgetter("path")):
            record = self._view.record_without_uses(path)
            if record is not None:
                yield from (VisibleSymbol(path, record, goal.symbol) for goal in goals)

    def _files(self) -> Iterator[RepoPath]:
        """Give the files whose names are known here."""
        if self._rules.has_transitive_imports:
            yield from self._taken_in()
        if self._rules.has_star_imports:
            yield from self._opened()
        if self._rules.shares_names(folder_of(self._path)):
            yield from self._beside(folder_of(self._path))
        if self._rules.scope == "package":
            yield from (f for f in self._view.in_known_packages(self._path) if f != self._path)
        if self._rules.scope == "tree":
            folder = folder_of(self._path)
            yield from self._beside(folder)
            yield from (each for each in self._alike() if folder_of(each) != folder)

    def _taken_in(self) -> Iterator[RepoPath]:
        """Give the files that are included, and what they include, each once."""
        found = [self._path]
        for path in found:
            record = self._view.record(path)
            for position in range(len(record.imports) if record is not None else 0):
                target = self._view.imported(path, position)
                if target is not None and target not in found and len(found) <= _MOST_FILES:
                    found.append(target)
                    yield target

    def _opened(self) -> Iterator[RepoPath]:
        for position, line in enumerate(self._record.imports):
            target = self._view.imported(self._path, position) if _takes_all(line) else None
            if target is not None and self._rules.names_files_after_classes:
                if not _is_of(line, target):
                    yield from self._beside(folder_of(target))
            elif target is not None:
                yield target
                if self._rules.imports_folders:
                    others = self._beside(folder_of(target))
                    yield from (each for each in others if each != target)

    def _beside(self, folder: str) -> Iterator[RepoPath]:
        return (each for each in self._alike() if folder_of(each) == folder)

    def _alike(self) -> Iterator[RepoPath]:
        """Give the other files that are named like this one."""
        end = f".{self._path.rpartition('.')[2]}"
        return (each for each in self._view.paths() if each.endswith(end) and each != self._path)


def _name(each: VisibleSymbol) -> str:
    return each.record.symbols[each.symbol].name


def _takes_all(line: Import) -> bool:
    return any(there == WHOLE for there, _ in line.names)


def _is_of(line: Import, target: RepoPath) -> bool:
    """Tell whether an import names a class, and not the package that the class is in."""
    return target.rpartition("/")[2].partition(".")[0] == line.module.rpartition(".")[2]


def _shared(record: FileRecord) -> Iterable[int]:
    """Give the symbols of a file that others see."""
    for at, symbol in enumerate(record.symbols):
        is_top = symbol.parent == NOBODY or _is_loose(record, record.symbols[symbol.parent], symbol)
        if is_top and described(record.language).names.is_public(symbol):
            yield at


def _is_loose(record: FileRecord, parent: Symbol, symbol: Symbol) -> bool:
    """Tell whether something is known by its bare name although it stands in something."""
    return described(record.language).names.opens_namespaces and (
        symbol.kind == "constant" or (parent.kind == "module" and parent.parent == NOBODY)
    )
