"""What a file knows by packages: the names in its own and in those that it opens."""

from collections.abc import Iterator

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.keys import NO_NAME, place, slot_of, symbol_of
from jupyter_ac.index.graph.name_tables import PackagedNames, own_packages, written_out
from jupyter_ac.index.graph.tables import FileTables
from jupyter_ac.index.project.path_tree import nearest
from jupyter_ac.index.records import NOBODY


class PackageScope:
    """Tells what files know by packages; the tables mustn't change meanwhile.

    Args:
        tables: of the files.
        packaged: names of the same tables by their packages.
    """

    def __init__(self, tables: FileTables, packaged: PackagedNames) -> None:
        self._tables = tables
        self._packaged = packaged
        self._own: dict[int, tuple[str, ...]] = {}
        self._opened: dict[int, tuple[str, ...]] = {}
        self._classes: dict[int, tuple[int, ...]] = {}

    def known(self, slot: int) -> tuple[str, ...]:
        """Return the packages whose names a file knows, its own and those around it first."""
        self._look_up(slot)
        facts, own, opened = self._tables.facts[slot], self._own[slot], self._opened[slot]
        # Where the unnamed package isn't around a file's own, it comes after what is opened.
        is_last = facts is not None and facts.rules.sees_unnamed_package and len(own) > 1
        if not is_last:
            return own + opened
        return (*filter(None, own), *opened, "")

    def holder(self, slot: int, name: int, before: int = NO_NAME) -> int | None:
        """Return the file of the known packages that has a name at top level.

        Args:
            slot: of the file that knows the packages.
            name: that is looked up.
            before: what the package's name ends with, if not any will do: that of one that an
                import gives this name, of one inside of those that are known, or of the only one.
        """
        if before != NO_NAME:
            return self._behind(slot, name, before)
        facts, files = self._tables.facts[slot], self._packaged[name]
        for package in self.known(slot) if facts and files else ():
            if facts and (found := files.get((facts.space, package))):
                return found[0] if facts.rules.has_partial_classes else self._nearest(slot, found)
        return None

    def _behind(self, slot: int, name: int, before: int) -> int | None:
        facts, links = self._tables.facts[slot], self._tables.links[slot]
        if not facts or not facts.space or not links or not self._packaged[name]:
            return None
        imported = zip(links.here, links.there, links.takes, strict=True)
        named = {
            (around, there)
            for here, there, package in imported
            if here == before
            for around in written_out(self._tables, slot, package)
        }
        own = {(around, before) for around in self.known(slot)}
        last = NO_NAME if named else before
        return self._packaged.inside(facts.space, name, named or own, last)

    def _nearest(self, slot: int, files: list[int]) -> int:
        paths, slots = self._tables.paths, self._tables.slots
        if len(files) == 1:
            return files[0]
        return slots[RepoPath(nearest([paths[at] for at in files], paths[slot]))]

    def opened_classes(self, slot: int) -> tuple[int, ...]:
        """Return the places of the classes all of whose members a file makes known by imports."""
        found = self._classes.get(slot)
        if found is None:
            facts = self._tables.facts[slot]
            self._look_up(slot)
            named = (
                self._packaged.class_named(facts.space, package)
                for package in (self._opened[slot] if facts else ())
                if facts
            )
            found = self._classes[slot] = tuple(at for at in named if at is not None)
        return found

    def parts(self, slot: int, owner: int) -> Iterator[int]:
        """Yield the places of the other parts of a class that is declared in several places."""
        facts = self._tables.facts[slot]
        if facts is None or not facts.rules.has_partial_classes or owner >= len(facts.names):
            return
        for part in facts.other_parts(owner):
            yield place(slot, part)
        if facts.parents[owner] != NOBODY:
            return
        name = facts.names[owner]
        files, of = self._packaged[name], self._tables.tree.packages.of
        packages = of(self._tables.paths[slot])
        slots = {at for package in packages for at in files.get((facts.space, package), ())}
        for at in sorted(slots - {slot}):
            there = self._tables.facts[at]
            top = there.at_top(name) if there else NOBODY
            if top != NOBODY:
                yield place(at, top)

    def with_parts(self, owner: int) -> Iterator[int]:
        """Yield the files in which a class is declared."""
        yield slot_of(owner)
        yield from map(slot_of, self.parts(slot_of(owner), symbol_of(owner)))

    def _look_up(self, slot: int) -> None:
        if slot in self._own:
            return
        links = self._tables.links[slot]
        opened = (
            each
            for package in (links.packages if links else ())
            for each in written_out(self._tables, slot, package)
        )
        self._own[slot] = own = own_packages(self._tables, slot)
        self._opened[slot] = tuple(each for each in dict.fromkeys(opened) if each not in own)
