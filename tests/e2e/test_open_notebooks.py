"""Notebooks that are open in browsers: edited there by exactly one page, and nothing is lost."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edit_blocks.reading.markers import render
from tests.e2e.lab import Lab
from tests.e2e.notebook import command, open_notebook, save
from tests.e2e.panel import SIDE, Panel
from tests.e2e.test_looks import THEMES, choose_theme, resize_panel
from tests.notebook.files import code, markdown, notebook_file
from tests.support.repositories import RepositoryFolder

pytestmark = pytest.mark.e2e

NOTEBOOK = "window.jupyterapp.shell.currentWidget.content"
CELLS = f"{NOTEBOOK}.model.sharedModel.cells"
HAS_LANGUAGE = f"{NOTEBOOK}.model.sharedModel.getMetadata('language_info')?.name === 'python'"
SOURCES = f"() => {CELLS}.map(cell => cell.source)"
BOOK = notebook_file(
    code("flow = 1\nrest = 2", id="a", metadata={"tags": ["parameters"], "slideshow": {"x": 1}}),
    markdown("![a](attachment:a.png)", id="b"),
    code("last = 3", id="c"),
)


def _ask(panel: Panel, old: str, new: str) -> None:
    block = EditBlock(0, BlockKind.EDIT, "work.ipynb", (old,), tuple(new.split("\n")))
    panel.ask(f"Change it.\n=====\n{render(block)}")


def _open_beside(page: Page, lab: Lab, repository: Path) -> Panel:
    open_notebook(page, lab, f"{repository.name}/work.ipynb")
    page.wait_for_function(HAS_LANGUAGE)
    command(page, "jupyter-ac:open")
    panel = Panel(page, SIDE)
    panel.wait_for("ready")
    return panel


def _type(page: Page, number: int, text: str) -> None:
    page.evaluate(f"([number, text]) => {CELLS}[number].updateSource(0, 0, text)", [number, text])


@pytest.fixture
def other_page(browser: Browser) -> Iterator[Page]:
    """A page of another browser."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    yield context.new_page()
    context.close()


def _expect_typed_text_to_stay(page: Page, panel: Panel) -> None:
    """Type into a cell all the time while an answer edits it."""
    page.evaluate(f"""() => {{
        let count = 0;
        const typing = setInterval(() => {{
            const cell = {CELLS}[0];
            cell.updateSource(0, 0, '.');
            count += 1;
            window.typed = count;
            if (window.isTypingOver) clearInterval(typing);
        }}, 15);
    }}""")
    _ask(panel, "rest = 2", "rest = 5")
    expect(panel.message("assistant", "done")).to_have_count(2)
    typed = page.evaluate("() => { window.isTypingOver = true; return window.typed; }")
    source = str(page.evaluate(f"() => {CELLS}[0].source"))
    card = panel.part("edit-card").last
    status = card.get_attribute("data-status")
    # A cell that changes all the time may not be edited; it is never overwritten.
    assert status in {"applied", "failed"}
    assert source.endswith("rest = 5" if status == "applied" else "rest = 2")
    assert source.count(".") >= typed


def test_what_is_saved_differs_in_the_edited_cell_alone_and_typed_text_stays(
    page: Page, start_lab: Callable[..., Lab], repository: Path
) -> None:
    lab = start_lab(repository.parent, "scripted-edits")
    file = repository / "work.ipynb"
    file.write_text(BOOK, encoding="utf-8")
    panel = _open_beside(page, lab, repository)
    save(page)
    before = json.loads(file.read_text(encoding="utf-8"))
    panel.tick("work.ipynb")
    _ask(panel, "rest = 2", "rest = 5")
    panel.answer()
    page.wait_for_function(f"{CELLS}[0].source === 'flow = 1\\nrest = 5'")
    save(page)
    expect(panel.part("edit-card")).to_contain_text("Saved and staged.")
    after = json.loads(file.read_text(encoding="utf-8"))
    assert after["cells"][0].pop("source") == ["flow = 1\n", "rest = 5"]
    before["cells"][0].pop("source")
    assert after == before
    staged = RepositoryFolder(repository).git("diff", "--cached", "--name-only")
    assert staged == "work.ipynb"
    expect(page.locator(".jp-Dialog")).to_have_count(0)

    # Ctrl+Z in the cell takes the edit back.
    page.evaluate(f"() => {{ {NOTEBOOK}.activeCellIndex = 0; {NOTEBOOK}.mode = 'edit'; }}")
    page.locator(".jp-Notebook .cm-content").first.click()
    page.keyboard.press("Control+z")
    page.wait_for_function(f"{CELLS}[0].source === 'flow = 1\\nrest = 2'")
    save(page)
    _expect_typed_text_to_stay(page, panel)


