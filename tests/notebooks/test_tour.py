"""The tour runs from top to bottom, without a front end too."""

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.meta.sources import ROOT
from tests.support.model_process import RunningModelServer
from tools.demo import make_repository


@pytest.fixture(scope="module")
def executed(
    tmp_path_factory: pytest.TempPathFactory, model_server_process: RunningModelServer
) -> tuple[Path, NotebookNode]:
    """The folder of the tour, and the tour with what its cells have shown."""
    folder = tmp_path_factory.mktemp("tour") / "tour"
    make_repository(folder)
    notebook = nbformat.read(folder / "tour.ipynb", as_version=4)
    resources = {"metadata": {"path": os.fspath(folder)}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_AC_MODEL", "openai/scripted")
        patch.setenv("JUPYTER_AC_API_BASE", model_server_process.openai)
        patch.setenv("OPENAI_API_KEY", "sk-scripted-0000")
        patch.setenv("PYTHONPATH", os.fspath(ROOT), prepend=os.pathsep)
        NotebookClient(notebook, timeout=60, store_widget_state=True, resources=resources).execute()
    return folder, notebook


def test_every_cell_runs_and_the_panel_is_shown(executed: tuple[Path, NotebookNode]) -> None:
    _, notebook = executed
    shown = [
        output["data"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "display_data"
    ]
    panel, answer = shown
    assert "application/vnd.jupyter.widget-view+json" in panel
    assert "text/html" in panel
    assert "what does this file do?" in answer["text/markdown"]
    (printed,) = next(cell for cell in notebook.cells if cell.id == "python-question").outputs
    assert "what is wind chill?" in printed["text"]


def test_an_executed_tour_holds_no_secret_and_no_path_of_this_machine(
    executed: tuple[Path, NotebookNode],
) -> None:
    folder, notebook = executed
    text = json.dumps(notebook)
    assert "display_data" in text
    for secret in ("sk-scripted-0000", os.fspath(folder), os.fspath(ROOT)):
        assert secret not in text


def test_the_tour_in_the_clone_was_saved_without_outputs() -> None:
    notebook = nbformat.read(ROOT / "notebooks/tour.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [(cell.outputs, cell.execution_count) for cell in code] == [([], None)] * len(code)
    assert notebook.cells[0].source.startswith("#")
