"""Read access to the graph: files, definitions, references, and how files are related."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.facts import Facts, around, before_key, called
from jupyter_ac.index.graph.graph_state import GraphState
from jupyter_ac.index.graph.importing import find
from jupyter_ac.index.graph.keys import NO_NAME, WHOLE, key_of, place, slot_of, symbol_of
from jupyter_ac.index.records import NOBODY, FileRecord, Use
from jupyter_ac.index.view import Definition, Spot

_NO_COLUMN: Final = 0


class FilesReader:
    """Reads files and their records; implements `FilesView`."""

    def __init__(self, graph: GraphState) -> None:
        self._graph = graph

    @property
    def generation(self) -> str:
        """Names the tree's content."""
        return self._graph.tables.store.generation

    @property
    def version(self) -> int:
        """Grows whenever something changes; counts from the start of the process."""
        return self._graph.journal.version

    def changed_since(self, version: int) -> Collection[RepoPath] | None:
        """Return the files that came, went or changed since, or are referred to by others."""
        return self._graph.journal.since(version)

    def content(self, path: RepoPath) -> str:
        """Return what names a file's content."""
        tables = self._graph.tables
        slot = tables.slots.get(path)
        return "" if slot is None else tables.store.blobs[slot] or ""

    def paths(self) -> Sequence[RepoPath]:
        """Return all files, sorted."""
        return tuple(self._graph.tables.tree.all())

    def record(self, path: RepoPath) -> FileRecord | None:
        """Return what a file says of itself."""
        return self._graph.record(path)

    def record_without_uses(self, path: RepoPath) -> FileRecord | None:
        """Return what a file says of itself without its uses."""
        slot = self._graph.tables.slots.get(path)
        return None if slot is None else self._graph.tables.store.record_without_uses(slot)

    def skipped(self) -> Mapping[RepoPath, str]:
        """Return the files that were left out or read in part, sorted, each with the reason."""
        return dict(sorted(self._graph.notes.items()))


