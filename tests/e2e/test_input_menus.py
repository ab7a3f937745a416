"""The menus at the input: by keyboard and mouse, in a page and in a notebook's cell."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, open_notebook, run_all, write_notebook
from tests.e2e.panel import WIDGET, Panel
from tests.e2e.test_looks import OVERFLOW, SCHEMES, expect_fits
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
StartServe = Callable[..., ServeProcess]


@pytest.fixture
def panel(page: Page, start_serve: StartServe, repository: Path) -> Panel:
    page.goto(start_serve(repository).page)
    panel = Panel(page, "#panel")
    panel.wait_for("ready")
    return panel


def test_a_mention_ticks_a_file_and_undo_brings_the_text_back(page: Page, panel: Panel) -> None:
    typed = panel.part("input")
    typed.click()
    page.keyboard.type("Explain @READ")
    option = panel.part("input-option").first
    expect(option).to_contain_text("README.md")
    expect(option).to_have_attribute("aria-selected", "true")
    expect_fits(page, panel)
    page.keyboard.press("Enter")
    expect(typed).to_have_value("Explain `README.md` ")
    box = panel.row("README.md").locator('[data-ac="picker-check"]')
    expect(box).to_be_checked()
    expect(panel.message("user")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(typed).to_have_value("Explain @READ")
    page.keyboard.press("Control+a")
    page.keyboard.type("@folder:")
    panel.part("input-option").first.click()
    expect(typed).to_be_focused()
    expect(panel.part("input-menu")).to_have_count(0)


def test_commands_run_and_unknown_ones_are_text(page: Page, panel: Panel) -> None:
    typed = panel.part("input")
    typed.click()
    page.keyboard.type("/commit")
    page.keyboard.press("Enter")
    expect(panel.part("commit-form")).to_be_visible()
    page.keyboard.press("Escape")
    typed.click()
    page.keyboard.type("/help")
    page.keyboard.press("Enter")
    expect(panel.part("toast")).to_contain_text("@ finds files")
    expect(typed).to_be_focused()
    page.keyboard.type("/usr/bin")
    page.keyboard.press("Enter")
    expect(panel.message("user")).to_contain_text("/usr/bin")


def test_a_named_file_is_offered_as_a_tick(page: Page, panel: Panel) -> None:
    typed = panel.part("input")
    typed.click()
    page.keyboard.type("Shorten README.md")
    chip = panel.part("chip", '[data-kind="file"][data-path="README.md"]')
    box = panel.row("README.md").locator('[data-ac="picker-check"]')
    expect(chip).to_be_visible()
    expect(box).not_to_be_checked()
    chip.locator('[data-ac="chip-tick"]').press("Enter")
    expect(box).to_be_checked()
    expect(chip).to_have_count(0)
    expect(typed).to_be_focused()
    expect(typed).to_have_value("Shorten README.md")


def test_enter_in_a_menu_runs_no_cell(
    page: Page, start_lab: Callable[..., Lab], repository: Path
) -> None:
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, start_lab(repository.parent), f"{repository.name}/chat.ipynb")
    run_all(page)
    panel = Panel(page, WIDGET)
    panel.wait_for("ready")
    prompts = page.locator(".jp-InputPrompt").all_inner_texts()
    typed = panel.part("input")
    typed.click()
    page.keyboard.type("@READ")
    expect(panel.part("input-option").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(typed).to_have_value("`README.md` ")
    expect(typed).to_be_focused()
    assert page.locator(".jp-InputPrompt").all_inner_texts() == prompts


@pytest.mark.soak
def test_the_menus_fit_and_are_photographed(page: Page, panel: Panel, pictures: Path) -> None:
    typed = panel.part("input")
    for width, scheme in product((320, 800, 1400), SCHEMES):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        for name, text in (("commands", "/"), ("mentions", "See @e")):
            typed.click()
            page.keyboard.press("Control+a")
            page.keyboard.type(text)
            expect(panel.part("input-menu")).to_be_visible()
            assert panel.app.evaluate(OVERFLOW) == []
            page.screenshot(path=pictures / f"input-{name}-{width}-{scheme}.png")
            page.keyboard.press("Escape")
