"""RPC methods that check out a branch for review in git, and end the review."""

from collections.abc import Awaitable, Callable

from jupyter_ac.errors import AcError, Conflict, InvalidParams, NotFound
from jupyter_ac.events import Event, FilesModified, ReviewEnded, ReviewStarted
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.changes import ReviewChange, changed_files, file_diff
from jupyter_ac.git.review.end import end
from jupyter_ac.git.review.journal import ReviewJournal
from jupyter_ac.git.review.start import begin, begin_and_show, review_obstacle, show_branch
from jupyter_ac.git.review.state import ReviewStates
from jupyter_ac.git.write_commands import Git
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.repo.shapes import (
    ReviewBegun,
    ReviewFileDiff,
    ReviewReady,
    ReviewRestored,
)
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.services.review_selections import ReviewSelections
from jupyter_ac.store.shield import run_to_completion

_BEFOREHAND = (Conflict, InvalidParams, NotFound)


class ReviewMethods:
    """`Repo` methods that start and end the review of a branch; every page gets an event.

    During a review `commit`, `reset_hard` and `checkout_branch` are refused, because they would
    invalidate it. Files may be written and staged; the end of the review preserves these changes.

    Args:
        repository: the reviewed repository.
        writers: the ways to change it.
        selections: the files that people have ticked; None: nobody has.
    """

    def __init__(
        self,
        repository: Repository,
        writers: Writers,
        selections: ReviewSelections | None = None,
    ) -> None:
        self._repository = repository
        self._writers = writers
        self._selections = selections
        self._states = ReviewStates(repository)

    @method(Access.WRITE, refusal=Refusal)
    async def checkout_review_parent(
        self, branch: str, base_commit: str | None = None
    ) -> ReviewBegun:
        """Check out what was before a branch, or before one of its commits."""
        try:
            journal = await self._writers.changer.change_files(
                lambda git: begin(git, branch, base_commit or "")
            )
        except AcError as error:
            self._publish_failure(error)
            raise
        self._publish(FilesModified([]))
        return {
            "branch": journal.branch,
            "branch_tip": journal.branch_tip,
            "base_commit": journal.base_commit,
            "parent_commit": journal.parent_commit,
            "original_branch": journal.original_branch,
            "phase": "at_parent",
        }

    @method(Access.WRITE, refusal=Refusal)
    async def setup_review_soft_reset(self, branch_tip: str, parent_commit: str) -> ReviewReady:
        """Put the branch's files on disk and stage all that it changes."""
        await run_to_completion(
            self._start(branch_tip, lambda git: show_branch(git, branch_tip, parent_commit))
        )
        return {"status": "review_ready"}

    async def start(self, branch: str, base_commit: str) -> ReviewState:
        """Begin a review and show the branch's files, in one step.

        Once started it completes, and everybody is told, even if the page that asks leaves.

        Raises:
            AcError: why there is no review.
        """
        return await run_to_completion(
            self._start(branch, lambda git: begin_and_show(git, branch, base_commit))
        )

    async def obstacle(self) -> str:
        """Say why no review can begin now; "" if one can."""
        return await self._writers.changer.change(review_obstacle)

    @method(Access.WRITE, refusal=Refusal)
    async def exit_review_mode(
        self, branch_tip: str | None = None, original_branch: str | None = None
    ) -> ReviewRestored:
        """Go back to what was checked out before; what was changed meanwhile goes to `git stash`.

        The arguments are those of the seeds; the review's journal knows them better, also when
        another host began the review or died in it.
        """
        del branch_tip, original_branch
        return await self.leave()

    async def leave(self) -> ReviewRestored:
        """End the review and notify all pages, even if the one that asks leaves meanwhile.

        Raises:
            AcError: why it is still open.
        """
        return await run_to_completion(self._leave())

    async def _leave(self) -> ReviewRestored:
        note = await self._writers.open_note()
        state = await self.get_review_state()
        try:
            restored = await self._writers.changer.change_files(end)
        finally:
            self._publish(FilesModified([]))
        if self._selections is not None:
            await self._selections.bring_back(state)
        self._publish(ReviewEnded(await self.get_review_state()))
        await note("review_ended", f"The review ended. {restored.message}".strip())
        return {
            "status": "restored",
            "branch": restored.head.branch,
            "sha": restored.head.sha,
            "stashed": bool(restored.stash),
            "stash": restored.stash or None,
            "kept": restored.new_branch or None,
            "message": restored.message,
        }

    @method(Access.READ)
    async def get_review_state(self) -> ReviewState:
        """Return what is under review here, whichever host began it; git is not asked."""
        return await self._states.read()

    @method(Access.READ)
    async def get_review_changed_files(self) -> list[ReviewChange]:
        """Return the files that the review is about; without a review, those staged."""
        return await changed_files(self._repository)

    @method(Access.READ)
    async def get_review_file_diff(self, path: str) -> ReviewFileDiff:
        """Return what the branch under review changes in one file, as a unified diff."""
        return {"path": path, "diff": await file_diff(self._repository, path)}

    async def _start(
        self, name: str, work: Callable[[Git], Awaitable[ReviewJournal]]
    ) -> ReviewState:
        """Let git begin the review, and notify all pages."""
        note = await self._writers.open_note()
        try:
            await self._writers.changer.change_files(work)
        except AcError as error:
            self._publish_failure(error)
            raise
        state = await self.get_review_state()
        if self._selections is not None:
            await self._selections.put_aside(state)
        self._publish(FilesModified([]), ReviewStarted(state))
        await note("review_started", f"The review of {state['branch'] or name} began.")
        return state

    def _publish_failure(self, error: AcError) -> None:
        """Notify the pages after git failed: files may have been checked out and restored."""
        if not isinstance(error, _BEFOREHAND):
            self._publish(FilesModified([]))

    def _publish(self, *events: Event) -> None:
        for event in events:
            self._writers.audience.publish(event)
