"""Resolves names of commits to hashes before other modules use them."""

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import GitError, InvalidParams, NotFound
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, read_git, run_git

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
