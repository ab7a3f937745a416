"""Notebooks for the browser tests: written, opened in JupyterLab, run."""

import json
from pathlib import Path

from playwright.sync_api import Page

from tests.e2e.lab import Lab

PANEL_CELLS = ("%load_ext jupyter_ac", "%ac")


def write_notebook(path: Path, *cells: str) -> Path:
    """A notebook of code cells, as Jupyter would save it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {
        "cells": [
            {
                "cell_type": "code",
                "execution_count": None,
                "id": f"cell-{number}",
                "metadata": {},
                "outputs": [],
                "source": source,
            }
            for number, source in enumerate(cells)
        ],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def open_notebook(page: Page, lab: Lab, path: str) -> None:
    """Open it in JupyterLab and wait until its kernel is idle."""
    page.goto(lab.page(path))
    wait_for_kernel(page)


def wait_for_kernel(page: Page) -> None:
    """Wait until the notebook in front can run a cell."""
    page.wait_for_function(
        """() => {
            const panel = window.jupyterapp?.shell.currentWidget;
            return panel?.context?.isReady && panel.sessionContext?.isReady
                && panel.sessionContext.session?.kernel?.connectionStatus === 'connected';
        }""",
        timeout=90_000,
    )


def run_all(page: Page) -> None:
    """Run every cell; what they show is to be waited for."""
    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells') }")


def run_cell(page: Page, number: int) -> None:
    """Run one cell without waiting for it."""
    page.evaluate(
        """number => {
            const notebook = window.jupyterapp.shell.currentWidget.content;
            notebook.activeCellIndex = number;
            notebook.deselectAll();
            window.jupyterapp.commands.execute('notebook:run-cell');
        }""",
        number,
    )


def command(page: Page, name: str) -> None:
    """Run one of JupyterLab's commands, once it is there, and wait for its end."""
    page.wait_for_function(
        "name => window.jupyterapp?.commands.hasCommand(name)", arg=name, timeout=90_000
    )
    page.evaluate(
        """async name => {
            await window.jupyterapp.restored;
            await window.jupyterapp.commands.execute(name);
        }""",
        name,
    )


def save(page: Page) -> None:
    command(page, "docmanager:save")
