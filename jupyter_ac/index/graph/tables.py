"""The tables of the graph: each file's number, facts and links, and indexes over them."""

from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.facts import Facts
from jupyter_ac.index.graph.postings import Postings
from jupyter_ac.index.graph.store import Store
from jupyter_ac.index.languages.registry import described
from jupyter_ac.index.project.path_tree import PathTree, folder_of

_FACTS_KEPT: Final = 2048


class Links:
    """The resolved targets of a file's imports and uses, as file numbers.

    Attributes:
        led: for each import the file that represents its target, or -1.
        here: names that imports bind.
        there: their names in the target; `NO_NAME` for a whole module.
        files: for each of them the target files.
        takes: for each of them the package that it is taken out of; "" when the files say it.
        opened: files all of whose names are visible.
        packages: packages all of whose names are.
        targets: for each use of the facts its target file, or -1.
        edges: other files that are referred to, ascending.
        weights: for each edge, the number of references.
    """

    __slots__ = (
        "edges",
        "files",
        "here",
        "led",
        "opened",
        "packages",
        "takes",
        "targets",
        "there",
        "weights",
    )

    def __init__(self) -> None:
        self.led = array("i")
        self.here = array("Q")
        self.there = array("Q")
        self.files: list[tuple[int, ...]] = []
        self.takes: list[str] = []
        self.packages: tuple[str, ...] = ()
        self.opened: tuple[int, ...] = ()
        self.targets = array("i")
        self.edges = array("I")
        self.weights = array("I")

    def bindings(self) -> set[tuple[int, int, tuple[int, ...], str]]:
        """Return what the imports make known by name."""
        return set(zip(self.here, self.there, self.files, self.takes, strict=True))


class AllFacts(dict[int, Facts | None]):
    """A cache of the facts of files by their numbers, read from the store on demand."""

    def __init__(self, store: Store, paths: list[RepoPath]) -> None:
        super().__init__()
        self._store = store
        self._paths = paths

    def __missing__(self, slot: int) -> Facts | None:
        if len(self) >= _FACTS_KEPT:
            self.clear()
        digest = self._store.digest(slot)
        found = self[slot] = digest.facts(self._paths[slot]) if digest else None
        return found


class FileTables:
    """All files, their facts and links by file number, and the indexes over them.

    Attributes:
        tree: of the paths.
        slots: number of each path.
        paths: path of each number.
        store: contents, records, facts.
        facts: of each number; None for a file in no known language.
        links: of each number.
        sources: for each file those that refer to it, be it by an import of which nothing is used.
        fame: by how many files each is referred to.
        touched: files whose fame is another since somebody has emptied this.
        definitions: files by the names of their symbols.
        postings: files by what they mention.
        free: numbers that can be given again.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.tree = PathTree()
        self.slots: dict[RepoPath, int] = {}
        self.paths: list[RepoPath] = []
        self.store = Store(folder)
        self.facts = AllFacts(self.store, self.paths)
        self.links: list[Links | None] = []
        self.sources: dict[int, array[int]] = {}
        self.fame = array("I")
        self.touched: set[int] = set()
        self.definitions = Postings()
        self.postings = Postings()
        self.free: list[int] = []

    def new_slot(self, path: RepoPath) -> int:
        """Give a path a number."""
        if self.free:
            slot = self.free.pop()
            self.paths[slot] = path
        else:
            slot = len(self.paths)
            self.paths.append(path)
            self.links.append(None)
            self.fame.append(0)
        self.slots[path] = slot
        return slot

    def release(self, slot: int) -> None:
        """Let a number be given again."""
        self.links[slot] = None
        self.fame[slot] = 0
        self.sources.pop(slot, None)
        self.free.append(slot)

    def refer(self, slot: int, links: Links, counted: Mapping[int, int]) -> None:
        """Note whom a file refers to, and how often."""
        before = {edge for edge, weight in zip(links.edges, links.weights, strict=True) if weight}
        edges = array("I", sorted(counted))
        if edges != links.edges:
            self._turn(slot, set(links.edges), set(edges))
            links.edges = edges
        links.weights = array("I", [counted[edge] for edge in edges])
        after = {edge for edge, weight in counted.items() if weight}
        for edge in before - after:
            self.fame[edge] -= 1
        for edge in after - before:
            self.fame[edge] += 1
        self.touched |= before ^ after

    def forget_sources(self) -> None:
        """Clear the reverse references, before all are recorded again."""
        self.sources.clear()
        self.fame = array("I", bytes(self.fame.itemsize * len(self.paths)))

    def _turn(self, slot: int, old: set[int], new: set[int]) -> None:
        for target in old - new:
            sources = self.sources.get(target)
            if sources is not None and slot in sources:
                sources.remove(slot)
        for target in new - old:
            self.sources.setdefault(target, array("I")).append(slot)

    def neighbours(self, slot: int) -> Iterable[int]:
        """Return the other files whose names a file knows without an import, sorted by path."""
        facts = self.facts[slot]
        return self.neighbours_at(self.paths[slot], facts.family) if facts else ()

    def neighbours_at(self, path: str, family: str) -> Iterable[int]:
        """Return the same for a path, whether there is a file or not."""
        folder = folder_of(path)
        if not described(family).names.shares_names(folder):
            return []
        prefix = f"{folder}/" if folder else ""
        found = []
        for name in sorted(self.tree.entries(folder)):
            slot = self.slots.get(RepoPath(prefix + name))
            facts = self.facts[slot] if slot is not None else None
            if slot is not None and facts and facts.family == family and prefix + name != path:
                found.append(slot)
        return found