def test_of_two_browsers_the_one_that_asks_makes_the_edit(
    page: Page, other_page: Page, start_lab: Callable[..., Lab], repository: Path
) -> None:
    lab = start_lab(repository.parent, "scripted-edits")
    (repository / "work.ipynb").write_text(BOOK, encoding="utf-8")
    panel, other = (_open_beside(one, lab, repository) for one in (page, other_page))
    _type(page, 2, "mine ")
    _type(other_page, 2, "theirs ")
    panel.tick("work.ipynb")
    expect(other.row("work.ipynb")).to_have_attribute("aria-checked", "true")
    _ask(panel, "mine last = 3", "mine last = 4")
    panel.answer()
    page.wait_for_function(f"{CELLS}[2].source === 'mine last = 4'")
    assert other_page.evaluate(SOURCES)[2] == "theirs last = 3"

    # The page that asks doesn't show it any more.
    readme = lab.path(f"{repository.name}/README.md")
    page.evaluate(
        """async path => {
            const { shell, commands } = window.jupyterapp;
            const notebook = shell.currentWidget;
            await commands.execute('docmanager:open', { path, factory: 'Editor' });
            notebook.context.model.dirty = false;
            notebook.dispose();
        }""",
        readme,
    )
    panel.wait_for("ready")
    _ask(panel, "theirs last = 3", "theirs last = 5")
    panel.answer()
    other_page.wait_for_function(f"{CELLS}[2].source === 'theirs last = 5'")
    expect(panel.part("edit-card").last).to_have_attribute("data-status", "applied")


@pytest.mark.soak
def test_in_a_shared_document_an_edit_is_made_once_and_staged(
    page: Page,
    other_page: Page,
    start_own_lab: Callable[..., Lab],
    repository: Path,
    request: pytest.FixtureRequest,
) -> None:
    venv = request.getfixturevalue("installed_with_collaboration")
    (repository / "work.ipynb").write_text(BOOK, encoding="utf-8")
    lab = start_own_lab(repository.parent, "scripted-edits", venv=venv)
    panel, other = (_open_beside(one, lab, repository) for one in (page, other_page))
    _type(page, 2, "mine ")
    for one in (page, other_page):
        one.wait_for_function(f"{CELLS}[2].source === 'mine last = 3'")
    panel.tick("work.ipynb")
    expect(other.row("work.ipynb")).to_have_attribute("aria-checked", "true")
    _ask(other, "mine last = 3", "mine last = 4\n\n# %%\nonce")
    other.answer()
    for one in (page, other_page):
        one.wait_for_function(f"{CELLS}.length === 4")
        assert one.evaluate(SOURCES)[2:] == ["mine last = 4", "once"]
    expect(other.part("edit-card")).to_contain_text("Saved and staged.", timeout=90_000)
    staged = RepositoryFolder(repository).git("diff", "--cached", "--name-only")
    assert staged == "work.ipynb"
    for one in (page, other_page):
        expect(one.locator(".jp-Dialog")).to_have_count(0)


def test_cells_are_left_out_and_outputs_sent(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    lab = start_lab(repository.parent, "scripted")
    (repository / "work.ipynb").write_text(BOOK, encoding="utf-8")
    panel = _open_beside(page, lab, repository)
    panel.tick("work.ipynb")
    panel.part("breakdown").get_by_role("button", name="Context").click()
    panel.part("notebook-cells").get_by_role("button", name="Cells").click()
    rows = panel.part("cell-row")
    expect(rows).to_have_count(3)
    before = panel.total()
    rows.nth(2).locator('[data-ac="cell-check"]').uncheck()
    expect(rows.nth(2).locator('[data-ac="cell-check"]')).not_to_be_checked()
    expect(panel.part("breakdown-total")).not_to_have_attribute("data-tokens", str(before))
    between = panel.total()
    rows.nth(0).locator('[data-ac="cell-outputs"]').check()
    expect(panel.part("breakdown-total")).not_to_have_attribute("data-tokens", str(between))
    assert panel.total() > between
    expect(panel.part("breakdown")).not_to_contain_text("Its images")
    rows.nth(0).get_by_label("Send 1 image of the cell").check()
    expect(panel.part("breakdown")).to_contain_text("Its images: about")
    for theme in THEMES:
        choose_theme(page, panel, theme)
        resize_panel(page, panel, 320)
        rows.nth(2).scroll_into_view_if_needed()
        page.screenshot(path=pictures / f"cells-{theme}.png")
