"""RPC methods for branches and HEAD."""

from jupyter_ac.git.branches import Branch, all_branches, local_branches
from jupyter_ac.git.head import current_branch, is_clean
from jupyter_ac.git.repository import Repository
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.repo.shapes import Branches, BranchRow, CurrentBranch


class BranchMethods:
    """`Repo` methods about branches and HEAD."""

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

    @method(Access.READ)
    async def list_branches(self) -> Branches:
        """Return the repository's own branches by name, and which is checked out."""
        head = await current_branch(self._repository)
        found = await local_branches(self._repository)
        return {"branches": [branch_row(branch) for branch in found], "current": head.branch}

    @method(Access.READ)
    async def list_all_branches(self) -> list[BranchRow]:
        """Return local branches, then those of remotes, each newest commit first."""
        return [branch_row(branch) for branch in await all_branches(self._repository)]


def branch_row(branch: Branch) -> BranchRow:
    """Serialize a branch."""
    return {
        "name": branch.name,
        "sha": branch.sha,
        "message": branch.subject,
        "is_current": branch.is_current,
        "is_remote": branch.is_remote,
    }
