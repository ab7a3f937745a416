"""The card below `%ac_fix`: a proposal for the cell that failed, which a click puts there."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import (
    command,
    open_notebook,
    run_cell,
    save,
    wait_for_kernel,
    write_notebook,
)
from tests.e2e.test_looks import THEMES

pytestmark = pytest.mark.e2e

NOTEBOOK = "window.jupyterapp.shell.currentWidget.content"
SOURCES = f"() => {NOTEBOOK}.widgets.map(cell => cell.model.sharedModel.source)"
FOCUSED = "() => document.activeElement?.shadowRoot?.activeElement?.dataset.ac"
FAILS = 'rates = [0.25, 0.5]\nrate = 0\nif not rate:\n    raise ValueError("no rate")'
FIXED = 'rates = [0.25, 0.5]\nrate = sum(rates)\nif not rate:\n    raise ValueError("no rate")'
SCRIPT = f"Use them.\n=====\nThe rate was 0.\n\n```python\n{FIXED}\n```\n"
CELLS = (
    '%load_ext jupyter_ac\nscript = open("script").read()',
    FAILS,
    "%ac_fix $script",
    "print('rate is', rate)",
)
NARROW, WIDE = 320, 800
OVERFLOW = """card => [...card.shadowRoot.querySelectorAll('*')]
    .filter(node => node.getBoundingClientRect().right > card.getBoundingClientRect().right + 1)
    .map(node => `${node.tagName}.${node.className}`)"""


def _part(page: Page, name: str) -> Locator:
    return page.locator(f'[data-ac="proposal-{name}"]')


def _wait_for_sources(page: Page, *sources: str) -> None:
    page.wait_for_function(
        f"wanted => JSON.stringify(({SOURCES})()) === JSON.stringify(wanted)", arg=list(sources)
    )


def _set_source(page: Page, number: int, source: str) -> None:
    page.evaluate(
        f"([number, source]) => {NOTEBOOK}.widgets[number].model.sharedModel.setSource(source)",
        [number, source],
    )


def _undo(page: Page, number: int) -> None:
    page.evaluate(
        f"number => {{ {NOTEBOOK}.activeCellIndex = number; {NOTEBOOK}.mode = 'edit';"
        f" {NOTEBOOK}.activeCell.editor.undo(); }}",
        number,
    )


def _tab_to(page: Page, name: str) -> None:
    """Press Tab in command mode until a part of the card has the focus."""
    page.evaluate(f"() => {{ {NOTEBOOK}.mode = 'command'; {NOTEBOOK}.activate(); }}")
    for _ in range(30):
        if page.evaluate(FOCUSED) == f"proposal-{name}":
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the keyboard does not reach {name}")


def _propose(page: Page, lab: Lab, repository: Path) -> Locator:
    """Open a notebook, have its cell fail, and ask for a proposal."""
    write_notebook(repository / "work.ipynb", *CELLS)
    (repository / "script").write_text(SCRIPT, encoding="utf-8")
    open_notebook(page, lab, f"{repository.name}/work.ipynb")
    for number in (0, 1):
        run_cell(page, number)
    expect(page.locator(".jp-OutputArea")).to_contain_text(["ValueError: no rate"])
    # An error discards the requests that wait behind it.
    page.wait_for_function(f"{NOTEBOOK}.widgets[1].model.executionState !== 'running'")
    run_cell(page, 2)
    card = page.locator('[data-ac="cell-proposal"]')
    expect(card.locator(".diff .del")).to_have_text("rate = 0")
    return card


@pytest.mark.parametrize("app", ["lab", pytest.param("notebook", marks=pytest.mark.soak)])
def test_a_proposal_replaces_the_cell_that_failed_which_then_runs(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path, app: str
) -> None:
    lab = start_lab(repository.parent, "scripted-edits", app=app)
    card = _propose(page, lab, repository)
    expect(card.locator(".diff .add")).to_have_text("rate = sum(rates)")
    expect(card.get_by_role("group")).to_have_accessible_name("Proposal for the cell [2]")
    expect(page.get_by_text("The rate was 0.")).to_be_visible()
    _wait_for_sources(page, *CELLS)
    assert card.evaluate(OVERFLOW) == []
    page.screenshot(path=pictures / f"cell-proposal-{app}.png")

    _tab_to(page, "replace")
    outline = "node => getComputedStyle(node).outlineStyle"
    assert _part(page, "replace").evaluate(outline) == "solid"
    page.keyboard.press("Enter")
    _wait_for_sources(page, CELLS[0], FIXED, *CELLS[2:])
    expect(_part(page, "note")).to_contain_text("Replaced.")
    expect(page.locator(".jp-OutputArea")).to_contain_text(["ValueError: no rate"])
    _undo(page, 1)
    _wait_for_sources(page, *CELLS)

    _tab_to(page, "run")
    page.keyboard.press("Enter")
    _wait_for_sources(page, CELLS[0], FIXED, *CELLS[2:])
    expect(page.locator('[data-ac="error-actions"]')).to_have_count(0)
    run_cell(page, 3)
    expect(page.get_by_text("rate is 0.75")).to_be_visible()
    page.screenshot(path=pictures / f"cell-proposal-run-{app}.png")


@pytest.mark.parametrize("app", [pytest.param("lab", marks=pytest.mark.soak), "notebook"])
def test_a_cell_that_has_changed_is_kept_also_when_the_notebook_is_opened_again(
    page: Page, start_lab: Callable[..., Lab], repository: Path, app: str
) -> None:
    lab = start_lab(repository.parent, "scripted-edits", app=app)
    card = _propose(page, lab, repository)
    _set_source(page, 1, "rate = 3")
    for name in ("replace", "run"):
        _part(page, name).click()
        expect(_part(page, "note")).to_contain_text("The cell has changed since")
    _wait_for_sources(page, CELLS[0], "rate = 3", *CELLS[2:])
    save(page)
    page.reload()
    wait_for_kernel(page)
    expect(card.locator(".diff .add")).to_have_text("rate = sum(rates)")
    _part(page, "replace").click()
    expect(_part(page, "note")).to_contain_text("The cell has changed since")
    _part(page, "insert").click()
    _wait_for_sources(page, CELLS[0], "rate = 3", CELLS[2], FIXED, CELLS[3])
    _set_source(page, 1, FAILS)
    page.evaluate(f"() => {NOTEBOOK}.widgets[1].model.setMetadata('editable', false)")
    _part(page, "replace").click()
    expect(_part(page, "note")).to_contain_text("The cell is read-only")
    page.evaluate(f"() => {NOTEBOOK}.widgets[1].model.deleteMetadata('editable')")
    _part(page, "replace").click()
    _wait_for_sources(page, CELLS[0], FIXED, CELLS[2], FIXED, CELLS[3])
    page.evaluate(f"() => {NOTEBOOK}.model.sharedModel.deleteCell(1)")
    _part(page, "replace").click()
    expect(_part(page, "note")).to_contain_text("no longer in this notebook")


@pytest.mark.soak
def test_pictures_of_a_proposal(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    lab = start_lab(repository.parent, "scripted-edits")
    card = _propose(page, lab, repository)
    command(page, "application:toggle-left-area")
    _set_source(page, 1, "rate = 3")
    _part(page, "replace").click()
    for theme, width in product(THEMES, (NARROW, WIDE)):
        page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })",
            THEMES[theme],
        )
        expect(card).to_have_attribute("data-theme", theme)
        page.set_viewport_size({"width": width, "height": 900})
        card.scroll_into_view_if_needed()
        _part(page, "replace").focus()
        page.keyboard.press("Tab")
        assert card.evaluate(OVERFLOW) == []
        page.screenshot(path=pictures / f"cell-proposal-{theme}-{width}.png")
