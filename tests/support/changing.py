"""Creates the parts that change a repository, wired as in a host."""

from dataclasses import dataclass
from pathlib import Path

from jupyter_ac.git.repository import Repository
from jupyter_ac.git.write_commands import RepositoryWriter
from jupyter_ac.git.writing import FileLocks, FileWriter
from jupyter_ac.services.activity_log import Note
from jupyter_ac.services.repo.review import ReviewMethods
from jupyter_ac.services.repo.staging import StagingMethods
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.services.repo.writes import MoveMethods, WriteMethods
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.store.locks import WAIT_S, NamedLocks


def changer_of(repository: Repository) -> RepositoryWriter:
    """Return what runs git's commands alone; the locks are in the git directory."""
    return RepositoryWriter(repository, NamedLocks(_state(repository)))


def writers_of(
    repository: Repository,
    audience: Subscribers | None = None,
    wait_s: float = WAIT_S,
    state: Path | None = None,
) -> Writers:
    """Return all ways to change a repository.

    Args:
        state: the folder of the locks; the repository's own without it.
    """
    exclusive = NamedLocks(_state(repository) if state is None else state, wait_s)
    locks = FileLocks(repository, exclusive)
    changer = RepositoryWriter(repository, exclusive)
    heard_by = Subscribers() if audience is None else audience
    return Writers(FileWriter(repository, locks), locks, changer, heard_by, _note_nothing)


@dataclass(frozen=True)
class Service:
    """The methods that a client changes a repository with, and the ways behind them."""

    repository: Repository
    writers: Writers
    writes: WriteMethods
    staging: StagingMethods
    moves: MoveMethods
    review: ReviewMethods


def service_of(
    repository: Repository, audience: Subscribers | None = None, wait_s: float = WAIT_S
) -> Service:
    """Return what a client can call, on locks of its own as in a process of its own."""
    writers = writers_of(repository, audience, wait_s)
    return Service(
        repository,
        writers,
        WriteMethods(writers.files, writers.audience),
        StagingMethods(repository, writers),
        MoveMethods(repository, writers),
        ReviewMethods(repository, writers),
    )


async def _note_nothing() -> Note:
    return _forget


async def _forget(_kind: str, _text: str) -> None:
    pass


def _state(repository: Repository) -> Path:
    folder = repository.common_dir / "jupyter_ac"
    folder.mkdir(exist_ok=True)
    return folder
