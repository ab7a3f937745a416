"""Resolves a file's imports and uses to files: the edges of the graph."""

from array import array
from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.facts import Facts, imports_of
from jupyter_ac.index.graph.importing import find
from jupyter_ac.index.graph.keys import NO_NAME, key_of, slot_of
from jupyter_ac.index.graph.name_resolution import UNKNOWN, NameResolver
from jupyter_ac.index.graph.tables import FileTables, Links
from jupyter_ac.index.languages.registry import described
from jupyter_ac.index.project.path_tree import folder_of
from jupyter_ac.index.records import Import


def bases_of(facts: Facts | None, links: Links | None) -> set[tuple[int, int, int]]:
    """Return the bases of a file's classes: name, what stands before it, and their file."""
    if facts is None or links is None or not facts.bases or not links.targets:
        return set()
    return {(facts.uses[at], facts.before[at], links.targets[at]) for at in facts.base_uses}


class _Followed(NamedTuple):
    """The names and files that an import makes visible; members as in `Links`."""

    led: int
    here: list[int]
    there: list[int]
    files: list[tuple[int, ...]]
    takes: list[str]
    opened: tuple[int, ...]
    packages: tuple[str, ...]


class Linker:
    """Resolves imports and uses of files to other files; the tables mustn't change meanwhile."""

    def __init__(self, tables: FileTables) -> None:
        self._tables = tables
        self._resolver = NameResolver(tables)
        self._groups: dict[tuple[str, ...], tuple[int, ...]] = {}
        self._followed: dict[tuple[str, str, Import], _Followed] = {}

    def follow_imports(self, slot: int, facts: Facts) -> Links:
        """Return new links with what the imports make known; nothing is said of the uses."""
        links, path = Links(), self._tables.paths[slot]
        opened: dict[int, None] = {}
        for line in imports_of(facts):
            followed = self._follow(path, facts.family, line)
            links.led.append(followed.led)
            links.here.extend(followed.here)
            links.there.extend(followed.there)
            links.files.extend(followed.files)
            links.takes.extend(followed.takes)
            opened.update(dict.fromkeys(followed.opened))
            links.packages += followed.packages
        opened.pop(slot, None)
        links.opened = tuple(opened)
        return links

    def _follow(self, path: str, family: str, line: Import) -> _Followed:
        """Follow an import; in some languages it leads to the same from all files of a folder."""
        is_same = described(family).imports.is_same_in_folder
        place = (folder_of(path) if is_same else path), family, line
        done = self._followed.get(place)
        if done is None:
            found = find(self._tables.tree, path, family, line)
            files = self._slots(found.files)
            done = self._followed[place] = _Followed(
                files[0] if files else UNKNOWN,
                [key_of(row.here) for row in found.bindings],
                [key_of(row.there) if row.there else NO_NAME for row in found.bindings],
                [self._slots(row.files) for row in found.bindings],
                [row.package for row in found.bindings],
                self._slots(found.opened),
                found.packages,
            )
        return done

    def follow_uses(self, slot: int, only: Collection[int] | None = None) -> None:
        """Find out what a file's uses mean, all or those of some names."""
        facts, links = self._tables.facts[slot], self._tables.links[slot]
        if facts is None or links is None:
            return
        uses = zip(facts.uses, facts.before, facts.around, strict=True)
        if only is None or len(links.targets) != len(facts.uses):
            found = [self._target(slot, *use) for use in uses]
            links.targets = array("i", found)
            self._count(slot, facts, links)
            return
        is_other = False
        for at, (name, before, around) in enumerate(uses):
            if name in only or before in only:
                target = self._target(slot, name, before, around)
                is_other |= target != links.targets[at]
                links.targets[at] = target
        if is_other:
            self._count(slot, facts, links)

    def forget(self, slot: int, links: Links) -> None:
        """Take away the links of a file that has nothing to link any more."""
        self._tables.refer(slot, links, {})
        self._tables.links[slot] = None

    def _target(self, slot: int, name: int, before: int, around: int) -> int:
        """Return the file that a use leads to; that of its owner if it isn't found there."""
        found = self._resolver.of(slot, name, before, around)
        if found == UNKNOWN and before != NO_NAME:
            found = self._resolver.owner(slot, before, around)
        return slot_of(found) if found >= 0 else UNKNOWN

    def _count(self, slot: int, facts: Facts, links: Links) -> None:
        counted = Counter(led for led in links.led if led != UNKNOWN)
        for files in links.files:
            for file in files:
                counted[file] += 0
        for file in (*links.opened, *self._resolver.files_taken_from(slot)):
            counted[file] += 0
        for target, count in zip(links.targets, facts.counts, strict=True):
            counted[target] += count
        counted.pop(UNKNOWN, None)
        counted.pop(slot, None)
        self._tables.refer(slot, links, counted)

    def _slots(self, paths: tuple[str, ...]) -> tuple[int, ...]:
        """Return the numbers of files; equal ones share one tuple."""
        found = self._groups.get(paths)
        if found is None:
            slots = self._tables.slots
            found = self._groups[paths] = tuple(slots[RepoPath(path)] for path in paths)
        return found
