import json

import jupytext
import nbformat
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jupytext.languages import _SCRIPT_EXTENSIONS

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cell_selection import NotebookView, excluding
from jupyter_ac.notebook.cells import Cell, CellKind, read_notebook
from jupyter_ac.notebook.dialects import notebook_language
from jupyter_ac.notebook.percent import (
    MAX_CELLS,
    left_out,
    percent_text,
    read_cells,
    write_cells,
)
from tests.notebook.files import code, markdown, notebook_file

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
    raw = {"cell_type": "raw", "metadata": {}, "source": "raw", "id": "a1"}
    assert percent_text(_notebook(MARKDOWN, CODE, raw)) == (
        "# %% [markdown] cell=1\n# # Title\n# text\n\n"
        "# %% cell=2 tags=[\"parameters\"]\nx = 1\ny = 'é'\n\n"
        '# %% [raw] id="a1"\n# raw\n'
    )


def test_cells_that_share_an_id_are_named_by_their_positions() -> None:
    one, two, three = ({**MARKDOWN, "source": "x", "id": name} for name in ("a", "b", "a"))
    assert percent_text(_notebook(one, two, three)) == (
        '# %% [markdown] cell=1\n# x\n\n# %% [markdown] id="b"\n# x\n\n'
        "# %% [markdown] cell=3\n# x\n"
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
    assert text == f"{comment} %% [markdown] cell=1\n{comment} # Title\n{comment} text\n"


def test_version_3_is_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "metadata": {}, "source": ["Head"]},
        {"cell_type": "code", "input": ["print 1"], "language": "python", "outputs": ["x"]},
    ]
    notebook = {"nbformat": 3, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    assert percent_text(json.dumps(notebook)) == (
        "# %% [markdown] cell=1\n# ## Head\n\n# %% cell=2\nprint 1\n"
    )


def test_faulty_cells_are_taken_as_far_as_they_go() -> None:
    cells = [5, None, {"cell_type": "code"}, {"cell_type": "odd", "source": ["a", 3]}]
    assert percent_text(_notebook(*cells)) == "# %% cell=1\n\n# %% [raw] cell=2\n# a\n"


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
        (_notebook(nbformat=7), "version 7, is unknown"),
        (_notebook(nbformat=[]), "is unknown"),
        ('{"cells":' * 100_000, "nested too deep"),
        (_notebook(*[CODE] * (MAX_CELLS + 1)), "more than 10000 cells"),
    ],
)
def test_what_is_no_notebook_is_said_with_a_remedy(text: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        percent_text(text)


# jupytext's "SAS" is a language of its own spelling; "jenner" of no kernel that is published.
LANGUAGES = sorted({str(found["language"]).lower() for found in _SCRIPT_EXTENSIONS.values()})
ODD = sorted({notebook_language({"kernelspec": {"language": name}}) for name in LANGUAGES})

PIECES = st.sampled_from(
    [
        *("# ", "#", "%%", "%% ", "# %%", "# %% [markdown]", "// %%", "(* ", " *)", "-- %%", "% "),
        *("%time", "%%time", "%%bash", "%%bash --out x", "%%R", "%%script", "!ls", "?x", "x?"),
        *("x = !ls", "cd ..", "ls", ":dep", "#!r", "    ", "\t", "\\", '"""', "'''", '"', "'"),
        *("\n", "\n", "\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"),
        *("x", "é", "\ufeff", "\ud800", "\0", "id=", "[raw]"),
    ]
)
SOURCES = st.lists(PIECES | st.text(max_size=3), max_size=9).map("".join)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(), max_size=5)
    | SOURCES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SOURCES, inner, max_size=3),
    max_leaves=3,
)
NAMES = st.sampled_from(
    ["tags", "id", "language", "magic_args", "title", "a b", "", "a=1", "[raw]"]
)
KINDS: st.SearchStrategy[CellKind] = st.sampled_from(["code", "markdown", "raw"])
CELLS = st.lists(
    st.builds(
        Cell,
        KINDS,
        SOURCES,
        st.dictionaries(NAMES | SOURCES, VALUES, max_size=3),
        st.none() | SOURCES,
    ),
    max_size=4,
)


@given(CELLS, st.sampled_from(ODD))
@example([Cell("code", "# # %% x\n#  %% y\n# %%z\n%%\n%% q")], "python")
@example([Cell("code", "!a \\\n%% b \\\n# %% c\n%d"), Cell("code", "")], "python")
@example([Cell("code", 's = """\n%time\n# %% x\n# # %%\n"""\n%time')], "python")
@example([Cell("code", "%% x\n% %%\n% % %% y\n%%% z")], "matlab")
@example([Cell("markdown", "%% x\n(* %% y *)\n"), Cell("raw", "")], "ocaml")
@example([Cell("code", ""), Cell("code", "\n"), Cell("code", "\n\n"), Cell("code", "")], "python")
@example([Cell("code", "%%bash \nls"), Cell("code", "%%bash\r\nls\r\n# %%\r\n")], "python")
def test_every_cell_comes_back_as_it_was(cells: list[Cell], language: str) -> None:
    text = write_cells(cells, language)
    assert read_cells(text, language) == cells
    assert write_cells(read_cells(text, language), language) == text


