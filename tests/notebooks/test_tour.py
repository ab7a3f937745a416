"""The tour runs from top to bottom, without a front end too."""

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.meta.sources import ROOT
from tests.support.model_process import RunningModelServer
from tools.demo import make_repository


@pytest.fixture
def tour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_server: RunningModelServer) -> Path:
    repository = tmp_path / "tour"
    make_repository(repository)
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted")
    monkeypatch.setenv("JUPYTER_AC_API_BASE", model_server.openai)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-scripted-0000")
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT))
    return repository / "tour.ipynb"


def test_every_cell_runs_and_the_panel_is_shown(tour: Path) -> None:
    notebook = nbformat.read(tour, as_version=4)
    resources = {"metadata": {"path": os.fspath(tour.parent)}}
    NotebookClient(notebook, timeout=60, resources=resources).execute()
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


def test_an_executed_tour_holds_no_secret_and_no_path_of_this_machine(tour: Path) -> None:
    notebook = nbformat.read(tour, as_version=4)
    resources = {"metadata": {"path": os.fspath(tour.parent)}}
    NotebookClient(notebook, timeout=60, store_widget_state=True, resources=resources).execute()
    text = json.dumps(notebook)
    for secret in ("sk-scripted-0000", os.fspath(tour.parent), os.fspath(ROOT)):
        assert secret not in text


def test_the_tour_in_the_clone_was_saved_without_outputs() -> None:
    notebook = nbformat.read(ROOT / "notebooks/tour.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [(cell.outputs, cell.execution_count) for cell in code] == [([], None)] * len(code)
    assert notebook.cells[0].source.startswith("#")
