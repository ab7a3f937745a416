import json

import nbformat
import pytest

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cells import Cell, TextCell, read_notebook, text_notebook
from tests.notebook.files import code, notebook_file


def test_cells_keep_what_the_file_says_of_them() -> None:
    cells = [
        {"cell_type": "code", "id": "a1", "metadata": {"x": 1}, "source": ["a\r\n", "b"]},
        {"cell_type": "markdown", "source": "c"},
    ]
    found = read_notebook(json.dumps({"nbformat": 4, "cells": cells}).encode())
    assert found.language == "python"
    assert found.cells == [Cell("code", "a\r\nb", {"x": 1}, "a1"), Cell("markdown", "c")]


@pytest.mark.parametrize("text", ['{"cells": [], "x": NaN}', '{"cells": [], "x": "\\ud800"}'])
def test_what_only_pythons_parser_takes_is_read(text: str) -> None:
    assert read_notebook(text).cells == []


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"worksheets": [{}]}', "[" * 100_000])
def test_what_is_no_notebook_is_refused(text: str) -> None:
    with pytest.raises(Unsupported, match="notebook"):
        read_notebook(text)


def test_it_is_a_valid_notebook_that_runs_nothing() -> None:
    cells = [
        TextCell("# One\n\nText"),
        TextCell("", ("user",)),
        TextCell("![x](attachment:a.png)", attachments={"a.png": {"image/png": "AAAA"}}),
    ]
    notebook = nbformat.reads(text_notebook(cells, {"session_id": "s"}), as_version=4)
    nbformat.validate(notebook)
    assert [cell.source for cell in notebook.cells] == [cell.text for cell in cells]
    assert {cell.cell_type for cell in notebook.cells} == {"markdown"}
    assert notebook.cells[1].metadata.tags == ["user"]
    assert notebook.metadata.jupyter_ac.session_id == "s"


def test_worksheets_beside_cells_are_nothing() -> None:
    file = notebook_file(code("x", id="a"), worksheets=[{"cells": [code("evil", id="b")]}])
    assert [cell.source for cell in read_notebook(file).cells] == ["x"]