class NamesReader:
    """Reads definitions and references; implements `NamesView`."""

    def __init__(self, graph: GraphState) -> None:
        self._graph = graph

    def defining(self, name: str) -> Sequence[Definition]:
        """Return the symbols of this name, sorted."""
        tables, key = self._graph.tables, key_of(name)
        found = []
        for slot in tables.definitions.of(key):
            facts = tables.facts[slot]
            path = tables.paths[slot]
            found += [Definition(path, symbol) for symbol in (facts.named(key) if facts else ())]
        return sorted(found)

    def meaning(self, path: RepoPath, use: int) -> Definition | None:
        """Return what a use means."""
        record, slot = self._graph.record(path), self._graph.tables.slots.get(path)
        if record is None or slot is None or not 0 <= use < len(record.uses):
            return None
        found = _named(self._graph, self._place(slot, self._called(slot, record, record.uses[use])))
        return found if found is not None and found.symbol != NOBODY else None

    def imported(self, path: RepoPath, position: int) -> RepoPath | None:
        """Return the file that an import leads to."""
        tables = self._graph.tables
        slot = tables.slots.get(path)
        links = tables.links[slot] if slot is not None else None
        if links is None or not 0 <= position < len(links.led) or links.led[position] < 0:
            return None
        return tables.paths[links.led[position]]

    def bound(self, path: RepoPath, name: str) -> Definition | None:
        """Return what a file's imports make a name mean, `NOBODY` of a file for the whole file."""
        slot = self._graph.tables.slots.get(path)
        return (
            None
            if slot is None
            else _named(self._graph, self._graph.resolver.bound(slot, key_of(name)))
        )

    def exported(self, path: RepoPath, name: str) -> Definition | None:
        """Return what a name taken out of a file means, through what that imports, too."""
        slot = self._graph.tables.slots.get(path)
        if slot is None:
            return None
        return _named(self._graph, self._graph.resolver.exported(slot, key_of(name)))

    def bases(self, definition: Definition) -> Sequence[Definition]:
        """Return the classes that a class extends."""
        slot = self._graph.tables.slots.get(definition.path)
        numbers = [] if slot is None else self._graph.resolver.bases(slot, definition.symbol)
        return [found for number in numbers if (found := _named(self._graph, number)) is not None]

    def parts(self, definition: Definition) -> Sequence[Definition]:
        """Return the other parts of a class that is declared in several places."""
        slot = self._graph.tables.slots.get(definition.path)
        numbers = [] if slot is None else self._graph.resolver.parts(slot, definition.symbol)
        return [found for number in numbers if (found := _named(self._graph, number)) is not None]

    def references(self, definition: Definition) -> Sequence[Spot]:
        """Return where a symbol is used or imported, sorted; imports have no columns."""
        tables = self._graph.tables
        slot = tables.slots.get(definition.path)
        facts = tables.facts[slot] if slot is not None else None
        if slot is None or facts is None or not 0 <= definition.symbol < len(facts.names):
            return []
        near = [slot, *tables.sources.get(slot, ())]
        names = self._other_names(facts.names[definition.symbol], near)
        wanted = place(slot, definition.symbol)
        found: set[Spot] = set()
        for at in near:
            if self._mentions(at, names):
                found.update(self._uses_in(at, names, wanted), self._imports_in(at, wanted))
        return sorted(found)

    def _called(self, slot: int, record: FileRecord, use: Use) -> Use:
        facts = self._graph.tables.facts[slot]
        return called(facts.rules, use, record.symbols) if facts is not None else use

    def _place(self, slot: int, use: Use) -> int:
        facts = self._graph.tables.facts[slot]
        if facts is None:
            return -1
        before = before_key(use.base)
        owner = around(facts, before, use.inside)
        number = self._graph.resolver.of(slot, key_of(use.name), before, owner)
        if before == NO_NAME and number >= 0 and slot_of(number) == slot:
            scoped = _in_scope(facts, key_of(use.name), use.inside)
            return number if scoped == NOBODY else place(slot, scoped)
        return number

    def _other_names(self, name: int, slots: Sequence[int]) -> set[int]:
        """Return the names by which a symbol is imported, its own one among them."""
        names, before = {name}, 0
        while len(names) != before:
            before = len(names)
            for slot in slots:
                links = self._graph.tables.links[slot]
                if links:
                    pairs = zip(links.there, links.here, strict=True)
                    names.update(here for there, here in pairs if there in names)
        return names

    def _mentions(self, slot: int, names: set[int]) -> bool:
        facts, links = self._graph.tables.facts[slot], self._graph.tables.links[slot]
        if facts is None or links is None:
            return False
        return any(name in facts.uses or name in links.there for name in names)

    def _uses_in(self, slot: int, names: set[int], wanted: int) -> list[Spot]:
        path = self._graph.tables.paths[slot]
        record = self._graph.record(path)
        spots = []
        for use in record.uses if record else ():
            meant = self._called(slot, record, use) if record else use
            if key_of(meant.name) in names and self._place(slot, meant) == wanted:
                spots.append(Spot(path, use.line, use.column, use.column + _width(use.name)))
        return spots

    def _imports_in(self, slot: int, wanted: int) -> list[Spot]:
        """Return the lines that take a symbol out of a file, by its own name or another."""
        tables = self._graph.tables
        path, facts = tables.paths[slot], tables.facts[slot]
        record = self._graph.record(path)
        spots = []
        for line in record.imports if record and facts else ():
            family = facts.family if facts else ""
            for row in find(tables.tree, path, family, line).bindings:
                name, resolver = key_of(row.there), self._graph.resolver
                targets = [tables.slots[RepoPath(file)] for file in row.files]
                found = {resolver.exported(at, name) for at in targets if row.there}
                if row.package:
                    found.add(resolver.taken(slot, name, row.package))
                if wanted in found:
                    spots.append(Spot(path, line.line, _NO_COLUMN, _NO_COLUMN))
        return spots


