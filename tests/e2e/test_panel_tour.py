"""The notebook about panels, followed by the letter: what its text says happens."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import open_notebook, run_all, run_cell

pytestmark = pytest.mark.e2e


def test_the_notebook_does_what_it_says(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    open_notebook(page, start_lab(repository.parent), f"{repository.name}/panels.ipynb")
    run_all(page)
    counters = page.get_by_role("button", name="5 clicks")
    expect(counters).to_have_count(2)
    counters.first.click()
    expect(page.get_by_role("button", name="6 clicks")).to_have_count(2)

    week = page.get_by_role("region", name="Week")
    expect(week.get_by_text("4 of 7 days; chosen: none")).to_be_visible()
    week.get_by_label("At least").fill("11")
    expect(week.get_by_text("2 of 7 days")).to_be_visible()
    week.get_by_role("row").nth(2).click()
    expect(week.get_by_text("2 of 7 days; chosen: Friday")).to_be_visible()
    run_cell(page, 10)
    expect(page.get_by_text("Reading(day=datetime.date(2026, 3, 6)")).to_be_visible()

    sampler = page.get_by_role("region", name="Sampling π")
    sampler.get_by_role("button", name="Start").click()
    expect(sampler.get_by_text(re.compile(r"\d\d of 200 points"))).to_be_visible()
    sampler.get_by_role("button", name="Stop").click()
    expect(sampler.get_by_role("button", name="Start")).to_be_visible()

    page.set_viewport_size({"width": 1000, "height": 660})
    page.evaluate("""() => {
        window.jupyterapp.shell.collapseLeft();
        return window.jupyterapp.shell.currentWidget.content.scrollToItem(0);
    }""")
    expect(page.get_by_role("button", name="6 clicks").first).to_be_in_viewport()
    page.locator(".jp-NotebookPanel-notebook").screenshot(path=pictures / "panels-notebook.png")
