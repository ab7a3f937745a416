"""Reviewing a branch: its files on disk, its base checked out, all that it changes staged.

So everything that shows changes shows the branch's, unchanged. HEAD is detached meanwhile; what was
checked out before comes back at the end (`ending.py`). Each step is in the journal before it
is taken.
"""

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.git.head import Head, current_branch
from jupyter_ac.git.in_progress import under_way
from jupyter_ac.git.refs import TRUNKS, first_parent, merge_base, resolve_commit
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review.checkout import CheckoutTarget, check_out
from jupyter_ac.git.review.checkout_conflicts import in_the_way
from jupyter_ac.git.review.end import end
from jupyter_ac.git.review.journal import Phase, ReviewJournal
from jupyter_ac.git.write_commands import Git

_LISTED: Final = 3
_CHANGED: Final = ("status", "--porcelain=v2", "-z", "-uno", "--ignore-submodules=untracked")
_HOLDER: Final = ("for-each-ref", "--format=%(worktreepath)")
# The commit before the first one: nothing in it, the same on every machine.
_EMPTY_TREE: Final = ("mktree",)
_NOBODY: Final = (
    *("-c", "user.name=jupyter_ac", "-c", "user.email=jupyter_ac@localhost"),
    *("-c", "commit.gpgSign=false"),
)


async def begin(git: Git, branch: str, base_commit: str) -> ReviewJournal:
    """Check out what was before a branch, or before one of its commits.

    Args:
        git: alone with the repository.
        branch: what to review: a branch, a remote's, or any other name of a commit.
        base_commit: the first commit of the review; "" begins where the branch left what is
            checked out, or the trunk.

    Raises:
        NotFound: a name stands for no commit.
        Conflict: a review, a merge or the like is under way, tracked files have changes, another
            working tree has the branch, files are in the way, or there is nothing to compare.
        AccessDenied: the journal can't be written.
        GitError: git can't check it out.
    """
    repository = git.repository
    await _require_rest(git)
    head = await current_branch(repository)
    if not head.sha:
        raise Conflict("There is no commit yet; there is nothing to review.")
    tip = await _tip(git, branch)
    base, parent = await _span(git, tip, base_commit, head)
    if parent == tip:
        raise Conflict(f"{branch!r} has nothing that its base has not; there is nothing to review.")
    await _require_room(git, parent, tip)
    since = datetime.now(UTC).isoformat(timespec="seconds")
    journal = ReviewJournal(branch, tip, base, parent, head.branch, head.sha, since=since)
    await asyncio.to_thread(review_journal.make_room, repository)
    await asyncio.to_thread(review_journal.write, repository, journal)
    try:
        await check_out(git, CheckoutTarget(None, parent))
    except BaseException:
        await end(git)
        raise
    return journal


async def show_branch(git: Git, branch_tip: str, parent_commit: str) -> ReviewJournal:
    """Put the branch's files on disk and stage all that it changes.

    Raises:
        Conflict: no review of this branch is under way, or HEAD has been moved by hand.
        AccessDenied: the journal can't be written.
        GitError: git can't; the review is to be ended then.
    """
    journal = await asyncio.to_thread(review_journal.read, git.repository)
    if journal is None:
        raise Conflict("No review is under way here; begin one first.")
    if (journal.branch_tip, journal.parent_commit) != (branch_tip, parent_commit):
        raise Conflict("Another review is under way; end it first.")
    head = await current_branch(git.repository)
    is_moved = not head.detached or head.sha not in {branch_tip, parent_commit}
    if is_moved or journal.phase is Phase.LEAVING:
        raise Conflict("Something else has been checked out since; end the review.")
    reviewing = replace(journal, phase=Phase.REVIEWING)
    await check_out(git, CheckoutTarget(None, branch_tip))
    await asyncio.to_thread(review_journal.write, git.repository, reviewing)
    await git.run("reset", "--soft", parent_commit, "--")
    return reviewing


async def _require_rest(git: Git) -> None:
    repository = git.repository
    journal = await asyncio.to_thread(review_journal.find, repository)
    if journal is not None:
        raise Conflict(
            f"A review of {journal.branch!r} is under way; end it before you begin another one."
        )
    operation = under_way(repository)
    if operation is not None:
        raise Conflict(f"A {operation} is under way; finish or abort it before a review.")
    if (await git.run(*_CHANGED)).data:
        raise Conflict("Tracked files have changes; commit or discard them before a review.")


async def _require_room(git: Git, *targets: str) -> None:
    found = await in_the_way(git, *targets)
    if found:
        named = ", ".join(repr(path) for path in found[:_LISTED])
        more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        raise Conflict(
            f"git does not know {named}{more}, and the review needs the place; move or commit it."
        )


async def _tip(git: Git, branch: str) -> str:
    """Return a branch's last commit; a branch wins over a tag of its name."""
    repository = git.repository
    with suppress(NotFound):
        tip = await resolve_commit(repository, f"refs/heads/{branch}")
        await _require_free(git, branch)
        return tip
    with suppress(NotFound):
        return await resolve_commit(repository, f"refs/remotes/{branch}")
    return await resolve_commit(repository, branch)


async def _require_free(git: Git, branch: str) -> None:
    """Refuse a branch that somebody works on in another working tree."""
    told = await git.run(*_HOLDER, f"refs/heads/{branch}")
    folder = told.data.decode("utf-8", "surrogateescape").removesuffix("\n")
    if await asyncio.to_thread(_is_another, folder, git.repository.root):
        raise Conflict(
            f"{branch!r} is checked out in another working tree, {Path(folder).name!r}, and may "
            "change meanwhile; review it there, or name its last commit instead."
        )


def _is_another(folder: str, root: Path) -> bool:
    return folder != "" and Path(folder).is_dir() and not Path(folder).samefile(root)


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
    is_inside = False
    for other in (head.sha, *(f"refs/{name}" for name in TRUNKS)):
        try:
            shared = await merge_base(git.repository, tip, other)
        except NotFound:
            continue
        if shared is not None and shared.sha != tip:
            return shared.sha
        is_inside = is_inside or shared is not None
    if is_inside:
        return tip
    raise Conflict("The branch shares no commit with another one; name the first commit to review.")


async def _nothing(git: Git) -> str:
    """Return a commit without files and without a parent."""
    tree = (await git.run(*_EMPTY_TREE, stdin=b"")).data.decode("ascii").strip()
    made = await git.run(*_NOBODY, "commit-tree", "-m", "nothing", tree)
    return made.data.decode("ascii").strip()
