"""The index of one working tree in memory: files are put and removed, readers see the whole."""

from collections.abc import Iterator

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.facts import Told, imports_of, read
from jupyter_ac.index.graph.importing import parts_wanted
from jupyter_ac.index.graph.keys import import_key, use_key
from jupyter_ac.index.graph.meanings import Meanings
from jupyter_ac.index.graph.reading import FilesReader, GraphReader, NamesReader, Shelf
from jupyter_ac.index.graph.settling import Changes, Settling
from jupyter_ac.index.graph.store import Stored, pack


class State(FilesReader, NamesReader, GraphReader):
    """Implements `IndexView` over what was put.

    What names mean and how files are related is as of the last `settle`; between a change and the
    next `settle` only that may be called which changes.
    """

    def __init__(self) -> None:
        self._shelf = Shelf()
        self._changes = Changes()

    def put(
        self, path: RepoPath, blob: str, language: str, encoded: bytes, packed: bytes = b""
    ) -> None:
        """Add or replace a file.

        Args:
            path: of the file.
            blob: names its content.
            language: of the file.
            encoded: its record; empty for a file in no known language.
            packed: the record compressed by zlib, when somebody has done that already.
        """
        shelf, world = self._shelf, self._shelf.world
        before = shelf.store.get(path)
        old = read(path, language, before.encoded()) if before and before.data else None
        new = read(path, language, encoded) if encoded else None
        slot = world.slots.get(path)
        if slot is None:
            slot = world.new_slot(path)
            self._changes.note_path(world, path, world.tree.add(path))
        self._note(slot)
        self._index(slot, path, old, new)
        shelf.store.put(path, Stored(blob, packed or pack(encoded)))
        shelf.notes.pop(path, None)
        if new and new.note:
            shelf.notes[path] = new.note

    def remove(self, path: RepoPath) -> None:
        """Forget a file; an unknown one is nothing."""
        shelf, world = self._shelf, self._shelf.world
        slot, before = world.slots.get(path), shelf.store.get(path)
        if slot is None or before is None:
            return
        self._note(slot)
        self._index(slot, path, read(path, "", before.encoded()) if before.data else None, None)
        shelf.store.remove(path)
        shelf.notes.pop(path, None)
        del world.slots[path]
        self._changes.gone[slot] = path, self._changes.changed.pop(slot)
        self._changes.note_path(world, path, world.tree.remove(path))

    def settle(self) -> None:
        """Bring what names mean and how files are related up to date."""
        for _ in self.settling():
            pass

    def settling(self) -> Iterator[None]:
        """Settle, and yield now and then while much is new; nothing may be changed meanwhile."""
        changes, self._changes = self._changes, Changes()
        if changes.changed or changes.gone:
            yield from Settling(self._shelf.world, changes).run()
            self._shelf.meanings = Meanings(self._shelf.world)

    def _note(self, slot: int) -> None:
        """Keep what was before the first change since the world was settled."""
        world = self._shelf.world
        facts = world.facts[slot]
        if slot not in self._changes.changed:
            self._changes.changed[slot] = (facts, world.links[slot]) if facts else None

    def _index(self, slot: int, path: RepoPath, old: Told | None, new: Told | None) -> None:
        world = self._shelf.world
        if old:
            world.definitions.remove(slot, old.facts.names)
        if new:
            world.definitions.add(slot, new.facts.names)
        before, after = _postings(path, old), _postings(path, new)
        world.postings.discard(before - after, slot)
        world.postings.add(after - before, slot)
        world.facts[slot] = new.facts if new else None


def _postings(path: RepoPath, told: Told | None) -> set[int]:
    """Return all keys under which a file can be found."""
    if told is None:
        return set()
    parts = {part for line in imports_of(told.facts) for part in parts_wanted(path, line)}
    used = (use_key(key) for key in told.mentioned - told.words)
    return told.words.union(used, map(import_key, parts))
