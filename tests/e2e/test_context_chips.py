"""Variables, cells, outputs and errors that go out with a question, and their chips."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.lab import WITHOUT_SUBSHELLS, Lab
from tests.e2e.notebook import (
    PANEL_CELLS,
    command,
    open_notebook,
    run_all,
    run_cell,
    write_notebook,
)
from tests.e2e.panel import SIDE, Panel
from tests.e2e.test_kernel_access import SLEEP, KernelOfPage, begin, expect_count
from tests.e2e.test_looks import OVERFLOW, THEMES, choose_theme, resize_panel
from tests.support.model_process import RunningModelServer

pytestmark = pytest.mark.e2e

SECRET = "sk-proj-Zq8vN2mK5xR7tY4wB9cD1fG3hJ6kL0pQ"
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
LOAD = "%load_ext jupyter_ac"
NOTEBOOK = "window.jupyterapp.shell.currentWidget.content"


def _open(page: Page, lab: Lab, path: str) -> Panel:
    """Open a notebook with the side panel beside it."""
    open_notebook(page, lab, path)
    command(page, "jupyter-ac:open")
    panel = Panel(page, SIDE)
    panel.wait_for("ready")
    return panel


def _run(page: Page, *numbers: int) -> None:
    for count, number in enumerate(numbers, 1):
        run_cell(page, number)
        expect_count(page, count)


def _type(page: Page, panel: Panel, text: str) -> None:
    panel.part("input").click()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def _chip(panel: Panel, kind: str, state: str = "ready") -> Locator:
    return panel.part("chip", f'[data-kind="{kind}"][data-state="{state}"]')


def _option(panel: Panel, text: str) -> Locator:
    return panel.part("input-option").filter(has_text=text)


def _sent(model: RunningModelServer) -> str:
    return json.dumps(model.bodies(), ensure_ascii=False)


def test_a_variable_is_completed_goes_out_once_and_secrets_of_chips_are_in_no_request(
    page: Page, start_lab: Callable[..., Lab], repository: Path, model: RunningModelServer
) -> None:
    cells = (
        LOAD,
        f'apples = [1, 2, 40961]\napi_token = "{SECRET}"',
        "print('token:', api_token)",
        "raise ValueError(f'refused, api_key={api_token}')",
    )
    write_notebook(repository / "data.ipynb", *cells)
    lab = start_lab(repository.parent)
    panel = _open(page, lab, f"{repository.name}/data.ipynb")
    _run(page, 0, 1, 2, 3)
    KernelOfPage(page).wait_for("ready")
    _type(page, panel, "What is in @var:app")
    option = _option(panel, "apples")
    expect(option).to_contain_text("list, length 3")
    page.keyboard.press("Enter")
    expect(panel.part("input")).to_have_value("What is in `apples` ")
    expect(_chip(panel, "variable")).to_contain_text("tokens")
    row = panel.part("breakdown-row", '[data-category="context"]').first
    expect(row).to_contain_text("Added")
    page.keyboard.press("Enter")
    panel.answer()
    assert "40961" in _sent(model)
    expect(panel.part("chip")).to_have_count(0)

    _type(page, panel, "Why? @var:api_token @cell:2 @output:3 @error ")
    for kind in ("variable", "cell", "output", "error"):
        expect(_chip(panel, kind)).to_contain_text("masked")
    page.keyboard.press("Enter")
    expect(panel.message("assistant", "done")).to_have_count(2)
    sent = _sent(model)
    for expected in ("api_token", "Cell 2 (code)", "Output of cell 3", "ValueError", "[secret 1]"):
        assert expected in sent
    assert SECRET not in sent
    assert SECRET[8:24] not in sent


def test_menus_of_the_notebook_add_what_they_say_images_too_and_chips_are_removed(
    page: Page, start_lab: Callable[..., Lab], repository: Path, model: RunningModelServer
) -> None:
    image = f"import base64\nfrom IPython.display import Image\nImage(base64.b64decode('{PIXEL}'))"
    cells_run = ("total = 17", "print(total * 3)", "1 / 0", image)
    write_notebook(repository / "data.ipynb", *cells_run)
    lab = start_lab(repository.parent)
    open_notebook(page, lab, f"{repository.name}/data.ipynb")
    _run(page, 0, 1, 2, 3)
    expect(page.locator(".jp-RenderedImage")).to_have_count(1)
    menu = page.locator(".lm-Menu-item")
    panel = Panel(page, SIDE)
    cells = page.locator(".jp-Notebook .jp-Cell")

    cells.nth(0).locator(".jp-InputArea-editor").click(button="right")
    menu.filter(has_text="Add Cell to").click()
    expect(_chip(panel, "cell")).to_have_attribute("data-name", "cell 1")
    cells.nth(1).locator(".jp-OutputArea-output").click(button="right")
    menu.filter(has_text="Add Output to").click()
    expect(_chip(panel, "output")).to_have_attribute("data-name", "output of cell 2")
    cells.nth(2).locator(".jp-OutputArea-output").click(button="right")
    menu.filter(has_text="Add Error to").click()
    expect(_chip(panel, "error")).to_have_attribute("data-name", "error of cell 3")
    cells.nth(1).locator(".jp-InputArea-editor").click()
    page.locator(".jp-cell-toolbar [data-command='jupyter-ac:add-cell']").click()
    expect(_chip(panel, "cell")).to_have_count(2)

    _chip(panel, "output").locator('[data-ac="chip-remove"]').click()
    expect(_chip(panel, "output")).to_have_count(0)
    cells.nth(3).locator(".jp-OutputArea-output").click(button="right")
    menu.filter(has_text="Add Output to").click()
    expect(_chip(panel, "output")).to_contain_text("1 image")
    panel.ask("Why?")
    panel.answer()
    sent = _sent(model)
    assert f"data:image/png;base64,{PIXEL}" in sent
    assert "total = 17" in sent
    assert "ZeroDivisionError" in sent
    assert "Output of cell 2" not in sent
    expect(panel.part("chip")).to_have_count(0)


def test_what_cannot_be_found_is_said_and_holds_the_question_back_once(
    page: Page, start_lab: Callable[..., Lab], repository: Path, model: RunningModelServer
) -> None:
    write_notebook(repository / "data.ipynb", LOAD)
    lab = start_lab(repository.parent)
    panel = _open(page, lab, f"{repository.name}/data.ipynb")
    _run(page, 0)
    KernelOfPage(page).wait_for("ready")
    _type(page, panel, "See @cell:9 and @selection and @var:pears")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(_chip(panel, "cell", "failed")).to_contain_text("There is no cell 9")
    expect(_chip(panel, "selection", "failed")).to_contain_text("select text")
    expect(_chip(panel, "variable", "failed")).to_contain_text("pears")
    expect(panel.part("context-refusal")).to_contain_text("Not sent")
    assert panel.app.evaluate(OVERFLOW) == []
    assert model.requests() == []
    page.evaluate(
        f"() => {NOTEBOOK}.activeCell.editor.setSelection("
        "{start: {line: 0, column: 1}, end: {line: 0, column: 9}})"
    )
    _chip(panel, "selection", "failed").locator('[data-ac="chip-retry"]').click()
    expect(_chip(panel, "selection")).to_have_attribute("data-name", "selection in cell 1")
    panel.part("input").click()
    page.keyboard.press("Enter")
    panel.answer()
    assert "load_ext" in _sent(model)
    expect(panel.part("context-refusal")).to_have_count(0)
    expect(panel.part("chip")).to_have_count(0)


def test_the_notebook_is_ticked_and_the_extension_is_loaded_by_one_click(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    write_notebook(repository / "data.ipynb", "apples = [1, 2]", "print(apples)")
    lab = start_lab(repository.parent, app="notebook")
    open_notebook(page, lab, f"{repository.name}/data.ipynb")
    _run(page, 0, 1)
    command(page, "jupyter-ac:open")
    panel = Panel(page, SIDE)
    panel.wait_for("ready")
    KernelOfPage(page).wait_for("not-loaded")
    _type(page, panel, "@noteb")
    page.keyboard.press("Enter")
    expect(panel.row("data.ipynb")).to_have_attribute("aria-checked", "true")
    page.keyboard.type("@va")
    _option(panel, "@var:").click()
    entry = _option(panel, "Load jupyter_ac in this kernel")
    expect(entry).to_be_visible()
    page.screenshot(path=pictures / "context-load-notebook-7.png")
    entry.click()
    expect(_option(panel, "apples")).to_contain_text("list, length 2")
    page.keyboard.press("Enter")
    expect(_chip(panel, "variable")).to_have_count(1)
    command(page, "jupyter-ac:add-cell")
    expect(_chip(panel, "cell")).to_have_attribute("data-name", "cell 2")
    page.locator(".jp-Notebook .jp-Cell").nth(1).locator(".jp-OutputArea-output").click(
        button="right"
    )
    page.locator(".lm-Menu-item").filter(has_text="Add Output to").click()
    expect(_chip(panel, "output")).to_have_attribute("data-name", "output of cell 2")
    page.screenshot(path=pictures / "context-chips-notebook-7.png")


def test_a_busy_kernel_is_said_so(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    write_notebook(repository / "data.ipynb", LOAD, SLEEP)
    lab = start_lab(repository.parent, settings=WITHOUT_SUBSHELLS)
    panel = _open(page, lab, f"{repository.name}/data.ipynb")
    _run(page, 0)
    KernelOfPage(page).wait_for("ready")
    begin(page, 1)
    _type(page, panel, "@var:")
    expect(_option(panel, "kernel busy")).to_have_count(1)
    page.screenshot(path=pictures / "context-busy.png")
    page.keyboard.type("time ")
    expect(_chip(panel, "variable", "failed")).to_contain_text("The kernel is busy")
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:interrupt-kernel')")
    expect_count(page, 2)
    _chip(panel, "variable", "failed").locator('[data-ac="chip-retry"]').click()
    expect(_chip(panel, "variable")).to_have_count(1)


def test_a_secret_is_put_back_only_into_its_cell(
    page: Page, start_lab: Callable[..., Lab], repository: Path, model: RunningModelServer
) -> None:
    write_notebook(repository / "data.ipynb", f'api_key = "{SECRET}"', "other = 1")
    lab = start_lab(repository.parent, "scripted-edits")
    panel = _open(page, lab, f"{repository.name}/data.ipynb")
    page.evaluate(f"() => {{ {NOTEBOOK}.activeCellIndex = 0; }}")
    _type(page, panel, "@cell ")
    expect(_chip(panel, "cell")).to_contain_text("1 secret masked")
    panel.ask('@cell\n=====\n```python\napi_key = "[secret 1]"  # from the vault\n```\n')
    panel.answer()
    page.evaluate(f"() => {{ {NOTEBOOK}.activeCellIndex = 1; }}")
    panel.part("replace-cell").first.click()
    expect(panel.part("replace-placeholders")).to_contain_text("[secret 1] stay")
    page.keyboard.press("Escape")
    page.evaluate(f"() => {{ {NOTEBOOK}.activeCellIndex = 0; }}")
    panel.part("replace-cell").first.click()
    expect(panel.part("replace-question")).to_be_visible()
    expect(panel.part("replace-placeholders")).to_have_count(0)
    panel.part("replace-confirm").click()
    source = f"() => {NOTEBOOK}.widgets[0].model.sharedModel.source"
    assert page.evaluate(source) == f'api_key = "{SECRET}"  # from the vault'
    assert SECRET not in _sent(model)


@pytest.mark.soak
def test_pictures_of_the_chips_and_the_menu(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    cell = f'import math\napi_token = "{SECRET}"\nmeasurements_of_the_station = [1.5] * 300'
    write_notebook(repository / "data.ipynb", *PANEL_CELLS, cell, "1 / 0")
    lab = start_lab(repository.parent)
    open_notebook(page, lab, f"{repository.name}/data.ipynb")
    command(page, "application:toggle-left-area")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    expect_count(page, 4)
    KernelOfPage(page).wait_for("ready")
    resize_panel(page, panel, 800)
    page.evaluate(f"() => {{ {NOTEBOOK}.activeCellIndex = 3; }}")
    _type(page, panel, "@var:measurements_of_the_station @var:api_token @cell:3 @error @cell:7 ")
    expect(_chip(panel, "cell", "failed")).to_have_count(1)
    for kind, count in (("variable", 2), ("cell", 1), ("error", 1)):
        expect(_chip(panel, kind)).to_have_count(count)
    page.keyboard.press("Enter")
    expect(panel.part("context-refusal")).to_be_visible()
    for theme, width in product(THEMES, (320, 800, 1400)):
        choose_theme(page, panel, theme)
        resize_panel(page, panel, width)
        for name, typed in (("menu", " @"), ("variables", "var:")):
            panel.part("input").click()
            page.keyboard.press("Control+End")
            page.keyboard.type(typed)
            expect(panel.part("input-option").first).to_be_visible()
            assert panel.app.evaluate(OVERFLOW) == []
            page.screenshot(path=pictures / f"context-{name}-{theme}-{width}.png")
        for _ in " @var:":
            page.keyboard.press("Backspace")
