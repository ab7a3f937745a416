"""What has changed lately: files by their number of commits, and files that change together.

Computed from one bounded `git log`, beside the event loop, and kept until HEAD or the day changes.
"""

import asyncio
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Final, NamedTuple

from jupyter_ac.activity_rows import FilePairRow, HotFileRow
from jupyter_ac.errors import GitError, InvalidParams, TimedOut
from jupyter_ac.git.refs import current_branch
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.ids import RepoPath

MAX_DAYS: Final = 365
MAX_COMMITS: Final = 20_000
MAX_FILES: Final = 100
"""Files in a result."""

MAX_PAIRS: Final = 50
"""Pairs of files in a result."""

MAX_TOGETHER: Final = 40
"""Files of one commit beyond which it says nothing of what belongs together."""

_PAIRED_FILES: Final = 500
"""Files among which pairs are counted: those with the most commits."""

_LEAST_TOGETHER: Final = 2
_MAX_BYTES: Final = 16 << 20
_LIMIT_S: Final = 20.0
_LOG: Final = (
    *("log", "-z", "--no-merges", "--no-renames", "--name-only", "--format=%x01%cs"),
    *("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-mailmap"),
)
_HEADER: Final = re.compile(r"\x01(\d{4}-\d\d-\d\d)")


@dataclass(frozen=True, slots=True)
class Activity:
    """What has changed within some days.

    Attributes:
        head: the commit from which it was counted; "" in a repository without commits.
        days: that were asked for.
        commits: without merges.
        is_partial: there were more than could be read; the newest ones are counted.
        by_day: the number of commits of each day that has any, oldest first; the day is the
            committer's, ISO 8601.
        files: those with the most commits, at most `MAX_FILES`.
        more_files: the number of the others.
        pairs: those that change together most, at most `MAX_PAIRS`.
    """

    head: str = ""
    days: int = 0
    commits: int = 0
    is_partial: bool = False
    by_day: tuple[tuple[str, int], ...] = ()
    files: tuple[HotFileRow, ...] = ()
    more_files: int = 0
    pairs: tuple[FilePairRow, ...] = ()


class LoggedCommit(NamedTuple):
    """A commit as the log has it.

    Attributes:
        day: of the committer.
        paths: that it changed.
    """

    day: str
    paths: list[RepoPath]


class ActivityReader:
    """Counts the activity of one repository; the last result is kept.

    Args:
        repository: which one.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._counting = asyncio.Lock()
        self._last: tuple[tuple[str, int, str], Activity] | None = None

    async def read(self, days: int) -> Activity:
        """Return what has changed within the last days.

        Raises:
            InvalidParams: fewer than one day, or more than a year.
            GitError: git can't read the history.
        """
        if not 1 <= days <= MAX_DAYS:
            raise InvalidParams(f"days must be from 1 to {MAX_DAYS}.")
        # Many pages may ask at once; one count serves all.
        async with self._counting:
            head = (await current_branch(self._repository)).sha
            today = datetime.now(UTC)
            key = (head, days, f"{today:%Y-%m-%d}")
            if self._last is None or self._last[0] != key:
                self._last = (key, await self._count(head, days, today - timedelta(days=days)))
            return self._last[1]

    async def _count(self, head: str, days: int, since: datetime) -> Activity:
        if not head:
            return Activity(days=days)
        data, is_partial = await self._log(head, since)
        return await asyncio.to_thread(
            counted, self._repository, data, Activity(head, days, is_partial=is_partial)
        )

    async def _log(self, head: str, since: datetime) -> tuple[bytes, bool]:
        """Return the log, and whether it was cut."""
        found = bytearray()

        def take(data: bytes) -> bool:
            found.extend(data)
            return len(found) < _MAX_BYTES

        limits = (f"--since={int(since.timestamp())}", f"--max-count={MAX_COMMITS}")
        options = GitOptions(timeout_s=_LIMIT_S, on_data=take)
        try:
            output = await read_git(self._repository.root, (*_LOG, *limits, head, "--"), options)
        except TimedOut:
            return bytes(found), True
        if output.exit_code != 0 and not output.truncated:
            raise GitError(f"git can't read the history: {output.complaint}")
        return bytes(found), output.truncated


def counted(repository: Repository, data: bytes, empty: Activity) -> Activity:
    """Count what a log says; reads the disk and computes for a while.

    Args:
        repository: whose files are looked for.
        data: of `git log`; the last commit of one that was cut is left out.
        empty: the result without its numbers.
    """
    commits = list(commits_in(data))
    is_partial = empty.is_partial or len(commits) >= MAX_COMMITS
    if empty.is_partial:
        commits = commits[:-1]
    counts: Counter[RepoPath] = Counter()
    days: Counter[str] = Counter()
    last: dict[RepoPath, str] = {}
    for commit in commits:
        days[commit.day] += 1
        counts.update(commit.paths)
        for path in commit.paths:
            last.setdefault(path, commit.day)
    hot = sorted(counts, key=lambda path: (-counts[path], path))
    root = repository.root
    return Activity(
        head=empty.head,
        days=empty.days,
        commits=len(commits),
        is_partial=is_partial,
        by_day=tuple(sorted(days.items())),
        files=tuple(
            HotFileRow(
                path=path,
                commits=counts[path],
                last_day=last[path],
                exists=os.path.lexists(root / path),
            )
            for path in hot[:MAX_FILES]
        ),
        more_files=max(0, len(hot) - MAX_FILES),
        pairs=_pairs(commits, hot[:_PAIRED_FILES], counts),
    )


def commits_in(data: bytes) -> Iterator[LoggedCommit]:
    """Parse the log: the newest commit first."""
    commit: LoggedCommit | None = None
    for field in data.decode("utf-8", "surrogateescape").split("\0"):
        header = _HEADER.fullmatch(field)
        if header is not None:
            if commit is not None:
                yield commit
            commit = LoggedCommit(header[1], [])
        elif commit is not None and field:
            # The first name stands behind a line feed; a later one may begin with any character.
            name = field if commit.paths else field.removeprefix("\n")
            commit.paths.append(RepoPath(name))
    if commit is not None:
        yield commit


def _pairs(
    commits: list[LoggedCommit], hot: list[RepoPath], counts: Counter[RepoPath]
) -> tuple[FilePairRow, ...]:
    rank = {path: at for at, path in enumerate(hot) if counts[path] >= _LEAST_TOGETHER}
    together: Counter[tuple[int, int]] = Counter()
    for commit in commits:
        if 1 < len(commit.paths) <= MAX_TOGETHER:
            ranks = sorted({rank[path] for path in commit.paths if path in rank})
            together.update(combinations(ranks, 2))
    found = [
        FilePairRow(
            first=hot[first],
            second=hot[second],
            together=count,
            share=count / counts[hot[second]],
        )
        for (first, second), count in together.items()
        if count >= _LEAST_TOGETHER
    ]
    found.sort(key=lambda pair: (-pair["together"] * pair["share"], pair["first"], pair["second"]))
    return tuple(found[:MAX_PAIRS])
