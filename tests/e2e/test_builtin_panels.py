"""The panels that come with it: tests are run and a failure asked about, variables, pulse."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import command, open_notebook, run_cell, wait_for_kernel, write_notebook
from tests.e2e.panel import SIDE, Panel
from tests.e2e.test_looks import OVERFLOW, SCHEMES
from tests.e2e.test_standalone import FRAME
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e

TESTS = """
import pytest


class TestShape:
    @pytest.mark.parametrize("size", [1, 2, 3])
    def test_round(self, size):
        assert size


def test_soil():
    print("looked at the soil")
    assert "soil" == "sand"


@pytest.mark.skip(reason="not today")
def test_later():
    pass
"""
WIDTHS = (260, 900)
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    # The environment of the host has no pytest; the project's own is that of these tests.
    files: dict[str, str | bytes] = {
        "tests/test_garden.py": TESTS,
        "soil.py": "x = 1\n",
        ".gitignore": ".venv/\n",
    }
    folder = make_repository(tmp_path / "work" / "garden", files)
    pytest_program = folder.root / ".venv" / "bin" / "pytest"
    pytest_program.parent.mkdir(parents=True)
    pytest_program.write_text(f'#!/bin/sh\nexec {sys.executable} -m pytest "$@"\n')
    pytest_program.chmod(0o755)
    folder.clock = int(time.time()) - 3600
    for number in range(3):
        folder.write("soil.py", f"x = {number}\n")
        folder.write("notes.md", f"{number}\n")
        folder.commit(f"change {number}")
    return folder


@pytest.fixture
def panel(page: Page, start_serve: Callable[..., ServeProcess], folder: RepositoryFolder) -> Panel:
    page.goto(start_serve(folder.root).page)
    shown = Panel(page, "#panel")
    shown.wait_for("ready")
    return shown


def open_panel(panel: Panel, title: str) -> Locator:
    """Open the view of panels with one of them; returns its tree."""
    if not panel.part("panel-tab").count():
        panel.part("panels-open").click()
    panel.part("panel-tab").filter(has_text=title).click()
    return panel.part("panel-tree").locator("visible=true")


def button(tree: Locator, name: str) -> Locator:
    return tree.get_by_role("button", name=name)


def violations(page: Page) -> list[str]:
    """What axe finds in the open view, by rule and element."""
    page.evaluate(AXE.read_text())
    found: list[str] = page.evaluate(
        """async () => {
            const inside = root => [...root.querySelectorAll('*')].flatMap(
                each => [each, ...(each.shadowRoot ? inside(each.shadowRoot) : [])]);
            const view = inside(document).find(each => each.localName.startsWith('ac-panels'));
            const { violations } = await axe.run(view);
            return violations.map(rule => `${rule.id}: ${rule.nodes.map(each => each.html)}`);
        }"""
    )
    return found


def test_tests_are_run_after_consent_and_a_failure_goes_to_the_question(
    panel: Panel, folder: RepositoryFolder, pictures: Path
) -> None:
    tree = open_panel(panel, "Tests")
    expect(tree).to_contain_text("tests/ has tests of Python")
    button(tree, "Find tests").click()
    asked = panel.part("panel-call")
    expect(asked).to_contain_text("Panel: Tests")
    expect(panel.part("tool-text")).to_have_text(".venv/bin/pytest -q --collect-only")
    expect(tree).to_contain_text("Waits for your consent")
    panel.page.screenshot(path=pictures / "panel-tests-asked.png")
    panel.part("tool-refuse").click()
    expect(tree).to_contain_text("Not run:")
    button(tree, "Run all").click()
    expect(panel.part("tool-text")).to_have_text(".venv/bin/pytest -q")
    panel.part("tool-approve").first.click()
    expect(asked).to_have_count(0)
    expect(tree.get_by_role("status").first).to_contain_text("1 failed, 3 passed, 1 skipped of 5")
    button(tree, "test_soil, failed").click()
    expect(tree).to_contain_text("looked at the soil")
    panel.page.screenshot(path=pictures / "panel-tests.png")
    button(tree, "Error → question").click()
    expect(tree).to_contain_text("Added to your next question.")
    (folder.root / "tests/test_garden.py").write_text(TESTS.replace('"sand"', '"so" "il"'))
    button(tree, "Failed again (1)").click()
    expect(panel.part("tool-text")).to_have_text(
        ".venv/bin/pytest -q tests/test_garden.py::test_soil"
    )
    panel.part("tool-approve").first.click()
    expect(tree.get_by_role("status").first).to_contain_text("4 passed, 1 skipped of 5")
    panel.page.keyboard.press("Escape")
    chip = panel.part("chip", '[data-kind="error"]')
    expect(chip).to_contain_text("test_soil")


def test_a_run_is_stopped_and_its_state_outlives_the_page(
    panel: Panel, folder: RepositoryFolder
) -> None:
    folder.write(
        "tests/test_garden.py",
        "import pathlib, time\n\ndef test_first(): pass\n\ndef test_slow():\n"
        "    while not pathlib.Path('go').exists():\n        time.sleep(0.02)\n",
    )
    tree = open_panel(panel, "Tests")
    button(tree, "Run all").click()
    panel.part("tool-approve").first.click()
    expect(button(tree, "test_slow, running")).to_be_visible()
    expect(button(tree, "test_first, passed")).to_be_visible()
    panel.page.reload()
    panel.wait_for("ready")
    tree = open_panel(panel, "Tests")
    expect(button(tree, "test_slow, running")).to_be_visible()
    button(tree, "Stop").click()
    expect(tree).to_contain_text("Stopped.")
    expect(button(tree, "test_slow, not run")).to_be_visible()


def test_the_panels_fit_and_can_be_used_by_keyboard(panel: Panel, pictures: Path) -> None:
    page = panel.page
    tree = open_panel(panel, "Pulse")
    expect(tree).to_contain_text("soil.py")
    expect(tree).to_contain_text("notes.md")
    expect(tree).to_contain_text("No answers of a model in this time.")
    _check_looks(panel, pictures / "panel-pulse")
    tree = open_panel(panel, "Tests")
    expect(button(tree, "Run all")).to_be_enabled()
    button(tree, "Run all").focus()
    page.keyboard.press("Enter")
    expect(panel.part("tool-question")).to_be_visible()
    _check_looks(panel, pictures / "panel-asked")
    panel.part("tool-approve").first.click()
    expect(tree.get_by_role("status").first).to_contain_text("1 failed")
    button(tree, "test_soil, failed").click()
    expect(tree).to_contain_text("looked at the soil")
    _check_looks(panel, pictures / "panel-tests")
    open_panel(panel, "Variables")
    expect(panel.part("panel-tree").locator("visible=true")).to_contain_text("open in JupyterLab")


def _check_looks(panel: Panel, name: Path) -> None:
    """In both themes nothing is wider than the panel and axe finds nothing; pictures are taken."""
    for scheme, width in zip(SCHEMES, WIDTHS, strict=True):
        panel.page.emulate_media(color_scheme=scheme)
        panel.page.set_viewport_size({"width": width, "height": 900})
        for _ in range(2):  # one for the panel to hear of its width, one for what is drawn then
            panel.page.evaluate(FRAME)
        assert panel.app.evaluate(OVERFLOW) == []
        panel.page.screenshot(path=f"{name}-{scheme}-{width}.png")
        assert violations(panel.page) == []


@pytest.fixture
def lab(start_lab: Callable[..., Lab], folder: RepositoryFolder) -> Lab:
    write_notebook(
        folder.root / "n.ipynb",
        "%load_ext jupyter_ac\nplants = ['oak', 'ash']\nsize = 42",
        "size = 43\nseeds = 7",
        "1 / 0",
    )
    return start_lab(folder.root)


def test_variables_are_those_of_the_active_notebook(page: Page, lab: Lab, pictures: Path) -> None:
    open_notebook(page, lab, "n.ipynb")
    wait_for_kernel(page)
    command(page, "jupyter-ac:open")
    panel = Panel(page, SIDE)
    panel.wait_for("ready")
    tree = open_panel(panel, "Variables")
    expect(tree.get_by_role("alert")).to_contain_text("%load_ext jupyter_ac")
    run_cell(page, 0)
    button(tree, "Try again").click()
    grid = tree.get_by_role("grid", name="Variables")
    expect(grid).to_contain_text("plants")
    expect(grid).to_contain_text("42")
    run_cell(page, 1)
    expect(grid).to_contain_text("seeds")
    expect(grid).to_contain_text("43")
    tree.get_by_label("Filter").fill("plant")
    expect(grid).not_to_contain_text("seeds")
    grid.get_by_text("plants").click()
    expect(tree.get_by_role("region", name="plants")).to_contain_text("list")
    run_cell(page, 2)
    expect(tree).to_contain_text("ZeroDivisionError")
    page.screenshot(path=pictures / "panel-variables.png")
    assert violations(page) == []
