"""Reads a notebook's cells without their outputs, and creates a notebook of Markdown cells."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

import orjson

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.dialects import notebook_language

CellKind: TypeAlias = Literal["code", "markdown", "raw"]

_KNOWN_VERSIONS: Final = frozenset({3, 4})
_WITH_IDS: Final = (4, 5)
_KINDS: Final[Mapping[object, CellKind]] = {"code": "code", "markdown": "markdown"}
_REMEDY: Final = "open it in Jupyter and save it again, or remove it from the selection"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes:
        kind: code, markdown or raw.
        source: its text, with the original line ends.
        metadata: JSON values by name.
        cell_id: from format 4.5; None if there is none, or it must not be shown.
        outputs: of code, as they are stored; no part of equality.
    """

    kind: CellKind
    source: str
    metadata: Mapping[str, object] = field(default_factory=dict)
    cell_id: str | None = None
    outputs: Sequence[Mapping[str, object]] = field(default=(), compare=False, repr=False)


class Notebook(NamedTuple):
    """A parsed notebook file.

    Attributes:
        language: of its code, as named by `notebook_language`.
        cells: in order.
        keeps_ids: the ids of its cells are stored in the file, from format 4.5.
    """

    language: str
    cells: list[Cell]
    keeps_ids: bool = False


def read_notebook(ipynb: str | bytes) -> Notebook:
    """Parse a notebook file, versions 3 and 4 of the format; tolerates faulty cells.

    Raises:
        Unsupported: it isn't a notebook, or its version is unknown.
    """
    notebook = _parse(ipynb)
    # Only version 3 has worksheets.
    worksheets = _objects(notebook.get("worksheets")) if "cells" not in notebook else []
    sheets: Sequence[Mapping[str, object]] = worksheets or [notebook]
    if not any("cells" in sheet for sheet in sheets):
        raise Unsupported(f"The file is JSON but not a notebook; {_REMEDY}.")
    version = notebook.get("nbformat", 4)
    if not isinstance(version, int) or version not in _KNOWN_VERSIONS:
        raise Unsupported(f"The notebook's format, version {version}, is unknown; {_REMEDY}.")
    cells = [_cell(found) for sheet in sheets for found in _objects(sheet.get("cells"))]
    minor = notebook.get("nbformat_minor")
    keeps_ids = version == _WITH_IDS[0] and isinstance(minor, int) and minor >= _WITH_IDS[1]
    return Notebook(notebook_language(notebook.get("metadata")), cells, keeps_ids)


def _parse(ipynb: str | bytes) -> Mapping[str, object]:
    try:
        notebook = orjson.loads(ipynb)
    except orjson.JSONDecodeError:
        notebook = _parse_leniently(ipynb)
    if not isinstance(notebook, dict):
        raise Unsupported(f"The file is JSON but not a notebook; {_REMEDY}.")
    return notebook


def _parse_leniently(ipynb: str | bytes) -> object:
    """Parse what the fast parser rejects, such as NaN and lone surrogates; report syntax errors."""
    text = ipynb.decode("utf-8", "replace") if isinstance(ipynb, bytes) else ipynb
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise Unsupported(
            f"The notebook is not JSON (line {error.lineno}: {error.msg}); {_REMEDY}."
        ) from error
    except (RecursionError, ValueError) as error:
        raise Unsupported(f"The notebook is nested too deep; {_REMEDY}.") from error


def _cell(cell: Mapping[str, object]) -> Cell:
    source = _text(cell.get("source", cell.get("input")))
    kind = cell.get("cell_type")
    metadata = cell.get("metadata")
    known = metadata if isinstance(metadata, dict) else {}
    if kind == "heading":  # version 3
        level = cell.get("level")
        return Cell("markdown", f"{'#' * _heading_level(level)} {source}", known)
    cell_id = cell.get("id")
    shown_kind: CellKind = _KINDS.get(kind, "raw") if isinstance(kind, str) else "raw"
    shown_id = cell_id if isinstance(cell_id, str) else None
    return Cell(shown_kind, source, known, shown_id, _objects(cell.get("outputs")))


def _heading_level(level: object) -> int:
    return level if isinstance(level, int) and level in range(1, 7) else 1


def _objects(value: object) -> list[dict[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    """Return a source, which is a text or a list of lines with their ends."""
    return value if isinstance(value, str) else "".join(_lines(value))


def _lines(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (line for line in value if isinstance(line, str))


@dataclass(frozen=True, slots=True)
class TextCell:
    """A Markdown cell.

    Attributes:
        text: Markdown.
        tags: of the cell.
        attachments: images in base64 by MIME type, by the name for `attachment:name` in the text.
    """

    text: str
    tags: Sequence[str] = ()
    attachments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def text_notebook(cells: Sequence[TextCell], about: Mapping[str, str]) -> str:
    """Serialize a notebook of Markdown cells; it contains nothing executable.

    Args:
        cells: in order.
        about: its origin, stored in its metadata.
    """
    notebook = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"jupyter_ac": dict(about)},
        "cells": [_markdown_cell(number, cell) for number, cell in enumerate(cells, 1)],
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _markdown_cell(number: int, cell: TextCell) -> dict[str, object]:
    written: dict[str, object] = {
        "id": f"cell-{number}",
        "cell_type": "markdown",
        "metadata": {"tags": list(cell.tags)} if cell.tags else {},
        "source": cell.text.splitlines(keepends=True),
    }
    if cell.attachments:
        written["attachments"] = {name: dict(data) for name, data in cell.attachments.items()}
    return written
