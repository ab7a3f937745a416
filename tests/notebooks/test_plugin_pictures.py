"""Panels of notebooks that are run and shown without a front end."""

import os
from pathlib import Path

import pytest
from nbclient import NotebookClient
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook

from tests.meta.sources import ROOT

SHOW = """
from jupyter_ac.panels import Plugin, component, html, use_state
setters = []
@component
def Level():
    level, set_level = use_state(3)
    setters.append(set_level)
    return html.p({"style": {"color": "red"}}, f"Level <{level}>")
Plugin(Level).display()
"""


@pytest.mark.parametrize("has_state", [False, True])
def test_an_exported_notebook_shows_the_last_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_state: bool
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT), prepend=os.pathsep)
    notebook = new_notebook(cells=[new_code_cell(SHOW), new_code_cell("setters[-1](4)")])
    resources = {"metadata": {"path": os.fspath(tmp_path)}}
    NotebookClient(
        notebook, timeout=100, resources=resources, store_widget_state=has_state
    ).execute()
    (output,) = notebook.cells[0].outputs
    assert "Level &lt;4&gt;" in output["data"]["text/html"]
    page, _ = HTMLExporter().from_notebook_node(notebook)
    # With the widget's state the page has its loader, which shows the picture of the state.
    assert ("Level &lt;4&gt;" in page) or ("Level \\u0026lt;4\\u0026gt;" in page)
    assert "run the cell to make it live" in page
    assert ("<p style=\"color: red\">Level" in page) is not has_state
