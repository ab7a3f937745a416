"""Names by what the resolver asks: who defines them, in which package, bound by which import.

Each fills as it is asked, and is of use as long as the tables don't change.
"""

from collections.abc import Collection
from typing import Final, TypeAlias

from jupyter_ac.index.graph.facts import APART, HOLDER, PLAIN, Facts
from jupyter_ac.index.graph.keys import key_of, place, slot_of, symbol_of
from jupyter_ac.index.graph.tables import FileTables
from jupyter_ac.index.project.packages import enclosing
from jupyter_ac.index.records import NOBODY

Binding: TypeAlias = tuple[int, tuple[int, ...], int]
"""The name in the target, the target files, and the class in them whose member it is."""

MOST_PARTS: Final = 100
"""Of one class; a repository with more of them costs no more."""

_MOST_NESTED: Final = 4
"""Names of classes in each other that the name of one may end with."""

_MOST_OPENED: Final = 100
"""Files of which one knows all names."""

_KEPT: Final = 4096
_NAMES_KEPT: Final = 1 << 16


def own_packages(tables: FileTables, slot: int) -> tuple[str, ...]:
    """Return the packages whose names a file knows without an import, the innermost first."""
    facts, found = tables.facts[slot], tables.tree.packages.of(tables.paths[slot])
    if facts and facts.rules.sees_outer_packages:
        return tuple(dict.fromkeys(around for package in found for around in enclosing(package)))
    if facts and facts.rules.sees_unnamed_package:
        return tuple(dict.fromkeys((*found, "")))
    is_scope = facts is not None and facts.rules.scope == "package"
    return found if is_scope else tuple(filter(None, found))


def written_out(tables: FileTables, slot: int, package: str) -> tuple[str, ...]:
    """Return the packages that one in an import may mean, the likeliest first."""
    facts = tables.facts[slot]
    rules = facts.rules if facts else None
    if not rules or not (rules.sees_outer_packages or rules.has_relative_imports):
        return (package,)
    # What is declared last is the innermost.
    own = own_packages(tables, slot)
    own = own if rules.sees_outer_packages else own[::-1]
    return tuple(dict.fromkeys(f"{around}.{package}".strip(".") for around in (*own, "")))


class PackagedNames(dict[int, dict[tuple[str, str], list[int]]]):
    """The files that define a name at top level, by what shares packages, and their packages.

    Of several in one package, as the parts of a class, the first one stands for all.
    """

    def __init__(self, tables: FileTables) -> None:
        super().__init__()
        self._tables = tables

    def __missing__(self, name: int) -> dict[tuple[str, str], list[int]]:
        if len(self) >= _NAMES_KEPT:
            self.clear()
        found = self[name] = dict[tuple[str, str], list[int]]()
        paths, packages = self._tables.paths, self._tables.tree.packages
        for slot in sorted(self._tables.definitions.of(name), key=paths.__getitem__):
            facts = self._tables.facts[slot]
            if facts is None or not facts.space or facts.at_top(name) == NOBODY:
                continue
            for package in packages.of(paths[slot]):
                parts = found.setdefault((facts.space, package), [])
                if len(parts) < MOST_PARTS:
                    parts.append(slot)
        return found

    def taken(self, space: str, name: int, package: str) -> tuple[int, int] | None:
        """Return the file from which a name is taken, and the class in it, or `NOBODY`.

        Args:
            space: what stands for all files whose packages are the same.
            name: in the package, or in a class.
            package: or a class in one.
        """
        found = self[name].get((space, package))
        if found is not None:
            return found[0], NOBODY
        owner = self.class_named(space, package)
        return None if owner is None else (slot_of(owner), symbol_of(owner))

    def class_named(self, space: str, written: str) -> int | None:
        """Return the place of the class that a package and the names of classes in it mean."""
        parts = written.split(".")
        for at in reversed(range(max(len(parts) - _MOST_NESTED, 0), len(parts))):
            for slot in self[key_of(parts[at])].get((space, ".".join(parts[:at])), ()):
                facts = self._tables.facts[slot]
                symbol = _class_in(facts, list(map(key_of, parts[at:]))) if facts else NOBODY
                if symbol != NOBODY:
                    return place(slot, symbol)
        return None

    def inside(
        self, space: str, name: int, packages: Collection[tuple[str, int]], last: int
    ) -> int | None:
        """Return the file that defines a name in one of some packages, given by two parts each.

        Args:
            space: what stands for all files whose packages are the same.
            name: that is looked up.
            packages: for each what is around it, and the last part of its name.
            last: of a package that is taken if there is no other that ends so.
        """
        alike = []
        for (of, package), files in self[name].items():
            around, _, end = package.rpartition(".")
            if of == space and (around, key_of(end)) in packages:
                return files[0]
            if of == space and key_of(end) == last:
                alike.append(files[0])
        return alike[0] if len(alike) == 1 else None


