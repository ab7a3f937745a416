"""Resolves names across files: own scope first, then imports, then a unique definition."""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from jupyter_ac.index.graph.facts import APART, HOLDER, Base, Facts
from jupyter_ac.index.graph.facts import PLAIN as NO_HOLDER
from jupyter_ac.index.graph.keys import (
    NO_NAME,
    SELF,
    SUPER,
    WHOLE,
    distinction_of,
    key_of,
    place,
    slot_of,
    symbol_of,
)
from jupyter_ac.index.graph.name_frequency import COMMON, DISTINCTIVE, PLAIN
from jupyter_ac.index.graph.name_tables import (
    BoundNames,
    Definers,
    OpenedFiles,
    PackagedNames,
    UniqueNames,
)
from jupyter_ac.index.graph.package_scope import PackageScope
from jupyter_ac.index.graph.tables import FileTables, Links
from jupyter_ac.index.project.import_target import ANY_NAME
from jupyter_ac.index.records import NOBODY

UNKNOWN: Final = -1
OUTSIDE: Final = -2
"""Known to come from outside the repository."""

FindOwner: TypeAlias = Callable[[int, int, int], int]

_ANY_NAME: Final = key_of(ANY_NAME)
_STEPS: Final = 100
"""Files and classes that are looked at for one use: cycles and tangles end."""


