"""The same panel in several places: notebook, side bar, two repositories, no server."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, command, open_notebook, run_all, write_notebook
from tests.e2e.panel import SECONDS, SIDE, WIDGET, Panel
from tools.demo import make_repository

pytestmark = pytest.mark.e2e
StartLab = Callable[..., Lab]


def open_both(page: Page, lab: Lab, repository: Path) -> tuple[Panel, Panel]:
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    command(page, "jupyter-ac:open")
    widget, side = Panel(page, WIDGET), Panel(page, SIDE)
    widget.wait_for("ready")
    side.wait_for("ready")
    return widget, side


def test_widget_and_side_panel_show_one_selection_and_one_conversation(
    page: Page, start_lab: StartLab, repository: Path
) -> None:
    widget, side = open_both(page, start_lab(repository.parent), repository)
    for panel in (widget, side):  # the usual door needs no words
        expect(panel.app).to_have_attribute("data-door", "server")
        expect(panel.part("door-note")).to_have_count(0)
        expect(panel.app.get_by_role("img", name="through the Jupyter server")).to_be_visible()
    widget.tick("README.md")
    box = side.row("README.md").locator('[data-ac="picker-check"]')
    expect(box).to_be_checked()
    side.ask("Asked in the side bar.")
    side.answer()
    expect(widget.message("user")).to_contain_text("Asked in the side bar.")
    # The buttons at code have shorter names where there is less room.
    for panel in (side, widget):
        for text in ("You asked: Asked in the side bar.", "def hello(name: str)"):
            expect(panel.message("assistant")).to_contain_text(text)


@pytest.mark.soak  # with the switch that ends it, `test_lab_frame.py` has it
def test_the_side_panel_follows_the_active_document(
    page: Page, start_lab: StartLab, repository: Path
) -> None:
    other = repository.parent / "weather-b"
    make_repository(other)
    lab = start_lab(repository.parent)
    page.goto(lab.page(f"{repository.name}/README.md"))
    side = Panel(page, SIDE)
    command(page, "jupyter-ac:open")
    side.wait_for("ready")
    expect(side.app).to_contain_text("weather-a")
    (other / "notes.txt").write_text("apples\n", encoding="utf-8")
    page.evaluate(
        "path => window.jupyterapp.commands.execute('docmanager:open', {path})",
        lab.path(f"{other.name}/notes.txt"),
    )
    expect(side.app).to_contain_text("weather-b", timeout=90 * SECONDS)
    side.wait_for("ready")


def test_two_repositories_at_once_do_not_mix(
    page: Page, start_lab: StartLab, repository: Path
) -> None:
    other = repository.parent / "weather-b"
    make_repository(other)
    cells = ["%load_ext jupyter_ac", f"%ac {repository}", f"%ac {other}"]
    write_notebook(repository.parent / "both.ipynb", *cells)
    open_notebook(page, start_lab(repository.parent), "both.ipynb")
    run_all(page)
    first = Panel(page, ".jp-Cell:nth-child(2 of .jp-Cell) .jp-OutputArea")
    second = Panel(page, ".jp-Cell:nth-child(3 of .jp-Cell) .jp-OutputArea")
    first.wait_for("ready")
    second.wait_for("ready")
    first.tick("README.md")
    first.ask("About the first.")
    first.answer()
    expect(second.message("user")).to_have_count(0)
    box = second.row("README.md").locator('[data-ac="picker-check"]')
    expect(box).not_to_be_checked()


@pytest.mark.soak  # `test_folders.py` has it in the side panel, `test_relay.py` in a notebook
def test_outside_a_repository_the_panel_offers_to_make_one(
    page: Page, start_lab: StartLab, tmp_path: Path
) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    write_notebook(folder / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, start_lab(folder), "chat.ipynb")
    run_all(page)
    panel = Panel(page)
    panel.part("init").click()
    panel.part("init-confirm").click()
    panel.wait_for("ready")
    assert (folder / ".git").is_dir()