def _class_in(facts: Facts, names: list[int]) -> int:
    """Return the class that the names of classes in each other mean, from the top of a file."""
    symbol = facts.at_top(names[0])
    for name in names[1:]:
        if symbol == NOBODY:
            break
        symbol = facts.class_in(symbol, name)
    return symbol if symbol != NOBODY and facts.kinds[symbol] == HOLDER else NOBODY


class BoundNames(dict[int, dict[int, list[Binding]]]):
    """The names that imports bind: for each its name in the target, and the target files."""

    def __init__(self, tables: FileTables, packaged: PackagedNames) -> None:
        super().__init__()
        self._tables = tables
        self._packaged = packaged

    def __missing__(self, slot: int) -> dict[int, list[Binding]]:
        if len(self) >= _KEPT:
            self.clear()
        rows = self[slot] = dict[int, list[Binding]]()
        links = self._tables.links[slot]
        if links:
            imported = zip(links.here, links.there, links.files, links.takes, strict=True)
            for here, there, files, package in imported:
                found = self.taken(slot, there, package) if package else None
                row = (there, files, NOBODY) if found is None else (there, (found[0],), found[1])
                rows.setdefault(here, []).append(row)
        return rows

    def taken(self, slot: int, name: int, package: str) -> tuple[int, int] | None:
        """Return the file from which a name comes that an import takes, and the class in it."""
        facts = self._tables.facts[slot]
        for each in written_out(self._tables, slot, package) if facts else ():
            if facts and (found := self._packaged.taken(facts.space, name, each)) is not None:
                return found
        return None


class OpenedFiles(dict[int, dict[int, int]]):
    """The files all of whose names a file knows, and those that they open, in their order."""

    def __init__(self, tables: FileTables) -> None:
        super().__init__()
        self._tables = tables

    def __missing__(self, slot: int) -> dict[int, int]:
        queue = [slot]
        found = self[slot] = dict[int, int]()
        for at in queue:
            links = self._tables.links[at]
            for opened in links.opened if links else ():
                if opened not in found and len(found) < _MOST_OPENED:
                    found[opened] = len(found)
                    queue.append(opened)
        return found


class Definers(dict[int, list[int]]):
    """Files that define names."""

    def __init__(self, tables: FileTables) -> None:
        super().__init__()
        self._definitions = tables.definitions

    def __missing__(self, name: int) -> list[int]:
        if len(self) >= _NAMES_KEPT:
            self.clear()
        found = self[name] = self._definitions.of(name)
        return found


class UniqueNames(dict[tuple[int, str], int | None]):
    """The place of the one definition of a name in a family of languages.

    Several in one file and scope count as one; one that only declares gives way.
    """

    def __init__(self, tables: FileTables, definers: Definers) -> None:
        super().__init__()
        self._tables = tables
        self._definers = definers

    def __missing__(self, key: tuple[int, str]) -> int | None:
        name, family = key
        rows: list[tuple[bool, tuple[int, int], int]] = []
        for slot in self._definers[name]:
            facts = self._tables.facts[slot]
            if facts is None or facts.family != family:
                continue
            for symbol in facts.named(name):
                parent = facts.parents[symbol]
                is_inner = parent != NOBODY and facts.kinds[parent] == PLAIN
                if not is_inner and facts.kinds[symbol] != APART:
                    rows.append((facts.is_declaring, (slot, parent), place(slot, symbol)))
        if any(not declares for declares, _, _ in rows):
            rows = [row for row in rows if not row[0]]
        scopes = {scope for _, scope, _ in rows}
        self[key] = found = min(number for *_, number in rows) if len(scopes) == 1 else None
        return found
