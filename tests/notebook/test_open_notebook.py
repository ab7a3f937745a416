"""Open notebooks as text, and edits of them as operations of a page."""

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidParams
from jupyter_ac.notebook.editing import edited_notebook
from jupyter_ac.notebook.open_notebook import MAX_OPEN_CELLS, cell_operations, open_notebook_text
from jupyter_ac.notebook.percent import percent_text
from jupyter_ac.notebook_rows import NotebookCell
from tests.support.open_notebooks import PageDocument, cell

CELLS = [
    cell("a", "import os\nos.name"),
    cell("b", "# Title", "markdown", tags=["x"]),
    cell("c", "y = 1"),
]


def _named(cells: list[NotebookCell]) -> list[NotebookCell]:
    return list({each["id"]: each for each in cells}.values())


NOTEBOOKS = st.lists(
    st.builds(
        cell,
        st.sampled_from("abcdefgh"),
        st.sampled_from(["", "x", "x\ny", "é\n", "%%bash\nls", "# %% z"]),
        st.sampled_from(["code", "markdown", "raw"]),
        tags=st.lists(st.sampled_from(["t", "u"]), min_size=1, max_size=2, unique=True),
    )
    | st.builds(cell, st.sampled_from("abcdefgh"), st.text(max_size=8)),
    max_size=8,
).map(_named)


def test_the_text_is_a_valid_notebook_that_names_its_cells() -> None:
    text = open_notebook_text("julia", CELLS)
    nbformat.validate(nbformat.reads(text, 4))
    assert percent_text(text) == (
        '# %% id="a"\nimport os\nos.name\n\n'
        '# %% [markdown] id="b" tags=["x"]\n# # Title\n\n'
        '# %% id="c"\ny = 1\n'
    )
    assert nbformat.reads(text, 4).metadata.language_info.name == "julia"
    assert "language_info" not in open_notebook_text("", [])


def test_ids_that_are_not_unique_and_too_many_cells_are_refused() -> None:
    with pytest.raises(InvalidParams, match="the same id"):
        open_notebook_text("python", [cell("a"), cell("a")])
    with pytest.raises(InvalidParams, match="more than"):
        open_notebook_text("python", [cell(str(n)) for n in range(MAX_OPEN_CELLS + 1)])


def _made(before: list[NotebookCell], after: list[NotebookCell]) -> PageDocument:
    page = PageDocument(list(before))
    operations = cell_operations(
        open_notebook_text("python", before), open_notebook_text("python", after)
    )
    assert page.carry_out(operations) == {"status": "applied"}
    return page


@given(NOTEBOOKS, NOTEBOOKS)
def test_operations_make_any_notebook_of_any_other(
    before: list[NotebookCell], after: list[NotebookCell]
) -> None:
    page = _made(before, after)
    assert page.cells == after


def test_only_what_differs_is_changed_and_only_few_cells_are_moved() -> None:
    names = [str(n) for n in range(30)]
    before = [cell(name, name) for name in names]
    after = [*before[1:], before[0]]
    [[operation]] = _made(before, after).edits
    assert operation == {"op": "move", "id": "0", "after": "29"}
    assert _made(before, before).edits == [[]]


@given(NOTEBOOKS, st.data())
def test_an_edit_of_the_text_reaches_the_cells(
    cells: list[NotebookCell], draw: st.DataObject
) -> None:
    before = open_notebook_text("python", cells)
    text = percent_text(before)
    lines = text.split("\n")
    at = draw.draw(st.integers(0, len(lines)))
    new = draw.draw(st.sampled_from(["z = 1", "", "# %%", "# %% [markdown]\n# t"]))
    edited = "\n".join([*lines[:at], new, *lines[at:]])
    after = edited_notebook(before, text, edited)
    page = PageDocument(list(cells))
    page.carry_out(cell_operations(before, after))
    assert percent_text(page.notebook.file) == percent_text(after)
