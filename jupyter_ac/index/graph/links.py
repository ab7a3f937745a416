"""Makes a file's links: where its imports lead, what its uses mean, whom it refers to."""

from array import array
from collections import Counter
from collections.abc import Collection

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.definitions import slot_of
from jupyter_ac.index.graph.facts import Facts, imports_of
from jupyter_ac.index.graph.importing import find
from jupyter_ac.index.graph.keys import NO_NAME, key_of
from jupyter_ac.index.graph.meanings import UNKNOWN, Meanings
from jupyter_ac.index.graph.world import Links, World


def bases_of(facts: Facts | None, links: Links | None) -> set[tuple[int, int, int]]:
    """Return the bases of a file's classes: name, what stands before it, and their file."""
    if facts is None or links is None or not facts.bases:
        return set()
    known = {base for row in facts.bases.values() for base in row}
    rows = zip(facts.uses, facts.before, links.targets, strict=False)
    return {row for row in rows if row[:2] in known}


class Linker:
    """Links the files of a world that doesn't change meanwhile."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._meanings = Meanings(world)
        self._groups: dict[tuple[str, ...], tuple[int, ...]] = {}

    def follow_imports(self, slot: int, facts: Facts) -> Links:
        """Return new links with what the imports make known; nothing is said of the uses."""
        links, path = Links(), self._world.paths[slot]
        opened: dict[int, None] = {}
        for line in imports_of(facts):
            found = find(self._world.tree, path, facts.family, line)
            files = self._slots(found.files)
            links.led.append(files[0] if files else UNKNOWN)
            opened.update(dict.fromkeys(self._slots(found.opened)))
            for here, there, where in found.bindings:
                links.here.append(key_of(here))
                links.there.append(key_of(there) if there else NO_NAME)
                links.files.append(self._slots(where))
        opened.pop(slot, None)
        links.opened = tuple(opened)
        return links

    def follow_uses(self, slot: int, only: Collection[int] | None = None) -> None:
        """Find out what a file's uses mean, all or those of some names."""
        facts, links = self._world.facts[slot], self._world.links[slot]
        if facts is None or links is None:
            return
        is_new = len(links.targets) != len(facts.uses)
        if is_new:
            links.targets = array("i", [UNKNOWN]) * len(facts.uses)
        uses = zip(facts.uses, facts.before, facts.around, strict=True)
        for at, (name, before, around) in enumerate(uses):
            if not (only is None or is_new or name in only or before in only):
                continue
            links.targets[at] = self._target(slot, name, before, around)
        self._count(slot, facts, links)

    def forget(self, slot: int, links: Links) -> None:
        """Take away the links of a file that has nothing to link any more."""
        self._turn(slot, set(links.edges), set())
        self._world.links[slot] = None

    def _target(self, slot: int, name: int, before: int, around: int) -> int:
        """Return the file that a use leads to; that of its owner if it isn't found there."""
        found = self._meanings.of(slot, name, before, around)
        if found == UNKNOWN and before != NO_NAME:
            found = self._meanings.owner(slot, before, around)
        return slot_of(found) if found >= 0 else UNKNOWN

    def _count(self, slot: int, facts: Facts, links: Links) -> None:
        counted = Counter(led for led in links.led if led != UNKNOWN)
        for files in links.files:
            for file in files:
                counted[file] += 0
        for file in links.opened:
            counted[file] += 0
        for target, count in zip(links.targets, facts.counts, strict=True):
            counted[target] += count
        counted.pop(UNKNOWN, None)
        counted.pop(slot, None)
        edges = array("I", sorted(counted))
        if edges != links.edges:
            self._turn(slot, set(links.edges), set(edges))
            links.edges = edges
        links.weights = array("I", [counted[edge] for edge in edges])

    def _turn(self, slot: int, old: set[int], new: set[int]) -> None:
        sources = self._world.sources
        for target in old - new:
            if target in sources and slot in sources[target]:
                sources[target].remove(slot)
        for target in new - old:
            sources.setdefault(target, array("I")).append(slot)

    def _slots(self, paths: tuple[str, ...]) -> tuple[int, ...]:
        """Return the numbers of files; equal ones share one tuple."""
        found = self._groups.get(paths)
        if found is None:
            slots = self._world.slots
            found = self._groups[paths] = tuple(slots[RepoPath(path)] for path in paths)
        return found
