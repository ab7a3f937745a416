"""A notebook file as the text of its cells.

Outputs, which may be long and hold data, are left out, and so is all metadata but tags.
"""

from typing import Final

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cells import Cell, Notebook, read_notebook
from jupyter_ac.notebook.writing import write_cells

MAX_CELLS: Final = 10_000


def percent_text(ipynb: str) -> str:
    """Return the cells of a notebook file as percent text; "" when there are none.

    Args:
        ipynb: the file's text; versions 3 and 4 of the format, faulty cells tolerated.

    Raises:
        Unsupported: it isn't a notebook, of a version that isn't known, or has too many cells.
    """
    if not ipynb.strip():
        return ""
    notebook = read_notebook(ipynb)
    if len(notebook.cells) > MAX_CELLS:
        raise Unsupported(f"The notebook has more than {MAX_CELLS} cells; split it.")
    return shown_text(notebook)


def shown_text(notebook: Notebook) -> str:
    """Return the text that a model is shown of a notebook, and that lines of symbols count in."""
    return write_cells([_shown(cell) for cell in notebook.cells], notebook.language)


def _shown(cell: Cell) -> Cell:
    tags = cell.metadata.get("tags")
    return Cell(cell.kind, cell.source, {"tags": tags} if tags and isinstance(tags, list) else {})
