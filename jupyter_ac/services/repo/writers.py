"""What changes a repository, in one value."""

from dataclasses import dataclass

from jupyter_ac.git.changing import Changer
from jupyter_ac.git.file_locks import FileLocks
from jupyter_ac.git.writing import FileWriter
from jupyter_ac.services.audience import Audience


@dataclass(frozen=True, slots=True)
class Writers:
    """The ways to change a repository.

    Attributes:
        files: writes single files.
        locks: keep others from single files.
        changer: keeps others from the repository while git changes it.
        audience: told of what has changed.
    """

    files: FileWriter
    locks: FileLocks
    changer: Changer
    audience: Audience
