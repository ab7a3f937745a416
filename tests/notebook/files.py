"""Notebook files in every formatting, for tests."""

import json
from collections.abc import Mapping

from hypothesis import strategies as st

OUTPUT = {"output_type": "stream", "name": "stdout", "text": ["é\n", "x" * 200]}
DATA = {
    "output_type": "display_data",
    "metadata": {"needs_background": "light"},
    "data": {"image/png": "iVBORw0KGgo=", "text/plain": ["<Figure>"]},
}
PICTURE = {"a.png": {"image/png": "iVBORw0KGgo="}}


def code(source: str | list[str], **more: object) -> dict[str, object]:
    """A cell of code with an output."""
    return {
        "cell_type": "code",
        "execution_count": 3,
        "metadata": {"scrolled": True},
        "outputs": [OUTPUT, DATA],
        "source": source,
    } | more


def markdown(source: str | list[str], **more: object) -> dict[str, object]:
    """A cell of Markdown with a picture."""
    cell: dict[str, object] = {"cell_type": "markdown", "metadata": {}, "source": source}
    return cell | {"attachments": PICTURE} | more


def notebook_file(
    *cells: Mapping[str, object], minor: int = 5, indent: int | str | None = 1, **members: object
) -> str:
    """The file as Jupyter would write it."""
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}
        },
        "nbformat": 4,
        "nbformat_minor": minor,
    } | members
    return json.dumps(notebook, indent=indent, ensure_ascii=False) + "\n"


LINES = st.sampled_from(
    [
        "",
        "x = 1",
        "# %% y",
        "%time f()",
        "%%bash",
        "ls",
        "é",
        "\t'\"",
        "# # z",
        "\u2028",
        "a\r",
        "```",
    ]
)
SOURCES = st.lists(LINES, max_size=4).map("\n".join)


@st.composite
def _cell(draw: st.DrawFn) -> dict[str, object]:
    source: str | list[str] = draw(SOURCES)
    if draw(st.booleans()):
        source = str(source).splitlines(keepends=True)
    tags: dict[str, object] = {"tags": ["a"]} if draw(st.booleans()) else {}
    match draw(st.sampled_from(["code", "markdown", "raw"])):
        case "code":
            return code(source, metadata=tags, outputs=draw(st.sampled_from([[], [OUTPUT]])))
        case "markdown":
            return markdown(source, metadata=tags)
        case _:
            return {"cell_type": "raw", "metadata": tags, "source": source}


@st.composite
def _with_ids(draw: st.DrawFn) -> tuple[int, list[dict[str, object]]]:
    cells = draw(st.lists(_cell(), min_size=1, max_size=5))
    minor = draw(st.integers(0, 5))
    if minor == 5:
        form = draw(st.sampled_from(["own", "same", "none"]))
        for number, cell in enumerate(cells):
            if form != "none":
                cell["id"] = "same" if form == "same" else f"id-{number}"
    if draw(st.booleans()):
        cells = [dict(sorted(cell.items(), reverse=True)) for cell in cells]
    return minor, cells


@st.composite
def notebook_files(draw: st.DrawFn) -> str:
    """Files of notebooks of 4.0 to 4.5 with at least one cell."""
    minor, cells = draw(_with_ids())
    notebook = {
        "metadata": {"language_info": {"name": "python"}, "x": [1.50, {"é": None}]},
        "nbformat": 4,
        "nbformat_minor": minor,
    }
    notebook = {"cells": cells} | notebook if draw(st.booleans()) else notebook | {"cells": cells}
    indent = draw(st.sampled_from([None, 1, 2, 4, "\t"]))
    separators = draw(st.sampled_from([None, (",", ":")])) if indent is None else None
    is_ascii = draw(st.booleans())
    text = json.dumps(notebook, indent=indent, ensure_ascii=is_ascii, separators=separators)
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return draw(st.sampled_from(["", "\ufeff"])) + text + draw(st.sampled_from(["", "\n", "\n\n"]))
