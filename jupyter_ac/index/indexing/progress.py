"""Progress of a refresh."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class RefreshProgress(NamedTuple):
    """Files that are done, of those that a refresh has to do with."""

    done: int
    total: int


Tell: TypeAlias = Callable[[RefreshProgress], None]
"""Is given the progress now and then; must be quick."""


def ignore(_: RefreshProgress) -> None:
    """Tell nobody."""