@given(SOURCES, st.sampled_from(ODD))
def test_any_text_is_read(text: str, language: str) -> None:
    cells = read_cells(text, language)
    assert read_cells(write_cells(cells, language), language) == cells


PLAIN: list[tuple[str, str, dict[str, object]]] = [
    ("code", "import os\n%matplotlib inline\n!ls -l\nx = 1", {"tags": ["a", "b"]}),
    ("code", "if x:\n    %time f()", {}),
    ("code", "%%bash\nls\n\nfoo", {}),
    ("code", "%%bash --out x\nls", {"slideshow": {"slide_type": "slide"}}),
    ("code", "", {}),
    ("code", "%%time\ny=2\n?x\nx?\nz", {}),
    ("code", "# comment\n  \n\n# last", {}),
    ("code", "!pip install \\\n    x \\\n    y\nz", {}),
    ("code", "# %time\n# # !ls\n# cd ..", {}),
    ("code", "x = !ls\ny = %time z", {}),
    ("code", 's = """\n%s\n"""\n%time f()', {}),
    ("markdown", "# Title\n\ntext `x`", {}),
    ("raw", "raw\n\nline", {"raw_mimetype": "text/latex"}),
]


def _jupytext(cells: list[tuple[str, str, dict[str, object]]], language: str) -> str:
    notebook = nbformat.v4.new_notebook(
        metadata={
            "kernelspec": {"name": "x", "language": language, "display_name": "x"},
            "jupytext": {"notebook_metadata_filter": "-all", "cell_metadata_filter": "all"},
        },
        cells=[
            getattr(nbformat.v4, f"new_{kind}_cell")(source, metadata=metadata)
            for kind, source, metadata in cells
        ],
    )
    return str(jupytext.writes(notebook, fmt="auto:percent"))


def _ours(cells: list[tuple[str, str, dict[str, object]]]) -> list[Cell]:
    return [Cell(_kind(kind), source, metadata) for kind, source, metadata in cells]


def _kind(kind: str) -> CellKind:
    return "markdown" if kind == "markdown" else "raw" if kind == "raw" else "code"


@pytest.mark.parametrize("cell", PLAIN, ids=lambda cell: str(cell[1])[:20])
def test_the_text_is_jupytexts(cell: tuple[str, str, dict[str, object]]) -> None:
    cells = [cell, PLAIN[0]]
    text = write_cells(_ours(cells), "python")
    assert text == _jupytext(cells, "python")
    read = jupytext.reads(text, fmt="py:percent").cells
    assert [(found.cell_type, found.source) for found in read] == [
        (kind, source) for kind, source, _ in cells
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_comments_are_those_of_jupytext(language: str) -> None:
    cells: list[tuple[str, str, dict[str, object]]] = [("markdown", "a\n\nb", {}), ("raw", "c", {})]
    known = notebook_language({"kernelspec": {"language": language}})
    assert write_cells(_ours(cells), known) == _jupytext(cells, language)


def test_ids_and_odd_names_stand_in_the_marker() -> None:
    cell = Cell("markdown", "x", {"id": 1, "tags": ["é", "\u2028"]}, "a1")
    assert write_cells([cell], "python") == (
        '# %% [markdown] id="a1" "id"=1 tags=["\\u00e9", "\\u2028"]\n# x\n'
    )


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", []),
        ("\n \n", []),
        ("x = 1\n\n# %%\ny", [Cell("code", "x = 1"), Cell("code", "y")]),
        (
            "# %% [md] A title\nplain\n",
            [Cell("markdown", "plain", {"title": "A title"})],
        ),
        ("# %% a=[ b=1\n", [Cell("code", "", {"b": 1, "title": "a=["})]),
        ('# %% id=5 "x\n', [Cell("code", "", {"id": 5, "title": '"x'})]),
        ("# %%\n# %%\nx", [Cell("code", ""), Cell("code", "x")]),
        ("# %%\r\nx\r\n", [Cell("code", "x\r")]),
    ],
)
def test_what_others_wrote_is_read_as_far_as_it_goes(text: str, cells: list[Cell]) -> None:
    assert read_cells(text, "python") == cells


SHOWN = notebook_file(
    {
        **code("x = 1", id="a"),
        "outputs": [{"output_type": "stream", "name": "stdout", "text": "token=abc\n2"}],
    },
    markdown("# Title", id="b"),
    code("y", id="c"),
    minor=5,
)


def test_cells_are_left_out_and_outputs_shown_as_asked() -> None:
    excluded = excluding(read_notebook(SHOWN), {"b", "gone"})
    view = NotebookView(excluded, frozenset({"a", "b"}))
    assert percent_text(SHOWN, view, lambda text, _: text.replace("abc", "[secret 1]")) == (
        '# %% id="a"\nx = 1\n# output, which can\'t be edited:\n#   token=[secret 1]\n#   2\n\n'
        '# %% [markdown] id="b"\n# (the user has left this cell out)\n\n'
        '# %% id="c"\ny\n'
    )
    assert "token" not in percent_text(SHOWN)
    text = percent_text(SHOWN, view)
    assert (left_out(text, "python"), left_out(percent_text(SHOWN), "python")) == (1, 0)
