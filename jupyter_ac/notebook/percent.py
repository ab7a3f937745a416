"""Converts a notebook file to percent text and back.

Outputs, which may be long and contain data, are left out unless the user shows those of a cell, and
so is all metadata except tags. In the text for a model each marker has the cell's id.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, TypeAlias

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cell_selection import (
    POSITION,
    WHOLE,
    NotebookView,
    cell_names,
    excluded_positions,
)
from jupyter_ac.notebook.cells import Cell, Notebook, read_notebook
from jupyter_ac.notebook.dialects import Dialect, dialect_of
from jupyter_ac.notebook.lines import read_code, read_text, write_code, write_text
from jupyter_ac.notebook.markers import Marker, read_marker, write_marker
from jupyter_ac.notebook.output_text import OutputImage, output_images, output_text


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
LEFT_OUT: Final = "(the user has left this cell out)"
_OUTPUT: Final = "output, which can't be edited:"

Mask: TypeAlias = Callable[[str, str], str]
"""Replaces the secrets in the output of a cell, given the output and the cell's source."""


def unmasked(output: str, _source: str) -> str:
    """Return an output as it is."""
    return output


def percent_text(ipynb: str, view: NotebookView = WHOLE, mask: Mask = unmasked) -> str:
    """Return the cells of a notebook file as percent text; "" if there are none.

    Args:
        ipynb: the file's text; versions 3 and 4 of the format, faulty cells tolerated.
        view: what is shown of it.
        mask: replaces the secrets in outputs.

    Raises:
        Unsupported: it isn't a notebook, its version is unknown, it has too many cells, or a cell
            that is left out can't be found.
    """
    if not ipynb.strip():
        return ""
    return model_text(bounded_notebook(ipynb), view, mask)


def model_text(notebook: Notebook, view: NotebookView = WHOLE, mask: Mask = unmasked) -> str:
    """Return a notebook as shown to a model; line numbers of symbols refer to this text.

    Raises:
        Unsupported: a cell that is left out can't be found.
    """
    return "\n".join(cell_texts(notebook, view, mask))


def bounded_notebook(ipynb: str) -> Notebook:
    """Parse a notebook file.

    Raises:
        Unsupported: it isn't a notebook, its version is unknown, or it has too many cells.
    """
    notebook = read_notebook(ipynb)
    if len(notebook.cells) > MAX_CELLS:
        raise Unsupported(f"The notebook has more than {MAX_CELLS} cells; split it.")
    return notebook


def cell_texts(notebook: Notebook, view: NotebookView = WHOLE, mask: Mask = unmasked) -> list[str]:
    """Return the text of each cell as shown to a model.

    Each marker names its cell: by its id, or by its position where it has none of its own. An
    excluded cell has its marker only. Outputs are comments behind the cell; they are no part of the
    text that edits refer to.

    Raises:
        Unsupported: a cell that is left out can't be found.
    """
    form = dialect_of(notebook.language)
    excluded = excluded_positions(notebook, view)
    return [
        _text_of(
            _shown(cell, position + 1, name),
            form,
            is_excluded=position in excluded,
            outputs=mask(_outputs(cell, name, view), cell.source) if name in view.outputs else "",
        )
        for position, (cell, name) in enumerate(
            zip(notebook.cells, cell_names(notebook), strict=True)
        )
    ]


@dataclass(frozen=True, slots=True)
class ShownImage:
    """An image of an output that is sent.

    Attributes:
        cell: name of its cell.
        image: that the text of the cell's outputs names.
    """

    cell: str
    image: OutputImage


def shown_images(notebook: Notebook, view: NotebookView) -> list[ShownImage]:
    """Return the images of outputs that are sent beside the text of a notebook.

    Raises:
        Unsupported: a cell that is left out can't be found.
    """
    if not view.images:
        return []
    excluded = excluded_positions(notebook, view)
    cells = zip(cell_names(notebook), notebook.cells, strict=True)
    return [
        ShownImage(name, image)
        for position, (name, cell) in enumerate(cells)
        if name in view.images & view.outputs and position not in excluded
        for image in output_images(cell.outputs)
    ]


def _outputs(cell: Cell, name: str, view: NotebookView) -> str:
    return output_text(cell.outputs, names_images=name in view.images)


def _text_of(cell: Cell, form: Dialect, *, is_excluded: bool, outputs: str) -> str:
    if is_excluded:
        lines = [next(_written(cell, form)), form.comment(LEFT_OUT)]
    else:
        lines = list(_written(cell, form))
        said = [_OUTPUT, *(f"  {line}" for line in outputs.split("\n"))] if outputs else []
        lines += map(form.comment, said)
    return "".join(f"{line}\n" for line in lines)


def left_out(text: str, language: str) -> int:
    """Return how many cells of a percent text stand for cells that are left out."""
    mark = dialect_of(language).comment(LEFT_OUT)
    return text.split("\n").count(mark)


def _shown(cell: Cell, position: int, name: str) -> Cell:
    tags = cell.metadata.get("tags")
    metadata: dict[str, object] = {"tags": tags} if tags and isinstance(tags, list) else {}
    if name == cell.cell_id:
        return replace(cell, metadata=metadata)
    return replace(cell, metadata={POSITION: position} | metadata, cell_id=None)
