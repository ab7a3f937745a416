"""Converts a notebook file to percent text and back.

Outputs, which may be long and contain data, are left out, and so is all metadata except tags. In
the text for a model each marker has the cell's id.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cells import Cell, Notebook, read_notebook
from jupyter_ac.notebook.dialects import Dialect, dialect_of
from jupyter_ac.notebook.lines import read_code, read_text, write_code, write_text
from jupyter_ac.notebook.markers import Marker, read_marker, write_marker


def write_cells(cells: Sequence[Cell], language: str) -> str:
    """Serialize cells to percent text; "" without cells.

    Args:
        cells: with the metadata and the ids that their markers must contain.
        language: of the notebook's code, as named by `notebook_language`.
    """
    form = dialect_of(language)
    written = ["".join(f"{line}\n" for line in _written(cell, form)) for cell in cells]
    return "\n".join(written)


def read_cells(text: str, language: str) -> list[Cell]:
    """Parse the cells of a percent text.

    Text before the first marker is a code cell, unless it is blank.

    Args:
        text: as from `write_cells`, edited or not.
        language: of the notebook's code, as named by `notebook_language`.
    """
    form = dialect_of(language)
    lines = text.removesuffix("\n").split("\n")
    starts = [number for number, line in enumerate(lines) if form.is_marker(line)]
    ends = [*starts, len(lines)]
    cells: list[Cell] = []
    before = _body(lines, 0, ends[0])
    if any(line.strip() for line in before):
        cells.append(_read(Marker(), before, form))
    for start, end in pairwise(ends):
        cells.append(_read(read_marker(lines[start], form), _body(lines, start + 1, end), form))
    return cells


def _body(lines: Sequence[str], start: int, end: int) -> Sequence[str]:
    """Return the lines of a cell without the empty one before the next marker."""
    has_gap = start < end < len(lines) and not lines[end - 1]
    return lines[start : end - 1 if has_gap else end]


def _written(cell: Cell, form: Dialect) -> Iterator[str]:
    marker = Marker(cell.kind, cell.cell_id, metadata=dict(cell.metadata))
    lines = cell.source.split("\n")
    if cell.kind != "code":
        yield write_marker(marker, form)
        yield from write_text(lines, form)
    elif lines[0].startswith("%%") and form.is_other_language(lines[0][2:].partition(" ")[0]):
        marker.magic = lines[0]
        yield write_marker(marker, form)
        yield from write_text(lines[1:], form)
    else:
        yield write_marker(marker, form)
        if cell.source:
            yield from write_code(lines, form)


def _read(marker: Marker, body: Sequence[str], form: Dialect) -> Cell:
    if marker.kind != "code":
        lines = list(read_text(body, form))
    elif marker.magic:
        lines = [marker.magic, *read_text(body, form)]
    else:
        lines = list(read_code(body, form))
    return Cell(marker.kind, "\n".join(lines), marker.metadata, marker.cell_id)


MAX_CELLS: Final = 10_000

POSITION: Final = "cell"
"""Name in a marker for the position of a cell that has no id of its own, from 1."""


def percent_text(ipynb: str) -> str:
    """Return the cells of a notebook file as percent text; "" if there are none.

    Args:
        ipynb: the file's text; versions 3 and 4 of the format, faulty cells tolerated.

    Raises:
        Unsupported: it isn't a notebook, its version is unknown, or it has too many cells.
    """
    if not ipynb.strip():
        return ""
    notebook = read_notebook(ipynb)
    if len(notebook.cells) > MAX_CELLS:
        raise Unsupported(f"The notebook has more than {MAX_CELLS} cells; split it.")
    return model_text(notebook)


def model_text(notebook: Notebook) -> str:
    """Return a notebook as shown to a model; line numbers of symbols refer to this text.

    Each marker names its cell: by its id, or by its position where it has none of its own.
    """
    counts = Counter(cell.cell_id for cell in notebook.cells)
    shown = [
        _shown(cell, position, has_own_id=cell.cell_id is not None and counts[cell.cell_id] == 1)
        for position, cell in enumerate(notebook.cells, 1)
    ]
    return write_cells(shown, notebook.language)


def _shown(cell: Cell, position: int, *, has_own_id: bool) -> Cell:
    tags = cell.metadata.get("tags")
    metadata: dict[str, object] = {"tags": tags} if tags and isinstance(tags, list) else {}
    if has_own_id:
        return Cell(cell.kind, cell.source, metadata, cell.cell_id)
    return Cell(cell.kind, cell.source, {POSITION: position} | metadata)
