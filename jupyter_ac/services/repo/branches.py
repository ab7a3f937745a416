"""The branch that is checked out."""

from jupyter_ac.git.branches import current_branch, is_clean
from jupyter_ac.git.repository import Repository
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.repo.shapes import CurrentBranch


class BranchesPart:
    """`Repo` methods about HEAD."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    @method(Access.READ)
    async def get_current_branch(self) -> CurrentBranch:
        """Return the branch and the commit that are checked out."""
        head = await current_branch(self._repository)
        return {"branch": head.branch, "sha": head.sha, "detached": head.detached}

    @method(Access.READ)
    async def is_clean(self) -> bool:
        """Tell whether no tracked file differs from the last commit."""
        return await is_clean(self._repository)
