"""Files dragged from JupyterLab's file browser, by a real mouse, into the panels."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, command, open_notebook, run_all, write_notebook
from tests.e2e.panel import SIDE, WIDGET, Panel

pytestmark = pytest.mark.e2e


def entry(page: Page, name: str) -> Locator:
    return page.locator(".jp-DirListing-item").filter(has=page.get_by_text(name, exact=True))


def drag(page: Page, what: Locator, onto: Locator) -> None:
    start, end = what.bounding_box(), onto.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 30, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=15)
    page.mouse.up()


def box(panel: Panel, path: str) -> Locator:
    return panel.row(path).locator('[data-ac="picker-check"]')


def test_dropped_files_and_folders_are_ticked(
    page: Page, start_lab: Callable[..., Lab], repository: Path
) -> None:
    lab = start_lab(repository.parent)
    (repository.parent / "elsewhere.txt").write_text("apples\n", encoding="utf-8")
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    command(page, "jupyter-ac:open")
    widget, side = Panel(page, WIDGET), Panel(page, SIDE)
    widget.wait_for("ready")
    side.wait_for("ready")
    go_to(page, lab.path(repository.name))
    drag(page, entry(page, "README.md"), side.part("input"))
    expect(box(side, "README.md")).to_be_checked()
    drag(page, entry(page, "weather"), widget.part("input"))
    expect(box(widget, "weather/readings.py")).to_be_checked()
    go_to(page, lab.path(""))
    drag(page, entry(page, "elsewhere.txt"), side.part("input"))
    expect(side.part("toast").last).to_contain_text("not among the files of this repository")
    assert (repository.parent / "elsewhere.txt").exists()
    assert (repository / "README.md").exists()


def go_to(page: Page, folder: str) -> None:
    page.evaluate(
        "path => window.jupyterapp.commands.execute('filebrowser:go-to-path', { path })", folder
    )
