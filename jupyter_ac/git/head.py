"""Reads HEAD, and whether tracked files differ from it."""

import re
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import GitError
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, GitOptions, GitOutput, read_git
from jupyter_ac.git.task_groups import gather

_BRANCHES: Final = "refs/heads/"
_HASH: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LAST: Final = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")


@dataclass(frozen=True, slots=True)
class Head:
    """The checked out branch and commit.

    Attributes:
        branch: the branch's name; None when HEAD is detached.
        sha: the commit's full hash; "" before the first commit.
        detached: True when no branch is checked out.
    """

    branch: str | None
    sha: str
    detached: bool


async def current_branch(repository: Repository) -> Head:
    """Return the checked out branch and commit.

    Raises:
        GitError: git can't read one of them.
    """
    symbolic, commit = await gather(
        read_git(repository.root, ("symbolic-ref", "--quiet", "HEAD"), DEFAULTS),
        read_git(repository.root, _LAST, DEFAULTS),
    )
    if symbolic.exit_code not in {0, 1}:
        raise GitError(f"git can't read the current branch: {symbolic.complaint}")
    name = symbolic.data.removesuffix(b"\n").decode("utf-8", "surrogateescape")
    sha = await _checked(repository, commit)
    return Head(branch=name.removeprefix(_BRANCHES) or None, sha=sha, detached=not name)


async def last_commit(repository: Repository) -> str:
    """Return the full hash of the checked out commit; "" before the first one.

    Raises:
        GitError: git can't read it.
    """
    return await _checked(repository, await read_git(repository.root, _LAST, DEFAULTS))


async def is_clean(repository: Repository) -> bool:
    """Return whether no tracked file is changed, staged or in conflict."""
    arguments = ("status", "--porcelain=v2", "-z", "-uno", "--ignore-submodules=dirty")
    config = (await program_policy(repository)).reading()
    # One byte is enough.
    output = await read_git(repository.root, arguments, GitOptions(max_bytes=1, config=config))
    if output.exit_code != 0 and not output.truncated:
        raise GitError(f"git can't list the changes: {output.complaint}")
    return not output.data


async def _checked(repository: Repository, last: GitOutput) -> str:
    """Validate the hash from `_LAST`; "" only if there really is no commit yet.

    A missing commit, or a branch file emptied by a power failure, looks like a new repository at
    first; treating it as one would discard what only that commit contains.
    """
    sha = last.data.decode("ascii", "replace").strip()
    if last.exit_code == 0 and _HASH.fullmatch(sha):
        return sha
    history = await read_git(repository.root, ("log", "--max-count=1", "--format="), DEFAULTS)
    if "does not have any commits yet" in history.complaint:
        return ""
    raise GitError(
        f"git can't read the commit that is checked out: {history.complaint}. "
        "The repository is damaged; `git fsck` in a terminal shows more."
    )
