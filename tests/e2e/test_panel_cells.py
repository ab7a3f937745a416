"""Panels written in Python, in cells of a notebook: live, busy, after a restart, saved."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.lab import WITHOUT_SUBSHELLS, Lab
from tests.e2e.notebook import (
    command,
    open_notebook,
    run_cell,
    save,
    wait_for_kernel,
    write_notebook,
)
from tests.e2e.panel import SIDE, Panel

pytestmark = pytest.mark.e2e

IMPORTS = "from jupyter_ac.panels import Plugin, component, html, log, use_state\n"

COUNTER = f"""{IMPORTS}
@component
def Counter(start=0):
    count, set_count = use_state(start)
    def more():
        print(f"clicked {{count}}")
        set_count(count + 1)
    return html.button({{"on_click": more}}, f"{{count}} clicks")

counter = Plugin(Counter)
counter.display()
"""

FORM = f"""{IMPORTS}
@component
def Order():
    name, set_name = use_state("")
    sent, set_sent = use_state("")
    def submit():
        set_sent(f"{{name}} is served")
        set_name("")
    return html.form(
        {{"on_submit": submit}},
        html.h3("Order"),
        html.label("Name ", html.input({{"value": name, "on_change": set_name, "name": "name"}})),
        html.button({{"type": "submit"}}, "Send"),
        html.p(sent or f"Hello, {{name}}"),
    )

Plugin(Order, name="order").display()
"""

FAILING = f"""{IMPORTS}
@component
def Kettle():
    level, set_level = use_state(3)
    def boil():
        log("boiling", level, level="warn")
        return 100 / (level - 3)
    return html.div(
        html.p(f"Level {{level}}"),
        html.button({{"on_click": boil}}, "Boil"),
        html.button({{"on_click": lambda: set_level(level + 1)}}, "Fill"),
    )

Plugin(Kettle).display()
"""

BUSY = """\
import time
from pathlib import Path
while not Path("go").exists():
    time.sleep(0.05)
"""

BUTTON = "[data-ac=panel-tree] button"
BUSY_NOTE = "[data-ac=panel-busy]"
PICTURE = "[data-ac=plugin-picture]"
HTML = "text/html"


def trees(page: Page) -> Locator:
    return page.locator("[data-ac=panel-tree]")


def show(page: Page, lab: Lab, name: str) -> None:
    """Open a notebook, and run its first cell until a panel is there."""
    open_notebook(page, lab, name)
    run_cell(page, 0)
    expect(trees(page)).to_have_count(1)


def pictures_in(notebook: Path) -> list[str]:
    """The pictures that a saved notebook has."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    bundles = [output.get("data", {}) for cell in content["cells"] for output in cell["outputs"]]
    return ["".join(bundle[HTML]) for bundle in bundles if HTML in bundle]


def saved(page: Page, notebook: Path, words: str) -> None:
    """Save until the notebook's picture has these words; the page gets pictures now and then."""

    def has_words() -> bool:
        save(page)
        return any(words in picture for picture in pictures_in(notebook))

    for _ in range(600):
        if has_words():
            return
        page.wait_for_timeout(50)
    raise AssertionError(pictures_in(notebook))


