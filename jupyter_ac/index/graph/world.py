"""All files of a tree in numbers, and the indexes over them."""

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.definitions import Definitions
from jupyter_ac.index.graph.postings import Postings
from jupyter_ac.index.graph.tree import Tree, folder_of

if TYPE_CHECKING:
    from jupyter_ac.index.graph.facts import Facts

NEIGHBOURLY: frozenset[str] = frozenset({"java", "go"})
"""Families in which the files of a folder know each other's names."""


class Links:
    """Where a file's imports and uses lead, in numbers of files.

    Attributes:
        led: for each import the file that stands for what it leads to, or -1.
        here: names that imports make known.
        there: what they are called where they come from; `NO_NAME` for a whole module.
        files: for each of them where to look.
        opened: files all of whose names are known.
        targets: for each use of the facts the file that it means, or -1.
        edges: files that are referred to, other than itself, rising.
        weights: how often.
    """

    __slots__ = ("edges", "files", "here", "led", "opened", "targets", "there", "weights")

    def __init__(self) -> None:
        self.led = array("i")
        self.here = array("Q")
        self.there = array("Q")
        self.files: list[tuple[int, ...]] = []
        self.opened: tuple[int, ...] = ()
        self.targets = array("i")
        self.edges = array("I")
        self.weights = array("I")

    def bindings(self) -> set[tuple[int, int, tuple[int, ...]]]:
        """Return what the imports make known."""
        return set(zip(self.here, self.there, self.files, strict=True))


class World:
    """The files, each with a number of its own for as long as it is there."""

    def __init__(self) -> None:
        self.tree = Tree()
        self.slots: dict[RepoPath, int] = {}
        self.paths: list[RepoPath] = []
        self.facts: list[Facts | None] = []
        self.links: list[Links | None] = []
        self.sources: dict[int, array[int]] = {}
        self.definitions = Definitions()
        self.postings = Postings()
        self._free: list[int] = []

    def new_slot(self, path: RepoPath) -> int:
        """Give a path a number."""
        if self._free:
            slot = self._free.pop()
            self.paths[slot] = path
        else:
            slot = len(self.paths)
            self.paths.append(path)
            self.facts.append(None)
            self.links.append(None)
        self.slots[path] = slot
        return slot

    def release(self, slot: int) -> None:
        """Let a number be given again."""
        self.facts[slot] = self.links[slot] = None
        self.sources.pop(slot, None)
        self._free.append(slot)

    def neighbours(self, slot: int) -> Iterable[int]:
        """Return the other files whose names a file knows without an import, sorted by path."""
        facts = self.facts[slot]
        return self.neighbours_at(self.paths[slot], facts.family) if facts else ()

    def neighbours_at(self, path: str, family: str) -> Iterable[int]:
        """Return the same for a path, whether there is a file or not."""
        if family not in NEIGHBOURLY:
            return []
        folder = folder_of(path)
        prefix = f"{folder}/" if folder else ""
        found = []
        for name in sorted(self.tree.entries(folder)):
            slot = self.slots.get(RepoPath(prefix + name))
            facts = self.facts[slot] if slot is not None else None
            if slot is not None and facts and facts.family == family and prefix + name != path:
                found.append(slot)
        return found
