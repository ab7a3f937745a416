"""Which cells are shown, also after their names have changed."""

import pytest

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cell_selection import (
    NotebookView,
    cell_names,
    excluded_positions,
    excluding,
    find_excluded,
)
from jupyter_ac.notebook.cells import Notebook, read_notebook
from tests.notebook.files import code, notebook_file

PRIVATE = "patient = 'Jane Roe'"


def notebook(*cells: tuple[str, str | None], minor: int = 5) -> Notebook:
    """A notebook of sources and ids; None for no id."""
    made = [code(source, **({} if name is None else {"id": name})) for source, name in cells]
    return read_notebook(notebook_file(*made, minor=minor))


def view_of(found: Notebook, *names: str) -> NotebookView:
    return NotebookView(excluding(found, names))


def test_cells_without_ids_of_their_own_are_named_by_their_position() -> None:
    found = notebook(("x", "a"), ("y", "a"), ("z", "b"))
    assert cell_names(found) == ["cell=1", "cell=2", "b"]
    assert excluded_positions(found, view_of(found, "cell=2", "b")) == {1, 2}
    assert find_excluded(found, NotebookView()) == (set(), 0)


def test_a_cell_stays_left_out_when_others_move_it() -> None:
    before = notebook(("x", None), (PRIVATE, None), ("y", None), minor=4)
    after = notebook(("new", None), ("x", None), (PRIVATE, None), ("y", None), minor=4)
    assert excluded_positions(after, view_of(before, "cell=2")) == {2}


def test_a_cell_stays_left_out_under_another_id_and_without_one() -> None:
    file = notebook(("x", None), (PRIVATE, None), minor=4)
    opened = notebook(("x", "r1"), (PRIVATE, "r2"), minor=4)
    again = notebook(("x", "s1"), (PRIVATE, "s2"), minor=4)
    assert excluded_positions(opened, view_of(file, "cell=2")) == {1}
    assert excluded_positions(again, view_of(opened, "r2")) == {1}
    assert excluded_positions(file, view_of(opened, "r2")) == {1}


def test_a_cell_that_is_edited_stays_left_out_by_its_id() -> None:
    before = notebook(("x", "a"), (PRIVATE, "b"))
    after = notebook(("x", "a"), (f"{PRIVATE} # more", "b"))
    assert excluded_positions(after, view_of(before, "b")) == {1}


def test_an_id_that_two_cells_share_leaves_out_what_had_it() -> None:
    before = notebook(("x", "a"), (PRIVATE, "b"))
    after = notebook(("x", "a"), (PRIVATE, "b"), (PRIVATE, "b"))
    assert excluded_positions(after, view_of(before, "b")) == {1, 2}


def test_a_cell_that_was_deleted_needs_no_word_but_one_that_may_be_there_does() -> None:
    before = notebook(("x", "a"), (PRIVATE, "b"))
    assert find_excluded(notebook(("x", "a")), view_of(before, "b")) == (set(), 0)
    without_ids = notebook(("x", None), (PRIVATE, None), minor=4)
    changed = notebook(("x", None), (f"{PRIVATE} # more", None), minor=4)
    with pytest.raises(Unsupported, match="can't be found any more"):
        excluded_positions(changed, view_of(without_ids, "cell=2"))
