"""Edits a notebook file by the text of its cells; whatever isn't edited keeps its bytes."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, cast

import orjson

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cell_selection import POSITION
from jupyter_ac.notebook.cells import Cell, Notebook, read_notebook
from jupyter_ac.notebook.json_layout import NotebookLayout, layout_of, members
from jupyter_ac.notebook.percent import read_cells

_VERSION: Final = 4
_WITH_IDS: Final = 5
_ID_DIGITS: Final = 8
_MAX_ID: Final = 64
_CELL_DEPTH: Final = 2
_VALUE_DEPTH: Final = 3
_ID_SIGNS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
_OF_CODE: Final = ("execution_count", "outputs")
_NEW: Final = {
    "nbformat": _VERSION,
    "nbformat_minor": _WITH_IDS,
    "metadata": {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    },
    "cells": [],
}


@dataclass(slots=True)
class _NewCell:
    """A cell of the edited text.

    Attributes:
        cell: what the text says.
        origin: the position of the file's cell that it was; None if it is new.
    """

    cell: Cell
    origin: int | None = None


def is_notebook(name: str) -> bool:
    """Return whether a file of this name is a notebook."""
    return name.casefold().endswith(".ipynb")


def new_notebook(text: str) -> str:
    """Return the file of a new Python notebook with the cells of a percent text.

    Raises:
        Unsupported: the text doesn't give a valid notebook.
    """
    return edited_notebook(f"{json.dumps(_NEW, indent=1, sort_keys=True)}\n", "", text)


def edited_notebook(file: str, before: str, after: str) -> str:
    """Return a notebook's file with the cells of an edited percent text.

    Cells are recognised by the id in their marker, or by its position in a notebook without ids;
    then by their order. Those whose text is unchanged keep their bytes, the others all but their
    source: metadata, outputs and attachments stay.

    Args:
        file: text of the file.
        before: its percent text, as edited.
        after: what the edit has made of it.

    Raises:
        Unsupported: the notebook is invalid or of version 3, or would be invalid.
    """
    notebook, minor = _editable(file)
    old, new = read_cells(before, notebook.language), read_cells(after, notebook.language)
    if len(old) != len(notebook.cells):
        raise Unsupported("The notebook has changed since its text was read.")
    layout = layout_of(file)
    cells = _matched(old, new)
    pieces = _Pieces(file, layout, has_ids=_has_ids(notebook, minor))
    written = pieces.written(old, cells)
    result = _joined(file, layout, cells, written)
    _require_valid(orjson.loads(result.removeprefix("\ufeff").encode()), "The edit")
    return result


def _editable(file: str) -> tuple[Notebook, object]:
    """Parse a notebook that may be edited, and its minor version.

    Raises:
        Unsupported: it may not be.
    """
    notebook = read_notebook(file)
    try:
        whole = orjson.loads(file.removeprefix("\ufeff").encode())
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        raise Unsupported(
            "The notebook isn't valid JSON; open it in Jupyter and save it again."
        ) from None
    if whole.get("nbformat") != _VERSION:
        raise Unsupported(
            "The notebook has an old format, version 3, which is only read here; "
            "open it in Jupyter and save it to have it converted."
        )
    _require_valid(whole, "The notebook")
    return notebook, whole.get("nbformat_minor")


def _require_valid(notebook: Mapping[str, object], what: str) -> None:
    from nbformat.validator import ValidationError, get_validator  # noqa: PLC0415  # 0.3 s

    minor = notebook.get("nbformat_minor")
    cells = cast("Sequence[Mapping[str, object]]", notebook.get("cells", ()))
    # Jupyter opens notebooks of 4.5 without ids, too.
    is_without_ids = any(isinstance(cell, dict) and "id" not in cell for cell in cells)
    if minor == _WITH_IDS and is_without_ids:
        minor = _WITH_IDS - 1
    validator = get_validator(_VERSION, minor, relax_add_props=True, name="fastjsonschema")
    try:
        validator.validate(notebook)
    except ValidationError as error:
        raise Unsupported(
            f"{what} is no valid notebook: {error.message[:200]}. Nothing was changed."
        ) from error


def _has_ids(notebook: Notebook, minor: object) -> bool:
    has_some = any(cell.cell_id is not None for cell in notebook.cells)
    return has_some or (minor == _WITH_IDS and not notebook.cells)


def _matched(old: Sequence[Cell], new: Sequence[Cell]) -> list[_NewCell]:
    """Find out which cells of the new text were which of the old one."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    cells = [_NewCell(cell) for cell in new]
    for number in range(head):
        cells[number].origin = number
    for number in range(1, tail + 1):
        cells[-number].origin = len(old) - number
    middle = range(head, len(old) - tail)
    _match_named(old, cells[head : len(new) - tail], middle)
    _match_by_order(cells, len(old))
    return cells


def _match_named(old: Sequence[Cell], new: Sequence[_NewCell], places: Sequence[int]) -> None:
    named = {_name(old[place]): place for place in places if _name(old[place]) is not None}
    for each in new:
        name = _name(each.cell)
        if name in named:
            each.origin = named.pop(name)


def _name(cell: Cell) -> object:
    """Return what a marker names its cell by: its id, or its position where there are no ids."""
    return cell.cell_id if cell.cell_id is not None else cell.metadata.get(POSITION)


def _match_by_order(cells: Sequence[_NewCell], count: int) -> None:
    """Match the rest: between two known cells, if as many are left there as there were."""
    taken = {each.origin for each in cells}
    known = [number for number, each in enumerate(cells) if each.origin is not None]
    for first, last in pairwise([-1, *known, len(cells)]):
        start = -1 if first < 0 else cast("int", cells[first].origin)
        end = count if last == len(cells) else cast("int", cells[last].origin)
        left = [place for place in range(start + 1, end) if place not in taken]
        unknown = cells[first + 1 : last]
        if len(left) == len(unknown):
            for each, place in zip(unknown, left, strict=True):
                each.origin = place


