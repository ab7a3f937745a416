"""The open review, under the method names that the seed projects' clients use."""

import asyncio
from collections.abc import Awaitable, Callable

from jupyter_ac.errors import AcError
from jupyter_ac.git.commits import commits_between
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.changes import changed_files, file_diff
from jupyter_ac.git.review.state import review_state
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.shapes import ReviewDetails, ReviewStuck, ReviewTotals
from jupyter_ac.services.repo.history import commit_row
from jupyter_ac.services.repo.shapes import ReviewFileDiff, ReviewRestored


class OpenReviewMethods:
    """`LLMService` methods about a review under way; `Repo` begins one.

    Args:
        repository: what is reviewed.
        leave: ends the review and tells all pages.
    """

    def __init__(
        self, repository: Repository, leave: Callable[[], Awaitable[ReviewRestored]]
    ) -> None:
        self._repository = repository
        self._leave = leave

    @method(Access.READ)
    async def get_review_state(self) -> ReviewDetails:
        """Return what is under review, its commits and the files that it changes."""
        state = await asyncio.to_thread(review_state, self._repository)
        parent, tip = state["parent_commit"], state["branch_tip"]
        if parent is None or tip is None:
            return {**state, "commits": [], "changed_files": [], "stats": None}
        commits = [commit_row(one) for one in await commits_between(self._repository, parent, tip)]
        files = await changed_files(self._repository)
        stats: ReviewTotals = {
            "commit_count": len(commits),
            "files_changed": len(files),
            "additions": sum(file["additions"] for file in files),
            "deletions": sum(file["deletions"] for file in files),
        }
        return {**state, "commits": commits, "changed_files": files, "stats": stats}

    @method(Access.READ)
    async def get_review_file_diff(self, path: str) -> ReviewFileDiff:
        """Return what the branch under review changes in one file, as a unified diff."""
        return {"path": path, "diff": await file_diff(self._repository, path)}

    @method(Access.WRITE, refusal=Refusal)
    async def end_review(self) -> ReviewRestored | ReviewStuck:
        """End the review that is open, as `Repo.exit_review_mode` does."""
        try:
            return await self._leave()
        except AcError as error:
            state = await asyncio.to_thread(review_state, self._repository)
            if state["active"]:
                return {"error": str(error), "status": "partial"}
            raise
