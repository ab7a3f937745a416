"""The way back from a review, from wherever it is found.

A host may have died at any step, and the user may have done anything since: committed, switched,
deleted a branch. So this goes by what is there and less by what the journal says. No step throws
anything away: changes go to `git stash`, commits that no branch has get one.
"""

import asyncio
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.errors import Conflict, GitError, NotFound
from jupyter_ac.git.filtered_paths import refuse_restoring
from jupyter_ac.git.head import Head, current_branch
from jupyter_ac.git.in_progress import under_way
from jupyter_ac.git.name_lists import names_in
from jupyter_ac.git.refs import resolve_commit
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review.checkout import CheckoutTarget, check_out, has_changes
from jupyter_ac.git.review.checkout_conflicts import in_the_way
from jupyter_ac.git.review.journal import Phase, ReviewJournal
from jupyter_ac.git.staging import feed
from jupyter_ac.git.write_commands import Git

_TAKE_INDEX: Final = ("update-index", "--force-write-index")
_STASH: Final = ("stash", "push", "--quiet", "--message")
_ADD: Final = ("add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul")
# What was only announced to the index (`git add -N`): no stash takes it.
_ANNOUNCED: Final = ("diff-files", "-z", "--name-only", "--diff-filter=A")
_IN_CONFLICT: Final = ("diff-files", "-z", "--name-only", "--diff-filter=U")
_DIFFERENT: Final = ("diff-index", "--cached", "-z", "--name-only", "--no-renames")
_CHANGED_FILES: Final = (
    "diff-index",
    "-z",
    "--name-only",
    "--no-renames",
    "--ignore-submodules=dirty",
)
_CHANGED: Final = ("diff-tree", "-r", "-z", "--name-only", "--no-renames")


@dataclass(frozen=True, slots=True)
class Restored:
    """A review that is over.

    Attributes:
        head: what is checked out.
        stash: the commit in `git stash` that holds what was changed meanwhile; "" for none.
        kept: the branch that was made for commits of the user's; "" for none.
        message: sentences for the user.
    """

    head: Head
    stash: str
    kept: str
    message: str


async def end(git: Git) -> Restored:
    """Go back to what was checked out before the review.

    What was changed meanwhile goes to `git stash`. It stays in the files where the commit is the
    same, and where the user has gone back by hand.

    Raises:
        Conflict: no review is under way; a merge or the like is, or files are in conflict; or the
            journal is about another repository.
        AccessDenied: the journal can't be written.
        Busy: another git holds the index.
        GitError: git can't; nothing is lost, and the message says what to do by hand.
    """
    repository = git.repository
    journal = await asyncio.to_thread(review_journal.read, repository)
    if journal is None:
        raise Conflict("No review is under way here.")
    await _require_calm(git)
    home = await _home(git, journal)
    head = await _leave_parent(git, journal)
    kept = await _keep_commits(git, journal, head)
    await _put_away(git, journal, head, home)
    leaving = replace(journal, phase=Phase.LEAVING)
    await asyncio.to_thread(review_journal.write, repository, leaving)
    if not home.is_at(head):
        await _return(git, home)
    stash = await _stashed(git, journal)
    told = [
        _about_head(journal, home),
        _about_stash(journal) if stash else "",
        f"Your commits are on the new branch `{kept}`." if kept else "",
        "Changed files stay as they are." if await has_changes(git) else "",
    ]
    await asyncio.to_thread(review_journal.remove, repository)
    return Restored(await current_branch(repository), stash, kept, " ".join(filter(None, told)))


async def _require_calm(git: Git) -> None:
    operation = under_way(git.repository)
    if operation is not None:
        raise Conflict(f"A {operation} is under way; finish or abort it, then end the review.")
    # It fails when another git holds the index, before anything has been moved.
    await git.run(*_TAKE_INDEX)
    conflicts = names_in((await git.run(*_IN_CONFLICT)).data)
    if conflicts:
        raise Conflict(
            f"{conflicts[0]!r} is in conflict; resolve and stage it, then end the review."
        )


async def _home(git: Git, journal: ReviewJournal) -> CheckoutTarget:
    """Return what is to be checked out: the branch, or its commit when the branch is gone."""
    branch, sha = journal.original_branch, journal.original_sha
    is_known = await _is_known(git, sha) or await _is_known(git, journal.branch_tip)
    if branch is not None and is_known:
        try:
            return CheckoutTarget(
                branch, await resolve_commit(git.repository, f"refs/heads/{branch}")
            )
        except NotFound:
            pass
    if await _is_known(git, sha):
        return CheckoutTarget(None, sha)
    raise Conflict(
        f"The review began at {branch or sha[:10]!r}, which this repository has not; check out "
        f"what you want, then remove {review_journal.shown_name(git.repository)}."
    )


