"""The panel in Notebook 7, which has JupyterLab's parts but not its frame."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, open_notebook, run_all, save, write_notebook
from tests.e2e.panel import Panel

pytestmark = pytest.mark.e2e

PICTURE = "[data-ac=panel-picture]"


def test_the_panel_works_in_notebook_7(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    lab = start_lab(repository.parent, app="notebook")
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    expect(panel.app).to_have_attribute("data-door", "server")
    panel.tick("README.md")
    panel.ask("What is this?")
    expect(panel.answer()).to_contain_text("What is this?")
    page.screenshot(path=pictures / "notebook-7.png")

    # Opened again without its kernel, the output shows where the panel was.
    expect(page.locator(PICTURE)).to_be_hidden()
    save(page)
    page.goto("about:blank")
    lab.end_kernels()
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    expect(page.locator(PICTURE)).to_contain_text("Run this cell again")
    expect(page.get_by_text("model not found")).to_have_count(0)
    page.screenshot(path=pictures / "notebook-7-reopened.png")
    run_all(page)
    panel.wait_for("ready")
    expect(page.locator(PICTURE)).to_be_hidden()
