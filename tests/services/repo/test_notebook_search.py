import json
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.git.search.output import FileMatches
from jupyter_ac.git.search.query import Query
from jupyter_ac.notebook.percent import percent_text
from jupyter_ac.services.repo.notebook_search import search_with_cells
from tests.notebook.test_source_lines import cell, notebook
from tests.support.repositories import make_repository

OUTPUT = {"output_type": "stream", "name": "stdout", "text": ["the needle again\n"]}
BOOK = notebook(
    cell(["# Needles\n", "nothing"], "markdown"),
    cell(['print("needle")\n', "x = 1\n", "needle(x)"], outputs=[OUTPUT]),
)
FILES: dict[str, str | bytes] = {
    "a.py": 'needle = "needle"\n',
    "b.ipynb": json.dumps(BOOK, indent=1),
    "one-line.ipynb": json.dumps(BOOK),
    "broken.ipynb": "{ needle\n",
}


async def found(tmp_path: Path, query: Query | str) -> dict[str, FileMatches]:
    folder = make_repository(tmp_path / "r", FILES)
    wanted = Query(query, context_lines=0) if isinstance(query, str) else query
    rows = await search_with_cells(await discover(folder.root), wanted)
    assert [row["file"] for row in rows] == sorted(row["file"] for row in rows)
    return {row["file"]: row for row in rows}


def places(row: FileMatches) -> list[tuple[int, int, str]]:
    return [(match["cell"], match["cell_line"], match["line"]) for match in row["matches"]]


async def test_matches_are_lines_of_cells_and_others_are_counted(tmp_path: Path) -> None:
    rows = await found(tmp_path, "needle")
    expected = [(1, 1, "# Needles"), (2, 1, 'print("needle")'), (2, 3, "needle(x)")]
    assert places(rows["b.ipynb"]) == places(rows["one-line.ipynb"]) == expected
    assert rows["b.ipynb"]["elsewhere"] == 1
    shown = percent_text(json.dumps(BOOK)).split("\n")
    for match in rows["b.ipynb"]["matches"]:
        assert match["line"] in shown[match["text_line"] - 1]


async def test_quotes_are_found_although_the_file_has_escapes(tmp_path: Path) -> None:
    rows = await found(tmp_path, '"needle"')
    assert places(rows["b.ipynb"]) == [(2, 1, 'print("needle")')]
    assert [match["line"] for match in rows["a.py"]["matches"]] == ['needle = "needle"']


async def test_context_is_of_the_cell(tmp_path: Path) -> None:
    (match,) = (await found(tmp_path, Query("x = 1", context_lines=2)))["b.ipynb"]["matches"]
    assert match["context_before"] == [{"line_num": 1, "line": 'print("needle")'}]
    assert match["context_after"] == [{"line_num": 3, "line": "needle(x)"}]


async def test_words_of_the_file_format_are_no_matches(tmp_path: Path) -> None:
    row = (await found(tmp_path, "cell_type"))["b.ipynb"]
    assert row["matches"] == []
    assert row["elsewhere"] == 2
    assert "b.ipynb" not in await found(tmp_path, "\\n")


async def test_case_and_words_count_in_cells_too(tmp_path: Path) -> None:
    rows = await found(tmp_path, Query("needle", whole_word=True, ignore_case=False))
    assert places(rows["b.ipynb"]) == [(2, 1, 'print("needle")'), (2, 3, "needle(x)")]


async def test_expressions_find_lines_of_cells(tmp_path: Path) -> None:
    rows = await found(tmp_path, Query("needle[(]x", use_regex=True))
    assert places(rows["b.ipynb"]) == [(2, 3, "needle(x)")]


@pytest.mark.parametrize("text", ["needle"])
async def test_a_file_that_is_no_notebook_keeps_its_lines(tmp_path: Path, text: str) -> None:
    row = (await found(tmp_path, text))["broken.ipynb"]
    assert [match["line_num"] for match in row["matches"]] == [1]
    assert "cell" not in row["matches"][0]
