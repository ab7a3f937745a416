"""The panel in Notebook 7, which has JupyterLab's parts but not its frame."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, run_all, wait_for_kernel, write_notebook
from tests.e2e.panel import Panel

pytestmark = pytest.mark.e2e


def test_the_panel_works_in_notebook_7(
    page: Page, start_own_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    server = start_own_lab(repository.parent, app="notebook")
    page.goto(f"{server.url}/notebooks/{repository.name}/chat.ipynb?token={server.token}")
    wait_for_kernel(page)
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    expect(panel.app).to_have_attribute("data-door", "server")
    panel.tick("README.md")
    panel.ask("What is this?")
    expect(panel.answer()).to_contain_text("What is this?")
    page.screenshot(path=pictures / "notebook-7.png")
