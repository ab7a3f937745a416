"""Starts the review of a branch: its files on disk, its base checked out, all its changes staged.

So every tool that shows changes shows the branch's. HEAD is detached meanwhile; the original branch
or commit is restored at the end (`end.py`). Each step is recorded in the journal before it is
taken.
"""

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.git.in_progress import unfinished_operation
from jupyter_ac.git.refs import (
    TRUNKS,
    Head,
    current_branch,
    first_parent,
    merge_base,
    resolve_commit,
)
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review.checkout import CheckoutTarget, blocking_files, check_out
from jupyter_ac.git.review.end import end, require_free_index
from jupyter_ac.git.review.journal import Phase, ReviewJournal
from jupyter_ac.git.write_commands import Git

_LISTED: Final = 3
_CHANGED: Final = ("status", "--porcelain=v2", "-z", "-uno", "--ignore-submodules=untracked")
_HOLDER: Final = ("for-each-ref", "--format=%(worktreepath)")
# The commit before the first one: empty, with the same tree hash on every machine.
_EMPTY_TREE: Final = ("mktree",)
_NOBODY: Final = (
    *("-c", "user.name=jupyter_ac", "-c", "user.email=jupyter_ac@localhost"),
    *("-c", "commit.gpgSign=false"),
)


async def begin(git: Git, branch: str, base_commit: str) -> ReviewJournal:
    """Check out the state before a branch, or before one of its commits.

    Args:
        git: with exclusive access to the repository.
        branch: the branch to review: local, of a remote, or any other name of a commit.
        base_commit: the first commit of the review; "" starts at the common ancestor with what is
            checked out, or with the trunk.

    Raises:
        NotFound: a name is not a commit.
        Conflict: a review, a merge or another operation is in progress, tracked files have changes,
            another working tree has the branch, files are in the way, or there is nothing to
            compare.
        AccessDenied: the journal can't be written.
        Busy: another git process holds the index lock.
        GitError: git can't check it out.
    """
    repository = git.repository
    await _require_idle(git)
    head = await current_branch(repository)
    if not head.sha:
        raise Conflict("There is no commit yet; there is nothing to review.")
    tip = await _tip(git, branch)
    base, parent = await _span(git, tip, base_commit, head)
    if parent == tip:
        raise Conflict(f"{branch!r} has no commits beyond its base; there is nothing to review.")
    await _require_room(git, parent, tip)
    await require_free_index(git)
    since = datetime.now(UTC).isoformat(timespec="seconds")
    journal = ReviewJournal(branch, tip, base, parent, head.branch, head.sha, since=since)
    await asyncio.to_thread(review_journal.set_aside_invalid, repository)
    await asyncio.to_thread(review_journal.write, repository, journal)
    try:
        await check_out(git, CheckoutTarget(None, parent))
    except BaseException:
        await end(git)
        raise
    return journal


async def begin_and_show(git: Git, branch: str, base_commit: str) -> ReviewJournal:
    """Begin a review and show the branch's files; a failure leaves everything as it was.

    Raises:
        NotFound, Conflict, AccessDenied, GitError: as `begin` and `show_branch`.
    """
    journal = await begin(git, branch, base_commit)
    try:
        return await show_branch(git, journal.branch_tip, journal.parent_commit)
    except BaseException:
        await end(git)
        raise


async def review_obstacle(git: Git) -> str:
    """Say why no review can begin now; "" if one can."""
    try:
        await _require_idle(git)
    except Conflict as error:
        return error.message
    return ""


async def show_branch(git: Git, branch_tip: str, parent_commit: str) -> ReviewJournal:
    """Write the branch's files to disk and stage all its changes.

    Raises:
        Conflict: no review of this branch is in progress, or HEAD was moved manually.
        AccessDenied: the journal can't be written.
        GitError: git fails; then the review must be ended.
    """
    journal = await asyncio.to_thread(review_journal.read, git.repository)
    if journal is None:
        raise Conflict("No review is in progress here; begin one first.")
    if (journal.branch_tip, journal.parent_commit) != (branch_tip, parent_commit):
        raise Conflict("Another review is in progress; end it first.")
    head = await current_branch(git.repository)
    is_moved = not head.detached or head.sha not in {branch_tip, parent_commit}
    if is_moved or journal.phase is Phase.LEAVING:
        raise Conflict("Another branch or commit has been checked out since; end the review.")
    reviewing = replace(journal, phase=Phase.REVIEWING)
    await check_out(git, CheckoutTarget(None, branch_tip))
    await asyncio.to_thread(review_journal.write, git.repository, reviewing)
    await git.run("reset", "--soft", parent_commit, "--")
    return reviewing


async def _require_idle(git: Git) -> None:
    repository = git.repository
    journal = await asyncio.to_thread(review_journal.find, repository)
    if journal is not None:
        raise Conflict(
            f"A review of {journal.branch!r} is in progress; end it before you begin another one."
        )
    operation = unfinished_operation(repository)
    if operation is not None:
        raise Conflict(f"A {operation} is in progress; finish or abort it before a review.")
    if (await git.run(*_CHANGED)).data:
        raise Conflict("Tracked files have changes; commit or discard them before a review.")


async def _require_room(git: Git, *targets: str) -> None:
    found = await blocking_files(git, *targets)
    if found:
        named = ", ".join(repr(path) for path in found[:_LISTED])
        more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        raise Conflict(
            f"{named}{more} is untracked and in the way of the review; move or commit it."
        )


async def _tip(git: Git, branch: str) -> str:
    """Return a branch's last commit; a branch takes precedence over a tag of the same name."""
    repository = git.repository
    with suppress(NotFound):
        tip = await resolve_commit(repository, f"refs/heads/{branch}")
        await _require_free(git, branch)
        return tip
    with suppress(NotFound):
        return await resolve_commit(repository, f"refs/remotes/{branch}")
    return await resolve_commit(repository, branch)


async def _require_free(git: Git, branch: str) -> None:
    """Refuse a branch that is checked out in another working tree."""
    output = await git.run(*_HOLDER, f"refs/heads/{branch}")
    folder = output.data.decode("utf-8", "surrogateescape").removesuffix("\n")
    if await asyncio.to_thread(_is_another, folder, git.repository.root):
        raise Conflict(
            f"{branch!r} is checked out in another working tree, {Path(folder).name!r}, and may "
            "change meanwhile; review it there, or name its last commit instead."
        )


def _is_another(folder: str, root: Path) -> bool:
    return folder != "" and Path(folder).is_dir() and not Path(folder).samefile(root)


async def _span(git: Git, tip: str, base_commit: str, head: Head) -> tuple[str, str]:
    """Return the first commit of the review and the commit that it is compared with."""
    repository = git.repository
    if not base_commit.strip():
        shared = await _branch_point(git, tip, head)
        return shared, shared
    base = await resolve_commit(repository, base_commit)
    inside = await git.run("merge-base", "--is-ancestor", base, tip, ok=(0, 1))
    if inside.exit_code != 0:
        raise Conflict(f"{base_commit!r} is not part of the branch; choose one of its commits.")
    parent = await first_parent(repository, base)
    return base, await _empty_commit(git) if parent is None else parent.sha


async def _branch_point(git: Git, tip: str, head: Head) -> str:
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


async def _empty_commit(git: Git) -> str:
    """Return a commit without files and without a parent."""
    tree = (await git.run(*_EMPTY_TREE, stdin=b"")).data.decode("ascii").strip()
    made = await git.run(*_NOBODY, "commit-tree", "-m", "nothing", tree)
    return made.data.decode("ascii").strip()
