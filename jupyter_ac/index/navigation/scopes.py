"""What names mean inside a file, by its own symbols, its imports and the classes around a place."""

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

_DEFAULT: Final = "default"
_DEPTH: Final = 5
"""How far re-exports are followed."""

_MOST_BASES: Final = 30
"""Base classes that are looked at, of all levels."""


class Goal(NamedTuple):
    """What a name means: a symbol, a section of a document, a local name, or a whole file.

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
    """Looks names up from inside files.

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
        """Return what a name means that a file's imports make known."""
        record = self._view.record(path)
        for position, line in enumerate(record.imports if record is not None else ()):
            there = next((there for there, here in line.names if here == name), "")
            if there or bound_name(line) == name:
                found = self.taken(path, position, there)
                if found is not None:
                    return found
        return None

    def taken(self, path: RepoPath, position: int, name: str, depth: int = _DEPTH) -> Goal | None:
        """Return what a file's import of this index takes: a name out of it, or "" for all.

        The whole file stands for a name that isn't found there.
        """
        record, target = self._view.record(path), self._view.imported(path, position)
        if record is None or target is None:
            return None
        line = record.imports[position]
        stem = posixpath.basename(target).partition(".")[0]
        if not name or stem == line.module.rpartition(".")[2]:
            return self.exported(target, name, depth) if name else Goal(target)
        if stem == name:
            return (
                self.exported(target, name, depth) if self._is_class_file(target) else Goal(target)
            )
        if stem in {there for there, _ in line.names}:
            # Of several modules that are taken out of a package, the index names one.
            target = self._package(target) or target
        found = self.exported(target, name, depth)
        if name == _DEFAULT and found == Goal(target):
            # What is exported by default has no name of its own: its importer's is tried.
            here = next((here for there, here in line.names if there == name), "")
            found = self.exported(target, here, depth)
        return found

    def exported(self, path: RepoPath, name: str, depth: int = _DEPTH) -> Goal:
        """Return what a name taken out of a file means; the file itself when that isn't known."""
        record = self._view.record(path)
        symbol = child_named(record, NOBODY, name) if record is not None else NOBODY
        if symbol != NOBODY:
            return Goal(path, symbol)
        within = self._submodule(path, name)
        if within is not None:
            return Goal(within)
        for position, line in enumerate(record.imports if record is not None and depth else ()):
            there = next((there for there, here in line.names if here == name), "")
            found = self.taken(path, position, there, depth - 1) if there else None
            if found is not None:
                return found
        return Goal(path)

    def has_members(self, goal: Goal) -> bool:
        """Tell whether a name stands for a module or a class, and for no value of unknown type."""
        record = self._view.record(goal.path)
        if record is None or goal.symbol == NOBODY:
            return goal.heading == NOBODY
        return record.symbols[goal.symbol].kind in CLASSES

    def member(self, owner: Goal, name: str) -> Goal | None:
        """Return what a name means in a class, its base classes included, or in a module."""
        for each in self._lineage(owner):
            record = self._view.record(each.path)
            own = child_named(record, each.symbol, name) if record is not None else NOBODY
            if own != NOBODY:
                return Goal(each.path, own)
        if owner.symbol != NOBODY or owner.heading != NOBODY:
            return None
        found = self.exported(owner.path, name)
        return found if found != Goal(owner.path) else None

    def members(self, owner: Goal) -> Iterator[Goal]:
        """Give the symbols of a class and then of its base classes, or of a module."""
        for each in self._lineage(owner):
            record = self._view.record(each.path)
            for at in children(record, each.symbol) if record is not None else ():
                yield Goal(each.path, at)

    def packaged(self, path: RepoPath, base: str, name: str) -> Goal | None:
        """Return what a name in an imported package means where a package is a folder of files."""
        record = self._view.record(path)
        for line in record.imports if record is not None and base else ():
            if base not in {line.alias, line.module.rpartition("/")[2]}:
                continue
            for definition in self._view.defining(name):
                folder = posixpath.dirname(definition.path)
                if folder and f"/{line.module}".endswith(f"/{folder}"):
                    return goal_of(definition)
        return None

    def unique(self, name: str) -> Goal | None:
        """Return the only symbol of a name in the repository."""
        found = self._view.defining(name)
        return goal_of(found[0]) if len(found) == 1 else None

    def _lineage(self, owner: Goal) -> list[Goal]:
        """Return a class and its base classes, the nearest first, each once; or a module."""
        found = [owner] if owner.heading == NOBODY else []
        for each in found:
            if each.symbol != NOBODY and len(found) < _MOST_BASES:
                found += [base for base in self._bases(each) if base not in found]
        return found

    def _bases(self, owner: Goal) -> list[Goal]:
        record = self._view.record(owner.path)
        if record is None:
            return []
        symbol = record.symbols[owner.symbol]
        found = []
        for name in symbol.bases[:_MOST_BASES]:
            last = name.replace("::", ".").rpartition(".")[2]
            base = self.visible(owner.path, last, symbol.line) or self.unique(last)
            if base is not None and base.symbol != NOBODY:
                found.append(base)
        return found

    def _language(self, path: RepoPath) -> Language:
        record = self._view.record(path)
        return UNKNOWN if record is None else described(record.language)

    def _is_class_file(self, path: RepoPath) -> bool:
        return self._language(path).names.names_files_after_classes

    def _package(self, path: RepoPath) -> RepoPath | None:
        """Return the file that stands for the package that a file is in."""
        folder = posixpath.dirname(path)
        names = self._language(path).imports.package_files
        files = (RepoPath(posixpath.join(folder, each)) for each in names)
        return next((file for file in files if self._view.record(file) is not None), None)

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
