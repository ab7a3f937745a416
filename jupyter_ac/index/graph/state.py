"""The graph of one working tree in memory: files are put and removed, then references resolved."""

from collections.abc import Iterator
from pathlib import Path

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.facts import imports_in
from jupyter_ac.index.graph.graph_state import GraphState
from jupyter_ac.index.graph.importing import names_own_path, parts_from
from jupyter_ac.index.graph.incremental_update import IncrementalUpdate, PendingChanges
from jupyter_ac.index.graph.keys import import_key
from jupyter_ac.index.graph.queries import FilesReader, GraphReader, NamesReader, PackagesReader
from jupyter_ac.index.graph.record_codec import Digest
from jupyter_ac.index.project.manifests import declared_family
from jupyter_ac.index.project.packages import declared


class LoadedIndex(FilesReader, NamesReader, PackagesReader, GraphReader):
    """The graph of one working tree; implements `IndexView`.

    Names and references are resolved as of the last `update`; between a change and the next
    `update` only methods that change the graph may be called.

    Args:
        folder: of the file that stores the records; None: they are in memory.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._graph = GraphState(folder)
        self._changes = PendingChanges()

    @property
    def graph(self) -> GraphState:
        """All that the state consists of, for who keeps it; settled when nothing has changed."""
        return self._graph

    def put(self, path: RepoPath, blob: str, sealed: bytes) -> None:
        """Add or replace a file.

        Args:
            path: of the file.
            blob: names its content.
            sealed: its record, from `seal`; empty for a file in no known language.

        Raises:
            ValueError: nobody has sealed the record.
        """
        graph, tables = self._graph, self._graph.tables
        new = Digest(sealed) if sealed else None
        slot = tables.slots.get(path)
        if slot is None:
            slot = tables.new_slot(path)
            self._changes.note_path(tables, path, tables.tree.add(path))
        self._note(slot)
        self._index(slot, path, new)
        tables.store.put(slot, path, blob, sealed, new)
        tables.facts.pop(slot, None)
        graph.notes.pop(path, None)
        if new and (note := new.note):
            graph.notes[path] = note
        said = new.manifest if new else ()
        family = declared_family(path)
        if family and tables.tree.manifests.put(path, said):
            self._changes.folders.add(("", family))
        self._changes.note_packages(path, tables.tree.packages.put(path, declared(said)))

    def remove(self, path: RepoPath) -> None:
        """Forget a file; an unknown one is nothing."""
        graph, tables = self._graph, self._graph.tables
        slot = tables.slots.get(path)
        if slot is None:
            return
        self._note(slot)
        self._index(slot, path, None)
        tables.store.remove(slot, path)
        tables.facts.pop(slot, None)
        graph.notes.pop(path, None)
        del tables.slots[path]
        self._changes.gone[slot] = path, self._changes.changed.pop(slot)
        self._changes.note_path(tables, path, tables.tree.remove(path))
        if tables.tree.manifests.remove(path):
            self._changes.folders.add(("", declared_family(path)))
        self._changes.note_packages(path, tables.tree.packages.put(path, ()))

    def update(self) -> None:
        """Bring what names mean and how files are related up to date."""
        for _ in self.updating():
            pass

    def updating(self) -> Iterator[None]:
        """Do the same in steps; between them nothing may be changed."""
        changes, self._changes = self._changes, PendingChanges()
        if not changes.changed and not changes.gone:
            return
        tables, journal = self._graph.tables, self._graph.journal
        tables.touched.clear()
        update = IncrementalUpdate(tables, changes)
        yield from update.run()
        self._graph.renew()
        if update.is_whole:
            journal.note_all()
        else:
            touched = {tables.paths[slot] for slot in {*tables.touched, *changes.changed}}
            journal.note(touched.union(path for path, _ in changes.gone.values()))

    def _note(self, slot: int) -> None:
        """Keep what was before the first change since references were resolved."""
        tables = self._graph.tables
        if slot not in self._changes.changed:
            facts = tables.facts[slot]
            self._changes.changed[slot] = (facts, tables.links[slot]) if facts else None

    def _index(self, slot: int, path: RepoPath, new: Digest | None) -> None:
        """Have a file found by what its new record holds, in place of its old one."""
        tables = self._graph.tables
        old = tables.store.digest(slot)
        before, after = set(old.names if old else ()), set(new.names if new else ())
        tables.definitions.discard(before - after, slot)
        tables.definitions.add(after - before, slot)
        before, after = _postings(path, old), _postings(path, new)
        tables.postings.discard(before - after, slot)
        tables.postings.add(after - before, slot)


def _postings(path: RepoPath, digest: Digest | None) -> set[int]:
    """Return all keys under which a file can be found."""
    if digest is None:
        return set()
    found = set(digest.keys)
    if digest.is_placed or names_own_path(path):
        lines = imports_in(digest.imports)
        found.update(import_key(part) for line in lines for part in parts_from(path, line))
    return found
