import json

import pytest

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cells import Cell, read_notebook


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
