"""The notebook about panels runs from top to bottom, without a front end too."""

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.meta.sources import ROOT
from tools.demo import make_repository


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> NotebookNode:
    """The notebook with what its cells have shown."""
    folder = tmp_path_factory.mktemp("panels") / "panels"
    make_repository(folder)
    notebook = nbformat.read(folder / "panels.ipynb", as_version=4)
    resources = {"metadata": {"path": os.fspath(folder)}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.fspath(ROOT), prepend=os.pathsep)
        NotebookClient(notebook, timeout=60, store_widget_state=True, resources=resources).execute()
    return notebook


def test_every_panel_is_shown_with_its_picture(executed: NotebookNode) -> None:
    pictures = {
        cell.id: output["data"]["text/html"]
        for cell in executed.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "display_data"
    }
    assert list(pictures) == ["counter", "again", "explorer", "sampler"]
    assert "5 clicks" in pictures["counter"]
    assert "5 clicks" in pictures["again"]
    assert "4 of 7 days; chosen: none" in pictures["explorer"]
    assert "0 of 200 points" in pictures["sampler"]


def test_what_was_chosen_is_in_a_variable(executed: NotebookNode) -> None:
    (shown,) = next(cell for cell in executed.cells if cell.id == "reading").outputs
    assert "click a row first" in shown["data"]["text/plain"]


def test_the_notebook_in_the_clone_was_saved_without_outputs() -> None:
    notebook = nbformat.read(ROOT / Path("notebooks/panels.ipynb"), as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [(cell.outputs, cell.execution_count) for cell in code] == [([], None)] * len(code)
    assert notebook.cells[0].source.startswith("#")
