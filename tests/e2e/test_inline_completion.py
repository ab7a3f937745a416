"""Completions at the cursor of a cell, as JupyterLab shows them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import command, open_notebook, write_notebook
from tests.e2e.panel import SIDE, Panel
from tests.support.model_process import RunningModelServer

pytestmark = pytest.mark.e2e

SECONDS = 1000


@pytest.fixture
def lab(start_lab: Callable[..., Lab], repository: Path) -> Iterator[Lab]:
    """A JupyterLab in which code is completed; it is switched off again for other tests."""
    lab = start_lab(repository.parent, "scripted-prose")
    settings = lab.home / "config" / "jupyter_ac" / "app.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"inline_completion": {"enabled": true}}', encoding="utf-8")
    yield lab
    settings.unlink()


def test_a_completion_is_shown_and_taken_and_costs_once(
    page: Page, lab: Lab, repository: Path, model: RunningModelServer
) -> None:
    write_notebook(repository / "book.ipynb", "import math", "x = 1")
    open_notebook(page, lab, f"{repository.name}/book.ipynb")
    command(page, "jupyter-ac:open")
    Panel(page, SIDE).wait_for("ready")
    cell = page.locator(".jp-Notebook .jp-CodeCell .cm-content").nth(1)
    cell.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\ny = ")
    ghost = page.locator(".jp-GhostText")
    expect(ghost).to_have_text("I would rather not.", timeout=90 * SECONDS)
    page.keyboard.type("I wo")
    expect(ghost).to_have_text("uld rather not.")
    page.keyboard.press("Tab")
    expect(cell).to_contain_text("y = I would rather not.")
    (body,) = (body for body in map(str, model.bodies()) if "before_cursor" in body)
    assert "import math" in body
    assert "File: book.ipynb" in body
