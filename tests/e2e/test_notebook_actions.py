"""Out of an answer into the notebook, and from an error in it to an answer."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edit_blocks.reading.markers import render
from tests.e2e.lab import Lab
from tests.e2e.notebook import (
    PANEL_CELLS,
    command,
    open_notebook,
    run_all,
    run_cell,
    save,
    wait_for_kernel,
    write_notebook,
)
from tests.e2e.panel import SIDE, Panel
from tests.e2e.test_looks import OVERFLOW, THEMES, choose_theme, resize_panel

pytestmark = pytest.mark.e2e

NOTEBOOK = "window.jupyterapp.shell.currentWidget.content"
SOURCES = f"() => {NOTEBOOK}.widgets.map(cell => cell.model.sharedModel.source)"
HAS_LANGUAGE = f"{NOTEBOOK}.model.sharedModel.getMetadata('language_info')?.name === 'python'"
ANSWER = """Use this:

```python
total = sum(range(4))
print("total is", total)
```

In a shell:

```bash
ls
```
"""
CODE = 'total = sum(range(4))\nprint("total is", total)'


def _sources(page: Page) -> list[str]:
    sources: list[str] = page.evaluate(SOURCES)
    return sources


def _wait_for_sources(page: Page, *sources: str) -> None:
    page.wait_for_function(
        f"wanted => JSON.stringify(({SOURCES})()) === JSON.stringify(wanted)", arg=list(sources)
    )


def _activate(page: Page, number: int) -> None:
    page.evaluate(f"number => {{ {NOTEBOOK}.activeCellIndex = number; }}", number)


def _answered(panel: Panel) -> Locator:
    panel.wait_for("ready")
    panel.ask(f"How?\n=====\n{ANSWER}")
    return panel.answer()


def _open_beside(page: Page, lab: Lab, path: str) -> Panel:
    """Open a notebook with the side panel beside it."""
    open_notebook(page, lab, path)
    page.wait_for_function(HAS_LANGUAGE)
    command(page, "jupyter-ac:open")
    return Panel(page, SIDE)


def _use_commands(page: Page, panel: Panel) -> None:
    """Commands do the same with the code that was used last, wherever the panel is."""
    _activate(page, 1)
    command(page, "jupyter-ac:replace-cell")
    expect(panel.message("assistant").get_by_role("alert")).to_contain_text("already")
    _activate(page, 2)
    command(page, "jupyter-ac:replace-cell")
    expect(panel.part("replace-confirm")).to_be_focused()
    page.keyboard.press("Escape")
    command(page, "application:toggle-right-area")
    expect(panel.app).to_be_hidden()
    command(page, "jupyter-ac:replace-cell")
    expect(panel.part("replace-confirm")).to_be_focused()
    panel.part("replace-keep").click()
    command(page, "jupyter-ac:insert-code")
    _wait_for_sources(page, "total = 0", CODE, "last = 1", CODE, CODE)
    command(page, "jupyter-ac:run-code")
    _wait_for_sources(page, "total = 0", CODE, "last = 1", *[CODE] * 3)
    expect(page.locator(".jp-OutputArea-output")).to_have_text(["total is 6\n"] * 2)


def test_code_of_an_answer_goes_into_the_notebook_by_buttons_and_by_commands(
    page: Page, start_lab: Callable[..., Lab], repository: Path
) -> None:
    lab = start_lab(repository.parent, "scripted-edits")
    write_notebook(repository / "work.ipynb", "total = 0", "last = 1")
    panel = _open_beside(page, lab, f"{repository.name}/work.ipynb")
    panel.wait_for("ready")
    command(page, "jupyter-ac:insert-code")
    expect(page.locator(".Toastify__toast")).to_contain_text("has code")
    answer = _answered(panel)
    for hook in ("insert-cell", "replace-cell", "run-cell"):
        expect(answer.locator(f'[data-ac="{hook}"]').filter(visible=True)).to_have_count(1)

    panel.part("insert-cell").first.click()
    _wait_for_sources(page, "total = 0", CODE, "last = 1")
    assert page.evaluate(f"() => {NOTEBOOK}.activeCellIndex") == 1

    _activate(page, 0)
    panel.part("replace-cell").first.click()
    question = panel.part("replace-question")
    expect(question.locator(".diff .del")).to_have_text("total = 0")
    expect(question.locator(".diff .add")).to_have_count(2)
    assert panel.app.evaluate(OVERFLOW) == []
    assert _sources(page)[0] == "total = 0"
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(panel.part("replace-cell").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(panel.part("replace-confirm")).to_be_focused()
    page.keyboard.press("Enter")
    _wait_for_sources(page, CODE, CODE, "last = 1")
    page.evaluate(f"() => {{ {NOTEBOOK}.mode = 'edit'; {NOTEBOOK}.activeCell.editor.undo(); }}")
    _wait_for_sources(page, "total = 0", CODE, "last = 1")

    _activate(page, 2)
    panel.part("run-cell").first.click()
    _wait_for_sources(page, "total = 0", CODE, "last = 1", CODE)
    expect(page.locator(".jp-OutputArea-output")).to_have_text("total is 6\n")
    _use_commands(page, panel)
    page.evaluate(f"() => {NOTEBOOK}.activeCell.model.setMetadata('editable', false)")
    panel.part("replace-cell").first.click()
    expect(answer.get_by_role("alert")).to_contain_text("read-only")


def test_the_panel_in_a_cell_inserts_below_itself_and_is_never_replaced(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS, "mine = 1")
    lab = start_lab(repository.parent, "scripted-edits", app="notebook")
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    page.wait_for_function(HAS_LANGUAGE)
    panel = Panel(page)
    _answered(panel)
    panel.part("insert-cell").first.click()
    _wait_for_sources(page, *PANEL_CELLS, CODE, "mine = 1")
    _activate(page, 3)
    panel.part("replace-cell").first.click()
    expect(panel.part("replace-question").locator(".del")).to_have_text("mine = 1")
    page.screenshot(path=pictures / "notebook-7-replace.png")
    panel.part("replace-confirm").click()
    _wait_for_sources(page, *PANEL_CELLS, CODE, CODE)


def _fails(fix: str) -> tuple[str, str]:
    """A cell that fails, and the text in its error: what the scripted model answers."""
    script = f"no rate\n=====\nThe rate was 0.\n\n{fix}"
    return 'rate = 0\nif not rate:\n    raise ValueError(open("script").read())', script


@pytest.mark.parametrize("app", ["lab", pytest.param("notebook", marks=pytest.mark.soak)])
def test_an_error_is_fixed_by_an_edit_of_its_cell_which_then_runs(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path, app: str
) -> None:
    fix = render(EditBlock(0, BlockKind.EDIT, "work.ipynb", ("rate = 0",), ("rate = 4",)))
    cell, script = _fails(fix)
    write_notebook(repository / "work.ipynb", "1", cell, "rate")
    (repository / "script").write_text(script, encoding="utf-8")
    lab = start_lab(repository.parent, "scripted-edits", app=app)
    open_notebook(page, lab, f"{repository.name}/work.ipynb")
    page.wait_for_function(HAS_LANGUAGE)
    run_cell(page, 1)
    buttons = page.locator('[data-ac="error-actions"] button')
    expect(buttons).to_have_count(2)
    expect(page.locator(".jp-OutputArea")).to_contain_text(["ValueError"])
    save(page)
    page.screenshot(path=pictures / f"error-actions-{app}.png")

    buttons.first.click()
    panel = Panel(page, SIDE)
    expect(panel.message("user")).to_contain_text(
        'the cell id="cell-1" (cell 2) of work.ipynb', timeout=90_000
    )
    panel.answer()
    card = panel.part("edit-card", '[data-path="work.ipynb"]')
    expect(card).to_have_attribute("data-status", "applied")
    expect(card).to_contain_text("saving it stages the file")
    expect(panel.row("work.ipynb")).to_have_attribute("aria-checked", "true")
    page.wait_for_function(f"({SOURCES})()[1].startsWith('rate = 4')")
    page.screenshot(path=pictures / f"error-fixed-{app}.png")
    run_cell(page, 1)
    expect(buttons).to_have_count(0)
    run_cell(page, 2)
    expect(page.locator(".jp-OutputArea-output")).to_have_text("4")
    save(page)
    assert "error-fix" not in (repository / "work.ipynb").read_text(encoding="utf-8")


def test_an_error_is_explained_and_the_buttons_come_back_with_each_error(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    windowed = {
        "@jupyterlab/notebook-extension/tracker.jupyterlab-settings": {"windowingMode": "full"}
    }
    lab = start_lab(repository.parent, "scripted", windowed)
    cells = ["1 / 0", *(f"print({number})" for number in range(60)), "{}['key']"]
    write_notebook(repository / "work.ipynb", *cells)
    open_notebook(page, lab, f"{repository.name}/work.ipynb")
    run_cell(page, 0)
    fixes = page.locator('[data-ac="error-explain"]')
    expect(fixes).to_have_count(1)
    _activate(page, 61)  # the active cell stays in the page
    page.evaluate(f"() => {NOTEBOOK}.scrollToItem(61)")
    expect(fixes).to_be_hidden()
    page.evaluate(f"() => {NOTEBOOK}.scrollToItem(0)")
    expect(fixes).to_be_visible()
    save(page)
    page.reload()
    wait_for_kernel(page)
    fixes.focus()
    page.keyboard.press("Enter")
    panel = Panel(page, SIDE)
    expect(panel.message("user")).to_contain_text("Explain in a few sentences", timeout=90_000)
    expect(panel.message("user")).to_contain_text('id="cell-0" (cell 1) of work.ipynb')
    panel.answer()
    expect(panel.row("work.ipynb")).to_have_attribute("aria-checked", "false")
    for theme in THEMES:
        choose_theme(page, panel, theme)
        page.screenshot(path=pictures / f"error-explained-{theme}.png")


def test_magics_put_code_into_new_cells_and_propose_it_for_those_that_failed(
    page: Page, start_lab: Callable[..., Lab], repository: Path
) -> None:
    lab = start_lab(repository.parent)
    cells = ("%load_ext jupyter_ac", "%%ac --cell\nGreet.", "1 / 0", "%ac_fix", "print('end')")
    write_notebook(repository / "work.ipynb", *cells)
    open_notebook(page, lab, f"{repository.name}/work.ipynb")
    hello = 'def hello(name: str) -> str:\n    return f"Hello, {name}!"'
    run_cell(page, 0)
    run_cell(page, 1)
    _wait_for_sources(page, *cells[:2], hello, *cells[2:])
    run_cell(page, 3)
    expect(page.locator('[data-ac="error-actions"]')).to_be_visible()
    page.wait_for_function(f"{NOTEBOOK}.widgets[3].model.executionState !== 'running'")
    # An error discards the requests that wait behind it.
    run_cell(page, 4)
    expect(page.locator('[data-ac="cell-proposal"] .diff .del')).to_have_text("1 / 0")
    expect(page.get_by_text("Here is an answer")).to_have_count(2)
    _wait_for_sources(page, *cells[:2], hello, *cells[2:])
    ran = page.evaluate(f"() => {NOTEBOOK}.widgets.map(cell => cell.model.executionCount)")
    assert [count is None for count in ran] == [False, False, True, False, False, True]


@pytest.mark.soak
def test_pictures_of_the_question_before_a_cell_is_replaced(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    lab = start_lab(repository.parent, "scripted-edits")
    mine = 'total = sum(range(3))\nprint("total", total)'
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS, mine)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    command(page, "application:toggle-left-area")
    run_all(page)
    page.wait_for_function(HAS_LANGUAGE)
    panel = Panel(page)
    panel.wait_for("ready")
    resize_panel(page, panel, 320)
    _answered(panel)
    _activate(page, 2)
    for theme, width in product(THEMES, (320, 800, 1400)):
        choose_theme(page, panel, theme)
        resize_panel(page, panel, width)
        panel.part("replace-cell").first.click()
        confirm = panel.part("replace-confirm")
        expect(confirm).to_be_focused()
        confirm.scroll_into_view_if_needed()
        assert panel.app.evaluate(OVERFLOW) == []
        page.screenshot(path=pictures / f"replace-{theme}-{width}.png")
        panel.part("replace-keep").click()
