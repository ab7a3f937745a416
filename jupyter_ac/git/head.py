"""Where HEAD is, and whether the working tree differs from it."""

import re
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import GitError
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, GitOptions, GitOutput, read_git
from jupyter_ac.git.task_groups import together

_BRANCHES: Final = "refs/heads/"
_HASH: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LAST: Final = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")


@dataclass(frozen=True, slots=True)
class Head:
    """Where HEAD is.

    Attributes:
        branch: the branch's name; None when HEAD is detached.
        sha: the commit's full hash; "" before the first commit.
        detached: True when no branch is checked out.
    """

    branch: str | None
    sha: str
    detached: bool


async def current_branch(repository: Repository) -> Head:
    """Return the branch and commit that are checked out.

    Raises:
        GitError: git can't read one of them.
    """
    symbolic, commit = await together(
        read_git(repository.root, ("symbolic-ref", "--quiet", "HEAD"), DEFAULTS),
        read_git(repository.root, _LAST, DEFAULTS),
    )
    if symbolic.exit_code not in {0, 1}:
        raise GitError(f"git can't tell the current branch: {symbolic.complaint}")
    name = symbolic.data.removesuffix(b"\n").decode("utf-8", "surrogateescape")
    sha = await _checked(repository, commit)
    return Head(branch=name.removeprefix(_BRANCHES) or None, sha=sha, detached=not name)


async def last_commit(repository: Repository) -> str:
    """Return the full hash of the commit that is checked out; "" before the first one.

    Raises:
        GitError: git can't read it.
    """
    return await _checked(repository, await read_git(repository.root, _LAST, DEFAULTS))


async def is_clean(repository: Repository) -> bool:
    """Tell whether no tracked file is changed, staged or in conflict; others don't count."""
    arguments = ("status", "--porcelain=v2", "-z", "-uno", "--ignore-submodules=dirty")
    config = (await program_policy(repository)).reading()
    # One byte is enough to know.
    output = await read_git(repository.root, arguments, GitOptions(max_bytes=1, config=config))
    if output.exit_code != 0 and not output.truncated:
        raise GitError(f"git can't tell what has changed: {output.complaint}")
    return not output.data


async def _checked(repository: Repository, last: GitOutput) -> str:
    """Return the hash that `_LAST` gave; "" only where there really is no commit yet.

    A commit that is missing, or a branch whose file a power cut emptied, looks the same at first;
    whoever took it for a new repository would throw away what only that commit has.
    """
    sha = last.data.decode("ascii", "replace").strip()
    if last.exit_code == 0 and _HASH.fullmatch(sha):
        return sha
    history = await read_git(repository.root, ("log", "--max-count=1", "--format="), DEFAULTS)
    if "does not have any commits yet" in history.complaint:
        return ""
    raise GitError(
        f"git can't read the commit that is checked out: {history.complaint}. "
        "The repository is damaged; `git fsck` in a terminal tells more."
    )
