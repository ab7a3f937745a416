"""The index of one working tree in memory: files are put and removed, readers see the whole."""

from collections.abc import Iterator
from pathlib import Path

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.facts import imports_in
from jupyter_ac.index.graph.importing import names_own_path, parts_from
from jupyter_ac.index.graph.incremental_update import IncrementalUpdate, PendingChanges
from jupyter_ac.index.graph.keys import import_key
from jupyter_ac.index.graph.queries import FilesReader, GraphReader, NamesReader
from jupyter_ac.index.graph.record_codec import Digest
from jupyter_ac.index.graph.state_view import StateView
from jupyter_ac.index.project.manifests import family_told


class LoadedIndex(FilesReader, NamesReader, GraphReader):
    """Implements `IndexView` over what was put.

    What names mean and how files are related is as of the last `settle`; between a change and the
    next `settle` only that may be called which changes.

    Args:
        folder: where the records are kept; in memory without one.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._shelf = StateView(folder)
        self._changes = PendingChanges()

    @property
    def shelf(self) -> StateView:
        """All that the state consists of, for who keeps it; settled when nothing has changed."""
        return self._shelf

    def put(self, path: RepoPath, blob: str, sealed: bytes) -> None:
        """Add or replace a file.

        Args:
            path: of the file.
            blob: names its content.
            sealed: its record, from `seal`; empty for a file in no known language.

        Raises:
            ValueError: nobody has sealed the record.
        """
        shelf, world = self._shelf, self._shelf.world
        new = Digest(sealed) if sealed else None
        slot = world.slots.get(path)
        if slot is None:
            slot = world.new_slot(path)
            self._changes.note_path(world, path, world.tree.add(path))
        self._note(slot)
        self._index(slot, path, new)
        world.store.put(slot, path, blob, sealed, new)
        world.facts.pop(slot, None)
        shelf.notes.pop(path, None)
        if new and (note := new.note):
            shelf.notes[path] = note
        family = family_told(path)
        if family and world.tree.manifests.put(path, new.manifest if new else ()):
            self._changes.folders.add(("", family))

    def remove(self, path: RepoPath) -> None:
        """Forget a file; an unknown one is nothing."""
        shelf, world = self._shelf, self._shelf.world
        slot = world.slots.get(path)
        if slot is None:
            return
        self._note(slot)
        self._index(slot, path, None)
        world.store.remove(slot, path)
        world.facts.pop(slot, None)
        shelf.notes.pop(path, None)
        del world.slots[path]
        self._changes.gone[slot] = path, self._changes.changed.pop(slot)
        self._changes.note_path(world, path, world.tree.remove(path))
        if world.tree.manifests.remove(path):
            self._changes.folders.add(("", family_told(path)))

    def settle(self) -> None:
        """Bring what names mean and how files are related up to date."""
        for _ in self.settling():
            pass

    def settling(self) -> Iterator[None]:
        """Settle, and yield now and then while much is new; nothing may be changed meanwhile."""
        changes, self._changes = self._changes, PendingChanges()
        if not changes.changed and not changes.gone:
            return
        world, journal = self._shelf.world, self._shelf.journal
        world.touched.clear()
        settling = IncrementalUpdate(world, changes)
        yield from settling.run()
        self._shelf.renew()
        if settling.is_whole:
            journal.note_all()
        else:
            touched = {world.paths[slot] for slot in {*world.touched, *changes.changed}}
            journal.note(touched.union(path for path, _ in changes.gone.values()))

    def _note(self, slot: int) -> None:
        """Keep what was before the first change since the world was settled."""
        world = self._shelf.world
        if slot not in self._changes.changed:
            facts = world.facts[slot]
            self._changes.changed[slot] = (facts, world.links[slot]) if facts else None

    def _index(self, slot: int, path: RepoPath, new: Digest | None) -> None:
        """Have a file found by what its new record holds, in place of its old one."""
        world = self._shelf.world
        old = world.store.digest(slot)
        before, after = set(old.names if old else ()), set(new.names if new else ())
        world.definitions.discard(before - after, slot)
        world.definitions.add(after - before, slot)
        before, after = _postings(path, old), _postings(path, new)
        world.postings.discard(before - after, slot)
        world.postings.add(after - before, slot)


def _postings(path: RepoPath, digest: Digest | None) -> set[int]:
    """Return all keys under which a file can be found."""
    if digest is None:
        return set()
    found = set(digest.keys)
    if digest.is_placed or names_own_path(path):
        lines = imports_in(digest.imports)
        found.update(import_key(part) for line in lines for part in parts_from(path, line))
    return found