async def _leave_parent(git: Git, journal: ReviewJournal) -> Head:
    """Put HEAD where the files are, on the branch's last commit; index and files stay.

    Where the user has switched by hand to a branch at the parent, the branch is not moved: HEAD is
    taken off it.
    """
    head = await current_branch(git.repository)
    is_reviewing = journal.phase is Phase.REVIEWING and head.sha == journal.parent_commit
    if not is_reviewing or not await _is_known(git, journal.branch_tip):
        return head
    if not await has_changes(git) or not (head.detached or await _is_staged(git, journal)):
        return head
    await git.run("update-ref", "--no-deref", "-m", "review: end", "HEAD", journal.branch_tip)
    return Head(None, journal.branch_tip, detached=True)


async def _keep_commits(git: Git, journal: ReviewJournal, head: Head) -> str:
    """Give commits that the user made meanwhile a branch; returns its name, "" for none."""
    known = {journal.branch_tip, journal.parent_commit, journal.original_sha}
    if not head.detached or head.sha in known:
        return ""
    if (await git.run("for-each-ref", "--count=1", "--contains", head.sha)).data:
        return ""
    name = f"kept-from-review-{head.sha[:10]}"
    await git.run("branch", "--no-track", name, head.sha)
    return name


async def _put_away(git: Git, journal: ReviewJournal, head: Head, home: CheckoutTarget) -> None:
    """Stash what is changed, unless it can stay where it is."""
    is_same = head.sha == home.sha
    if is_same and not (journal.phase is Phase.REVIEWING and await _is_staged(git, journal)):
        return
    changed = names_in((await git.run(*_CHANGED_FILES, head.sha, "--")).data)
    await refuse_restoring(git, changed, "the review is still open", head.sha)
    lost = await in_the_way(git, head.sha, home.sha)
    lost += names_in((await git.run(*_ANNOUNCED)).data)
    # A nested repository is no file; git refuses to go over it.
    await feed(git, _ADD, [path for path in lost if not path.endswith("/")])
    if await has_changes(git):
        await git.run(*_STASH, _stash_name(journal))


async def _return(git: Git, home: CheckoutTarget) -> None:
    try:
        await check_out(git, home)
    except GitError as error:
        by_hand = " ".join(("git switch", *home.arguments))
        raise GitError(
            f"{error.message} HEAD stays where it is and nothing is lost; clear the way, and run "
            f"`{by_hand}` in a terminal or end the review again."
        ) from error


async def _is_staged(git: Git, journal: ReviewJournal) -> bool:
    """Tell whether the index holds a file as the branch has it, where HEAD has another."""
    tip, parent = journal.branch_tip, journal.parent_commit
    outputs = [
        await git.run(*_DIFFERENT, "HEAD", "--"),
        await git.run(*_CHANGED, parent, tip, "--"),
        await git.run(*_DIFFERENT, tip, "--"),
    ]
    staged, changed, different = (set(names_in(output.data)) for output in outputs)
    return bool(staged & changed - different)


async def _is_known(git: Git, sha: str) -> bool:
    try:
        await resolve_commit(git.repository, sha)
    except NotFound:
        return False
    return True


async def _stashed(git: Git, journal: ReviewJournal) -> str:
    """Return the stash of this review, which may have been made by a host that died since."""
    listed = await git.run("stash", "list", "-z", "--format=%H %gs")
    for entry in listed.data.decode("utf-8", "replace").split("\0"):
        if entry.endswith(_stash_name(journal)):
            return entry.partition(" ")[0]
    return ""


def _stash_name(journal: ReviewJournal) -> str:
    # Of one line, and of this review alone.
    about = " ".join(journal.branch.split())
    since = journal.since.replace("T", " ").replace("+00:00", " UTC") or journal.branch_tip[:10]
    return f"changed during the review of {about}, begun {since}"


def _about_head(journal: ReviewJournal, home: CheckoutTarget) -> str:
    if home.branch is not None:
        return f"`{home.branch}` is checked out again."
    gone = journal.original_branch
    why = "" if gone is None else f"The branch `{gone}` is gone. "
    return f"{why}The commit `{home.sha[:10]}` is checked out again."


def _about_stash(journal: ReviewJournal) -> str:
    return (
        f"What was changed meanwhile is in `git stash` (“{_stash_name(journal)}”); "
        f"`git stash pop` on `{journal.branch}` brings it back."
    )
