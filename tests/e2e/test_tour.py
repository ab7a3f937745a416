"""The tour, followed by the letter: what its text says happens."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import command, open_notebook, run_all
from tests.e2e.panel import SIDE, Panel
from tests.support.model_process import RunningModelServer

pytestmark = pytest.mark.e2e


def test_the_tour_does_what_it_says(
    page: Page, start_lab: Callable[..., Lab], repository: Path, model: RunningModelServer
) -> None:
    open_notebook(page, start_lab(repository.parent), f"{repository.name}/tour.ipynb")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    expect(panel.row("weather/summary.py").get_by_text("M", exact=True)).to_be_visible()
    expect(panel.row("docs/todo.md").get_by_text("U", exact=True)).to_be_visible()

    panel.tick("weather/readings.py", "weather/summary.py")
    panel.ask("What does `summary.py` do when there are no readings at all?")
    # The cells below start a second host at the same time.
    panel.answer(seconds=90)
    (body,) = (body for body in map(str, model.bodies()) if "no readings at all" in body)
    assert all(f"weather/{name}.py" in body for name in ("readings", "summary"))
    assert "web/chart.js" not in body

    before = panel.total()
    panel.tick("web/chart.js")
    chart = panel.part("breakdown-row", '[data-path="web/chart.js"]')
    expect(chart).to_be_visible()
    assert panel.total() > before

    command(page, "jupyter-ac:open")
    side = Panel(page, SIDE)
    side.wait_for("ready")
    expect(side.row("web/chart.js").locator('[data-ac="picker-check"]')).to_be_checked()
    expect(side.message("user")).to_contain_text("no readings at all")

    side.app.get_by_role("button", name="New conversation").click()
    side.app.locator('[data-question="say-so"]').click()
    expect(side.part("recorded")).to_be_visible()
    expect(side.part("edit-card", '[data-status="applied"]')).to_have_count(2, timeout=60_000)
    expect(side.row("weather/summary.py").get_by_text("S", exact=True)).to_be_visible()
    side.part("undo").click()
    expect(side.part("edit-card", '[data-status="undone"]')).to_have_count(2)
    expect(side.part("example-reset")).to_have_count(0)
    # Cells of the tour ask the model meanwhile; what is recorded doesn't.
    assert not [body for body in map(str, model.bodies()) if "Add tests." in body]
