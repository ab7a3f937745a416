"""Records the last commit made by this program, and undoes it if nobody else can have it.

The record is a small file in the working tree's own git directory. Anybody may have written it: it
is used only to name a commit, which must be the one that is checked out.
"""

import asyncio
import json
import logging
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import Conflict, GitError
from jupyter_ac.git.in_progress import unfinished_operation
from jupyter_ac.git.refs import current_branch
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.journal import refuse_while_open
from jupyter_ac.git.runner import DEFAULTS, read_git
from jupyter_ac.git.write_commands import Git

log = logging.getLogger(__name__)

NAME: Final = "made_commit.json"

_MAX_BYTES: Final = 4096
_HASH: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_DESCRIBE: Final = ("log", "--max-count=1", "--no-show-signature", "--format=%h%x00%P%x00%B")
_REMOTE: Final = ("for-each-ref", "--count=1", "--format=%(refname:short)")


@dataclass(frozen=True, slots=True)
class Undoable:
    """The commit that an undo would remove.

    Attributes:
        sha: its full hash.
        short_sha: its abbreviated hash.
        message: the full message.
        parent: the commit before it; "" for the first commit.
        branch: the checked out branch; "" for none.
    """

    sha: str
    short_sha: str
    message: str
    parent: str
    branch: str

    @property
    def subject(self) -> str:
        """The first line of its message."""
        return self.message.partition("\n")[0]


def record_commit(repository: Repository, sha: str) -> None:
    """Record which commit was made; if the disk refuses only the undo is lost."""
    place = repository.git_dir / NAME
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    try:
        # No temporary file: it would stay behind if the host is killed here.
        place.unlink(missing_ok=True)
        with os.fdopen(os.open(place, flags, 0o600), "w", encoding="ascii") as file:
            json.dump({"sha": sha}, file)
    except OSError as error:
        log.warning("the commit can't be undone later: %s", error)


async def undoable(repository: Repository) -> Undoable:
    """Return the commit that can be undone at present.

    Raises:
        Conflict: there is none; the message contains the reason and the remedy.
        GitError: git fails.
    """
    await asyncio.to_thread(refuse_while_open, repository, "a commit is undone")
    operation = await asyncio.to_thread(unfinished_operation, repository)
    if operation is not None:
        raise Conflict(
            f"A {operation} is in progress; end it first, or abort it with "
            f"`git {operation} {'reset' if operation == 'bisect' else '--abort'}` in a terminal."
        )
    sha = await asyncio.to_thread(_remembered, repository)
    head = await current_branch(repository)
    if not sha or not head.sha:
        raise Conflict("No commit was made here that could be undone.")
    if head.sha != sha:
        raise Conflict(
            f"The commit {sha[:7]} was made here, but another one is checked out now: "
            f"{head.sha[:7]}. Look at `git log`, and use `git reset --soft` in a terminal."
        )
    return await _described(repository, sha, head.branch or "")


async def undo_commit(git: Git) -> Undoable:
    """Undo the last commit if this program made it; index and files stay as they are.

    Undoing the first commit leaves a branch without commits.

    Raises:
        Conflict: as `undoable`.
        GitError: git can't move the branch, or another process has moved it meanwhile.
    """
    found = await undoable(git.repository)
    reason = f"reset: undo of {found.short_sha}"
    if found.parent:
        await git.run("update-ref", "-m", reason, "HEAD", found.parent, found.sha)
    else:
        await git.run("update-ref", "-m", reason, "-d", "HEAD", found.sha)
    with suppress(OSError):
        (git.repository.git_dir / NAME).unlink()
    return found


async def _described(repository: Repository, sha: str, branch: str) -> Undoable:
    output = await read_git(repository.root, (*_DESCRIBE, sha, "--"), DEFAULTS)
    short, _, rest = output.data.decode("utf-8", "replace").partition("\0")
    parents, _, message = rest.partition("\0")
    if output.exit_code != 0:
        raise GitError(f"git can't read the commit {sha[:7]}: {output.complaint}")
    parent, *others = parents.split() or [""]
    if others:
        raise Conflict(
            f"{short} is a merge, which can't be undone here; use `git reset --keep {parent[:10]}` "
            "in a terminal, and merge again."
        )
    if not parent and not branch:
        raise Conflict(
            f"{short} is the first commit and no branch is checked out; create one with "
            "`git switch --create NAME` first."
        )
    remote = await read_git(
        repository.root, (*_REMOTE, f"--contains={sha}", "refs/remotes"), DEFAULTS
    )
    if remote.exit_code != 0:
        raise GitError(f"git can't check whether {short} is pushed: {remote.complaint}")
    if name := remote.data.decode("utf-8", "replace").strip():
        raise Conflict(
            f"{short} is pushed already: it is part of {name}. Others may have it; revert it "
            f"with a new commit, `git revert {short}`."
        )
    return Undoable(sha, short, message.rstrip("\n"), parent, branch)


def _remembered(repository: Repository) -> str:
    """Return the last commit recorded; "" if there is none."""
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        with os.fdopen(os.open(repository.git_dir / NAME, flags), "rb") as file:
            found = json.loads(file.read(_MAX_BYTES))
        sha = found["sha"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return ""
    return sha if isinstance(sha, str) and _HASH.fullmatch(sha) else ""
