import json

import pytest

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.percent import percent_text
from jupyter_ac.notebook.source_lines import notebook_lines


def cell(source: object, kind: str = "code", **more: object) -> dict[str, object]:
    outputs: dict[str, object] = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": source, **outputs, **more}


def notebook(*cells: object) -> dict[str, object]:
    metadata = {"language_info": {"name": "python"}}
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 4}


CELLS = [
    cell(["import os\n", 'print("a")\n', "\n", "x = 1"]),
    cell(["# Title\n", "text"], "markdown"),
    cell("%%bash\nls\necho x"),
    cell([]),
    cell(["%%time\n", "x = 2"]),
    cell(["on one ", "line\n", "another\n"]),
]


@pytest.mark.parametrize("indent", [1, 4, None])
def test_each_line_of_a_source_is_found_in_the_file(indent: int | None) -> None:
    ipynb = json.dumps(notebook(*CELLS), indent=indent)
    found = notebook_lines(ipynb)
    seen = {
        (line.cell, line.number): line.text for rows in found.by_file_line.values() for line in rows
    }
    expected = {
        (at, number): text
        for at, source in enumerate(found.sources)
        for number, text in enumerate(source, 1)
        if (text or number < len(source))
    }
    assert seen == expected
    raw = ipynb.split("\n")
    for number, rows in found.by_file_line.items():
        for line in rows:
            assert json.dumps(line.text[:3])[1:-1] in raw[number - 1]


def test_lines_are_those_of_the_text_that_is_shown() -> None:
    ipynb = json.dumps(notebook(*CELLS), indent=1)
    found = notebook_lines(ipynb)
    shown = ["", *percent_text(ipynb).split("\n")]
    for rows in found.by_file_line.values():
        for line in rows:
            assert line.text.lstrip("%") in shown[found.text_line(line)], line


@pytest.mark.parametrize("text", ["", "[]", '{"cells": 3, "nbformat": 4}', "{", '{"cells": [3]}'])
def test_what_is_no_notebook_is_said(text: str) -> None:
    with pytest.raises(Unsupported):
        notebook_lines(text)
