"""Converts a notebook to percent text, the form that the model and the parsers read."""

from typing import NamedTuple

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cells import read_notebook
from jupyter_ac.notebook.percent import model_text


class Cells(NamedTuple):
    """A notebook's cells.

    Attributes:
        language: of the kernel, as `language_of` names languages.
        text: the cells as percent text, what isn't code as comments.
    """

    language: str
    text: str


def cells_of(data: bytes) -> Cells:
    """Read a notebook file.

    Raises:
        ValueError: it is none.
    """
    try:
        notebook = read_notebook(data)
    except Unsupported as error:
        raise ValueError(f"not a notebook: {error}") from error
    return Cells(notebook.language, model_text(notebook))
