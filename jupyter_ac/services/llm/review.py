"""Reviews under the method names that the seed projects' clients use."""

from jupyter_ac.errors import AcError
from jupyter_ac.git.commits import commits_between, count_commits
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.changes import changed_files, file_diff
from jupyter_ac.git.task_groups import grouped
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.shapes import (
    ReviewActive,
    ReviewDetails,
    ReviewReadiness,
    ReviewStuck,
    ReviewTotals,
)
from jupyter_ac.services.repo.history import CommitHistoryMethods, commit_row
from jupyter_ac.services.repo.review import ReviewMethods
from jupyter_ac.services.repo.shapes import CommitGraph, ReviewFileDiff, ReviewRestored


class LlmReviewMethods:
    """`LLMService` methods that begin, show and end a review; it is the same one as `Repo`'s.

    Args:
        repository: what is reviewed.
        reviews: begins and ends reviews, and tells all pages.
        history: has the graph of the commits.
    """

    def __init__(
        self, repository: Repository, reviews: ReviewMethods, history: CommitHistoryMethods
    ) -> None:
        self._repository = repository
        self._reviews, self._history = reviews, history

    @method(Access.READ)
    async def get_commit_graph(
        self, limit: int = 100, offset: int = 0, include_remote: bool = False
    ) -> CommitGraph:
        """Return a page of the commits, as `Repo.get_commit_graph` does."""
        return await self._history.get_commit_graph(limit, offset, include_remote)

    @method(Access.WRITE)
    async def check_review_ready(self) -> ReviewReadiness:
        """Say whether a review can begin, and otherwise what is in its way."""
        message = await self._reviews.obstacle()
        return {"clean": False, "message": message} if message else {"clean": True}

    @method(Access.WRITE, refusal=Refusal)
    async def start_review(self, branch: str, base_commit: str = "") -> ReviewActive:
        """Begin the review of a branch, from its first commit or from another one of it.

        Its files are on disk then, and all that it changes is staged, until `end_review`.
        """
        state = await self._reviews.start(branch, base_commit)
        details = await self._details(state)
        return {**details, "status": "review_active"}

    @method(Access.READ)
    async def get_review_state(self) -> ReviewDetails:
        """Return what is under review, its commits and the files that it changes."""
        return await self._details(await self._reviews.get_review_state())

    async def _details(self, state: ReviewState) -> ReviewDetails:
        parent, tip = state["parent_commit"], state["branch_tip"]
        if parent is None or tip is None:
            return {**state, "commits": [], "changed_files": [], "stats": None}
        async with grouped() as tasks:
            listing = tasks.create_task(commits_between(self._repository, parent, tip))
            counting = tasks.create_task(count_commits(self._repository, parent, tip))
            files = await changed_files(self._repository)
        commits = [commit_row(one) for one in listing.result()]
        stats: ReviewTotals = {
            "commit_count": counting.result(),
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
            return await self._reviews.leave()
        except AcError as error:
            state = await self._reviews.get_review_state()
            if state["active"]:
                return {"error": str(error), "status": "partial"}
            raise
