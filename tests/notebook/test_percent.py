import json

import pytest

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.percent import MAX_CELLS, percent_text

MARKDOWN: dict[str, object] = {
    "cell_type": "markdown",
    "metadata": {},
    "source": ["# Title\n", "text"],
}
CODE: dict[str, object] = {
    "cell_type": "code",
    "metadata": {"tags": ["parameters"], "colab": {"x": 1}, "collapsed": True},
    "source": "x = 1\ny = 'é'",
    "outputs": [{"output_type": "stream", "name": "stdout", "text": "SECRET OUTPUT"}],
    "execution_count": 7,
}


def _notebook(*cells: object, **members: object) -> str:
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells} | members
    )


def test_cells_come_as_text_without_outputs_and_header() -> None:
    raw = {"cell_type": "raw", "metadata": {}, "source": "raw"}
    assert percent_text(_notebook(MARKDOWN, CODE, raw)) == (
        "# %% [markdown]\n# # Title\n# text\n\n"
        "# %% tags=[\"parameters\"]\nx = 1\ny = 'é'\n\n"
        "# %% [raw]\n# raw\n"
    )


@pytest.mark.parametrize(
    ("metadata", "comment"),
    [
        ({"language_info": {"name": "python", "file_extension": ".py"}}, "#"),
        ({"language_info": {"name": "C++17", "file_extension": ".cpp"}}, "//"),
        ({"kernelspec": {"name": "ir", "language": "R", "display_name": "R"}}, "#"),
        ({"kernelspec": {"name": "x", "language": "javascript", "display_name": "x"}}, "//"),
        ({"language_info": {"name": "no such language", "file_extension": ".nsl"}}, "#"),
        ({"kernelspec": 5, "language_info": "x"}, "#"),
        ({"jupytext": {"text_representation": {"extension": ".md"}}}, "#"),
        ([], "#"),
    ],
)
def test_comments_are_those_of_the_notebooks_language(metadata: object, comment: str) -> None:
    text = percent_text(_notebook(MARKDOWN, metadata=metadata))
    assert text == f"{comment} %% [markdown]\n{comment} # Title\n{comment} text\n"


def test_version_3_is_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "metadata": {}, "source": ["Head"]},
        {"cell_type": "code", "input": ["print 1"], "language": "python", "outputs": ["x"]},
    ]
    notebook = {"nbformat": 3, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    assert percent_text(json.dumps(notebook)) == "# %% [markdown]\n# ## Head\n\n# %%\nprint 1\n"


def test_faulty_cells_are_taken_as_far_as_they_go() -> None:
    cells = [5, None, {"cell_type": "code"}, {"cell_type": "odd", "source": ["a", 3]}]
    assert percent_text(_notebook(*cells)) == "# %%\n\n# %% [raw]\n# a\n"


@pytest.mark.parametrize("text", ["", " \n", _notebook()])
def test_a_notebook_without_cells_is_empty(text: str) -> None:
    assert percent_text(text) == ""


def test_a_byte_order_mark_is_tolerated() -> None:
    assert percent_text("\ufeff" + _notebook(CODE)).endswith("y = 'é'\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{\n"cells": [', "not JSON \\(line 2"),
        ("[1]", "not a notebook"),
        ('{"a": 1}', "not a notebook"),
        (_notebook(nbformat=7), "version 7, is not known"),
        (_notebook(nbformat=[]), "is not known"),
        ('{"cells":' * 100_000, "nested too deep"),
        (_notebook(*[CODE] * (MAX_CELLS + 1)), "more than 10000 cells"),
    ],
)
def test_what_is_no_notebook_is_said_with_a_remedy(text: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        percent_text(text)
