"""What a branch under review changes."""

import asyncio
from collections.abc import Sequence
from typing import Final, Literal, TypedDict

from jupyter_ac.errors import GitError
from jupyter_ac.git import numstat, review_journal
from jupyter_ac.git.diffs import diff_between
from jupyter_ac.git.paths import locate_entry
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import read_git
from jupyter_ac.git.together import together

Word = Literal["added", "modified", "deleted", "renamed", "copied", "typechange", "unknown"]

_WORDS: Final[dict[str, Word]] = {
    "A": "added",
    "M": "modified",
    "D": "deleted",
    "R": "renamed",
    "C": "copied",
    "T": "typechange",
}
_NAMES: Final = (
    "diff",
    "--name-status",
    "-z",
    "--no-ext-diff",
    "--no-color",
    "--find-renames",
    "--ignore-submodules=dirty",
)


class ReviewChange(TypedDict):
    """A file that the review is about.

    Attributes:
        path: its new name.
    """

    path: str
    status: Word
    additions: int
    deletions: int


async def changed_files(repository: Repository) -> list[ReviewChange]:
    """Return the files that the branch under review changes; without a review, what is staged.

    Raises:
        GitError: git can't compare.
    """
    span = await _span(repository)
    names, numbers = await together(
        read_git(repository.root, (*_NAMES, *span, "--")),
        read_git(repository.root, (*numstat.UNSTAGED, *span, "--")),
    )
    for answer in (names, numbers):
        if answer.exit_code != 0 or answer.truncated:
            raise GitError(f"git can't compare: {answer.complaint}")
    stats = numstat.parse(numbers.data)
    nothing: numstat.DiffStat = {"additions": 0, "deletions": 0}
    return [
        ReviewChange(path=path, status=word, **stats.get(path, nothing))
        for path, word in _statuses(names.data)
    ]


async def file_diff(repository: Repository, path: str) -> str:
    """Return what the review changes in one file; "" when nothing.

    Raises:
        RefusedPath: the path leads out of the repository or into git's own directory.
        GitError: git can't compare.
        TooLarge: the diff is too long.
    """
    located = await asyncio.to_thread(locate_entry, repository, path)
    return await diff_between(repository, await _span(repository), located.path)


async def _span(repository: Repository) -> Sequence[str]:
    """Return what `git diff` is to compare: whatever the files are at the moment."""
    journal = await asyncio.to_thread(review_journal.read, repository)
    return ("--cached",) if journal is None else (journal.parent_commit, journal.branch_tip)


def _statuses(data: bytes) -> list[tuple[str, Word]]:
    fields = iter(data.decode("utf-8", "surrogateescape").split("\0"))
    found: list[tuple[str, Word]] = []
    for letter in fields:
        if not letter:
            break
        path = next(fields, "")
        if letter[0] in "RC":
            path = next(fields, "")
        found.append((path, _WORDS.get(letter[0], "unknown")))
    return found
