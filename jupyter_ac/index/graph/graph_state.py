"""The state that the graph's readers share: tables, resolver, and a journal of changes."""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.name_resolution import NameResolver
from jupyter_ac.index.graph.tables import FileTables
from jupyter_ac.index.records import FileRecord

MOST: Final = 4096
"""Files that are remembered; who asks after more of them looks at all."""


class ChangeJournal:
    """A journal of changed files by version, bounded in length.

    Attributes:
        version: number of the last change.
    """

    def __init__(self) -> None:
        self.version = 0
        self._floor = 0
        self._versions: dict[RepoPath, int] = {}

    def note(self, paths: Iterable[RepoPath]) -> None:
        """Note that files have changed together."""
        self.version += 1
        for path in paths:
            self._versions.pop(path, None)
            self._versions[path] = self.version
        if len(self._versions) > MOST:
            self.note_all()

    def note_all(self) -> None:
        """Note that any file may have changed."""
        self.version += 1
        self._floor = self.version
        self._versions.clear()

    def since(self, version: int) -> Collection[RepoPath] | None:
        """Return the files that have changed since a version; None when that isn't known."""
        if version < self._floor:
            return None
        found = []
        for path in reversed(self._versions):
            if self._versions[path] <= version:
                break
            found.append(path)
        return found


class GraphState:
    """The tables of the graph, its resolver, and what changed when.

    Attributes:
        tables: the files in numbers, with their records.
        notes: why files were left out or read in part.
        journal: which files have changed since when.
        resolver: of names in the files as they are.

    Args:
        folder: of the file that stores the records; None: they are in memory.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.tables = FileTables(folder)
        self.notes: dict[RepoPath, str] = {}
        self.journal = ChangeJournal()
        self.resolver = NameResolver(self.tables)

    def renew(self) -> None:
        """Forget what was looked up in a tables that was another."""
        self.resolver = NameResolver(self.tables)

    def record(self, path: RepoPath) -> FileRecord | None:
        """Return the record of a file; None when it has none."""
        slot = self.tables.slots.get(path)
        return None if slot is None else self.tables.store.record(slot)
