"""The keyboard's way into the side panel's input, and back."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import command, open_notebook, write_notebook
from tests.e2e.panel import SIDE, Panel

pytestmark = pytest.mark.e2e
SHORTCUT = "Control+Alt+r"
MOST_STOPS = 5
STEP = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.dataset?.ac ?? element?.tagName ?? '';
}"""


def test_from_a_cell_and_from_a_terminal_into_the_input_and_back(
    page: Page, start_lab: Callable[..., Lab], repository: Path
) -> None:
    write_notebook(repository / "chat.ipynb", "1 + 1")
    open_notebook(page, start_lab(repository.parent), f"{repository.name}/chat.ipynb")
    panel = Panel(page, SIDE)
    cell = page.locator(".jp-Notebook .cm-content").first
    cell.click()
    page.keyboard.press("End")
    page.keyboard.press(SHORTCUT)
    panel.wait_for("ready")
    expect(panel.part("input")).to_be_focused()
    page.keyboard.type("Why?")

    page.keyboard.press(SHORTCUT)
    expect(cell).to_be_focused()
    page.keyboard.type(" + 1")
    expect(cell).to_have_text("1 + 1 + 1")
    page.keyboard.press(SHORTCUT)
    expect(panel.part("input")).to_be_focused()
    expect(panel.part("input")).to_have_value("Why?")

    # The palette's command does the same.
    cell.click()
    page.keyboard.press("Control+Shift+c")
    expect(page.locator(".lm-CommandPalette-input")).to_be_focused()
    page.keyboard.type("Ask in the AI Pair Panel")
    expect(page.locator(".lm-CommandPalette-item")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(panel.part("input")).to_be_focused()

    # From the panel's edge it is not far.
    panel.app.evaluate("app => app.renderRoot.querySelector('.frame').focus()")
    stops: list[str] = []
    while "input" not in stops and len(stops) < MOST_STOPS:
        page.keyboard.press("Tab")
        stops.append(page.evaluate(STEP))
    assert stops[-1] == "input", stops

    # From a terminal and back, too.
    command(page, "terminal:create-new")
    terminal = page.locator(".jp-Terminal textarea")
    terminal.focus()
    page.keyboard.press(SHORTCUT)
    expect(panel.part("input")).to_be_focused()
    page.keyboard.press(SHORTCUT)
    expect(terminal).to_be_focused()
