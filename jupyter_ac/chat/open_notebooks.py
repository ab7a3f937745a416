"""Notebooks that are open in a person's pages: what is asked and edited in place of their files."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from jupyter_ac.ids import RepoPath
from jupyter_ac.notebook_rows import CellOperation, NotebookEdited


@dataclass(frozen=True, slots=True)
class OpenNotebook:
    """A notebook as it stands in a page.

    Attributes:
        file: text of a notebook file with its cells, without outputs.
        edit: changes the page's document; never raises.
        is_silent: the page has shown the notebook, and doesn't answer; `file` is empty.
    """

    file: str
    edit: Callable[[Sequence[CellOperation]], Awaitable[NotebookEdited]]
    is_silent: bool = False


OpenNotebooks: TypeAlias = Callable[
    [Collection[RepoPath]], Awaitable[Mapping[RepoPath, OpenNotebook]]
]
"""Returns those of some files that are open in a page, as they are at this moment."""


NONE_OPEN: Final[Mapping[RepoPath, OpenNotebook]] = {}


async def none_open(_paths: Collection[RepoPath]) -> Mapping[RepoPath, OpenNotebook]:
    """Return no notebooks: there are no pages."""
    return NONE_OPEN
