"""Wire types of a repository's activity: what changes, and what changes together."""

from typing import TypedDict


class DayCommits(TypedDict):
    """The commits of one day.

    Attributes:
        day: of the committer, ISO 8601.
        commits: their number.
    """

    day: str
    commits: int


class HotFileRow(TypedDict):
    """A file and how often it has changed.

    Attributes:
        path: as git names it.
        commits: that have changed it.
        last_day: of the newest of them, ISO 8601.
        exists: it is on disk now.
    """

    path: str
    commits: int
    last_day: str
    exists: bool


class FilePairRow(TypedDict):
    """Two files that change together.

    Attributes:
        first: the one with more commits.
        second: the other one.
        together: commits that have changed both.
        share: of the commits of `second`, from 0 to 1.
    """

    first: str
    second: str
    together: int
    share: float


class RepoActivity(TypedDict):
    """What has changed within some days.

    Attributes:
        head: the commit from which it was counted; "" in a repository without commits.
        days: that were asked for.
        commits: without merges.
        is_partial: there were more than could be read; the newest ones are counted.
        by_day: days with commits, oldest first.
        files: those with the most commits, 100 at most.
        more_files: the number of the others.
        pairs: those that change together most, 50 at most; commits of more than 40 files don't
            count.
    """

    head: str
    days: int
    commits: int
    is_partial: bool
    by_day: list[DayCommits]
    files: list[HotFileRow]
    more_files: int
    pairs: list[FilePairRow]
