"""The progress and the result of a refresh."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from jupyter_ac.ids import RepoPath


class RefreshProgress(NamedTuple):
    """The number of finished files, of all files of a refresh."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class RefreshResult:
    """The result of a refresh; the index worker sends it to its host as it is.

    Attributes:
        parsed: files that were parsed.
        from_cache: files that were in the cache.
        removed: files that were deleted.
        skipped: files left out or read in part, of all.
        changed: files that are new, changed or deleted, sorted; for the host empty if they are
            many.
        generation: of the tree after the refresh.
        beyond: files that aren't indexed since there are too many.
    """

    parsed: int
    from_cache: int
    removed: int
    skipped: int
    changed: tuple[RepoPath, ...]
    generation: str
    beyond: int = 0


ReportProgress: TypeAlias = Callable[[RefreshProgress], None]
"""Is given the progress now and then; must be quick."""


def ignore(_: RefreshProgress) -> None:
    """ReportProgress nobody."""
