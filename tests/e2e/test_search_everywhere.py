"""One box that searches files, symbols and text."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_looks import OVERFLOW
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
StartServe = Callable[..., ServeProcess]

FILES: dict[str, str | bytes] = {
    "src/store.py": "class Store:\n    pass\n\n\ndef restore(name):\n    return Store()\n",
    "docs/restoring.md": "# Restoring\n\nAsk the stork.\n",
    "README.md": "# Birds\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "work" / "birds", FILES)


@pytest.mark.parametrize("width", [320, pytest.param(1300, marks=pytest.mark.soak)])
def test_one_box_finds_files_symbols_and_text_and_is_worked_by_keys(
    page: Page, start_serve: StartServe, folder: RepositoryFolder, pictures: Path, width: int
) -> None:
    said: list[str] = []
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(start_serve(folder.root).page)
    panel = Panel(page, "#panel")
    panel.wait_for("ready", 90)
    expect(panel.part("indexing")).to_have_count(0, timeout=90 * SECONDS)
    field, results = panel.part("search-everywhere"), panel.part("search-result")
    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    field.fill("stor")

    def of(kind: str) -> Locator:
        return panel.part("search-result", f'[data-kind="{kind}"]')

    expect(of("files").first).to_have_attribute("data-path", "src/store.py")
    expect(of("symbols").filter(has_text="restore(name)")).to_be_visible(timeout=90 * SECONDS)
    expect(of("text").filter(has_text="Ask the stork")).to_be_visible()
    expect(of("text").first.locator("mark")).to_have_text("stor", ignore_case=True)
    page.screenshot(path=pictures / f"search-{width}.png")
    assert panel.app.evaluate(OVERFLOW) == []

    page.keyboard.press("Control+Enter")
    expect(results.first.get_by_role("img", name="ticked")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    chosen = panel.part("search-result", '[aria-selected="true"]')
    path, line = chosen.get_attribute("data-path"), chosen.get_attribute("data-line")
    page.keyboard.press("Enter")
    viewer = panel.part("viewer", f'[data-path="{path}"][data-line="{line}"]')
    expect(viewer.locator(".cm-content")).to_be_focused(timeout=90 * SECONDS)
    page.keyboard.press("Control+k")
    expect(field).to_have_value("stor")
    page.keyboard.press("Escape")
    expect(viewer.locator(".cm-content")).to_be_focused()
    page.keyboard.press("Escape")
    expect(viewer).to_have_count(0)
    expect(panel.part("input")).to_be_focused()
    assert said == []
