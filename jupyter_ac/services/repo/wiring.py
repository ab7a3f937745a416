"""The `Repo` namespace from its parts."""

from typing import Final

from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.rpc.methods import Namespace
from jupyter_ac.services.repo.branches import BranchesPart
from jupyter_ac.services.repo.diffs import DiffsPart
from jupyter_ac.services.repo.files import FilesPart
from jupyter_ac.services.repo.history import HistoryPart
from jupyter_ac.services.repo.moves import MovesPart
from jupyter_ac.services.repo.programs import ProgramsPart
from jupyter_ac.services.repo.review import ReviewPart
from jupyter_ac.services.repo.search import SearchPart
from jupyter_ac.services.repo.staging import StagingPart
from jupyter_ac.services.repo.tree import TreePart
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.services.repo.writes import WritesPart

NAME: Final = "Repo"


def repo_namespace(repository: Repository, writers: Writers, tree: TreeCache) -> Namespace:
    """Return the methods that a front end has on a repository.

    Args:
        repository: read by them.
        writers: change it.
        tree: of its files.
    """
    return Namespace(
        NAME,
        FilesPart(repository),
        TreePart(repository, tree),
        SearchPart(repository),
        BranchesPart(repository),
        HistoryPart(repository),
        DiffsPart(repository),
        WritesPart(writers.files, writers.audience),
        StagingPart(repository, writers),
        MovesPart(repository, writers),
        ReviewPart(repository, writers),
        ProgramsPart(repository, writers),
    )
