"""Pictures of the panel, narrow and wide, light and dark; a person looks at them.

What a program can check is checked here: nothing overflows, and text can be read.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, command, open_notebook, run_all, write_notebook
from tests.e2e.panel import Panel

pytestmark = pytest.mark.e2e
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
OVERFLOW = """app => {
    const right = app.getBoundingClientRect().right + 1;
    const inside = root => [...root.querySelectorAll('*')].flatMap(
        node => [node, ...(node.shadowRoot ? inside(node.shadowRoot) : [])]);
    const scrolls = node => {
        for (let at = node; at && at !== app; at = at.parentElement ?? at.getRootNode().host)
            if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(at).overflowX)) return true;
        return false;
    };
    return inside(app.shadowRoot)
        .filter(node => node.getBoundingClientRect().right > right && !scrolls(node))
        .map(node => `${node.tagName}.${node.className}`);
}"""


def resize_panel(page: Page, panel: Panel, width: int) -> None:
    """Give the window the width with which the panel has this one."""
    for _ in range(3):
        box = panel.app.bounding_box()
        viewport = page.viewport_size
        assert box is not None
        assert viewport is not None
        missing = width - round(box["width"])
        page.set_viewport_size({"width": viewport["width"] + missing, "height": 900})
        page.wait_for_timeout(300)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [320, 1400])
def test_the_panel_fits_and_is_photographed(
    page: Page,
    start_lab: Callable[..., Lab],
    repository: Path,
    pictures: Path,
    theme: str,
    width: int,
) -> None:
    settings = {
        "@jupyterlab/apputils-extension/themes.jupyterlab-settings": {"theme": THEMES[theme]}
    }
    lab = start_lab(repository.parent, "scripted-markdown", settings=settings)
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    command(page, "application:toggle-left-area")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    resize_panel(page, panel, width)
    panel.tick("README.md")
    panel.ask("What does the summary do?")
    panel.answer()
    panel.app.scroll_into_view_if_needed()
    page.screenshot(path=pictures / f"panel-{theme}-{width}.png")
    box = panel.app.bounding_box()
    assert box is not None
    assert abs(box["width"] - width) <= 2
    assert panel.app.evaluate(OVERFLOW) == []
