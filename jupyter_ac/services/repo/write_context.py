"""The objects that change a repository, bundled in one value."""

from dataclasses import dataclass
from typing import Protocol

from jupyter_ac.events import Event
from jupyter_ac.git.file_locks import FileLocks
from jupyter_ac.git.write_commands import RepositoryWriter
from jupyter_ac.git.writing import FileWriter
from jupyter_ac.services.activity_log import OpenNote


class ChangeListeners(Protocol):
    """Who is told of what has changed: the pages, or the event bus before them."""

    def publish(self, event: Event) -> None:
        """Tell them."""


@dataclass(frozen=True, slots=True)
class Writers:
    """The ways to change a repository.

    Attributes:
        files: writes single files.
        locks: keep others from single files.
        changer: keeps others from the repository while git changes it.
        audience: told of what has changed.
        open_note: opens a note of what is about to be done.
    """

    files: FileWriter
    locks: FileLocks
    changer: RepositoryWriter
    audience: ChangeListeners
    open_note: OpenNote