class PackagesReader:
    """Reads what files know by packages; implements `PackagesView`."""

    def __init__(self, graph: GraphState) -> None:
        self._graph = graph

    def in_known_packages(self, path: RepoPath) -> Iterator[RepoPath]:
        """Yield the files of the packages that a file is in, and of those that it opens."""
        tables = self._graph.tables
        slot = tables.slots.get(path)
        for package in () if slot is None else self._graph.resolver.packages.known(slot):
            yield from (RepoPath(each) for each in sorted(tables.tree.packages.files(package)))
            if slot is not None and not package:
                yield from self._in_no_package(slot)

    def in_package(self, path: RepoPath, package: str, name: str) -> Definition | None:
        """Return what a name means in a package by the last part of its name; "" for any known."""
        slot, resolver = self._graph.tables.slots.get(path), self._graph.resolver
        if slot is None:
            return None
        return _named(self._graph, resolver.in_package_named(slot, key_of(name), key_of(package)))

    def opened_classes(self, path: RepoPath) -> Sequence[Definition]:
        """Return the classes all of whose members the imports of a file make known."""
        slot = self._graph.tables.slots.get(path)
        numbers = () if slot is None else self._graph.resolver.packages.opened_classes(slot)
        return [found for number in numbers if (found := _named(self._graph, number)) is not None]

    def _in_no_package(self, slot: int) -> Iterator[RepoPath]:
        """Yield the files that declare no package, and share packages with a file."""
        tables = self._graph.tables
        own = tables.facts[slot]
        for path in map(RepoPath, tables.tree.all()):
            facts = tables.facts[tables.slots[path]]
            is_alike = facts is not None and own is not None and facts.space == own.space
            if is_alike and "" in tables.tree.packages.of(path):
                yield path


class GraphReader:
    """Reads the references between files; implements `GraphView`."""

    def __init__(self, graph: GraphState) -> None:
        self._graph = graph

    def targets(self, path: RepoPath) -> Mapping[RepoPath, int]:
        """Return the files that a file refers to, sorted, each with how often."""
        tables = self._graph.tables
        slot = tables.slots.get(path)
        links = tables.links[slot] if slot is not None else None
        if links is None:
            return {}
        pairs = zip(links.edges, links.weights, strict=True)
        return dict(sorted((tables.paths[edge], weight) for edge, weight in pairs if weight))

    def sources(self, path: RepoPath) -> Mapping[RepoPath, int]:
        """Return the files that refer to a file, sorted, each with how often."""
        tables = self._graph.tables
        slot = tables.slots.get(path)
        found = []
        for source in tables.sources.get(slot, ()) if slot is not None else ():
            links = tables.links[source]
            weight = links.weights[links.edges.index(slot)] if links and slot is not None else 0
            if weight:
                found.append((tables.paths[source], weight))
        return dict(sorted(found))

    def fame(self, path: RepoPath) -> int:
        """Return by how many files a file is referred to."""
        tables = self._graph.tables
        slot = tables.slots.get(path)
        return 0 if slot is None else tables.fame[slot]

    def popularity(self) -> Mapping[RepoPath, int]:
        """Return by how many files each file is referred to, those left out that none refers to."""
        tables = self._graph.tables
        return {tables.paths[slot]: count for slot, count in enumerate(tables.fame) if count}

    def holders(self, word: str) -> Sequence[RepoPath]:
        """Return the files among whose words this one is, sorted."""
        paths = self._graph.tables.paths
        return sorted(paths[slot] for slot in self._graph.tables.postings.of(key_of(word)))


def _named(graph: GraphState, number: int) -> Definition | None:
    """Return a place as readers know it; `NOBODY` of a file for the whole of it."""
    if number < 0:
        return None
    symbol = symbol_of(number)
    path = graph.tables.paths[slot_of(number)]
    return Definition(path, NOBODY if symbol == WHOLE else symbol)


def _in_scope(facts: Facts, name: int, inside: int) -> int:
    """Return the symbol of a name in the innermost scope around a place that has one."""
    scope = inside
    while True:
        for symbol in facts.named(name):
            if facts.parents[symbol] != scope:
                continue
            if not facts.is_member(symbol):
                return symbol
            if facts.rules.has_bare_members and facts.names[scope] != name:
                return symbol
        if scope == NOBODY:
            return NOBODY
        scope = facts.parents[scope]


def _width(name: str) -> int:
    return len(name) if name.isascii() else len(name.encode("utf-16-le", "surrogatepass")) // 2