class _Pieces:
    """Writes the cells of an edited notebook.

    Args:
        file: the notebook's text.
        layout: where its cells stand.
        has_ids: new cells get ids.
    """

    def __init__(self, file: str, layout: NotebookLayout, *, has_ids: bool) -> None:
        self._file, self._layout = file, layout
        self._has_ids = has_ids
        self._ids: set[object] = set()

    def written(self, old: Sequence[Cell], cells: Sequence[_NewCell]) -> list[str]:
        """Return the JSON of each cell."""
        bodies = [self._parsed(each.origin) for each in cells]
        self._ids = {body.get("id") for body in bodies if body}
        return [self._piece(old, each, body) for each, body in zip(cells, bodies, strict=True)]

    def _parsed(self, origin: int | None) -> dict[str, object]:
        if origin is None:
            return {}
        span = self._layout.cells[origin]
        return cast("dict[str, object]", orjson.loads(self._file[span.start : span.stop]))

    def _piece(self, old: Sequence[Cell], new: _NewCell, body: dict[str, object]) -> str:
        if new.origin is None:
            return self._dumped(self._added(new.cell))
        span, was = self._layout.cells[new.origin], old[new.origin]
        text = self._file[span.start : span.stop]
        is_same_kind = new.cell.kind == was.kind
        is_same_metadata = _metadata(new.cell) == _metadata(was)
        if is_same_kind and is_same_metadata:
            return text if new.cell.source == was.source else self._with_source(text, new.cell)
        body["metadata"] = _merged(body.get("metadata"), _metadata(was), _metadata(new.cell))
        body["source"] = _lines(new.cell.source)
        return self._dumped(body if is_same_kind else _of_kind(body, new.cell.kind))

    def _with_source(self, text: str, cell: Cell) -> str:
        """Return a cell's JSON with another source, written as the one before."""
        place = dict(members(text, 0))["source"]
        before = text[place.start : place.stop]
        is_inline = "\n" not in before and before != "[]"
        value: object = cell.source if before.startswith('"') else _lines(cell.source)
        written = self._layout.style.dumped(value, _VALUE_DEPTH, is_inline=is_inline)
        return f"{text[: place.start]}{written}{text[place.stop :]}"

    def _added(self, cell: Cell) -> dict[str, object]:
        body: dict[str, object] = {"cell_type": cell.kind, "metadata": dict(_metadata(cell))}
        if cell.kind == "code":
            body |= {"execution_count": None, "outputs": []}
        if self._has_ids:
            body["id"] = self._free_id(cell.cell_id)
        return {**dict(sorted(body.items())), "source": _lines(cell.source)}

    def _free_id(self, wanted: str | None) -> str:
        is_usable = (
            wanted is not None and 0 < len(wanted) <= _MAX_ID and _ID_SIGNS.issuperset(wanted)
        )
        free = wanted if is_usable and wanted not in self._ids else None
        found = free or uuid.uuid4().hex[:_ID_DIGITS]
        self._ids.add(found)
        return found

    def _dumped(self, body: object) -> str:
        return self._layout.style.dumped(body, _CELL_DEPTH)


def _metadata(cell: Cell) -> dict[str, object]:
    """Return the metadata that an edit may set; some of the other kinds makes cells run."""
    return {name: value for name, value in cell.metadata.items() if name == "tags"}


def _merged(
    stored: object, shown: Mapping[str, object], edited: Mapping[str, object]
) -> dict[str, object]:
    """Return the metadata of a cell after an edit of the part that its marker shows."""
    kept = stored if isinstance(stored, dict) else {}
    return {name: value for name, value in kept.items() if name not in shown or name in edited} | {
        **edited
    }


def _of_kind(body: Mapping[str, object], kind: str) -> dict[str, object]:
    """Return a cell that has become one of another kind."""
    changed = {name: value for name, value in body.items() if name not in _OF_CODE}
    changed["cell_type"] = kind
    if kind == "code":
        changed.pop("attachments", None)
        changed |= {"execution_count": None, "outputs": []}
    return dict(sorted(changed.items()))


def _lines(source: str) -> list[str]:
    return source.splitlines(keepends=True)


def _joined(
    file: str, layout: NotebookLayout, cells: Sequence[_NewCell], written: Sequence[str]
) -> str:
    """Put the cells into the file; what separates two cells stays where both stay."""
    array, style = layout.array, layout.style
    if not written:
        return f"{file[: array.start]}[]{file[array.stop :]}"
    if layout.cells:
        lead = file[array.start + 1 : layout.cells[0].start]
        end = file[layout.cells[-1].stop : array.stop - 1]
    else:
        lead = style.newline + style.indent * _CELL_DEPTH if style.indent else ""
        end = style.newline + style.indent if style.indent else ""
    usual = f",{lead}" if lead else style.comma
    parts = [file[: array.start], "[", lead, written[0]]
    for (before, after), piece in zip(pairwise(cells), written[1:], strict=True):
        parts += [_separator(file, layout.cells, (before, after)) or usual, piece]
    return "".join([*parts, end, "]", file[array.stop :]])


def _separator(file: str, spans: Sequence[range], both: tuple[_NewCell, _NewCell]) -> str:
    before, after = (each.origin for each in both)
    if before is None or after is None or after != before + 1:
        return ""
    return file[spans[before].stop : spans[after].start]
