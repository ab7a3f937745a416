"""Where the cells of a notebook stand, and how its file is written."""

import json

import pytest
from hypothesis import given

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.json_layout import layout_of, members
from tests.notebook.files import code, markdown, notebook_file, notebook_files


@given(notebook_files())
def test_each_cell_is_found(file: str) -> None:
    layout = layout_of(file)
    found = [json.loads(file[span.start : span.stop]) for span in layout.cells]
    assert found == json.loads(file.removeprefix("\ufeff"))["cells"]
    assert json.loads(file[layout.array.start : layout.array.stop]) == found


@pytest.mark.parametrize("indent", [None, 1, 2, 4, "\t"])
def test_the_style_writes_what_stands_there(indent: int | str | None) -> None:
    cells = [code(["é = 1\n", "2"]), markdown("text")]
    file = notebook_file(*cells, indent=indent)
    layout = layout_of(file)
    for cell, span in zip(cells, layout.cells, strict=True):
        assert layout.style.dumped(cell, 2) == file[span.start : span.stop]


def test_names_that_occur_twice_count_as_json_has_it() -> None:
    text = '{"a": 1, "b\\u0022": [{"a": 5}], "a" : "x" }'
    found = {name: text[span.start : span.stop] for name, span in members(text, 0)}
    assert found == {"a": '"x"', 'b"': '[{"a": 5}]'}


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"cells": 5}', '{"cells": [', '{"cells": [{}', '{"a": 1}', "[" * 99_999],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(Unsupported):
        layout_of(text)
