"""Resolves names of commits to hashes, and reads HEAD.

Other modules give git the hashes only: a name could mean something else a moment later.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import GitError, InvalidParams, NotFound
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, GitOptions, GitOutput, read_git, run_git
from jupyter_ac.git.task_groups import gather

MAX_REF_CHARS: Final = 1024

TRUNKS: Final = ("heads/main", "heads/master", "remotes/origin/main", "remotes/origin/master")
"""Default branches for a comparison; the first one that exists is used."""

_SEARCHES: Final = re.compile(r"^:|\^\{/")
_HASH: Final = re.compile(rb"^[0-9a-f]{40}(?:[0-9a-f]{24})?\n$")


@dataclass(frozen=True, slots=True)
class NamedCommit:
    """A commit with its full and its abbreviated hash."""

    sha: str
    short_sha: str


async def resolve_commit(repository: Repository, ref: str) -> str:
    """Return the full hash of the commit that a branch, tag or other name refers to.

    Raises:
        InvalidParams: it can't be the name of a commit: empty, too long, or a search expression for
            messages, for which git could use all memory.
        NotFound: no commit has that name.
    """
    if not ref.strip() or "\0" in ref or len(ref) > MAX_REF_CHARS or _SEARCHES.search(ref):
        raise InvalidParams(f"{ref[:80]!r} names no commit; give a branch, tag or hash.")
    # The name of a branch may look like an option.
    whole = f"refs/heads/{ref}" if ref.startswith("-") else ref
    output = await read_git(
        repository.root,
        ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{whole}^{{commit}}"),
        DEFAULTS,
    )
    if output.exit_code != 0 or _HASH.match(output.data) is None:
        raise NotFound(f"No commit is called {ref!r} in this repository.")
    return output.data.decode("ascii").strip()


async def first_parent(repository: Repository, commit: str) -> NamedCommit | None:
    """Return the first parent of a commit; None for the first commit.

    Raises:
        InvalidParams, NotFound: `commit` is not a commit.
        GitError: git can't read it.
    """
    sha = await resolve_commit(repository, commit)
    try:
        return await named(repository, await resolve_commit(repository, f"{sha}^1"))
    except NotFound:
        return None


async def merge_base(
    repository: Repository, one: str, other: str | None = None
) -> NamedCommit | None:
    """Return the best common ancestor of two commits; None if there is none.

    Args:
        repository: the repository.
        one: a ref.
        other: another; None means the first of `TRUNKS` that exists.

    Raises:
        InvalidParams, NotFound: a ref is not a commit, or there is no trunk.
        GitError: git can't read the history.
    """
    mine = await resolve_commit(repository, one)
    theirs = await (_trunk(repository) if other is None else resolve_commit(repository, other))
    output = await read_git(repository.root, ("merge-base", mine, theirs))
    if output.exit_code not in {0, 1}:
        raise GitError(f"git can't compare the histories: {output.complaint}")
    found = output.data.decode("ascii").strip()
    return await named(repository, found) if found else None


async def named(repository: Repository, sha: str) -> NamedCommit:
    """Return a commit's hash with its abbreviated form."""
    short = await run_git(repository.root, "rev-parse", "--short", sha)
    return NamedCommit(sha, short.decode("ascii").strip())


async def _trunk(repository: Repository) -> str:
    for name in TRUNKS:
        with suppress(NotFound):
            return await resolve_commit(repository, f"refs/{name}")
    raise NotFound("There is neither a branch `main` nor `master`; name the branch to compare to.")


_BRANCHES: Final = "refs/heads/"
_COMMIT_SHA: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
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
    if last.exit_code == 0 and _COMMIT_SHA.fullmatch(sha):
        return sha
    history = await read_git(repository.root, ("log", "--max-count=1", "--format="), DEFAULTS)
    if "does not have any commits yet" in history.complaint:
        return ""
    raise GitError(
        f"git can't read the commit that is checked out: {history.complaint}. "
        "The repository is damaged; `git fsck` in a terminal shows more."
    )
