"""The objects that change a repository, bundled in one value."""

from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from jupyter_ac.events import Event, FilesModified
from jupyter_ac.git.write_commands import RepositoryWriter
from jupyter_ac.git.writing import FileLocks, FileWriter
from jupyter_ac.ids import RepoPath
from jupyter_ac.services.activity_log import OpenNote


class ChangeListeners(Protocol):
    """Receives change events: the pages, or the event bus before them."""

    def publish(self, event: Event) -> None:
        """Publish an event."""


Moving: TypeAlias = Callable[[str, str], AbstractAsyncContextManager[None]]
"""Called with the old and the new name."""


def _unnoticed(_old: str, _new: str) -> AbstractAsyncContextManager[None]:
    return nullcontext()


@dataclass(frozen=True, slots=True)
class Writers:
    """The ways to change a repository.

    Attributes:
        files: writes single files.
        locks: locks of single files.
        changer: locks the repository while git changes it.
        audience: notified of changes.
        open_note: starts the record of an action before it begins.
        moving: held while a file or folder gets another name: excluded ones stay excluded.
    """

    files: FileWriter
    locks: FileLocks
    changer: RepositoryWriter
    audience: ChangeListeners
    open_note: OpenNote
    moving: Moving = _unnoticed

    def tell(self, paths: Collection[RepoPath]) -> None:
        """Tell all who listen that files have changed; none stands for any file."""
        self.audience.publish(FilesModified(list(paths)))
