r"""Cells as percent text, and percent text as cells: each undoes the other, for every cell.

A cell is a marker line, its lines, and an empty line before the next marker. Only "\n" ends a line
here: what else a source has at the ends of its lines belongs to them. Outputs, attachments and
execution counts are no part of the text.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from jupyter_ac.notebook.cells import Cell
from jupyter_ac.notebook.dialects import Dialect, dialect
from jupyter_ac.notebook.lines import read_code, read_text, write_code, write_text
from jupyter_ac.notebook.markers import Marker, read_marker, write_marker


def write_cells(cells: Sequence[Cell], language: str) -> str:
    """Return cells as percent text; "" without cells.

    Args:
        cells: with the metadata and the ids that their markers are to show.
        language: of the notebook's code, as `notebook_language` names it.
    """
    form = dialect(language)
    written = ["".join(f"{line}\n" for line in _written(cell, form)) for cell in cells]
    return "\n".join(written)


def read_cells(text: str, language: str) -> list[Cell]:
    """Return the cells of a percent text.

    What stands before the first marker is a cell of code, unless it is blank.

    Args:
        text: as `write_cells` writes it, edited or not.
        language: of the notebook's code, as `notebook_language` names it.
    """
    form = dialect(language)
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
