"""Names by what the resolver asks: who defines them, in which package, bound by which import.

Each fills as it is asked, and is of use as long as the tables don't change.
"""

from collections.abc import Collection, Iterable
from typing import Final, TypeAlias

from jupyter_ac.index.graph.facts import Facts
from jupyter_ac.index.graph.keys import key_of
from jupyter_ac.index.graph.tables import FileTables
from jupyter_ac.index.project.packages import enclosing
from jupyter_ac.index.records import NOBODY

Binding: TypeAlias = tuple[int, tuple[int, ...]]
"""The name in the target, and the target files."""

MOST_PARTS: Final = 100
"""Of one class; a repository with more of them costs no more."""

_KEPT: Final = 4096
_NAMES_KEPT: Final = 1 << 16


class PackagedNames(dict[int, dict[tuple[str, str], list[int]]]):
    """The files that define a name at top level, by their family and their packages.

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
            if facts is None or facts.rules.scope != "package" or not _is_at_top(facts, name):
                continue
            for package in packages.of(paths[slot]):
                parts = found.setdefault((facts.family, package), [])
                if len(parts) < MOST_PARTS:
                    parts.append(slot)
        return found

    def taken(self, family: str, name: int, package: str) -> int | None:
        """Return the file from which a name is taken out of a package, or out of a class in one."""
        found = self[name].get((family, package))
        if found is None:
            around, _, owner = package.rpartition(".")
            found = self[key_of(owner)].get((family, around))
        return found[0] if found else None

    def first(self, family: str, name: int, packages: Iterable[str]) -> int | None:
        """Return the file that defines a name in the first of some packages that has it."""
        files = self[name]
        found = (files.get((family, package)) for package in packages)
        return next((slots[0] for slots in found if slots), None)

    def inside(
        self, family: str, name: int, packages: Collection[tuple[str, int]], last: int
    ) -> int | None:
        """Return the file that defines a name in one of some packages, given by two parts each.

        Args:
            family: of the file.
            name: that is looked up.
            packages: for each what is around it, and the last part of its name.
            last: of a package that is taken if there is no other that ends so.
        """
        alike = []
        for (of, package), files in self[name].items():
            around, _, end = package.rpartition(".")
            if of == family and (around, key_of(end)) in packages:
                return files[0]
            if of == family and key_of(end) == last:
                alike.append(files[0])
        return alike[0] if len(alike) == 1 else None


class KnownPackages(dict[int, tuple[str, ...]]):
    """The packages whose names files know: their own, those around them, those that they open."""

    def __init__(self, tables: FileTables) -> None:
        super().__init__()
        self._tables = tables

    def __missing__(self, slot: int) -> tuple[str, ...]:
        links, facts = self._tables.links[slot], self._tables.facts[slot]
        own = self._tables.tree.packages.of(self._tables.paths[slot])
        opened = links.packages if links else ()
        if facts is not None and facts.rules.sees_outer_packages:
            own = tuple(around for package in own for around in enclosing(package))
            opened = tuple(
                f"{around}.{package}".lstrip(".") for package in opened for around in own
            )
        last = ("",) if facts is not None and facts.rules.sees_unnamed_package else ()
        found = self[slot] = tuple(dict.fromkeys((*own, *opened, *last)))
        return found


def _is_at_top(facts: Facts, name: int) -> bool:
    return any(facts.parents[symbol] == NOBODY for symbol in facts.named(name))


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
                found = self._taken(slot, there, package) if package else files
                rows.setdefault(here, []).append((there, found))
        return rows

    def _taken(self, slot: int, name: int, package: str) -> tuple[int, ...]:
        facts = self._tables.facts[slot]
        found = self._packaged.taken(facts.family, name, package) if facts else None
        return () if found is None else (found,)


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
