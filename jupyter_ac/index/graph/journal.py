"""Which files have changed since when."""

from collections.abc import Collection, Iterable
from typing import Final

from jupyter_ac.ids import RepoPath

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
