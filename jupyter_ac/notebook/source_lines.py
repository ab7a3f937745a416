"""Finds the lines of cells' sources in the text of a notebook file.

A search in the file finds lines of JSON; this says which lines of which cells they are.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cells import Notebook
from jupyter_ac.notebook.dialects import dialect_of
from jupyter_ac.notebook.json_layout import items, layout_of, members
from jupyter_ac.notebook.percent import bounded_notebook, cell_texts

_DECODER: Final = json.JSONDecoder(strict=False)
_SOURCES: Final = frozenset({"source", "input"})


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a cell's source.

    Attributes:
        cell: its index, from 0.
        number: of the line in the source, from 1.
        text: without its end.
    """

    cell: int
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class NotebookLines:
    """The lines of the sources of a notebook.

    Attributes:
        sources: the lines of each cell.
        by_file_line: those that are on each line of the file, from 1.
        starts: for each cell the line of its marker in `percent_text`, from 1.
        offsets: for each cell what is added to the marker's line and a line's number to give its
            line in `percent_text`.
    """

    sources: Sequence[Sequence[str]]
    by_file_line: Mapping[int, Sequence[SourceLine]]
    starts: Sequence[int]
    offsets: Sequence[int]

    def text_line(self, line: SourceLine) -> int:
        """Return where a line is in `percent_text`, from 1."""
        return self.starts[line.cell] + self.offsets[line.cell] + line.number


def notebook_lines(ipynb: str) -> NotebookLines:
    """Find the lines.

    Raises:
        Unsupported: it isn't a notebook of version 4.
    """
    notebook = bounded_notebook(ipynb)
    layout = layout_of(ipynb)
    if len(layout.cells) != len(notebook.cells):
        raise Unsupported("The notebook has cells that are no objects.")
    ends = [end.start() for end in re.finditer("\n", ipynb)]
    by_line: dict[int, list[SourceLine]] = {}
    for index, place in enumerate(layout.cells):
        for at, line in _placed(ipynb, index, place.start):
            by_line.setdefault(bisect_left(ends, at) + 1, []).append(line)
    texts = list(cell_texts(notebook))
    starts = [1]
    for text in texts:
        starts.append(starts[-1] + text.count("\n") + 1)
    return NotebookLines(
        [cell.source.split("\n") for cell in notebook.cells], by_line, starts, _offsets(notebook)
    )


def _offsets(notebook: Notebook) -> list[int]:
    """The first line of a cell in another language is part of its marker."""
    form = dialect_of(notebook.language)
    return [
        -1
        if cell.kind == "code"
        and cell.source.startswith("%%")
        and form.is_other_language(cell.source[2:].split("\n", 1)[0].partition(" ")[0])
        else 0
        for cell in notebook.cells
    ]


def _placed(ipynb: str, cell: int, start: int) -> Iterator[tuple[int, SourceLine]]:
    """Yield the lines of a cell, each with the place in the file at which its text begins."""
    number, before, begun = 1, "", -1
    for at, piece in _pieces(ipynb, start):
        begun = at if begun < 0 else begun
        *whole, rest = piece.split("\n")
        for text in whole:
            yield begun, SourceLine(cell, number, before + text)
            number, before, begun = number + 1, "", at
        before += rest
        begun = -1 if not before else begun
    if before:
        yield begun, SourceLine(cell, number, before)


def _pieces(ipynb: str, start: int) -> Iterator[tuple[int, str]]:
    """Yield the texts of a cell's source, which is one text or a list of them, and their places."""
    for name, value in members(ipynb, start):
        if name not in _SOURCES:
            continue
        is_list = ipynb[value.start] == "["
        places = items(ipynb, value.start) if is_list else [value]
        for place in places:
            text = _DECODER.raw_decode(ipynb, place.start)[0]
            if isinstance(text, str):
                yield place.start, text
