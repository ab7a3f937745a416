"""Notebooks edited by the text of their cells: all else keeps its bytes."""

import json
from collections.abc import Callable
from typing import cast

import nbformat
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cells import Cell, CellKind, read_notebook
from jupyter_ac.notebook.editing import edited_notebook, is_notebook, new_notebook
from jupyter_ac.notebook.json_layout import layout_of
from jupyter_ac.notebook.percent import percent_text, read_cells, write_cells
from tests.notebook.files import SOURCES, code, markdown, notebook_file, notebook_files

CellJson = dict[str, object]
KINDS: st.SearchStrategy[CellKind] = st.sampled_from(["code", "markdown", "raw"])


def cells_in(file: str) -> list[CellJson]:
    return cast("list[CellJson]", json.loads(file.removeprefix("\ufeff"))["cells"])


def source_of(cell: CellJson) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(cast("list[str]", source))


def pieces(file: str) -> list[str]:
    return [file[span.start : span.stop] for span in layout_of(file).cells]


def around(file: str) -> tuple[str, str]:
    array = layout_of(file).array
    return file[: array.start], file[array.stop :]


def changed(file: str, change: Callable[[list[Cell]], list[Cell]]) -> str:
    """Edit the text of a notebook by its cells."""
    text, language = percent_text(file), read_notebook(file).language
    return edited_notebook(file, text, write_cells(change(read_cells(text, language)), language))


def replaced(file: str, old: str, new: str) -> str:
    text = percent_text(file)
    assert text.count(old) == 1, text
    return edited_notebook(file, text, text.replace(old, new))


@given(notebook_files(), st.data(), SOURCES)
def test_one_edited_source_leaves_all_else(file: str, data: st.DataObject, source: str) -> None:
    at = data.draw(st.integers(0, len(pieces(file)) - 1))

    def change(cells: list[Cell]) -> list[Cell]:
        cells[at] = Cell(cells[at].kind, source, cells[at].metadata, cells[at].cell_id)
        return cells

    result = changed(file, change)
    assert around(result) == around(file)
    before, after = pieces(file), pieces(result)
    assert before[:at] + before[at + 1 :] == after[:at] + after[at + 1 :]
    was, now = cells_in(file)[at], cells_in(result)[at]
    assert source_of(now) == source
    assert list(was) == list(now)
    assert {**was, "source": 0} == {**now, "source": 0}
    assert changed(result, lambda cells: cells) == result
    back = changed(
        result, lambda cells: [*cells[:at], _with(cells[at], source_of(was)), *cells[at + 1 :]]
    )
    assert cells_in(back)[at]["cell_type"] == was["cell_type"]
    assert source_of(cells_in(back)[at]) == source_of(was)


def _with(cell: Cell, source: str) -> Cell:
    return Cell(cell.kind, source, cell.metadata, cell.cell_id)


@given(notebook_files(), st.data())
def test_cells_that_go_come_and_move_leave_the_others(file: str, data: st.DataObject) -> None:
    count = len(pieces(file))
    order = data.draw(st.permutations(range(count)))
    left = order[: data.draw(st.integers(0, count))]
    places = data.draw(st.lists(st.integers(0, len(left)), max_size=2).map(sorted))
    # As many new cells as went are taken for these, where nothing else tells them apart.
    assume(count - len(left) != len(places) or not places)

    def change(cells: list[Cell]) -> list[Cell]:
        kept = [cells[place] for place in left]
        for place in reversed(places):
            kept.insert(place, Cell("code", "new = 1"))
        return kept

    result = changed(file, change)
    assert around(result) == around(file)
    before, after = pieces(file), pieces(result)
    assume(_are_told_apart(cells_in(file)))
    known = [piece for piece in after if "new = 1" not in piece]
    assert sorted(known) == sorted(
        before[place] for place in left if "new = 1" not in before[place]
    )
    nbformat.validate(nbformat.reads(result.removeprefix("\ufeff"), 4))


def _are_told_apart(cells: list[CellJson]) -> bool:
    return len({json.dumps(cell) for cell in cells}) == len(cells)


FILE = notebook_file(
    code(["import os\n", "os.name"], id="a"),
    markdown("# Title", id="b"),
    code("x = 1\ny = 2\n\nz = 3", id="c"),
)


def test_a_cell_that_is_split_keeps_its_first_part() -> None:
    result = cells_in(replaced(FILE, "y = 2\n", "\n# %%\ny = 2\n"))
    assert [source_of(cell) for cell in result[2:]] == ["x = 1", "y = 2\n\nz = 3"]
    assert (result[2]["id"], result[2]["execution_count"]) == ("c", 3)
    assert result[3]["outputs"] == []
    assert result[3]["id"] not in {"a", "b", "c"}


def test_cells_that_are_joined_are_the_first_one() -> None:
    result = cells_in(replaced(FILE, 'os.name\n\n# %% [markdown] id="b"\n# # Title\n', "os.name\n"))
    assert [cell["id"] for cell in result] == ["a", "c"]
    assert result[0]["outputs"] == cells_in(FILE)[0]["outputs"]


