"""What the readers of a state share: its tables, its name resolver, which files changed when."""

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
    """The last changes of an index, each with its number.

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


class StateView:
    """What a state holds.

    Attributes:
        world: the files in numbers, with their records.
        notes: why files were left out or read in part.
        journal: which files have changed since when.
        meanings: of names in the world as it is.

    Args:
        folder: where the records are kept; in memory without one.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.world = FileTables(folder)
        self.notes: dict[RepoPath, str] = {}
        self.journal = ChangeJournal()
        self.meanings = NameResolver(self.world)

    def renew(self) -> None:
        """Forget what was looked up in a world that was another."""
        self.meanings = NameResolver(self.world)

    def record(self, path: RepoPath) -> FileRecord | None:
        """Return the record of a file; None when it has none."""
        slot = self.world.slots.get(path)
        return None if slot is None else self.world.store.record(slot)
