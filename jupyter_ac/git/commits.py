"""Reads commits from `git log`: ranges, and search by message and author.

The fields are separated by NUL, so subjects and names may contain any other character.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from jupyter_ac.errors import GitError, InvalidParams, NotFound
from jupyter_ac.git.refs import MAX_REF_CHARS, resolve_commit
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, GitOptions, read_git, run_git
from jupyter_ac.git.task_groups import gather

MAX_COMMITS: Final = 10_000
"""Maximum number of commits in one result."""

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
# Stashes, notes and replacements are commits that git itself creates.
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
        parents: their full hashes; the first belongs to the branch it was made on.
        author: the author's name.
        date: when it was written, ISO 8601 with the author's offset; the committer's
            date if that is unknown.
        age: the same as a relative time, "2 days ago".
        seconds: the same in seconds since 1970.
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
    """Return the commits reachable from `head` but not from `base`, newest first.

    Raises:
        InvalidParams, NotFound: `base` or `head` is not a commit.
        GitError: git can't read the history.
    """
    since, until = await gather(resolve_commit(repository, base), resolve_commit(repository, head))
    return await read_log(repository, (f"--max-count={validated_limit(limit)}", until, f"^{since}"))


async def count_commits(repository: Repository, base: str, head: str) -> int:
    """Count the commits reachable from one commit but not from another.

    Args:
        repository: the repository.
        base: a full hash.
        head: a full hash.

    Raises:
        GitError: git can't read the history.
    """
    return int(await run_git(repository.root, "rev-list", "--count", f"{base}..{head}", "--"))


async def search_commits(
    repository: Repository, query: str, branch: str | None = None, limit: int = 100
) -> list[Commit]:
    """Return the commits whose message or author contains a text, newest first.

    If the query is the name of a commit (a hash, tag or branch), only that commit is returned.

    Args:
        repository: the repository.
        query: literal text, case is ignored; blank finds nothing.
        branch: search only commits reachable from this ref; None searches all refs.
        limit: maximum number of commits.

    Raises:
        InvalidParams: the query has several lines or is too long, or `branch` is not a valid name.
        NotFound: `branch` is not a commit.
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
    asked = validated_limit(limit)
    literal = ("--fixed-strings", "--regexp-ignore-case", f"--max-count={2 * asked}")
    answers = await gather(
        read_log(repository, (*literal, f"--grep={text}", *scope)),
        read_log(repository, (*literal, f"--author={text}", *scope)),
    )
    found = {commit.sha: commit for commit in chain.from_iterable(answers)}
    return sorted(found.values(), key=lambda commit: -commit.seconds)[:asked]


async def _named(repository: Repository, text: str) -> str | None:
    """Return the commit that a query names; a text with spaces is no name."""
    if any(letter.isspace() for letter in text) or len(text) > MAX_REF_CHARS:
        return None
    try:
        return await resolve_commit(repository, text)
    except (NotFound, InvalidParams):
        return None


def validated_limit(limit: int) -> int:
    """Validate a limit and cap it at the maximum size of a result.

    Raises:
        InvalidParams: the limit is negative.
    """
    if limit < 0:
        raise InvalidParams("`limit` is below 0; ask for at least one commit.")
    return min(limit, MAX_COMMITS)


async def read_log(
    repository: Repository,
    arguments: Sequence[str],
    tips: Sequence[str] = (),
    paths: Sequence[str] = (),
) -> list[Commit]:
    """Run `git log` and return its commits.

    Args:
        repository: the repository.
        arguments: options and starting points.
        tips: any number of further hashes to start from.
        paths: only commits that change one of these files or folders; none for all.

    Raises:
        GitError: git can't read the history.
    """
    options = GitOptions(stdin="".join(f"{tip}\n" for tip in tips).encode()) if tips else DEFAULTS
    source = ("--stdin",) if tips else ()
    output = await read_git(repository.root, (*_LOG, *arguments, *source, "--", *paths), options)
    if output.exit_code != 0 or output.truncated:
        raise GitError(f"git can't read the history: {output.complaint}")
    return list(_parsed(output.data))


def _parsed(data: bytes) -> Iterator[Commit]:
    """Parse the output: a fixed number of fields per commit, each ended by NUL."""
    fields = iter(data.decode("utf-8", "replace").split("\0"))
    while len(row := list(islice(fields, len(_FIELDS)))) == len(_FIELDS):
        sha, short, parents, author, *written, subject = row
        # If a date is missing git outputs the format or nothing.
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
