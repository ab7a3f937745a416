"""The progress of a refresh."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class RefreshProgress(NamedTuple):
    """The number of finished files, of all files of a refresh."""

    done: int
    total: int


Tell: TypeAlias = Callable[[RefreshProgress], None]
"""Is given the progress now and then; must be quick."""


def ignore(_: RefreshProgress) -> None:
    """Tell nobody."""
