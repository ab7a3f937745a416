"""Incrementally re-resolves the files that a change can affect."""

from collections.abc import Collection, Iterable, Iterator

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.facts import Base, Facts
from jupyter_ac.index.graph.importing import family_marked, parts_given
from jupyter_ac.index.graph.keys import NO_NAME, distinction_of, import_key, import_key_of, use_key
from jupyter_ac.index.graph.linker import Linker, bases_of
from jupyter_ac.index.graph.name_frequency import COMMON
from jupyter_ac.index.graph.tables import FileTables, Links
from jupyter_ac.index.languages.registry import described
from jupyter_ac.index.project.path_tree import folder_of
from jupyter_ac.index.records import NOBODY

Old = tuple[Facts, Links | None]


class PendingChanges:
    """Changes of files since references were last resolved.

    Attributes:
        changed: files that are new or have new facts, with what was before.
        gone: numbers of files that were removed, each with its path and its earlier state.
        parts: keys of the parts of paths that came or went.
        folders: folders, each with the family whose imports below it may lead elsewhere.
        paths: that came or went.
        moved: paths of files that are in other packages than before.
    """

    def __init__(self) -> None:
        self.changed: dict[int, Old | None] = {}
        self.gone: dict[int, tuple[RepoPath, Old | None]] = {}
        self.parts: set[int] = set()
        self.folders: set[tuple[str, str]] = set()
        self.paths: list[RepoPath] = []
        self.moved: set[RepoPath] = set()

    def note_packages(self, path: RepoPath, packages: Collection[str]) -> None:
        """Note the packages that a file came into or went out of."""
        if packages:
            self.moved.add(path)
            self.parts.update(import_key(package.rpartition(".")[2]) for package in packages)
            # What is in no package is imported by its name alone, which a file may have, too.
            self.parts.update(map(import_key, parts_given(path, [])))

    def note_path(self, tables: FileTables, path: RepoPath, folders: list[str]) -> None:
        """Note that a path came or went, with folders that did so, too."""
        self.paths.append(path)
        self.parts.update(map(import_key, parts_given(path, folders)))
        family = family_marked(path)
        if family:
            folder = folder_of(path)
            self.folders.add((folder, family))
            names = (name.rstrip("/").partition(".")[0] for name in tables.tree.entries(folder))
            self.parts.update(import_key(name.replace("-", "_")) for name in names)


