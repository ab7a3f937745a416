import json
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.workers.process import Worker
from tests.index.navigation.trees import DOCUMENTS, PYTHON
from tests.support.index_worker import opened_index
from tests.support.repositories import make_repository

if TYPE_CHECKING:
    from jupyter_ac.index.navigation.rows import (
        Completion,
        FileMapBlock,
        HoverFound,
        OutlineRow,
        PlacesFound,
        SymbolRow,
        TargetFound,
    )

CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": "# Look"},
    {"cell_type": "code", "metadata": {}, "outputs": [], "source": "def plot_all():\n    pass"},
    {"cell_type": "code", "metadata": {}, "outputs": [], "source": "plot_all()"},
]
NOTEBOOK = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": CELLS}
FILES: dict[str, str | bytes] = {**PYTHON, **DOCUMENTS, "look.ipynb": json.dumps(NOTEBOOK)}


async def test_a_worker_answers_about_places_names_and_files(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repo", FILES).root
    async with opened_index(root, tmp_path / "cache") as worker:
        await _ask_about_places(root, worker)
        for query in ("fp", "Client::fp", "client#fetch"):
            rows = await worker.call("Index.search_symbols", query, 5)
            assert [row["name"] for row in cast("list[SymbolRow]", rows)] == ["fetch_page"]
        code = cast("FileMapBlock", await worker.call("Index.block", "app/shapes.py"))
        assert code["mode"] == "code"
        assert "Shape(sides) area(shape)->int" in code["content"]
        document = cast("FileMapBlock", await worker.call("Index.block", "docs/guide.md"))
        assert document["mode"] == "doc"
        assert "First steps" in document["content"]
        for name in ("none.py", "app/none.md"):
            with pytest.raises(
                RemoteError, match=r"No map shows more of .*: the index has no such"
            ):
                await worker.call("Index.block", name)
        paths = ["main.py", "../main.py", "none.py", ".git/config"]
        assert await worker.call("Index.known", paths) == ["main.py"]


async def test_a_file_s_symbols_are_those_of_its_text_now(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repo", FILES).root
    async with opened_index(root, tmp_path / "cache") as worker:
        (root / "main.py").write_text("class New:\n    def f(self):\n        pass\n")
        rows = cast("list[OutlineRow]", await worker.call("Index.outline", "main.py"))
        assert [(row["name"], row["line"], row["last_line"], row["parent"]) for row in rows] == [
            ("New", 1, 3, -1),
            ("f", 2, 3, 0),
        ]
        sections = cast("list[OutlineRow]", await worker.call("Index.outline", "docs/guide.md"))
        assert "First steps" in [row["name"] for row in sections]
        for nothing in ("none.py", "none.md"):
            assert await worker.call("Index.outline", nothing) == []


async def _defined(worker: Worker, *place: object) -> tuple[str, int, str] | None:
    found = cast("TargetFound | None", await worker.call("Index.definition", *place))
    if found is None:
        return None
    return found["file"], found["range"]["startLineNumber"], found["certainty"]


async def _ask_about_places(root: Path, worker: Worker) -> None:
    hover = cast("HoverFound", await worker.call("Index.hover", "main.py", 4, 10))
    assert "class Client" in hover["contents"]
    assert await _defined(worker, "main.py", 4, 10) == ("app/client.py", 10, "likely")
    assert await _defined(worker, "README.md", 3, 8) == ("docs/guide.md", 3, "certain")
    found = cast("PlacesFound", await worker.call("Index.references", "app/shapes.py", 5, 5))
    assert {each["file"] for each in found["places"]} == {"app/client.py", "main.py"}
    for nowhere in (("none.py", 1, 1), ("main.py", 999, 1), ("main.py", 4, 999)):
        assert await worker.call("Index.hover", *nowhere) is None
        assert await worker.call("Index.references", *nowhere) is None
        assert await worker.call("Index.completions", *nowhere, "") == []
    # What has changed on disk a moment ago is what is answered about.
    (root / "main.py").write_text("\n\n" + PYTHON["main.py"], encoding="utf-8")
    assert await _defined(worker, "main.py", 6, 10) == ("app/client.py", 10, "likely")
    rows = cast("list[Completion]", await worker.call("Index.completions", "main.py", 6, 0, "CL"))
    assert [row["label"] for row in rows] == ["Client", "client"]


async def test_columns_behind_a_byte_order_mark_are_as_if_there_were_none(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.js": b"\xef\xbb\xbffunction work() {} work();\n"}
    root = make_repository(tmp_path / "repo", files).root
    async with opened_index(root, tmp_path / "cache") as worker:
        for column in (9, 13, 19, 23):
            found = await worker.call("Index.definition", "a.js", 1, column)
            place = cast("TargetFound", found)["range"]
            assert (place["startColumn"], place["endColumn"]) == (10, 14), column


async def test_a_definition_in_another_file_is_as_that_file_is_now(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repo", FILES).root
    async with opened_index(root, tmp_path / "cache") as worker:
        text = PYTHON["app/client.py"]
        (root / "app/client.py").write_text("\n\n" + text, encoding="utf-8")
        assert await _defined(worker, "main.py", 4, 10) == ("app/client.py", 12, "likely")
        (root / "app/client.py").unlink()
        assert await _defined(worker, "main.py", 4, 10) == ("app/__init__.py", 1, "likely")


async def test_the_lines_of_a_notebook_are_those_of_its_percent_text(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repo", FILES).root
    async with opened_index(root, tmp_path / "cache") as worker:
        rows = await worker.call("Index.search_symbols", "plot_all", 5)
        [line] = [row["line"] for row in cast("list[SymbolRow]", rows)]
        assert await _defined(worker, "look.ipynb", line + 4, 2) == ("look.ipynb", line, "likely")
        # One that defines nothing itself has names, too.
        cell = {**CELLS[2], "source": "from app import Client\nClient()"}
        text = json.dumps({**NOTEBOOK, "cells": [cell]})
        (root / "use.ipynb").write_text(text, encoding="utf-8")
        for line, column, certainty in [(2, 18, "certain"), (3, 2, "likely")]:
            goal = await _defined(worker, "use.ipynb", line, column)
            assert goal == ("app/client.py", 10, certainty)
