"""Pictures of the panel, narrow and wide, light and dark; a person looks at them.

What a program can check is checked here: nothing overflows, and text can be read.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, command, open_notebook, run_all, write_notebook
from tests.e2e.panel import SIDE, Panel

pytestmark = pytest.mark.e2e
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
OVERFLOW = """within => {
    const app = document.querySelector(within).querySelector('[data-ac="app"]');
    const root = app.shadowRoot ?? app;
    const width = app.getBoundingClientRect().right + 1;
    return [...root.querySelectorAll('*')]
        .filter(node => node.getBoundingClientRect().right > width)
        .map(node => node.tagName + '.' + node.className);
}"""


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
    page.set_viewport_size({"width": max(width, 700), "height": 900})
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    if width == 320:
        command(page, "jupyter-ac:open")
        panel = Panel(page, SIDE)
        page.evaluate("within => document.querySelector(within).style.width = '320px'", SIDE)
    else:
        panel = Panel(page)
    panel.wait_for("ready")
    panel.tick("README.md")
    panel.ask("What does the summary do?")
    panel.answer()
    page.screenshot(path=pictures / f"panel-{theme}-{width}.png")
    assert page.evaluate(OVERFLOW, panel.within) == []
