"""RPC methods that return diffs as text."""

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.git.diffs import diff_to, staged_diff, unstaged_diff
from jupyter_ac.git.repository import Repository
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.repo.shapes import Diff


class DiffMethods:
    """`Repo` methods that compare."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    @method(Access.READ)
    async def get_staged_diff(self) -> str:
        """Return what the index changes of the last commit, as a unified diff.

        Under a file that is too large to show, or can't be read, one line says so.
        """
        return await staged_diff(self._repository)

    @method(Access.READ)
    async def get_unstaged_diff(self) -> str:
        """Return what the tracked files change of the index, as a unified diff.

        Under a file that is too large to show, or can't be read, one line says so.
        """
        return await unstaged_diff(self._repository)

    @method(Access.READ, refusal=Refusal, refused=(NotFound, InvalidParams))
    async def get_diff_to_branch(self, ref: str) -> Diff:
        """Return what the tracked files change of a branch, tag or commit, as a unified diff."""
        return {"diff": await diff_to(self._repository, ref)}
