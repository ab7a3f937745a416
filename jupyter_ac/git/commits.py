"""Commits: ranges, search by message and author.

Read by `git log` with fields between NULs, so that a subject or a name may hold anything else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from jupyter_ac.errors import GitError, InvalidParams, NotFound
from jupyter_ac.git.refs import MAX_REF_CHARS, resolve_commit
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, GitOptions, read_git
from jupyter_ac.git.task_groups import together

MAX_COMMITS: Final = 10_000
"""The most commits of one answer."""

MAX_QUERY_CHARS: Final = 1024

MAX_SUBJECT_CHARS: Final = 2000

_FIELDS: Final = ("%H", "%h", "%P", "%an", "%aI", "%ar", "%at", "%cI", "%cr", "%ct", "%s")
_LOG: Final = (
    "log",
    "-z",
    "--no-patch",
    "--no-mailmap",
    "--encoding=UTF-8",
    f"--format={'%x00'.join(_FIELDS)}",
)
# Stashes, notes and what stands for other commits are commits of git's own making.
EVERYWHERE: Final = (
    *("--exclude=refs/stash", "--exclude=refs/notes/*", "--exclude=refs/replace/*"),
    "--all",
)


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit.

    Attributes:
        sha: its full hash.
        short_sha: the shortest hash that git gives it.
        parents: their full hashes; the first is that of the branch it was made on.
        author: the author's name.
        date: when it was written, ISO 8601 with the author's offset; when it was committed where
            that is not known.
        age: the same in words, "2 days ago".
        seconds: the same, since 1970.
        subject: the first paragraph of its message, on one line, up to `MAX_SUBJECT_CHARS`.
    """

    sha: str
    short_sha: str
    parents: tuple[str, ...]
    author: str
    date: str
    age: str
    seconds: int
    subject: str


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
    return await read_log(repository, (f"--max-count={bounded(limit)}", until, f"^{since}"))


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
    scope = EVERYWHERE if branch is None else (await resolve_commit(repository, branch),)
    named = await _named(repository, text)
    if named is not None:
        return await read_log(repository, ("--max-count=1", named))
    asked = bounded(limit)
    literal = ("--fixed-strings", "--regexp-ignore-case", f"--max-count={2 * asked}")
    answers = await together(
        read_log(repository, (*literal, f"--grep={text}", *scope)),
        read_log(repository, (*literal, f"--author={text}", *scope)),
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


def bounded(limit: int) -> int:
    """Return how many commits an answer holds at most.

    Raises:
        InvalidParams: the limit is below 0.
    """
    if limit < 0:
        raise InvalidParams("`limit` is below 0; ask for at least one commit.")
    return min(limit, MAX_COMMITS)


async def read_log(
    repository: Repository, arguments: Sequence[str], tips: Sequence[str] = ()
) -> list[Commit]:
    """Return what `git log` gives.

    Args:
        repository: whose commits.
        arguments: switches, and what to begin from.
        tips: further hashes to begin from, any number of them.

    Raises:
        GitError: git can't read the history.
    """
    options = GitOptions(stdin="".join(f"{tip}\n" for tip in tips).encode()) if tips else DEFAULTS
    source = ("--stdin",) if tips else ()
    output = await read_git(repository.root, (*_LOG, *arguments, *source, "--"), options)
    if output.exit_code != 0 or output.truncated:
        raise GitError(f"git can't read the history: {output.complaint}")
    return list(_parsed(output.data))


def _parsed(data: bytes) -> Iterator[Commit]:
    """Give each commit of the output: so many fields, a NUL after each."""
    fields = iter(data.decode("utf-8", "replace").split("\0"))
    while len(row := list(islice(fields, len(_FIELDS)))) == len(_FIELDS):
        sha, short, parents, author, *written, subject = row
        # Where there is no time git gives the format back, or nothing.
        date, age, seconds = written[:3] if written[2] else written[3:]
        yield Commit(
            sha=sha,
            short_sha=short,
            parents=tuple(parents.split()),
            author=author,
            date=date if seconds else "",
            age=age,
            seconds=int(seconds or 0),
            subject=subject[:MAX_SUBJECT_CHARS],
        )