def test_views_of_one_plugin_share_it_and_print_below_their_cell(
    page: Page, start_lab: Callable[..., Lab], tmp_path: Path
) -> None:
    write_notebook(tmp_path / "a.ipynb", COUNTER, "counter.display()", COUNTER)
    lab = start_lab(tmp_path)
    show(page, lab, "a.ipynb")
    button = page.locator(BUTTON)
    expect(button).to_have_text("0 clicks")
    button.click()
    run_cell(page, 1)
    expect(button).to_have_text(["1 clicks", "1 clicks"])
    button.nth(1).click()
    expect(button).to_have_text(["2 clicks", "2 clicks"])
    expect(page.locator(".jp-OutputArea").first).to_contain_text("clicked 0\nclicked 1")
    save(page)
    other = page.context.new_page()
    other.goto(lab.page("a.ipynb"))
    wait_for_kernel(other)
    expect(other.locator(BUTTON)).to_have_text(["2 clicks", "2 clicks"])
    other.locator(BUTTON).first.click()
    expect(button).to_have_text(["3 clicks", "3 clicks"])
    other.close()
    run_cell(page, 2)  # another plugin of the same name
    expect(button).to_have_text(["3 clicks", "3 clicks", "0 clicks"])
    button.nth(2).click()
    expect(button).to_have_text(["3 clicks", "3 clicks", "1 clicks"])


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
def test_a_form_takes_what_is_typed_and_a_plugin_that_throws_shows_the_line_and_begins_anew(
    page: Page, start_lab: Callable[..., Lab], tmp_path: Path, pictures: Path, theme: str
) -> None:
    write_notebook(tmp_path / "a.ipynb", FORM, FAILING)
    themes = "@jupyterlab/apputils-extension/themes.jupyterlab-settings"
    lab = start_lab(tmp_path, settings={themes: {"theme": f"JupyterLab {theme.title()}"}})
    show(page, lab, "a.ipynb")
    field = page.locator("[data-ac=panel-tree] input")
    field.click()
    page.keyboard.type("Ada mm", delay=20)  # m is a command of the notebook elsewhere
    expect(trees(page)).to_contain_text("Hello, Ada mm")
    expect(field).to_have_value("Ada mm")
    page.keyboard.press("Enter")
    expect(trees(page)).to_contain_text("Ada mm is served")
    expect(field).to_have_value("")
    expect(trees(page)).to_have_count(1)
    expect(page.locator("[data-theme]", has=trees(page))).to_have_attribute("data-theme", theme)
    page.screenshot(path=pictures / f"panel-cells-form-{theme}.png")

    run_cell(page, 1)
    page.get_by_role("button", name="Boil").click()
    error = page.locator("[data-ac=panel-error]")
    expect(error).to_contain_text("ZeroDivisionError: division by zero")
    error.locator("summary").click()
    expect(error).to_contain_text("return 100 / (level - 3)")
    page.locator("[data-ac=panel-log-toggle]").last.click()
    expect(page.locator("[data-ac=panel-log-line]")).to_contain_text("boiling 3")
    page.screenshot(path=pictures / f"panel-cells-error-{theme}.png")
    kettle = trees(page).nth(1)
    page.get_by_role("button", name="Fill").click()
    expect(kettle).to_contain_text("Level 4")
    error.locator("[data-ac=panel-restart]").click()
    expect(kettle).to_contain_text("Level 3")
    expect(error).to_have_count(0)
    expect(trees(page).first).to_contain_text("Ada mm is served")


def test_clicks_wait_for_the_cell_that_runs_and_are_answered_in_order(
    page: Page, start_lab: Callable[..., Lab], tmp_path: Path, pictures: Path
) -> None:
    write_notebook(tmp_path / "a.ipynb", COUNTER, BUSY)
    lab = start_lab(tmp_path)
    show(page, lab, "a.ipynb")
    button = page.locator(BUTTON)
    expect(button).to_have_text("0 clicks")
    save(page)
    run_cell(page, 1)
    expect(page.locator(BUSY_NOTE)).to_contain_text("The kernel is busy")
    for _ in range(3):
        button.click()
    expect(button).to_have_text("0 clicks")
    page.screenshot(path=pictures / "panel-cells-busy.png")
    other = page.context.new_page()
    other.goto(lab.page("a.ipynb"))
    wait_for_kernel(other)
    # JupyterLab gets no widgets of a busy kernel; until then there is the picture.
    expect(other.locator(PICTURE)).to_contain_text("0 clicks")
    other.screenshot(path=pictures / "panel-cells-picture.png")
    (tmp_path / "go").touch()
    expect(button).to_have_text("3 clicks")
    expect(page.locator(".jp-OutputArea").first).to_contain_text("clicked 0\nclicked 1\nclicked 2")
    expect(page.locator(BUSY_NOTE)).to_have_count(0)
    expect(other.locator(BUTTON)).to_have_text("3 clicks")
    other.close()


def test_without_subshells_a_busy_kernel_is_said_too_and_so_is_a_restarted_one(
    page: Page, start_lab: Callable[..., Lab], tmp_path: Path, pictures: Path
) -> None:
    write_notebook(tmp_path / "a.ipynb", COUNTER, BUSY)
    lab = start_lab(tmp_path, settings=WITHOUT_SUBSHELLS)
    show(page, lab, "a.ipynb")
    button = page.locator(BUTTON)
    expect(button).to_have_text("0 clicks")
    run_cell(page, 1)
    expect(page.locator(BUSY_NOTE)).to_contain_text("The kernel is busy")
    button.click()
    button.click()
    (tmp_path / "go").touch()
    expect(button).to_have_text("2 clicks")
    expect(page.locator(BUSY_NOTE)).to_have_count(0)

    page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    )
    expect(page.get_by_text("run this cell again to get the panel back")).to_be_visible()
    expect(button).to_have_text("2 clicks")
    page.screenshot(path=pictures / "panel-cells-restarted.png")
    wait_for_kernel(page)
    run_cell(page, 0)
    expect(button).to_have_text("0 clicks")
    button.click()
    expect(button).to_have_text("1 clicks")


