"""What changes a repository, as a host wires it."""

from pathlib import Path

from jupyter_ac.git.changing import Changer
from jupyter_ac.git.file_locks import FileLocks
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.writing import FileWriter
from jupyter_ac.services.audience import Audience
from jupyter_ac.services.repo.writers import Writers
from jupyter_ac.store.exclusive import Exclusive


def changer_of(repository: Repository) -> Changer:
    """Return what runs git's commands alone; the locks are in the git directory."""
    return Changer(repository, Exclusive(_state(repository)))


def writers_of(repository: Repository, audience: Audience | None = None) -> Writers:
    """Return all ways to change a repository."""
    exclusive = Exclusive(_state(repository))
    locks = FileLocks(repository, exclusive)
    changer = Changer(repository, exclusive)
    heard_by = Audience() if audience is None else audience
    return Writers(FileWriter(repository, locks), locks, changer, heard_by)


def _state(repository: Repository) -> Path:
    folder = repository.common_dir / "jupyter_ac"
    folder.mkdir(exist_ok=True)
    return folder
