"""Which way the panel reaches its server, and why, is said without being in the way."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, command, open_notebook, run_all, write_notebook
from tests.e2e.panel import Panel
from tests.e2e.test_looks import OVERFLOW, THEMES, choose_theme, looks, resize_panel

pytestmark = pytest.mark.e2e
FORCE_RELAY = "localStorage.setItem('jupyter-ac.door', 'relay')"


@looks(THEMES, (1400, 320))
def test_the_relay_is_explained_in_a_line_that_can_be_closed(
    page: Page,
    start_lab: Callable[..., Lab],
    repository: Path,
    pictures: Path,
    looks: Sequence[tuple[str, int]],
) -> None:
    lab = start_lab(repository.parent)
    page.add_init_script(FORCE_RELAY)
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    command(page, "application:toggle-left-area")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready", seconds=90)
    expect(panel.app).to_have_attribute("data-door", "relay")
    for theme, width in looks:
        choose_theme(page, panel, theme)
        resize_panel(page, panel, width)
        note = panel.part("door-note")
        expect(note).to_contain_text("through the kernel")
        page.screenshot(path=pictures / f"door-{theme}-{width}.png", animations="disabled")
        assert panel.app.evaluate(OVERFLOW) == []
        panel.app.get_by_role("button", name="Close this notice").click()
        expect(panel.app.get_by_role("status").filter(has_text="through the kernel")).to_have_count(
            0
        )
        expect(note).to_have_attribute(
            "title",
            "In this browser jupyter-ac.door is set to relay: "
            "the panel talks through the kernel instead.",
        )
        assert panel.app.evaluate(OVERFLOW) == []
        page.screenshot(path=pictures / f"door-read-{theme}-{width}.png", animations="disabled")
        note.click()