def test_a_cell_that_is_rewritten_without_its_name_stays_the_same_one() -> None:
    result = cells_in(
        replaced(FILE, '# %% [markdown] id="b"\n# # Title', "# %% [markdown]\n# # Other")
    )
    assert result[1] == {**cells_in(FILE)[1], "source": "# Other"}


def test_a_cell_becomes_one_of_another_kind() -> None:
    result = cells_in(replaced(FILE, '# %% [markdown] id="b"\n# # Title', '# %% id="b"\ntitle = 1'))
    expected: CellJson = {
        "cell_type": "code",
        "execution_count": None,
        "id": "b",
        "metadata": {},
        "outputs": [],
    }
    assert result[1] == expected | {"source": ["title = 1"]}
    result = cells_in(replaced(FILE, '# %% id="a"', '# %% [markdown] id="a"'))
    assert result[0]["cell_type"] == "markdown"
    assert "outputs" not in result[0]
    assert result[0]["metadata"] == {"scrolled": True}


def test_tags_come_and_go_with_the_marker() -> None:
    tagged = replaced(FILE, '# %% id="c"', '# %% id="c" tags=["parameters"]')
    assert cells_in(tagged)[2]["metadata"] == {"scrolled": True, "tags": ["parameters"]}
    assert cells_in(replaced(tagged, ' tags=["parameters"]', ""))[2] == {
        **cells_in(FILE)[2],
        "source": ["x = 1\n", "y = 2\n", "\n", "z = 3"],
    }


def test_an_edit_sets_no_other_metadata() -> None:
    text = percent_text(FILE)
    new = '# %% init_cell=true a title\nq = 1\n\n# %% id="a" init_cell=true'
    result = edited_notebook(FILE, text, text.replace('# %% id="a"', new))
    assert "init_cell" not in result
    assert "title" not in str([cell["metadata"] for cell in cells_in(result)])
    assert cells_in(result)[1] == cells_in(FILE)[0]


def test_an_id_that_is_taken_is_not_given_twice() -> None:
    text = '\n# %% [markdown] id="c"\n# copy\n\n# %% id="mine"\nq = 1\n'
    result = cells_in(replaced(FILE, "os.name\n", f"os.name\n{text}"))
    ids = [cell["id"] for cell in result]
    assert len(set(ids)) == len(ids) == 5
    assert ids.index("mine") == 2
    assert [cell["id"] for cell in result if cell.get("outputs")] == ["a", "c"]


def test_in_a_notebook_without_ids_new_cells_have_none() -> None:
    cells = [code("a = 1"), code("a = 1"), markdown("text")]
    result = cells_in(
        replaced(notebook_file(*cells, minor=4), "# %% [markdown]", "# %%\nb\n\n# %% [markdown]")
    )
    assert [source_of(cell) for cell in result] == ["a = 1", "a = 1", "b", "text"]
    assert not any("id" in cell for cell in result)


def test_of_equal_cells_the_one_that_was_removed_goes() -> None:
    cells = [code("a", execution_count=number) for number in (1, 2, 3)]
    file = notebook_file(*cells, minor=4)
    result = replaced(file, "# %% cell=2\na\n\n", "")
    assert [cell["execution_count"] for cell in cells_in(result)] == [1, 3]


@pytest.mark.parametrize("indent", [None, 1])
def test_a_notebook_loses_and_gets_all_its_cells(indent: int | None) -> None:
    file = notebook_file(code("a", id="a"), indent=indent)
    empty = changed(file, lambda _: [])
    assert cells_in(empty) == []
    result = edited_notebook(empty, percent_text(empty), "# %%\nb = 1\n")
    assert source_of(cells_in(result)[0]) == "b = 1"
    assert "id" in cells_in(result)[0]
    assert ("\n   " in result) is (indent is not None)


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (notebook_file(code("a"), cells=[{"cell_type": "code"}]), "The notebook is no valid"),
        (notebook_file(code("a"), metadata=5), "The notebook is no valid"),
        (notebook_file(code("a"), nbformat=3), "version 3, which is only read"),
        ('{"nbformat": 3, "worksheets": [{"cells": []}]}', "version 3, which is only read"),
        ('{"cells": [], "nbformat": 4, "nbformat_minor": 5, "metadata": {"x": NaN}}', "valid JSON"),
        ("{", "not JSON"),
    ],
)
def test_notebooks_that_may_not_be_edited(file: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        edited_notebook(file, "", "# %%\nx = 1\n")


def test_an_edit_that_would_make_it_invalid_is_refused() -> None:
    with pytest.raises(Unsupported, match="The edit is no valid notebook"):
        replaced(FILE, '# %% id="c"', '# %% id="c" tags=5')


@given(SOURCES, KINDS)
def test_a_new_notebook(source: str, kind: CellKind) -> None:
    cell = Cell(kind, source)
    file = new_notebook(write_cells([cell], "python"))
    nbformat.validate(nbformat.reads(file, 4))
    assert [source_of(found) for found in cells_in(file)] == [source]
    assert file == json.dumps(json.loads(file), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def test_names_of_notebooks() -> None:
    assert is_notebook("a/b.IPYNB")
    assert not is_notebook("b.ipynb.txt")
