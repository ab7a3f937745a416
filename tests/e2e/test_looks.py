"""Pictures of the panel, narrow and wide, light and dark; a person looks at them.

What a program can check is checked here: nothing overflows, and text can be read.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, command, open_notebook, run_all, write_notebook
from tests.e2e.panel import Panel
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
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


CROWDED = """(app, isIndexing) => {
    const { session } = app;
    session.mode.indexing = isIndexing ? { message: 'Indexing', percent: 42 } : null;
    session.mode.changed();
    Object.defineProperty(session.files, 'operation', { value: 'rebase', configurable: true });
    session.model = { ...session.model, isDemo: true };
    app.dataset.door = 'relay';
    app.requestUpdate();
    session.changed();
}"""
HIDDEN = """app => [...app.shadowRoot.querySelectorAll('*')]
    .filter(node => node.scrollLeft || node.scrollWidth > node.clientWidth + 1)
    .map(node => `${node.tagName}.${node.className}`)"""


def looks(names: Iterable[str], widths: Sequence[int]) -> pytest.MarkDecorator:
    """Have a test look at the panel in the first theme, narrow, and in the last one, wide.

    In `make soak` also in each theme at each width. The test has them as its argument `looks`.
    """
    themes = list(names)
    few = [(themes[0], min(widths)), (themes[-1], max(widths))]
    every = pytest.param(list(product(themes, widths)), marks=pytest.mark.soak)
    return pytest.mark.parametrize("looks", [few, every], ids=["two looks", "all looks"])


def expect_fits(page: Page, panel: Panel, width: int = 320) -> None:
    """Have the panel in this width, and nothing in it that is wider."""
    resize_panel(page, panel, width)
    assert panel.app.evaluate(OVERFLOW) == []


def resize_panel(page: Page, panel: Panel, width: int) -> None:
    """Give the window the width with which the panel has this one."""
    for _ in range(3):
        box = panel.app.bounding_box()
        viewport = page.viewport_size
        assert box is not None
        assert viewport is not None
        missing = width - round(box["width"])
        if not missing:
            return
        page.set_viewport_size({"width": viewport["width"] + missing, "height": 900})
        page.wait_for_timeout(300)


def choose_theme(page: Page, panel: Panel, theme: str) -> None:
    """Have JupyterLab in another theme, as its menu would."""
    page.evaluate(
        "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })",
        THEMES[theme],
    )
    expect(panel.app).to_have_attribute("data-theme", theme)
    page.wait_for_function(
        "theme => document.body.dataset.jpThemeLight === String(theme === 'light')", arg=theme
    )


@looks(THEMES, (320, 1400))
def test_the_panel_fits_and_is_photographed(
    page: Page,
    start_lab: Callable[..., Lab],
    repository: Path,
    pictures: Path,
    looks: Sequence[tuple[str, int]],
) -> None:
    lab = start_lab(repository.parent, "scripted-markdown")
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    command(page, "application:toggle-left-area")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    resize_panel(page, panel, 320)
    panel.tick("README.md")
    panel.ask("What does the summary do?")
    panel.answer()
    for theme, width in looks:
        choose_theme(page, panel, theme)
        resize_panel(page, panel, width)
        panel.app.scroll_into_view_if_needed()
        page.screenshot(path=pictures / f"panel-{theme}-{width}.png")
        box = panel.app.bounding_box()
        assert box is not None
        assert abs(box["width"] - width) <= 2
        assert panel.app.evaluate(OVERFLOW) == []


@pytest.mark.parametrize("step", [40, pytest.param(10, marks=pytest.mark.soak)])
def test_all_of_a_panel_can_be_reached_from_a_width_of_240_pixels_on(
    page: Page,
    start_serve: Callable[..., ServeProcess],
    repository: Path,
    pictures: Path,
    step: int,
) -> None:
    page.goto(start_serve(repository).page)
    panel = Panel(page, "#panel")
    panel.wait_for("ready")
    expect(panel.part("indexing")).to_have_count(0)
    for width, is_indexing in product((*range(240, 500, step), 1400), (False, True)):
        page.set_viewport_size({"width": width, "height": 800})
        for _ in range(5):  # what the server tells meanwhile is shown in its place
            panel.app.evaluate(CROWDED, is_indexing)
            if panel.part("indexing").count() == int(is_indexing):
                break
        expect(panel.part("indexing")).to_have_count(int(is_indexing))
        box = panel.part("send").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width
        assert panel.app.evaluate(OVERFLOW) == [], width
        assert panel.app.evaluate(HIDDEN) == [], width
        if is_indexing and width in {240, 360}:
            page.screenshot(path=pictures / f"crowded-{width}.png")
