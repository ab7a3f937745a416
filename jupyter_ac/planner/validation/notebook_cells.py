"""The cells of a notebook as code that can be parsed: magics are blank lines."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from jupyter_ac.notebook.cells import Cell, Notebook
from jupyter_ac.notebook.dialects import dialect_of

_CELL_MAGIC: Final = "%%"


class CodeCell(NamedTuple):
    """A cell of code.

    Attributes:
        number: from 1, all kinds of cells counted.
        code: with as many lines as the cell has.
    """

    number: int
    code: str


def code_cells(notebook: Notebook) -> Iterator[CodeCell]:
    """Yield the cells in the notebook's language; those that a cell magic takes are left out."""
    dialect = dialect_of(notebook.language)
    for number, cell in enumerate(notebook.cells, 1):
        if cell.kind == "code" and not _is_taken(cell):
            lines = cell.source.splitlines()
            kept = ("" if dialect.is_magic(line) else line for line in lines)
            yield CodeCell(number, "\n".join(kept) + "\n")


def _is_taken(cell: Cell) -> bool:
    """Return whether the whole cell is the text of a magic, which may be in another language."""
    return cell.source.lstrip().startswith(_CELL_MAGIC)
