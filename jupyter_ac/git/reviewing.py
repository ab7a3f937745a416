"""Reviewing a branch: its files on disk, its base checked out, all that it changes staged.

So everything that shows changes shows the branch's, unchanged. HEAD is detached meanwhile; what was
checked out before comes back at the end, the branch or the commit. Each step is in the journal
before it is taken.
"""

import asyncio
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.errors import Conflict, GitError, NotFound
from jupyter_ac.git import review_journal
from jupyter_ac.git.branches import Head, current_branch, is_clean
from jupyter_ac.git.changing import HOOKS_S, Git
from jupyter_ac.git.operations import under_way
from jupyter_ac.git.refs import TRUNKS, first_parent, merge_base, resolve_commit
from jupyter_ac.git.review_journal import Journal, Phase

_CHECK_OUT: Final = ("switch", "--quiet", "--no-guess")
_STASH: Final = ("stash", "push", "--quiet", "--message")
# The commit before the first one: nothing in it, the same on every machine.
_EMPTY_TREE: Final = ("mktree",)
_NOBODY: Final = (
    *("-c", "user.name=jupyter_ac", "-c", "user.email=jupyter_ac@localhost"),
    *("-c", "commit.gpgSign=false"),
)


@dataclass(frozen=True, slots=True)
class Restored:
    """A review that is over.

    Attributes:
        head: what is checked out.
        stashed: what the user changed meanwhile is in `git stash`.
    """

    head: Head
    stashed: bool


async def begin(git: Git, branch: str, base_commit: str) -> Journal:
    """Check out what was before a branch, or before one of its commits.

    Args:
        git: alone with the repository.
        branch: what to review: a branch, a remote's, or any other name of a commit.
        base_commit: the first commit of the review; "" begins where the branch left the trunk.

    Raises:
        NotFound: a name stands for no commit, or there is no trunk to compare with.
        Conflict: a review, a merge or the like is under way, tracked files have changes, or the
            base is not part of the branch.
        GitError: git can't check it out.
    """
    repository = git.repository
    await _require_rest(git)
    head = await current_branch(repository)
    if not head.sha:
        raise Conflict("There is no commit yet; there is nothing to review.")
    tip = await resolve_commit(repository, branch)
    base, parent = await _span(git, tip, base_commit, head)
    if parent == tip:
        raise Conflict(f"{branch!r} has nothing that its base has not; there is nothing to review.")
    journal = Journal(branch, tip, base, parent, head.branch, head.sha)
    await asyncio.to_thread(review_journal.write, repository, journal)
    try:
        await git.run(*_CHECK_OUT, "--detach", parent, timeout_s=HOOKS_S)
    except BaseException:
        await _go_back(git, journal)
        raise
    return journal


async def show_branch(git: Git, branch_tip: str, parent_commit: str) -> Journal:
    """Put the branch's files on disk and stage all that it changes.

    Raises:
        Conflict: no review of this branch is under way.
        GitError: git can't; the review is to be ended then.
    """
    journal = await _journal(git)
    if (journal.branch_tip, journal.parent_commit) != (branch_tip, parent_commit):
        raise Conflict("Another review is under way; end it first.")
    reviewing = replace(journal, phase=Phase.REVIEWING)
    await git.run(*_CHECK_OUT, "--detach", branch_tip, timeout_s=HOOKS_S)
    await asyncio.to_thread(review_journal.write, git.repository, reviewing)
    await git.run("reset", "--soft", parent_commit, "--")
    return reviewing


async def end(git: Git) -> Restored:
    """Go back to what was checked out before; what was changed meanwhile goes to `git stash`.

    Raises:
        Conflict: no review is under way.
        GitError: git can't; nothing is lost, and the message says what to do by hand.
    """
    journal = await _journal(git)
    stashed = await _restore(git, journal)
    await asyncio.to_thread(review_journal.remove, git.repository)
    return Restored(await current_branch(git.repository), stashed)


async def _restore(git: Git, journal: Journal) -> bool:
    """Leave the review's state; returns whether something was stashed."""
    if journal.phase is Phase.REVIEWING:
        # From here on HEAD, index and files are the branch's again, but for the user's changes.
        await git.run("reset", "--soft", journal.branch_tip, "--")
    stashed = not await is_clean(git.repository)
    if stashed:
        await git.run(*_STASH, f"changed during the review of {journal.branch}")
    before = journal.original_branch
    where = (before,) if before is not None else ("--detach", journal.original_sha)
    try:
        await git.run(*_CHECK_OUT, *where, timeout_s=HOOKS_S)
    except GitError as error:
        by_hand = " ".join(("git switch", *where))
        raise GitError(
            f"{error.message} HEAD stays at the review's commit and nothing is lost; clear the "
            f"way, and run `{by_hand}` in a terminal or end the review again."
        ) from error
    return stashed


async def _go_back(git: Git, journal: Journal) -> None:
    await _restore(git, journal)
    await asyncio.to_thread(review_journal.remove, git.repository)


async def _require_rest(git: Git) -> None:
    repository = git.repository
    if await asyncio.to_thread(review_journal.read, repository) is not None:
        raise Conflict("A review is under way; end it before you begin another one.")
    operation = under_way(repository)
    if operation is not None:
        raise Conflict(f"A {operation} is under way; finish or abort it before a review.")
    if not await is_clean(repository):
        raise Conflict("Tracked files have changes; commit or discard them before a review.")


async def _span(git: Git, tip: str, base_commit: str, head: Head) -> tuple[str, str]:
    """Return the first commit of the review and what it is compared with."""
    repository = git.repository
    if not base_commit.strip():
        shared = await _left_the_trunk(git, tip, head)
        return shared, shared
    base = await resolve_commit(repository, base_commit)
    inside = await git.run("merge-base", "--is-ancestor", base, tip, ok=(0, 1))
    if inside.exit_code != 0:
        raise Conflict(f"{base_commit!r} is no part of the branch; choose one of its commits.")
    parent = await first_parent(repository, base)
    return base, await _nothing(git) if parent is None else parent.sha


async def _left_the_trunk(git: Git, tip: str, head: Head) -> str:
    """Return the last commit that the branch shares with what is checked out, or with a trunk."""
    for other in (head.sha, *(f"refs/{name}" for name in TRUNKS)):
        try:
            shared = await merge_base(git.repository, tip, other)
        except NotFound:
            continue
        if shared is not None and shared.sha != tip:
            return shared.sha
    raise Conflict("The branch shares no commit with another one; name the first commit to review.")


async def _nothing(git: Git) -> str:
    """Return a commit without files and without a parent."""
    tree = (await git.run(*_EMPTY_TREE, stdin=b"")).data.decode("ascii").strip()
    made = await git.run(*_NOBODY, "commit-tree", "-m", "nothing", tree)
    return made.data.decode("ascii").strip()


async def _journal(git: Git) -> Journal:
    found = await asyncio.to_thread(review_journal.read, git.repository)
    if found is None:
        raise Conflict("No review is under way here.")
    return found
