"""Resolves names by the code around them: members by the type of the object before the dot."""

import re
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.name_frequency import COMMON, distinction
from jupyter_ac.index.languages.language import UNKNOWN, Language
from jupyter_ac.index.languages.registry import described
from jupyter_ac.index.navigation.candidates import Candidates
from jupyter_ac.index.navigation.rows import Certainty
from jupyter_ac.index.navigation.scopes import (
    CLASSES,
    Goal,
    Scopes,
    children,
    class_around,
    goal_of,
)
from jupyter_ac.index.occurrences.occurrence import NOWHERE, SELF, SUPER, Occurrence, Origin
from jupyter_ac.index.project.path_tree import folder_of
from jupyter_ac.index.records import NOBODY, Symbol
from jupyter_ac.index.view import IndexView

_VALUES: Final = frozenset({"variable", "constant", "property"})

_MAKERS: Final = frozenset({"new", "default", "create", "build", "from"})
"""Members that mostly make what they are taken off."""

_STATEMENT: Final = 50
"""Lines that one import may be spread over."""

_WORD: Final = re.compile(r"[^\W\d]\w*")
_MOST_WORDS: Final = 8


class Resolver:
    """Resolves names that occur in code, for one state of the index.

    Args:
        view: the index.
    """

    def __init__(self, view: IndexView) -> None:
        self._view = view
        self._scopes = Scopes(view)
        self._candidates = Candidates(view)

    def meaning(self, path: RepoPath, occurrence: Occurrence) -> tuple[Goal, Certainty] | None:
        """Return what a name means, and how sure that is; None when nothing tells."""
        # Fields, and variables of a shell, may be symbols besides.
        language = self._language(path)
        is_weak = occurrence.is_member or bool(language.syntax.local_words)
        known = None if occurrence.is_local and not is_weak else self._known(path, occurrence)
        if known is not None:
            return known, "likely"
        if occurrence.is_local:
            return Goal(path, local=occurrence.local), "likely"
        if not occurrence.is_member and language.names.bare_names == "imported":
            return None
        if (
            occurrence.is_member
            and occurrence.origin != NOWHERE
            and distinction(occurrence.name) == COMMON
        ):
            # What it is taken off has a name, which the repository doesn't know.
            return None
        guess = self._candidates.nearest(path, occurrence.name, members=occurrence.is_member)
        if guess is None and occurrence.is_member:
            guess = self._candidates.nearest(path, occurrence.name, members=False)
        if guess is None or (_is_inherited(occurrence) and self._is_own(path, guess, occurrence)):
            return None
        return guess, "guess"

    def _is_own(self, path: RepoPath, guess: Goal, occurrence: Occurrence) -> bool:
        """Tell whether a symbol is a member of the class that a name stands in."""
        owner = self._root(path, Origin(SELF, (), ()), occurrence.line)
        return owner is not None and guess in self._scopes.own_members(owner)

    def owner_named(self, path: RepoPath, occurrence: Occurrence) -> Goal | None:
        """Return the class, or the module, that a name stands for, or whose value it has."""
        origin = occurrence.origin
        if not occurrence.is_local:
            steps = (*origin.steps, occurrence.name) if occurrence.is_member else ()
            root = origin if occurrence.is_member else Origin(occurrence.name, (), ())
            origin = root._replace(steps=steps)
        return self.owner(path, origin, occurrence.line)

    def owner(self, path: RepoPath, origin: Origin, line: int) -> Goal | None:
        """Return the class, or the module, that a value of some origin belongs to."""
        steps = origin.steps
        is_packaged = bool(steps and origin.root)
        packaged = self._packaged(path, origin.root, steps[0]) if is_packaged else None
        if packaged is not None:
            goal, steps = self._type_of(packaged), steps[1:]
        else:
            goal = self._root(path, origin, line)
        for at, step in enumerate(steps):
            if goal is None:
                return None
            member = self._member(goal, step, inherited=at == 0 and origin.root == SUPER)
            made = self._made_by(goal, member) if member is not None else None
            goal = goal if made is None and step in _MAKERS else made
        return goal

    def _known(self, path: RepoPath, occurrence: Occurrence) -> Goal | None:
        if not occurrence.is_member:
            return self._bare(path, occurrence.name, occurrence.line)
        if occurrence.origin.root and not occurrence.origin.steps:
            packaged = self._packaged(path, occurrence.origin.root, occurrence.name)
            if packaged is not None:
                return packaged
        owner = self.owner(path, occurrence.origin, occurrence.line)
        if owner is None:
            return None
        return self._member(owner, occurrence.name, inherited=_is_inherited(occurrence))

    def _bare(self, path: RepoPath, name: str, line: int) -> Goal | None:
        rules = self._language(path).names
        if rules.has_bare_members:
            record = self._view.record(path)
            within = class_around(record, line) if record is not None else NOBODY
            if record is not None and within != NOBODY:
                owner = Goal(path, within)
                is_own_name = record.symbols[within].name == name
                own = owner if is_own_name else self._scopes.member(owner, name)
                if own is not None:
                    return self._class_made(own)
        found = self._scopes.visible(path, name, line)
        if found is None and rules.shares_names(folder_of(path)):
            found = self._candidates.beside(path, name)
        if found is None and rules.has_packages:
            found = self._packaged(path, "", name)
        return found or self._renamed(path, name, line)

    def _class_made(self, goal: Goal) -> Goal:
        """Return the class that a constructor with its name belongs to; else what is given."""
        record = self._view.record(goal.path)
        symbol = record.symbols[goal.symbol] if record is not None else None
        if record is None or symbol is None or symbol.parent == NOBODY:
            return goal
        is_constructor = record.symbols[symbol.parent].name == symbol.name
        return Goal(goal.path, symbol.parent) if is_constructor else goal

    def _renamed(self, path: RepoPath, name: str, line: int) -> Goal | None:
        """Return what a name means in the import that gives it another name here."""
        record = self._view.record(path)
        for each in record.imports if record is not None else ():
            if each.line <= line < each.line + _STATEMENT:
                here = next((here for there, here in each.names if there == name != here), "")
                if here:
                    return self._scopes.imported(path, here)
        return None

    def _root(self, path: RepoPath, origin: Origin, line: int) -> Goal | None:
        record = self._view.record(path)
        within = class_around(record, line) if record is not None else NOBODY
        own = Goal(path, within) if within != NOBODY else None
        if origin.root in {SELF, SUPER}:
            return own
        if origin.types:
            is_own = own is not None and not self._own_names(path).isdisjoint(origin.types)
            return own if is_own else self._class(path, origin.types, line, NOBODY)
        if not origin.root:
            return None
        found = self._bare(path, origin.root, line)
        if found is None:
            found = self._candidates.nearest(path, origin.root, members=False)
        return self._type_of(found) if found is not None else None

    def _class(self, path: RepoPath, names: tuple[str, ...], line: int, own: int) -> Goal | None:
        """Return the first class that one of some names in a type means."""
        for name in names:
            if name == "Self" and own != NOBODY:
                return Goal(path, own)
            found = self._bare(path, name, line)
            if found is None:
                found = self._candidates.nearest(path, name, members=False)
            if found is not None and self._is_class(found):
                return found
        return None

    def _member(self, owner: Goal, name: str, *, inherited: bool = False) -> Goal | None:
        found = self._scopes.member(owner, name, inherited=inherited)
        asked, constructor = self._language(owner.path).names.constructor
        if found is None and name == asked and name:
            found = self._scopes.member(owner, constructor, inherited=inherited)
        record = self._view.record(owner.path)
        is_attached = not inherited and owner.symbol != NOBODY
        if found is None and record is not None and is_attached:
            own_name = record.symbols[owner.symbol].name
            found = self._candidates.attached(owner.path, own_name, name)
        return found

    def _packaged(self, path: RepoPath, base: str, name: str) -> Goal | None:
        """Return what a name means in a package that is declared, or imported as a folder."""
        record = self._view.record(path)
        if record is None:
            return None
        rules = described(record.language).names
        if rules.has_packages:
            found = self._view.in_package(path, base, name)
            return goal_of(found) if found is not None else None
        if not rules.imports_folders:
            return None
        package = self._scopes.imported(path, base)
        if package is None or not package.is_file:
            return None
        return self._candidates.within(folder_of(package.path), path, name)

    def _made_by(self, owner: Goal, member: Goal) -> Goal | None:
        """Return the class of a member's value; what returns its own class returns the owner's."""
        record = self._view.record(member.path)
        if record is not None and member.symbol != NOBODY:
            result = record.symbols[member.symbol].signature.partition("->")[2]
            if not self._own_names(member.path).isdisjoint(_WORD.findall(result)):
                return owner
        return self._type_of(member)

    def _own_names(self, path: RepoPath) -> set[str]:
        """Return the words that stand for the class around them."""
        return {"Self", *self._language(path).names.self_names}

    def _type_of(self, goal: Goal) -> Goal | None:
        """Return the class that a symbol is, or has the type of; a file stands for itself."""
        record = self._view.record(goal.path)
        if goal.symbol == NOBODY or record is None or self._is_class(goal):
            return goal
        symbol = record.symbols[goal.symbol]
        words = tuple(_WORD.findall(_type_text(symbol))[:_MOST_WORDS])
        found = self._class(goal.path, words, symbol.line, symbol.parent)
        # `const o = { run() {} }`: an object that is written out is its own class.
        is_written_out = symbol.kind in _VALUES and any(children(record, goal.symbol))
        return goal if found is None and is_written_out else found

    def _is_class(self, goal: Goal) -> bool:
        record = self._view.record(goal.path)
        return (
            record is not None
            and goal.symbol != NOBODY
            and record.symbols[goal.symbol].kind in CLASSES
        )

    def _language(self, path: RepoPath) -> Language:
        record = self._view.record(path)
        return UNKNOWN if record is None else described(record.language)


def _is_inherited(occurrence: Occurrence) -> bool:
    """Tell whether a name is taken off what a class extends."""
    return occurrence.origin.root == SUPER and not occurrence.origin.steps


def _type_text(symbol: Symbol) -> str:
    """Return the part of a declaration that has the type of a value, or of a call's result."""
    if symbol.signature:
        return symbol.signature.rpartition("->")[2] if "->" in symbol.signature else ""
    before, _, after = symbol.detail.partition(symbol.name)
    # `Store store = new Store()`, `store: Store`, `store *Store`, `store = Store()`
    return f"{before} {after}"
