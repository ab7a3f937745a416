"""Magics and the panel under nbclient: nobody looks, and nothing waits for anybody."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from tests.meta.sources import ROOT
from tests.support.kernels import Message
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository

CELLS = (
    "%load_ext jupyter_ac\n%ac",
    "%%ac -f a.py -o text\nWhat is this?",
    "print(text)",
    "import jupyter_ac\npanel = jupyter_ac.Panel()\npanel.selected_files = ['docs/b.md']",
    "print(await panel.ask('And that?'))",
    "print(panel.selected_files)",
    "raises = 1",
    "%%ac --cell\nWrite it.",
    "%ac_fix make it 2",
    "%ac_explain",
    "%ac_status",
    "rates = [0.25, 0.5]\nrates",
    "%%ac\nWhy is @var:rates so small, after @cell and @output?",
    "rates / 0",
    "%%ac\nWhat does @error mean?",
    "panel.attach(rates)\nprint(await panel.ask('And this?'))",
    "%ac reset",
)
FAILS = "rates / 0"
"""The cell that may fail."""


@pytest.fixture
def garden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_server: RunningModelServer
) -> RepositoryFolder:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted")
    monkeypatch.setenv("JUPYTER_AC_API_BASE", model_server.openai)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-scripted-0000")
    monkeypatch.setenv("JUPYTER_AC_CONFIG_DIR", os.fspath(tmp_path / "config"))
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT), prepend=os.pathsep)
    return make_repository(
        tmp_path / "garden", {"a.py": "print('apple')\n", "docs/b.md": "# Berry\n"}
    )


def notebook_of(cells: Sequence[str]) -> NotebookNode:
    """Make a notebook of these cells."""
    tags = {"tags": ["raises-exception"]}
    made = [new_code_cell(cell, metadata=tags if cell == FAILS else {}) for cell in cells]
    return new_notebook(cells=made)


def execute(folder: Path, *cells: str, kernel: str = "python3") -> list[list[Message]]:
    """Run cells as `jupyter execute` does; the saved outputs of each."""
    notebook = notebook_of(cells)
    resources = {"metadata": {"path": os.fspath(folder)}}
    NotebookClient(notebook, timeout=100, kernel_name=kernel, resources=resources).execute()
    nbformat.validate(notebook)
    return [cell.outputs for cell in notebook.cells]


def old_kernel(folder: Path, python: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make another interpreter known to Jupyter."""
    spec = folder / "kernels" / "old"
    spec.mkdir(parents=True)
    launch = [os.fspath(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    content = {"argv": launch, "display_name": "old", "language": "python"}
    (spec / "kernel.json").write_text(json.dumps(content))
    monkeypatch.setenv("JUPYTER_PATH", os.fspath(folder))
    return "old"


@pytest.mark.parametrize("ipykernel", [6, 7])
def test_everything_is_answered_without_a_front_end(
    garden: RepositoryFolder,
    model_server: RunningModelServer,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    ipykernel: int,
) -> None:
    kernel = "python3"
    if ipykernel == 6:
        python = request.getfixturevalue("old_python")
        kernel = old_kernel(garden.root.parent / "jupyter", python, monkeypatch)
    outputs = execute(garden.root, *CELLS, kernel=kernel)
    (answer,) = outputs[1]
    assert answer["data"]["text/markdown"].startswith("You asked: **What is this?**")
    assert outputs[2][0]["text"].rstrip() == answer["data"]["text/plain"].rstrip()
    assert "You asked: **And that?**" in outputs[4][0]["text"]
    assert outputs[5][0]["text"] == "['docs/b.md']\n"
    assert "+def hello(name: str) -> str:" in outputs[8].pop()["data"]["text/plain"]
    for asked in outputs[7:10]:
        assert "def hello(name: str)" in asked[-1]["data"]["text/markdown"]
    assert f"repository    {garden.root}" in outputs[10][0]["text"]
    assert "the earlier one stays in the history" in outputs[16][0]["text"]
    bodies = [json.dumps(body) for body in model_server.bodies()]
    error = bodies.pop(-2)
    assert "TypeError: unsupported operand type(s) for /: 'list' and 'int'" in error
    assert_sent(bodies)


def assert_sent(bodies: list[str]) -> None:
    """Check what the questions of the cells have sent, but for the one about the error."""
    first, second, *_, mentions, attached = bodies
    assert len(bodies) == 7
    assert "apple" in first
    assert "Berry" in second
    assert "apple" not in second
    assert "(variable of the Python session, as of " in mentions
    assert mentions.count("rates = [0.25, 0.5]") == 1
    assert "Out[12]: list" in mentions
    assert "rates: list" in attached


@pytest.mark.soak
def test_papermill_runs_the_same_notebook(
    garden: RepositoryFolder, model_server: RunningModelServer, extras_python: Path
) -> None:
    folder = garden.root.parent
    # It ends with an error after any that a cell has shown, whatever the cell's tags.
    cells = [cell for cell in CELLS if cell != FAILS and "@error" not in cell]
    nbformat.write(notebook_of(cells), folder / "in.ipynb")
    command = [extras_python, "-m", "papermill", "in.ipynb", "out.ipynb", "-k", "python3"]
    words = [*map(str, command), "--cwd", str(garden.root)]
    run = subprocess.run(
        words, capture_output=True, text=True, timeout=300, check=False, cwd=folder
    )
    assert run.returncode == 0, run.stderr
    outputs = [cell.outputs for cell in nbformat.read(folder / "out.ipynb", 4).cells]
    assert outputs[1][-1]["data"]["text/markdown"].startswith("You asked: **What is this?**")
    assert "the earlier one stays in the history" in outputs[-1][0]["text"]
    assert_sent([json.dumps(body) for body in model_server.bodies()])


def test_a_failing_question_fails_the_notebook_in_one_line(
    garden: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted-401")
    with pytest.raises(CellExecutionError) as caught:
        execute(garden.root, "%load_ext jupyter_ac", "%%ac\nMay I?", "print('never')")
    assert "OPENAI_API_KEY" in str(caught.value)
    assert sys.prefix not in str(caught.value)


def test_no_path_and_no_key_is_saved(garden: RepositoryFolder) -> None:
    saved = json.dumps(execute(garden.root, *CELLS[:2]))
    for secret in ("sk-scripted-0000", os.fspath(garden.root), os.fspath(ROOT)):
        assert secret not in saved
