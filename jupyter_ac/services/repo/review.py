"""A branch under review, at git's level."""

from jupyter_ac.errors import Conflict, GitError, InvalidParams, NotFound
from jupyter_ac.events import FilesModified
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review_changes import ReviewChange, changed_files, file_diff
from jupyter_ac.git.reviewing import begin, end, show_branch
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.refusal import Refusal
from jupyter_ac.services.repo.shapes import (
    ReviewBegun,
    ReviewEnded,
    ReviewFileDiff,
    ReviewReady,
)
from jupyter_ac.services.repo.writers import Writers

_SLIPS = (Conflict, GitError, InvalidParams, NotFound)


class ReviewPart:
    """`Repo` methods that take a branch's review up and end it; every page hears of it.

    Args:
        repository: what is reviewed.
        writers: how it is changed.
    """

    def __init__(self, repository: Repository, writers: Writers) -> None:
        self._repository = repository
        self._writers = writers

    @method(Access.WRITE)
    async def checkout_review_parent(
        self, branch: str, base_commit: str | None = None
    ) -> ReviewBegun | Refusal:
        """Check out what was before a branch, or before one of its commits."""
        try:
            journal = await self._writers.changer.change(
                lambda git: begin(git, branch, base_commit or "")
            )
        except _SLIPS as error:
            return {"error": str(error)}
        self._tell()
        return {
            "branch": journal.branch,
            "branch_tip": journal.branch_tip,
            "base_commit": journal.base_commit,
            "parent_commit": journal.parent_commit,
            "original_branch": journal.original_branch,
            "phase": "at_parent",
        }

    @method(Access.WRITE)
    async def setup_review_soft_reset(
        self, branch_tip: str, parent_commit: str
    ) -> ReviewReady | Refusal:
        """Put the branch's files on disk and stage all that it changes."""
        try:
            await self._writers.changer.change(
                lambda git: show_branch(git, branch_tip, parent_commit)
            )
        except _SLIPS as error:
            return {"error": str(error)}
        self._tell()
        return {"status": "review_ready"}

    @method(Access.WRITE)
    async def exit_review_mode(
        self, branch_tip: str | None = None, original_branch: str | None = None
    ) -> ReviewEnded | Refusal:
        """Go back to what was checked out before; what was changed meanwhile goes to `git stash`.

        The arguments are those of the seeds; the review's journal knows them better.
        """
        del branch_tip, original_branch
        try:
            restored = await self._writers.changer.change(end)
        except _SLIPS as error:
            return {"error": str(error)}
        self._tell()
        return {
            "status": "restored",
            "branch": restored.head.branch,
            "sha": restored.head.sha,
            "stashed": restored.stashed,
        }

    @method(Access.READ)
    async def get_review_changed_files(self) -> list[ReviewChange]:
        """Return the files that the review is about; without a review, those staged."""
        return await changed_files(self._repository)

    @method(Access.READ)
    async def get_review_file_diff(self, path: str) -> ReviewFileDiff:
        """Return what the branch under review changes in one file, as a unified diff."""
        return {"path": path, "diff": await file_diff(self._repository, path)}

    def _tell(self) -> None:
        self._writers.audience.publish(FilesModified([]))
