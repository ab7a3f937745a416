"""Puts together what the edits of a repository's chat work with."""

from collections.abc import Callable

from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.edits.ports import EditPorts
from jupyter_ac.chat.history.before_images import BeforeImages
from jupyter_ac.chat.history.edited_turns import EditedTurns
from jupyter_ac.errors import AcError
from jupyter_ac.git.paths import locate
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.state import review_state
from jupyter_ac.services.llm.selection import SelectionUpdate
from jupyter_ac.services.llm.unsaved_documents import OpenDocuments
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.settings.app import EditSettings
from jupyter_ac.store.sqlite import Database


class RepositoryFacts:
    """What edits ask of one repository's disk.

    Args:
        repository: which.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def exists(self, path: str) -> bool:
        """Whether there is a file of this name."""
        try:
            return locate(self._repository, path).real.is_file()
        except AcError:
            return False

    def is_reviewing(self) -> bool:
        """Whether a review is under way."""
        return review_state(self._repository)["active"]


def edit_ports(
    repository: Repository,
    writers: Writers,
    database: Database,
    settings: Callable[[], EditSettings],
    documents: OpenDocuments,
    selection: SelectionUpdate,
) -> EditPorts:
    """Gather what a turn's edits need."""
    facts = RepositoryFacts(repository)
    images = BeforeImages(database, repository.worktree)
    applier = Applier(repository, writers.locks, writers.changer, writers.audience.publish, images)
    return EditPorts(
        applier=applier,
        exists=facts.exists,
        settings=settings,
        is_reviewing=facts.is_reviewing,
        unsaved=documents.unsaved,
        keep=EditedTurns(database).keep,
        select=selection.replace,
    )
