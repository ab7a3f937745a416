"""A notebook made of text, in version 4.5 of the format."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TextCell:
    """One cell of Markdown.

    Attributes:
        text: Markdown.
        tags: of the cell, for tools that select by them.
        attachments: images in base64 by MIME type, by the name under which the text shows them as
            `attachment:name`.
    """

    text: str
    tags: Sequence[str] = ()
    attachments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def text_notebook(cells: Sequence[TextCell], about: Mapping[str, str]) -> str:
    """Write a notebook of Markdown cells, which nothing in it can run.

    Args:
        cells: in order.
        about: where it comes from, kept in its metadata.
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
