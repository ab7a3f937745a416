"""Commits: ranges, pages of the graph, search by message and author.

Read by `git log` with fields between NULs, so that a subject or a name may hold anything else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from jupyter_ac.errors import GitError, InvalidParams, NotFound
from jupyter_ac.git.branches import current_branch
from jupyter_ac.git.refs import MAX_REF_CHARS, resolve_commit
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import read_git
from jupyter_ac.git.together import together

MAX_COMMITS: Final = 10_000
"""The most commits of one answer."""

MAX_QUERY_CHARS: Final = 1024

_FIELDS: Final = ("%H", "%h", "%P", "%an", "%aI", "%ar", "%at", "%s")
_LOG: Final = (
    "log",
    "-z",
    "--no-patch",
    "--no-mailmap",
    "--encoding=UTF-8",
    f"--format={'%x00'.join(_FIELDS)}",
)
# Stashes and notes are commits of git's own making.
_EVERYWHERE: Final = ("--exclude=refs/stash", "--exclude=refs/notes/*", "--all")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit.

    Attributes:
        sha: its full hash.
        short_sha: the shortest hash that git gives it.
        parents: their full hashes; the first is that of the branch it was made on.
        author: the author's name.
        date: when it was written, ISO 8601 with the author's offset.
        age: the same in words, "2 days ago".
        seconds: the same, since 1970.
        subject: the first paragraph of its message, on one line.
    """

    sha: str
    short_sha: str
    parents: tuple[str, ...]
    author: str
    date: str
    age: str
    seconds: int
    subject: str


@dataclass(frozen=True, slots=True)
class Page:
    """Some commits out of many.

    Attributes:
        commits: in the order asked for.
        has_more: whether others follow.
    """

    commits: list[Commit]
    has_more: bool


async def commits_between(
    repository: Repository, base: str, head: str = "HEAD", limit: int = 100
) -> list[Commit]:
    """Return the commits that `head` has and `base` has not, newest first.

    Raises:
        InvalidParams, NotFound: `base` or `head` names no commit.
        GitError: git can't read the history.
    """
    since, until = await together(
        resolve_commit(repository, base), resolve_commit(repository, head)
    )
    return await _log(repository, (f"--max-count={_bounded(limit)}", until, f"^{since}"))


async def commit_page(
    repository: Repository, limit: int = 100, offset: int = 0, *, every_ref: bool = False
) -> Page:
    """Return a page of the graph, children before parents; the same as long as no ref moves.

    Args:
        repository: whose commits.
        limit: at most so many.
        offset: leave out so many before them.
        every_ref: also what only remote branches and tags lead to; HEAD always counts.

    Raises:
        InvalidParams: the offset is below 0.
        GitError: git can't read the history.
    """
    if offset < 0:
        raise InvalidParams("`offset` is below 0; count commits from 0.")
    asked = _bounded(limit)
    scope = _EVERYWHERE if every_ref else await _own_branches(repository)
    if not scope:
        return Page([], has_more=False)
    arguments = ("--topo-order", f"--skip={offset}", f"--max-count={asked + 1}", *scope)
    found = await _log(repository, arguments)
    return Page(found[:asked], has_more=len(found) > asked)


async def search_commits(
    repository: Repository, query: str, branch: str | None = None, limit: int = 100
) -> list[Commit]:
    """Return the commits whose message or author holds a text, newest first.

    A query that names a commit (a hash, a tag, a branch) gives that one alone.

    Args:
        repository: where to search.
        query: read literally, upper and lower case alike; blank finds nothing.
        branch: only what this ref leads to; None searches all refs.
        limit: at most so many.

    Raises:
        InvalidParams: the query has several lines or is too long, or `branch` can't be a name.
        NotFound: `branch` names no commit.
        GitError: git can't read the history.
    """
    text = query.strip()
    if not text:
        return []
    if len(text) > MAX_QUERY_CHARS or "\n" in text or "\0" in text:
        raise InvalidParams(
            f"Search for one line of at most {MAX_QUERY_CHARS} characters; shorten the query."
        )
    scope = _EVERYWHERE if branch is None else (await resolve_commit(repository, branch),)
    named = await _named(repository, text)
    if named is not None:
        return await _log(repository, ("--max-count=1", named))
    asked = _bounded(limit)
    literal = ("--fixed-strings", "--regexp-ignore-case", f"--max-count={2 * asked}")
    answers = await together(
        _log(repository, (*literal, f"--grep={text}", *scope)),
        _log(repository, (*literal, f"--author={text}", *scope)),
    )
    found = {commit.sha: commit for commit in chain.from_iterable(answers)}
    return sorted(found.values(), key=lambda commit: -commit.seconds)[:asked]


async def _named(repository: Repository, text: str) -> str | None:
    """Return the commit that a query names; a text of several words is no name."""
    if any(letter.isspace() for letter in text) or len(text) > MAX_REF_CHARS:
        return None
    try:
        return await resolve_commit(repository, text)
    except (NotFound, InvalidParams):
        return None


async def _own_branches(repository: Repository) -> Sequence[str]:
    """Return what leads to all local commits; nothing before the first one."""
    head = await current_branch(repository)
    return ("--branches", head.sha) if head.sha else ("--branches",)


def _bounded(limit: int) -> int:
    if limit < 0:
        raise InvalidParams("`limit` is below 0; ask for at least one commit.")
    return min(limit, MAX_COMMITS)


async def _log(repository: Repository, arguments: Sequence[str]) -> list[Commit]:
    output = await read_git(repository.root, (*_LOG, *arguments, "--"))
    if output.exit_code != 0:
        raise GitError(f"git can't read the history: {output.complaint}")
    return list(_parsed(output.data))


def _parsed(data: bytes) -> Iterator[Commit]:
    """Give each commit of the output: eight fields, a NUL after each."""
    fields = iter(data.decode("utf-8", "replace").split("\0"))
    while len(row := list(islice(fields, len(_FIELDS)))) == len(_FIELDS):
        sha, short, parents, author, date, age, seconds, subject = row
        yield Commit(sha, short, tuple(parents.split()), author, date, age, int(seconds), subject)