class IncrementalUpdate:
    """Re-resolves the files that some changes can affect.

    Attributes:
        is_whole: whether so much has changed that all files are resolved again.
    """

    def __init__(self, tables: FileTables, changes: PendingChanges) -> None:
        self._tables = tables
        self._changes = changes
        self._linker = Linker(tables)
        self._bases: dict[int, set[tuple[int, int, int]]] = {}
        self._whole: set[int] = set()
        self._some: dict[int, set[int]] = {}
        self._followed: set[int] = set()
        self._passed_whole: set[int] = set()
        self._passed: dict[tuple[int, bool], set[int]] = {}
        self._spread: list[tuple[int, frozenset[int] | None, bool]] = []
        self.is_whole = 2 * len(changes.changed) > len(tables.slots)

    def run(self) -> Iterator[None]:
        """Bring all links up to date; yield now and then when that takes long."""
        if self.is_whole:
            yield from self._link_all()
        else:
            yield from self._link_some()
        for slot in self._changes.gone:
            self._tables.release(slot)

    def _link_all(self) -> Iterator[None]:
        tables = self._tables
        tables.forget_sources()
        for slot in range(len(tables.paths)):
            facts = tables.facts[slot]
            tables.links[slot] = self._linker.follow_imports(slot, facts) if facts else None
            yield
        for slot in tables.slots.values():
            self._linker.follow_uses(slot)
            yield

    def _link_some(self) -> Iterator[None]:
        changes = self._changes
        gone_sources = {s for slot in changes.gone for s in self._sources(slot)}
        self._drop_edges()
        for slot in {*changes.changed, *gone_sources, *self._importers()}:
            self._link(slot)
            yield
        self._whole |= gone_sources
        for slot, old in changes.changed.items():
            self._compare(slot, self._tables.paths[slot], old, self._tables.facts[slot])
        for slot, (path, old) in changes.gone.items():
            self._compare(slot, path, old, None)
        while self._spread or self._whole or self._some:
            while self._spread:
                slot, names, taken_only = self._spread.pop()
                self._pass_on(slot, names, taken_only=taken_only)
                yield
            yield from self._follow()

    def _drop_edges(self) -> None:
        """Remove deleted files from their targets' sources; changed ones stay until linked."""
        for slot, (_, old) in self._changes.gone.items():
            if old and old[1]:
                self._tables.refer(slot, old[1], {})

    def _importers(self) -> set[int]:
        tables, found = self._tables, set()
        for key in self._changes.parts:
            found.update(tables.postings.of(key))
        watching = tables.tree.manifests.watching
        watched = {("", family) for path in self._changes.paths if (family := watching(path))}
        for folder, family in self._changes.folders | watched:
            for path in tables.tree.below(folder):
                slot = tables.slots[path]
                facts = tables.facts[slot]
                if facts and facts.family == family:
                    found.add(slot)
        return {slot for slot in found if tables.facts[slot]}

    def _link(self, slot: int) -> None:
        """Resolve a file's imports again; a changed target changes the meaning of names."""
        tables = self._tables
        facts, old = tables.facts[slot], tables.links[slot]
        if facts is None:
            if old:
                self._linker.forget(slot, old)
                self._spread.append((slot, None, False))
            return
        new = self._linker.follow_imports(slot, facts)
        before = self._changes.changed.get(slot)
        self._bases[slot] = bases_of(before[0] if before else facts, old)
        if old:
            new.edges, new.weights = old.edges, old.weights
            differing = old.bindings() ^ new.bindings()
            if old.opened != new.opened or old.packages != new.packages:
                self._spread.append((slot, None, False))
            elif differing:
                self._spread.append((slot, frozenset(row[0] for row in differing), False))
            is_same = old.opened == new.opened and old.packages == new.packages
            if not differing and is_same and slot not in self._changes.changed:
                new.targets = old.targets
                if old.led == new.led:
                    return
        else:
            # It may have been there, in no known language, and been imported.
            self._spread.append((slot, None, False))
        tables.links[slot] = new
        self._whole.add(slot)

    def _compare(self, slot: int, path: RepoPath, old: Old | None, new: Facts | None) -> None:
        """Note whom other definitions in a file concern."""
        before = _shapes(old[0]) if old else set()
        after = _shapes(new) if new else set()
        if new:
            self._whole.add(slot)
        others = before | after if path in self._changes.moved else before ^ after
        families = {facts.family for facts in (old[0] if old else None, new) if facts}
        names = self._mentioned(slot, {shape[0] for shape in others}, families)
        kept = {shape[:2] for shape in before} & {shape[:2] for shape in after}
        has_other_bases = any(shape[3] and shape[:2] in kept for shape in before ^ after)
        if old and new and (names or has_other_bases):
            self._spread.append((slot, None if has_other_bases else names, False))
        for family in families:
            # What one part of a class extends, or no longer extends, all parts do.
            extending = (shape for shape in others if shape[1] == NOBODY and shape[3])
            self._concern_parts(family, {shape[0] for shape in extending})
        if not names:
            return
        at_top = {shape[0] for shape in others if shape[1] == NOBODY}
        for family in families:
            for neighbour in self._tables.neighbours_at(path, family):
                self._some.setdefault(neighbour, set()).update(names)
            self._concern_takers(family, names, at_top)
        for name in names:
            if distinction_of(name) != COMMON:
                for user in self._users(name):
                    self._some.setdefault(user, set()).add(name)

    def _mentioned(
        self, slot: int, names: Collection[int], families: Collection[str]
    ) -> frozenset[int]:
        """Return those of some names that another file mentions: most new names are none."""
        of = self._tables.postings.of
        is_packaged = any(described(family).names.has_packages for family in families)
        return frozenset(
            name
            for name in names
            if self._users(name) - {slot} or (is_packaged and of(import_key_of(name)))
        )

    def _concern_takers(self, family: str, names: Collection[int], at_top: Collection[int]) -> None:
        """Note who may know names by the package that they are in, also under other names."""
        rules = described(family).names
        for name in names if rules.has_packages else ():
            # Without partial classes, members are known through a file that a user refers to.
            if rules.scope == "package" or name in at_top:
                for user in self._users(name):
                    self._some.setdefault(user, set()).add(name)
            self._whole.update(
                taker
                for taker in self._tables.postings.of(import_key_of(name))
                if self._tables.facts[taker]
            )

    def _pass_on(self, slot: int, names: frozenset[int] | None, *, taken_only: bool) -> None:
        """Note whom other names of a file concern: its sources, and theirs if they re-export.

        Args:
            slot: of the file.
            names: whose meaning in the file may be another; None for all.
            taken_only: whether they concern only who takes them by name out of the file.
        """
        facts = self._tables.facts[slot]
        if facts and names is None:
            self._concern_parts(facts.family, facts.classes_at_top())
        for source in self._sources(slot):
            links, facts = self._tables.links[source], self._tables.facts[source]
            if links is None or facts is None or source in self._changes.gone:
                continue
            rows = zip(links.here, links.there, links.files, strict=True)
            mine = [(here, there) for here, there, files in rows if slot in files]
            modules = {here for here, there in mine if there == NO_NAME}
            is_heir = slot in links.opened or (facts.bases and slot in self._base_files(source))
            if names is None:
                self._whole.add(source)
                if is_heir and source not in self._passed_whole:
                    self._passed_whole.add(source)
                    self._spread.append((source, None, False))
                taken = {here for here, there in mine if there != NO_NAME}
            elif taken_only:
                taken = {here for here, there in mine if there in names}
                self._concern(
                    source, taken | names if slot in links.opened else taken, taken_only=True
                )
                continue
            else:
                self._some.setdefault(source, set()).update(names)
                taken = {here for here, there in mine if there in names}
                taken = taken | names if is_heir else taken
            self._concern(source, taken, taken_only=False)
            self._concern(source, modules, taken_only=True)

    def _concern_parts(self, family: str, names: Collection[int]) -> None:
        """Note the files of all parts of some classes, and who refers to them."""
        if not described(family).names.has_partial_classes:
            return
        for name in names:
            for slot in self._tables.definitions.of(name):
                facts = self._tables.facts[slot]
                if facts and facts.family == family and slot not in self._passed_whole:
                    self._passed_whole.add(slot)
                    self._whole.add(slot)
                    self._spread.append((slot, None, False))

    def _concern(self, slot: int, names: set[int], *, taken_only: bool) -> None:
        """Note names that may mean something else in a file, and pass them on once."""
        self._some.setdefault(slot, set()).update(names)
        passed = self._passed.setdefault((slot, taken_only), set())
        fresh = frozenset(names - passed)
        if fresh:
            passed |= fresh
            self._spread.append((slot, fresh, taken_only))

    def _base_files(self, slot: int) -> set[int]:
        rows = self._bases.get(slot)
        if rows is None:
            rows = bases_of(self._tables.facts[slot], self._tables.links[slot])
        return {file for _, _, file in rows}

    def _follow(self) -> Iterator[None]:
        """Look the noted names up; once is enough: only who is concerned comes out bit by bit."""
        whole, some = self._whole - self._followed, self._some
        self._whole, self._some = set(), {}
        self._followed |= whole
        for slot in whole:
            self._follow_one(slot, None)
            yield
        for slot, names in some.items():
            if slot not in self._followed:
                self._follow_one(slot, names)
            yield

    def _follow_one(self, slot: int, names: set[int] | None) -> None:
        tables = self._tables
        before = self._bases.pop(slot, None)
        if before is None:
            before = bases_of(tables.facts[slot], tables.links[slot])
        self._linker.follow_uses(slot, names)
        if before != bases_of(tables.facts[slot], tables.links[slot]):
            # Its own inherited names are others, too.
            self._whole.add(slot)
            self._spread.append((slot, None, False))

    def _sources(self, slot: int) -> Iterable[int]:
        return tuple(self._tables.sources.get(slot, ()))

    def _users(self, name: int) -> set[int]:
        of = self._tables.postings.of
        return {*of(name), *of(use_key(name))}


def _shapes(facts: Facts) -> set[tuple[int, int, int, tuple[Base, ...]]]:
    """Return what others can see of a file's symbols, whatever their order."""
    found = set()
    for at, name in enumerate(facts.names):
        parent = facts.parents[at]
        around = facts.names[parent] if parent >= 0 else NOBODY
        found.add((name, around, facts.kinds[at], facts.bases.get(at, ())))
    return found
