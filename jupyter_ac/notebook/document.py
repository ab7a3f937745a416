"""Creates a notebook of Markdown cells, in version 4.5 of the format."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


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
        "cells": [_cell(number, cell) for number, cell in enumerate(cells, 1)],
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _cell(number: int, cell: TextCell) -> dict[str, object]:
    written: dict[str, object] = {
        "id": f"cell-{number}",
        "cell_type": "markdown",
        "metadata": {"tags": list(cell.tags)} if cell.tags else {},
        "source": cell.text.splitlines(keepends=True),
    }
    if cell.attachments:
        written["attachments"] = {name: dict(data) for name, data in cell.attachments.items()}
    return written