def test_a_saved_notebook_keeps_the_last_picture_and_the_live_view_stays(
    page: Page, start_lab: Callable[..., Lab], tmp_path: Path, pictures: Path
) -> None:
    notebook = write_notebook(tmp_path / "a.ipynb", FORM)
    lab = start_lab(tmp_path)
    show(page, lab, "a.ipynb")
    field = page.locator("[data-ac=panel-tree] input")
    field.click()
    page.keyboard.type("Grace")
    expect(trees(page)).to_contain_text("Hello, Grace")
    field.evaluate("input => { input.setSelectionRange(2, 3); window.kept = input; }")
    saved(page, notebook, "Hello, Grace")
    page.keyboard.type("i")  # in place of the a that is selected
    expect(trees(page)).to_contain_text("Hello, Grice")
    assert field.evaluate("input => input === window.kept && input.matches(':focus')")
    expect(page.locator(PICTURE)).to_be_hidden()
    saved(page, notebook, "Hello, Grice")
    (picture,) = pictures_in(notebook)
    assert "<script" not in picture
    assert "run the cell to make it live" in picture

    # After a reload of the page, too; the kernel and the panel live on.
    open_notebook(page, lab, "a.ipynb")
    expect(field).to_have_value("Grice")
    field.fill("Hedy")
    saved(page, notebook, "Hello, Hedy")

    page.goto("about:blank")
    lab.end_kernels()
    open_notebook(page, lab, "a.ipynb")
    expect(page.locator(PICTURE)).to_contain_text("Hello, Hedy")
    expect(page.locator(PICTURE)).to_contain_text("run the cell to make it live")
    expect(page.get_by_text("model not found")).to_have_count(0)
    page.screenshot(path=pictures / "panel-cells-reopened.png")
    run_cell(page, 0)
    expect(trees(page)).to_contain_text("Hello,")
    expect(page.locator(PICTURE)).to_be_hidden()


@pytest.mark.parametrize(
    "has_server",
    [  # what is loaded over HTTP, `test_answers.py` has
        pytest.param(True, id="over HTTP", marks=pytest.mark.soak),
        pytest.param(False, id="over the comm"),
    ],
)
def test_without_our_lab_extension_panels_are_live_too(
    page: Page, start_own_lab: Callable[..., Lab], tmp_path: Path, has_server: bool
) -> None:
    root = tmp_path / "work"
    notebook = write_notebook(root / "a.ipynb", COUNTER, BUSY)
    without = "--ServerApp.jpserver_extensions={'jupyter_ac': False}"
    lab = start_own_lab(
        root, arguments=() if has_server else (without,), expects_extension=has_server
    )
    settings = lab.home / "config/labconfig/page_config.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"disabledExtensions": {"jupyter-ac": True}}), "utf-8")
    show(page, lab, "a.ipynb")
    button = page.locator(BUTTON)
    expect(button).to_have_text("0 clicks")
    button.click()
    expect(button).to_have_text("1 clicks")
    run_cell(page, 1)
    expect(page.locator(BUSY_NOTE)).to_contain_text("The kernel is busy")
    button.click()
    (root / "go").touch()
    expect(button).to_have_text("2 clicks")
    save(page)
    (picture,) = pictures_in(notebook)
    assert "0 clicks" in picture  # of the moment when the cell had ended


@pytest.mark.soak
def test_panels_work_in_notebook_7(
    page: Page, start_lab: Callable[..., Lab], tmp_path: Path, pictures: Path
) -> None:
    notebook = write_notebook(tmp_path / "a.ipynb", COUNTER)
    lab = start_lab(tmp_path, app="notebook")
    show(page, lab, "a.ipynb")
    button = page.locator(BUTTON)
    button.click()
    expect(button).to_have_text("1 clicks")
    saved(page, notebook, "1 clicks")
    page.screenshot(path=pictures / "panel-cells-notebook-7.png")
    page.goto("about:blank")
    lab.end_kernels()
    open_notebook(page, lab, "a.ipynb")
    expect(page.locator(PICTURE)).to_contain_text("1 clicks")


def test_the_pages_view_of_panels_shows_the_plugin_of_a_cell(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    write_notebook(repository / "a.ipynb", COUNTER, "%load_ext jupyter_ac")
    lab = start_lab(repository.parent)
    show(page, lab, f"{repository.name}/a.ipynb")
    run_cell(page, 1)
    command(page, "jupyter-ac:open")
    side = Panel(page, SIDE)
    side.wait_for("ready")
    side.part("panels-open").click()
    side.part("panel-tab", '[data-panel="counter"]').click()
    expect(side.part("panel-state").locator("visible=true").locator("..")).to_contain_text(
        "Of the notebook's kernel"
    )
    inside = page.locator(f"{SIDE} {BUTTON}").filter(has_text="clicks")
    expect(inside).to_have_text("0 clicks")
    expect(page.locator(f"{SIDE} {BUTTON}").filter(visible=True)).to_have_count(1)
    inside.click()
    expect(page.locator(f".jp-OutputArea {BUTTON}")).to_have_text("1 clicks")
    page.locator(f".jp-OutputArea {BUTTON}").click()
    expect(inside).to_have_text("2 clicks")
    page.screenshot(path=pictures / "panel-cells-side.png")
