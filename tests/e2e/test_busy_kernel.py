"""An answer streams on while a cell keeps the kernel busy, whatever the cell does."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, open_notebook, run_cell, wait_for_kernel, write_notebook
from tests.e2e.panel import SECONDS, Panel

pytestmark = pytest.mark.e2e

# Each is busy for longer than the test takes, whatever else the machine does.
BUSY = {
    "sleep": "import time; time.sleep(300)",
    "python": "import time\nend = time.time() + 300\nwhile time.time() < end: pass",
    "gil": "sum(range(20 * 10**9))",
}


@pytest.mark.parametrize(
    "kind", ["gil", *(pytest.param(kind, marks=pytest.mark.soak) for kind in ("sleep", "python"))]
)
def test_an_answer_streams_and_stops_while_a_cell_runs(
    page: Page, start_lab: Callable[..., Lab], repository: Path, kind: str
) -> None:
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS, BUSY[kind])
    lab = start_lab(repository.parent, "scripted-long@0.03")
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_cell(page, 0)
    run_cell(page, 1)
    panel = Panel(page)
    panel.wait_for("ready")
    panel.ask("Are you there?")  # the model's worker has started when the cell begins
    expect(panel.message("assistant").last).to_contain_text("word", timeout=90 * SECONDS)
    panel.part("stop").click()
    panel.answer("cancelled")
    wait_for_kernel(page)
    run_cell(page, 2)
    # Not the kernel's own word: a call that holds the GIL keeps it from saying that it is busy.
    busy = page.locator(".jp-InputPrompt").filter(has_text="[*]:")
    expect(busy).to_have_count(1)
    panel.ask("Go on while I work.")
    expect(panel.message("user")).to_have_count(2)
    expect(panel.message("assistant").last).to_contain_text("word", timeout=90 * SECONDS)
    expect(busy).to_have_count(1)
    panel.part("stop").click()
    panel.answer("cancelled")
    expect(busy).to_have_count(1)
