"""RPC methods for git's index, for commits and for restoring files."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from jupyter_ac.errors import AlreadyExists, Conflict, GitError, InvalidParams, NotFound
from jupyter_ac.git.branches import create_branch, switch_branch
from jupyter_ac.git.committing import commit, reset_hard
from jupyter_ac.git.discarding import discard
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.staging import git_names, stage, stage_all, unstage
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.repo.shapes import BranchSwitched, CommitMade, Done, StagedAll
from jupyter_ac.services.repo.write_context import Writers

_SHORT: Final = 7
_MOST_SUBJECT: Final = 200

OnPaths = Callable[[Git, Sequence[RepoPath]], Awaitable[None]]


class StagingMethods:
    """`Repo` methods that change the index or HEAD; every page gets an event.

    Args:
        repository: what is changed.
        writers: how.
    """

    def __init__(self, repository: Repository, writers: Writers) -> None:
        self._repository = repository
        self._writers = writers

    @method(Access.WRITE)
    async def stage_files(self, paths: list[str]) -> Done:
        """Put files, or all below folders, into the index as they are; deleted ones go from it."""
        return await self._each(stage, paths)

    @method(Access.WRITE)
    async def unstage_files(self, paths: list[str]) -> Done:
        """Make the index hold what the last commit holds of these files; the files stay."""
        return await self._each(unstage, paths)

    @method(Access.WRITE)
    async def stage_all(self) -> StagedAll | Done:
        """Put everything that has changed into the index, but for what git can't hold.

        Untracked files that the tree doesn't show are left out.
        """
        left_out = await self._writers.changer.change(stage_all)
        done = self._done(())
        return {"status": done["status"], "left_out": left_out} if left_out else done

    @method(Access.WRITE)
    async def discard_changes(self, paths: list[str]) -> Done:
        """Make files as the last commit has them; those that it has not are removed."""
        wanted = await git_names(self._repository, paths)
        if not wanted:
            return {"status": "ok"}
        return self._done(
            await self._writers.changer.change_files(lambda git: discard(git, wanted))
        )

    @method(Access.WRITE)
    async def commit(self, message: str) -> CommitMade:
        """Commit what is staged; hooks run as git runs them, and the answer names them."""
        note = await self._writers.open_note()
        made = await self._writers.changer.change(partial(commit, message=message))
        self._done(())
        await note("commit", f"Committed {made.sha[:_SHORT]}: {_subject(made.message)}")
        return {
            "sha": made.sha,
            "message": made.message,
            "hooks": made.ran.hooks,
            "hooks_folder": made.ran.folder,
        }

    @method(Access.WRITE)
    async def reset_hard(self) -> Done:
        """Make index and tracked files hold the last commit; untracked files stay."""
        note = await self._writers.open_note()
        await self._writers.changer.change_files(reset_hard)
        done = self._done(())
        await note("reset", "All changes to tracked files since the last commit were discarded.")
        return done

    @method(Access.WRITE, refusal=Refusal, refused=(NotFound, Conflict, GitError))
    async def checkout_branch(self, name: str) -> BranchSwitched:
        """Check out a branch; a remote's becomes the local one of its name."""
        head = await self._writers.changer.change_files(lambda git: switch_branch(git, name))
        self._done(())
        return {"status": "ok", "branch": head.branch or "", "sha": head.sha}

    @method(
        Access.WRITE, refusal=Refusal, refused=(AlreadyExists, Conflict, GitError, InvalidParams)
    )
    async def create_branch(self, name: str) -> BranchSwitched:
        """Make a branch at the checked out commit and check it out; changes stay as they are."""
        head = await self._writers.changer.change(lambda git: create_branch(git, name))
        self._done(())
        return {"status": "ok", "branch": head.branch or "", "sha": head.sha}

    async def _each(self, work: OnPaths, paths: list[str]) -> Done:
        wanted = await git_names(self._repository, paths)
        if not wanted:
            return {"status": "ok"}
        await self._writers.changer.change(lambda git: work(git, wanted))
        return self._done(wanted)

    def _done(self, paths: Sequence[RepoPath]) -> Done:
        self._writers.tell(paths)
        return {"status": "ok"}


def _subject(message: str) -> str:
    """Return the first line of a commit's message."""
    return message.strip().partition("\n")[0][:_MOST_SUBJECT]
