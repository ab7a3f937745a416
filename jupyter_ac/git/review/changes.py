"""Lists the changes of the branch under review, and their diffs."""

import asyncio
from collections.abc import Sequence
from typing import Final, Literal, TypedDict

from jupyter_ac.errors import GitError
from jupyter_ac.git import output_parsers
from jupyter_ac.git.diffs import MAX_SHOWN_FILE_BYTES, diff_between
from jupyter_ac.git.paths import locate_entry
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review.journal import ReviewJournal
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.git.task_groups import gather

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
    """A changed file of the review.

    Attributes:
        path: its new name.
        old_path: its name before the branch, if it was renamed or copied; else "".
    """

    path: str
    old_path: str
    status: Word
    additions: int
    deletions: int


async def changed_files(
    repository: Repository, journal: ReviewJournal | None = None
) -> list[ReviewChange]:
    """Return the files changed by the branch under review; without a review, the staged ones.

    Args:
        repository: the repository.
        journal: of the review, if the caller has read it.

    Raises:
        GitError: git can't compare.
    """
    span = await _span(repository, journal)
    names, numbers = await gather(
        _compared(repository, (*_NAMES, *span, "--")),
        _compared(repository, (*output_parsers.UNSTAGED, *span, "--")),
    )
    stats = output_parsers.parse(numbers)
    nothing: output_parsers.DiffStat = {"additions": 0, "deletions": 0}
    return [
        ReviewChange(path=path, old_path=old_path, status=status, **stats.get(path, nothing))
        for path, old_path, status in _changes(names)
    ]


async def change_diff(repository: Repository, journal: ReviewJournal, change: ReviewChange) -> str:
    """Return the diff of one of the review's changes; raises as `file_diff`."""
    # git recognizes a renamed file only together with its old name.
    names = (name for name in (change["old_path"], change["path"]) if name)
    return await diff_between(repository, (journal.parent_commit, journal.branch_tip), *names)


async def file_diff(repository: Repository, path: str) -> str:
    """Return the review's diff of one file; "" if there is none.

    Raises:
        RefusedPath: the path leads out of the repository or into git's own directory.
        GitError: git can't compare.
        TooLarge: the diff is too long.
    """
    located = await asyncio.to_thread(locate_entry, repository, path)
    span = await _span(repository)
    changes = _changes(await _compared(repository, (*_NAMES, *span, "--")))
    # git recognizes a renamed file only together with its old name.
    old = [old_path for new_path, old_path, _ in changes if new_path == located.path and old_path]
    return await diff_between(repository, span, *old, located.path)


async def _span(repository: Repository, journal: ReviewJournal | None = None) -> Sequence[str]:
    """Return the versions for `git diff` to compare; the files on disk don't matter."""
    journal = journal or await asyncio.to_thread(review_journal.find, repository)
    return ("--cached",) if journal is None else (journal.parent_commit, journal.branch_tip)


async def _compared(repository: Repository, arguments: Sequence[str]) -> bytes:
    # The lines of larger files aren't counted.
    options = GitOptions(config={"core.bigFileThreshold": str(MAX_SHOWN_FILE_BYTES)})
    answer = await read_git(repository.root, arguments, options)
    if answer.exit_code != 0 or answer.truncated:
        raise GitError(f"git can't compare: {answer.complaint}")
    return answer.data


def _changes(data: bytes) -> list[tuple[str, str, Word]]:
    """Parse the output of `_NAMES`: path, path before ("" if it is the same), kind of change."""
    fields = iter(data.decode("utf-8", "surrogateescape").split("\0"))
    found: list[tuple[str, str, Word]] = []
    for letter in fields:
        if not letter:
            break
        old_path = next(fields, "") if letter[0] in "RC" else ""
        found.append((next(fields, ""), old_path, _WORDS.get(letter[0], "unknown")))
    return found
