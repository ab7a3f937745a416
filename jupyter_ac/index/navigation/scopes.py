"""Resolves names lexically in a file; what crosses files is asked of the graph."""

import posixpath
from collections.abc import Iterator
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.languages.language import UNKNOWN, Language
from jupyter_ac.index.languages.registry import described
from jupyter_ac.index.records import NOBODY, FileRecord, Import
from jupyter_ac.index.view import Definition, IndexView

CLASSES: Final = frozenset({"class", "interface", "struct", "enum", "type", "module"})
WHOLE: Final = "*"
"""Stands for all names in an import that takes them all."""

_MOST_BASES: Final = 30
"""Base classes that are looked at, of all levels."""


class Goal(NamedTuple):
    """The definition that a name resolves to: a symbol, a section, a local name, or a file.

    Attributes:
        path: of the file.
        symbol: its index in the file's record, `NOBODY` for none.
        heading: the same of a section.
        local: line and column of a local name that is no symbol.
    """

    path: RepoPath
    symbol: int = NOBODY
    heading: int = NOBODY
    local: tuple[int, int] | None = None

    @property
    def is_file(self) -> bool:
        """Whether the whole file is meant."""
        return self == Goal(self.path)


def goal_of(definition: Definition) -> Goal:
    """Return a symbol as the meaning of a name."""
    return Goal(definition.path, definition.symbol)


def around(record: FileRecord, line: int) -> list[int]:
    """Return the symbols that a line is in, the innermost first."""
    found = [
        at
        for at, symbol in enumerate(record.symbols)
        if symbol.first_line <= line <= symbol.last_line
    ]
    return sorted(found, key=lambda at: (-record.symbols[at].first_line, -at))


def class_around(record: FileRecord, line: int) -> int:
    """Return the innermost class that a line is in, `NOBODY` for none."""
    inner = next(iter(around(record, line)), NOBODY)
    # Methods of Go, Rust and C++ may stand outside of what they belong to.
    while inner != NOBODY and record.symbols[inner].kind not in CLASSES:
        inner = record.symbols[inner].parent
    return inner


def children(record: FileRecord, parent: int) -> Iterator[int]:
    """Give the symbols directly in another, or at top level for `NOBODY`."""
    return (at for at, symbol in enumerate(record.symbols) if symbol.parent == parent)


def child_named(record: FileRecord, parent: int, name: str) -> int:
    """Return the first symbol of a name directly in another, `NOBODY` for none."""
    named = (at for at in children(record, parent) if record.symbols[at].name == name)
    return next(named, NOBODY)


def bound_name(line: Import) -> str:
    """Return the name by which the whole module of an import is known; "" for none."""
    if line.alias or line.names:
        return line.alias
    module = line.module.rpartition("::")[2]
    return module if "/" not in module and "." not in module else ""


class Scopes:
    """Resolves names lexically, and members of classes.

    Args:
        view: the index.
    """

    def __init__(self, view: IndexView) -> None:
        self._view = view

    def visible(self, path: RepoPath, name: str, line: int) -> Goal | None:
        """Return what a bare name means on a line of a file."""
        record = self._view.record(path)
        if record is None:
            return None
        for parent in (*around(record, line), NOBODY):
            is_class = parent != NOBODY and record.symbols[parent].kind in CLASSES
            found = NOBODY if is_class else child_named(record, parent, name)
            if found != NOBODY:
                return Goal(path, found)
        return self.imported(path, name)

    def imported(self, path: RepoPath, name: str) -> Goal | None:
        """Return what a name means that a file's imports make known.

        The whole file stands for a name that isn't found where it is imported from.
        """
        found = self._view.bound(path, name)
        return None if found is None else goal_of(found)

    def exported(self, path: RepoPath, name: str) -> Goal | None:
        """Return what a name taken out of a file means: a symbol, or a module of its package."""
        found = self._view.exported(path, name)
        if found is not None:
            return goal_of(found)
        within = self._submodule(path, name)
        return None if within is None else Goal(within)

    def has_members(self, goal: Goal) -> bool:
        """Tell whether a name stands for a module or a class, and for no value of unknown type."""
        record = self._view.record(goal.path)
        if record is None or goal.symbol == NOBODY:
            return goal.heading == NOBODY
        return record.symbols[goal.symbol].kind in CLASSES

    def member(self, owner: Goal, name: str, *, inherited: bool = False) -> Goal | None:
        """Return what a name means in a class, its base classes included, or in a module.

        Args:
            owner: the class or the module.
            name: of the member.
            inherited: whether it isn't meant as far as the class itself has it.
        """
        left_out = self._parts(owner) if inherited else []
        for each in self._lineage(owner):
            record = self._view.record(each.path) if each not in left_out else None
            own = child_named(record, each.symbol, name) if record is not None else NOBODY
            if own != NOBODY:
                return Goal(each.path, own)
        if owner.symbol != NOBODY or owner.heading != NOBODY:
            return None
        return self.exported(owner.path, name)

    def members(self, owner: Goal) -> Iterator[Goal]:
        """Give the symbols of a class and then of its base classes, or of a module."""
        for each in self._lineage(owner):
            record = self._view.record(each.path)
            for at in children(record, each.symbol) if record is not None else ():
                yield Goal(each.path, at)

    def own_members(self, owner: Goal) -> Iterator[Goal]:
        """Give the symbols of a class, all its parts included, without those of its bases."""
        for each in self._parts(owner):
            record = self._view.record(each.path)
            for at in children(record, each.symbol) if record is not None else ():
                yield Goal(each.path, at)

    def packaged(self, path: RepoPath, base: str, name: str) -> Goal | None:
        """Return what a name in an imported package means where a package is a folder of files."""
        package = self.imported(path, base)
        if package is None or not package.is_file:
            return None
        folder = posixpath.dirname(package.path)
        named = self._view.defining(name)
        return next(
            (goal_of(each) for each in named if posixpath.dirname(each.path) == folder), None
        )

    def unique(self, name: str) -> Goal | None:
        """Return the only symbol of a name in the repository."""
        found = self._view.defining(name)
        return goal_of(found[0]) if len(found) == 1 else None

    def _lineage(self, owner: Goal) -> list[Goal]:
        """Return a class and its base classes, the nearest first, each once; or a module."""
        found = self._parts(owner) if owner.heading == NOBODY else []
        for each in found:
            if each.symbol != NOBODY and len(found) < _MOST_BASES:
                bases = map(goal_of, self._view.bases(Definition(each.path, each.symbol)))
                parts = (part for base in bases for part in self._parts(base))
                found += [part for part in parts if part not in found]
        return found

    def _parts(self, owner: Goal) -> list[Goal]:
        """Return a class with its other parts, where it may be declared in several places."""
        if owner.symbol == NOBODY:
            return [owner]
        others = map(goal_of, self._view.parts(Definition(owner.path, owner.symbol)))
        return [owner, *others]

    def _language(self, path: RepoPath) -> Language:
        record = self._view.record(path)
        return UNKNOWN if record is None else described(record.language)

    def _submodule(self, path: RepoPath, name: str) -> RepoPath | None:
        """Return the file of a module in the package that a file stands for."""
        folder, file = posixpath.split(path)
        package_files = self._language(path).imports.package_files
        if file not in package_files:
            return None
        plain = (posixpath.splitext(each)[1] for each in package_files)
        for end in (*plain, *(f"/{each}" for each in package_files)):
            found = RepoPath(posixpath.join(folder, name + end))
            if self._view.record(found) is not None:
                return found
        return None
