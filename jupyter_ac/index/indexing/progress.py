"""How far a refresh is."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Progress(NamedTuple):
    """Files that are done, of those that a refresh has to do with."""

    done: int
    total: int


Tell: TypeAlias = Callable[[Progress], None]
"""Is given the progress now and then; must be quick."""


def ignore(_: Progress) -> None:
    """Tell nobody."""