class NameResolver:
    """Resolves names across files; the tables mustn't change meanwhile.

    Attributes:
        packages: what files know by them.
    """

    def __init__(self, tables: FileTables) -> None:
        self._tables = tables
        self._steps = 0
        self._neighbours: dict[int, list[int]] = {}
        self._bases: dict[int, frozenset[int]] = {}
        self._opened = OpenedFiles(tables)
        self._packaged = PackagedNames(tables)
        self.packages = PackageScope(tables, self._packaged)
        self._bindings = BoundNames(tables, self._packaged)
        self._definers = Definers(tables)
        self._unique = UniqueNames(tables, self._definers)
        self._owners: tuple[int, dict[tuple[int, int], int]] = (-1, {})

    def of(self, slot: int, name: int, before: int, around: int) -> int:
        """Return the place that a use means, or `UNKNOWN`."""
        self._steps = _STEPS
        facts = self._facts(slot)
        if before == NO_NAME:
            found = self._bare(slot, name, around)
            if found == UNKNOWN:
                is_plain_enough = facts.rules.bare_names == "global" or name in self._base_names(
                    slot
                )
                least = PLAIN if is_plain_enough else DISTINCTIVE
                found = self._by_itself(name, facts.family, least)
            return max(found, UNKNOWN)
        if before in {SELF, SUPER}:
            found = UNKNOWN
            if around != NOBODY:
                found = self._member(slot, around, name, inherited=before == SUPER)
            if found < 0:
                found = self._of_unknown(slot, name, facts)
                if before == SUPER and self._is_own(slot, around, found):
                    found = UNKNOWN
            return found
        return max(self._behind(slot, name, before, around, self._owner_of_use), UNKNOWN)

    def owner(self, slot: int, before: int, around: int) -> int:
        """Return the place of what stands before the dot of a use, or `UNKNOWN`."""
        self._steps = _STEPS
        if before in {NO_NAME, SELF, SUPER}:
            return UNKNOWN
        return max(self._owner_of_use(slot, before, around), UNKNOWN)

    def exported(self, slot: int, name: int) -> int:
        """Return what a file offers to others by a name, through re-exports too, or `UNKNOWN`."""
        self._steps = _STEPS
        return max(self._exported(slot, name), UNKNOWN)

    def bound(self, slot: int, name: int) -> int:
        """Return what a file's imports make a name mean, or `UNKNOWN`.

        For what isn't found where it is imported from, that file stands.
        """
        self._steps = _STEPS
        found = self._bound(slot, name)
        if found == UNKNOWN:
            found = self._in_opened_classes(slot, name)
        if found < 0:
            files = (file for _, row, _ in self._bindings[slot].get(name, ()) for file in row)
            found = next((place(file, WHOLE) for file in files), UNKNOWN)
        return found

    def taken(self, slot: int, name: int, package: str) -> int:
        """Return what a file takes out of a package, or out of a class in one, by a name."""
        self._steps = _STEPS
        found = self._bindings.taken(slot, name, package)
        return UNKNOWN if found is None else max(self._in_target(*found, name), UNKNOWN)

    def in_package_named(self, slot: int, name: int, before: int) -> int:
        """Return what a name means in a package whose name ends with what stands before it.

        Where nothing stands before it, that is any package that the file knows.
        """
        at = self.packages.holder(slot, name, before)
        return UNKNOWN if at is None else self._top(at, name)

    def files_taken_from(self, slot: int) -> Iterator[int]:
        """Yield the files of what the imports of a file take out of packages, or open in them."""
        links = self._tables.links[slot]
        if not links or not (links.packages or any(links.takes)):
            return
        for rows in self._bindings[slot].values():
            for _, files, owner in rows:
                yield from files
                if owner != NOBODY:
                    yield from self.packages.with_parts(place(files[0], owner))
        for at in self.packages.opened_classes(slot):
            yield from self.packages.with_parts(at)

    def bases(self, slot: int, owner: int) -> list[int]:
        """Return the places of the classes that a class extends, as far as they are known."""
        self._steps = _STEPS
        found = (self._base(slot, base) for base in self._facts(slot).bases.get(owner, ()))
        return [number for number in found if number >= 0 and symbol_of(number) != WHOLE]

    def parts(self, slot: int, owner: int) -> list[int]:
        """Return the places of the other parts of a class that is declared in several places."""
        self._steps = _STEPS
        return list(self.packages.parts(slot, owner))

    def _owner_of_use(self, slot: int, before: int, around: int) -> int:
        """Return what stands before the dot of a use; a file's uses are asked for in a row."""
        if self._owners[0] != slot:
            self._owners = slot, {}
        owners = self._owners[1]
        found = owners.get((before, around))
        if found is None:
            # With steps of its own: it shall be the same whatever was asked for before.
            steps, self._steps = self._steps, _STEPS
            found = owners[before, around] = self._owner(slot, before, around)
            self._steps = steps
        return found

    def _owner(self, slot: int, before: int, around: int) -> int:
        found = self._bare(slot, before, around)
        if found == UNKNOWN:
            found = self._by_itself(before, self._facts(slot).family, PLAIN)
            if found != UNKNOWN and self._kind(found) != HOLDER:
                found = UNKNOWN
        return found

    def _exported(self, slot: int, name: int) -> int:
        found = self._top(slot, name)
        if found == UNKNOWN and self._step():
            found = self._bound(slot, name)
        links = self._tables.links[slot]
        if found != UNKNOWN or links is None or not links.opened:
            return found
        return self._in_opened(slot, name)

    def _in_opened(self, slot: int, name: int) -> int:
        """Look a name up in all files that a file opens, and those that they open."""
        opened = self._opened[slot]
        definers = self._definers[name]
        if definers:
            holders = opened.keys() & definers
            for at in sorted(holders, key=opened.__getitem__):
                found = self._top(at, name)
                if found != UNKNOWN:
                    return found
        for at in opened if self._step() else ():
            found = self._bound(at, name)
            if found != UNKNOWN:
                return found
        return UNKNOWN

    def _step(self) -> bool:
        self._steps -= 1
        return self._steps > 0

    def _by_itself(self, name: int, family: str, least: int) -> int:
        """Return the one definition of a name that is distinctive enough, or `UNKNOWN`."""
        found = self._unique[name, family] if distinction_of(name) >= least else None
        return UNKNOWN if found is None else found

    def _of_unknown(self, slot: int, name: int, facts: Facts) -> int:
        """Look a name up behind something of which nothing is known."""
        if distinction_of(name) != COMMON:
            members = [symbol for symbol in facts.named(name) if facts.is_member(symbol)]
            if len(members) == 1:
                return place(slot, members[0])
        return self._by_itself(name, facts.family, DISTINCTIVE)

    def _behind(self, slot: int, name: int, before: int, around: int, find_owner: FindOwner) -> int:
        """Look a name up behind another one and a dot."""
        facts, rows = self._facts(slot), self._bindings[slot].get(before)
        if rows and self._local(slot, before) == UNKNOWN:
            for module in [file for there, files, _ in rows if there == NO_NAME for file in files]:
                found = self._exported(module, name)
                if found >= 0:
                    return found
        owner = find_owner(slot, before, around)
        if owner >= 0 and symbol_of(owner) == WHOLE:
            return self._exported(slot_of(owner), name)
        has_members = owner >= 0 and self._kind(owner) == HOLDER
        found = self._member(slot_of(owner), symbol_of(owner), name) if has_members else UNKNOWN
        if found == UNKNOWN:
            found = self.in_package_named(slot, name, before)
        if found != UNKNOWN or has_members:
            return found
        return OUTSIDE if owner == OUTSIDE else self._of_unknown(slot, name, facts)

    def _bare(self, slot: int, name: int, around: int) -> int:
        links = self._tables.links[slot]
        is_defined = self._definers[name]
        if is_defined:
            found = self._without_imports(slot, name, around)
            if found != UNKNOWN:
                return found
        if links is None:
            return UNKNOWN
        found = self._bound(slot, name)
        if found != UNKNOWN:
            return found
        if links.opened:
            found = self._in_opened(slot, name)
        if found == UNKNOWN and is_defined and _ANY_NAME in links.here:
            found = self._of_any_module(links, name)
        if found != UNKNOWN:
            return found
        return self._in_scope(slot, name) if is_defined else UNKNOWN

    def _in_scope(self, slot: int, name: int) -> int:
        """Look a name up in the other files whose names are known without an import."""
        facts = self._facts(slot)
        found = self._beside(slot, name) if facts.rules.scope == "folder" else UNKNOWN
        if found == UNKNOWN and facts.space:
            found = self.in_package_named(slot, name, NO_NAME)
            if found == UNKNOWN:
                found = self._in_opened_classes(slot, name)
        return found

    def _in_opened_classes(self, slot: int, name: int) -> int:
        """Look a name up among the members of the classes that a file opens."""
        for at in self.packages.opened_classes(slot):
            found = self._member(slot_of(at), symbol_of(at), name, bare=True)
            if found != UNKNOWN:
                return found
        return UNKNOWN

    def _without_imports(self, slot: int, name: int, around: int) -> int:
        facts = self._facts(slot)
        found = self._local(slot, name)
        if found == UNKNOWN and around != NOBODY and facts.rules.has_bare_members:
            found = self._member(slot, around, name, bare=True)
        if found == UNKNOWN and facts.rules.declares_apart:
            found = self._by_itself(name, facts.family, PLAIN)
        return found

    def _bound(self, slot: int, name: int) -> int:
        """Follow the imports that make a name known in a file."""
        rows = self._bindings[slot].get(name)
        if rows is None:
            return UNKNOWN
        leads_outside = True
        for there, files, owner in rows:
            for file in files:
                leads_outside = False
                found = self._in_target(file, owner, there)
                if found != UNKNOWN:
                    return found
        return OUTSIDE if leads_outside else UNKNOWN

    def _in_target(self, slot: int, owner: int, name: int) -> int:
        """Look a name up where an import takes it from: a file, or a class in it."""
        if name == NO_NAME:
            return place(slot, WHOLE)
        return self._exported(slot, name) if owner == NOBODY else self._member(slot, owner, name)

    def _of_any_module(self, links: Links, name: int) -> int:
        for here, files in zip(links.here, links.files, strict=True):
            if here == _ANY_NAME:
                found = self._top(files[0], name)
                if found != UNKNOWN:
                    return found
        return UNKNOWN

    def _beside(self, slot: int, name: int) -> int:
        neighbours = self._neighbours.get(slot)
        if neighbours is None:
            neighbours = self._neighbours[slot] = list(self._tables.neighbours(slot))
        return next((f for n in neighbours if (f := self._top(n, name)) != UNKNOWN), UNKNOWN)

    def _member(
        self, slot: int, owner: int, name: int, *, inherited: bool = False, bare: bool = False
    ) -> int:
        """Look a name up among a class's members, then among its bases'.

        Args:
            slot: of the file of the class.
            owner: the class.
            name: of the member.
            inherited: whether it isn't meant as far as the class itself has it.
            bare: whether nothing stands before it: a class's own name means no constructor then.
        """
        queue = [place(slot, owner), *self.packages.parts(slot, owner)]
        own = frozenset(queue) if inherited else ()
        for at in queue:
            if not self._step():
                break
            facts = self._facts(slot_of(at))
            is_its_name = bare and facts.names[symbol_of(at)] == name
            if at not in own and not is_its_name:
                for symbol in facts.named(name):
                    if facts.parents[symbol] == symbol_of(at):
                        return place(slot_of(at), symbol)
            for base in facts.bases.get(symbol_of(at), ()):
                found = self._base(slot_of(at), base)
                if found >= 0 and symbol_of(found) != WHOLE and found not in queue:
                    queue += [found, *self.packages.parts(slot_of(found), symbol_of(found))]
        return UNKNOWN

    def _is_own(self, slot: int, owner: int, found: int) -> bool:
        """Tell whether a place is a member of a class itself."""
        if owner == NOBODY or found < 0 or symbol_of(found) == WHOLE:
            return False
        parent = self._facts(slot_of(found)).parents[symbol_of(found)]
        around = place(slot_of(found), parent) if parent != NOBODY else UNKNOWN
        return around in {place(slot, owner), *self.packages.parts(slot, owner)}

    def _base_names(self, slot: int) -> frozenset[int]:
        bases = self._facts(slot).bases
        if not bases:
            return frozenset()
        found = self._bases.get(slot)
        if found is None:
            found = frozenset(base.name for row in bases.values() for base in row)
            self._bases[slot] = found
        return found

    def _base(self, slot: int, base: Base) -> int:
        if not self._step():
            return UNKNOWN
        if base.before != NO_NAME:
            return self._behind(slot, base.name, base.before, NOBODY, self._owner)
        found = self._bare(slot, base.name, NOBODY)
        if found == UNKNOWN:
            found = self._by_itself(base.name, self._facts(slot).family, PLAIN)
        return found

    def _top(self, slot: int, name: int) -> int:
        symbol = self._facts(slot).at_top(name)
        return UNKNOWN if symbol == NOBODY else place(slot, symbol)

    def _local(self, slot: int, name: int) -> int:
        """Look a name up among what isn't a member in a file; the outermost one counts."""
        facts = self._facts(slot)
        nested = UNKNOWN
        for symbol in facts.named(name):
            if facts.kinds[symbol] == APART or facts.is_member(symbol):
                continue
            if facts.parents[symbol] == NOBODY:
                return place(slot, symbol)
            if nested == UNKNOWN:
                nested = place(slot, symbol)
        return nested

    def _kind(self, number: int) -> int:
        if symbol_of(number) == WHOLE:
            return NO_HOLDER
        return self._facts(slot_of(number)).kinds[symbol_of(number)]

    def _facts(self, slot: int) -> Facts:
        return self._tables.facts[slot] or _NO_FACTS


_NO_FACTS: Final = Facts("", "")
