"""Magics and the panel under nbclient: nobody looks, and nothing waits for anybody."""

import json
import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
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
)


@pytest.fixture
def garden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_server: RunningModelServer
) -> RepositoryFolder:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted")
    monkeypatch.setenv("JUPYTER_AC_API_BASE", model_server.openai)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-scripted-0000")
    monkeypatch.setenv("JUPYTER_AC_CONFIG_DIR", os.fspath(tmp_path / "config"))
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT))
    return make_repository(
        tmp_path / "garden", {"a.py": "print('apple')\n", "docs/b.md": "# Berry\n"}
    )


def execute(folder: Path, *cells: str, kernel: str = "python3") -> list[list[Message]]:
    """Run cells as `jupyter execute` does; the saved outputs of each."""
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
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
    for asked in outputs[7:10]:
        assert "def hello(name: str)" in asked[-1]["data"]["text/markdown"]
    assert f"repository    {garden.root}" in outputs[10][0]["text"]
    first, second, *_ = (json.dumps(body) for body in model_server.bodies())
    assert "apple" in first
    assert "Berry" in second
    assert "apple" not in second


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
