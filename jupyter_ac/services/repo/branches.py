"""The branch that is checked out."""

from jupyter_ac.git.branches import current_branch, is_clean
from jupyter_ac.git.repository import Repository
from jupyter_ac.rpc.methods import Access, method


class BranchesPart:
    """`Repo` methods about HEAD."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    @method(Access.READ)
    async def get_current_branch(self) -> dict[str, object]:
        """Return `{branch, sha, detached}`; branch null: detached, sha "": no commit."""
        head = await current_branch(self._repository)
        return {"branch": head.branch, "sha": head.sha, "detached": head.detached}

    @method(Access.READ)
    async def is_clean(self) -> bool:
        """Tell whether no tracked file differs from the last commit."""
        return await is_clean(self._repository)
