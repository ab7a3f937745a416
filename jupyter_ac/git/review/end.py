"""Ends a review from any state.

A host may have crashed at any step, and the user may have done anything since: committed, switched,
deleted a branch. So this reads the repository's state first, and relies less on the journal. No
step discards anything: changes go to `git stash`, commits without a branch get one.
"""

import asyncio
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.errors import Conflict, GitError, NotFound
from jupyter_ac.git.filtered_paths import refuse_restoring
from jupyter_ac.git.in_progress import unfinished_operation
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.refs import Head, current_branch, resolve_commit
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review.checkout import CheckoutTarget, blocking_files, check_out, has_changes
from jupyter_ac.git.review.journal import Phase, ReviewJournal
from jupyter_ac.git.staging import feed
from jupyter_ac.git.write_commands import Git

_TAKE_INDEX: Final = ("update-index", "--force-write-index")
_STASH: Final = ("stash", "push", "--quiet", "--message")
_ADD: Final = ("add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul")
# Files added with `git add -N`: they are not stashed.
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
class ReviewEnd:
    """The result of ending a review.

    Attributes:
        head: what is checked out.
        stash: the stash commit with changes made meanwhile; "" for none.
        new_branch: the branch that was created for the user's commits; "" for none.
        message: sentences for the user.
    """

    head: Head
    stash: str
    new_branch: str
    message: str


async def end(git: Git) -> ReviewEnd:
    """End the review and check out the branch or commit from before it.

    Changes made meanwhile go to `git stash`. They stay in the files if the commit is the same, or
    if the user has switched back manually.

    Raises:
        Conflict: no review is in progress; or a merge or another operation is, or files are in
            conflict; or the journal belongs to another repository.
        AccessDenied: the journal can't be written.
        Busy: another git process holds the index lock.
        GitError: git fails; nothing is lost, and the message contains the manual steps.
    """
    repository = git.repository
    journal = await asyncio.to_thread(review_journal.read, repository)
    if journal is None:
        raise Conflict("No review is in progress here.")
    await _require_idle(git)
    original = await _original(git, journal)
    head = await _leave_parent(git, journal)
    new_branch = await _keep_commits(git, journal, head)
    await _stash_changes(git, journal, head, original)
    leaving = replace(journal, phase=Phase.LEAVING)
    await asyncio.to_thread(review_journal.write, repository, leaving)
    if not original.is_at(head):
        await _return(git, original)
    stash = await _stashed(git, journal)
    sentences = [
        _about_head(journal, original),
        _about_stash(journal) if stash else "",
        f"Your commits are on the new branch `{new_branch}`." if new_branch else "",
        "Changed files are left as they are." if await has_changes(git) else "",
    ]
    await asyncio.to_thread(review_journal.remove, repository)
    message = " ".join(filter(None, sentences))
    return ReviewEnd(await current_branch(repository), stash, new_branch, message)


async def require_free_index(git: Git) -> None:
    """See that no other git process holds the index lock, before anything is changed.

    Raises:
        Busy: one holds it.
    """
    await git.run(*_TAKE_INDEX)


async def _require_idle(git: Git) -> None:
    operation = unfinished_operation(git.repository)
    if operation is not None:
        raise Conflict(f"A {operation} is in progress; finish or abort it, then end the review.")
    await require_free_index(git)
    conflicts = names_in((await git.run(*_IN_CONFLICT)).data)
    if conflicts:
        raise Conflict(
            f"{conflicts[0]!r} is in conflict; resolve and stage it, then end the review."
        )


async def _original(git: Git, journal: ReviewJournal) -> CheckoutTarget:
    """Return what to check out: the original branch, or its commit if the branch was deleted."""
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
        f"The review began at {branch or sha[:10]!r}, which isn't in this repository; check out "
        f"the wanted branch, then remove {review_journal.shown_name(git.repository)}."
    )


async def _leave_parent(git: Git, journal: ReviewJournal) -> Head:
    """Move HEAD to the branch's last commit, which the files belong to; index and files stay.

    If the user has manually switched to a branch at the parent commit, that branch is not moved:
    HEAD is detached.
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
    """Create a branch for commits that the user made meanwhile; returns its name, "" for none."""
    known = {journal.branch_tip, journal.parent_commit, journal.original_sha}
    if not head.detached or head.sha in known:
        return ""
    if (await git.run("for-each-ref", "--count=1", "--contains", head.sha)).data:
        return ""
    name = f"kept-from-review-{head.sha[:10]}"
    await git.run("branch", "--no-track", name, head.sha)
    return name


async def _stash_changes(
    git: Git, journal: ReviewJournal, head: Head, original: CheckoutTarget
) -> None:
    """Stash the changes, unless they can stay in the files."""
    is_same = head.sha == original.sha
    if is_same and not (journal.phase is Phase.REVIEWING and await _is_staged(git, journal)):
        return
    changed = names_in((await git.run(*_CHANGED_FILES, head.sha, "--")).data)
    await refuse_restoring(git, changed, "the review is still open", head.sha)
    lost = await blocking_files(git, head.sha, original.sha)
    lost += names_in((await git.run(*_ANNOUNCED)).data)
    # A nested repository is no file; git refuses to overwrite it.
    await feed(git, _ADD, [path for path in lost if not path.endswith("/")])
    if await has_changes(git):
        await git.run(*_STASH, _stash_name(journal))


async def _return(git: Git, original: CheckoutTarget) -> None:
    try:
        await check_out(git, original)
    except GitError as error:
        by_hand = " ".join(("git switch", *original.arguments))
        raise GitError(
            f"{error.message} HEAD is unchanged and nothing is lost; remove the cause, and run "
            f"`{by_hand}` in a terminal or end the review again."
        ) from error


async def _is_staged(git: Git, journal: ReviewJournal) -> bool:
    """Return whether the index has the branch's version of a file that differs from HEAD's."""
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
    """Return the stash of this review; it may have been created by a host that crashed later."""
    listed = await git.run("stash", "list", "-z", "--format=%H %gs")
    for entry in listed.data.decode("utf-8", "replace").split("\0"):
        if entry.endswith(_stash_name(journal)):
            return entry.partition(" ")[0]
    return ""


def _stash_name(journal: ReviewJournal) -> str:
    # One line, unique to this review.
    about = " ".join(journal.branch.split())
    since = journal.since.replace("T", " ").replace("+00:00", " UTC") or journal.branch_tip[:10]
    return f"changed during the review of {about}, begun {since}"


def _about_head(journal: ReviewJournal, original: CheckoutTarget) -> str:
    if original.branch is not None:
        return f"`{original.branch}` is checked out again."
    deleted = journal.original_branch
    why = "" if deleted is None else f"The branch `{deleted}` no longer exists. "
    return f"{why}The commit `{original.sha[:10]}` is checked out again."


def _about_stash(journal: ReviewJournal) -> str:
    return (
        f"Changes made meanwhile are in `git stash` (“{_stash_name(journal)}”); "
        f"`git stash pop` on `{journal.branch}` restores them."
    )
