"""Converts the cells of an open notebook to a file's text, and an edit of it to cell operations."""

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from jupyter_ac.errors import InvalidParams
from jupyter_ac.notebook.cells import Cell, read_notebook
from jupyter_ac.notebook_rows import CellOperation, NotebookCell

MAX_OPEN_CELLS = 10_000


def open_notebook_text(language: str, cells: Sequence[NotebookCell], minor: int = 5) -> str:
    """Return the text of a notebook file that has these cells.

    Args:
        language: of its code; "" for Python.
        cells: with ids that are unique.
        minor: of the notebook's format, 4; before 5 its file doesn't store the ids.

    Raises:
        InvalidParams: two cells have the same id, or there are too many.
    """
    if len(cells) > MAX_OPEN_CELLS:
        raise InvalidParams(f"The notebook has more than {MAX_OPEN_CELLS} cells; split it.")
    if len({cell["id"] for cell in cells}) != len(cells):
        raise InvalidParams("Two cells of the notebook have the same id; save and reload it.")
    notebook = {
        "cells": list(map(_body, cells)),
        "metadata": {"language_info": {"name": language}} if language else {},
        "nbformat": 4,
        "nbformat_minor": max(0, min(minor, 5)),
    }
    return json.dumps(notebook, indent=1) + "\n"


def _body(cell: NotebookCell) -> dict[str, object]:
    body: dict[str, object] = {
        "cell_type": cell["cell_type"],
        "id": cell["id"],
        "metadata": {"tags": cell["tags"]} if cell.get("tags") else {},
        "source": cell["source"],
    }
    if cell["cell_type"] == "code":
        body |= {"execution_count": None, "outputs": cell.get("outputs", [])}
    return body


def cell_operations(before: str, after: str) -> list[CellOperation]:
    """Return the operations that make one state of an open notebook the other.

    Args:
        before: text from `open_notebook_text`.
        after: that text, edited; all its cells have ids.
    """
    old, new = _cells(before), _cells(after)
    operations: list[CellOperation] = [
        {"op": "delete", "id": name, "before": cell["source"]}
        for name, cell in old.items()
        if name not in new
    ]
    return [*operations, *_placed(old, new)]


def _cells(file: str) -> Mapping[str, NotebookCell]:
    return {str(cell.cell_id): _row(cell) for cell in read_notebook(file).cells}


def _row(cell: Cell) -> NotebookCell:
    row: NotebookCell = {
        "id": str(cell.cell_id),
        "cell_type": cell.kind,
        "source": cell.source,
    }
    tags = cell.metadata.get("tags")
    if isinstance(tags, list) and tags:
        row["tags"] = [tag for tag in tags if isinstance(tag, str)]
    return row


def _placed(
    old: Mapping[str, NotebookCell], new: Mapping[str, NotebookCell]
) -> Iterator[CellOperation]:
    """Yield what adds, moves and changes cells, from the first to the last."""
    places = {name: place for place, name in enumerate(old)}
    staying = _longest_increasing([(places[name], name) for name in new if name in old])
    previous: str | None = None
    for name, cell in new.items():
        was = old.get(name)
        if was is None:
            yield {"op": "insert", "after": previous, "cell": cell}
        else:
            if name not in staying:
                yield {"op": "move", "id": name, "after": previous}
            yield from _changes(was, cell)
        previous = name


def _changes(was: NotebookCell, cell: NotebookCell) -> Iterator[CellOperation]:
    name, before = cell["id"], was["source"]
    if cell["cell_type"] != was["cell_type"]:
        yield {"op": "replace", "id": name, "before": before, "cell": cell}
        return
    if cell["source"] != before:
        yield {"op": "source", "id": name, "before": before, "source": cell["source"]}
    if cell.get("tags") != was.get("tags"):
        yield {"op": "tags", "id": name, "tags": cell.get("tags", [])}


def _longest_increasing(rows: Sequence[tuple[int, str]]) -> set[str]:
    """Return the names of a longest series of rows with increasing numbers (patience sorting)."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for position, (number, _) in enumerate(rows):
        length = bisect_left(ends, number)
        ends[length : length + 1] = [number]
        before.append(last[length - 1] if length else -1)
        last[length : length + 1] = [position]
    names: set[str] = set()
    position = last[-1] if last else -1
    while position >= 0:
        names.add(rows[position][1])
        position = before[position]
    return names
