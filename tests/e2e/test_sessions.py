"""Earlier conversations: found, searched, taken up again; what they have cost.

On the page of `serve`; in JupyterLab what concerns the notebook around the panel.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, command, open_notebook, run_all, write_notebook
from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_looks import OVERFLOW, THEMES, choose_theme, expect_fits, resize_panel
from tests.support.model_process import RunningModelServer
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
StartLab = Callable[..., Lab]
StartServe = Callable[..., ServeProcess]
# The first question waits for the model's library, which takes long from a cold disk.
FIRST_S = 90
CELLS = "document.querySelectorAll('.jp-Notebook .jp-Cell').length"


def panel_in_notebook(page: Page, lab: Lab, repository: Path, *cells: str) -> Panel:
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS, *cells)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    return panel


def panel_of(page: Page, server: ServeProcess) -> Panel:
    page.goto(server.page)
    panel = Panel(page, "#panel")
    panel.wait_for("ready", FIRST_S)
    return panel


def hold_two_conversations(panel: Panel) -> None:
    panel.ask("Where is the harbour?")
    panel.answer(seconds=FIRST_S)
    panel.app.get_by_role("button", name="New conversation").click()
    expect(panel.message("user")).to_have_count(0)
    panel.ask("Is it raining?")
    panel.answer()
    panel.wait_for("ready")


def test_an_earlier_conversation_is_taken_up_again(
    page: Page, start_serve: StartServe, repository: Path, model: RunningModelServer
) -> None:
    panel = panel_of(page, start_serve(repository))
    hold_two_conversations(panel)
    panel.part("sessions").click()
    rows = panel.part("session-row")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("Is it raining?")
    expect(rows.nth(0)).to_have_attribute("aria-current", "true")
    rows.nth(1).click()
    expect(panel.message("user")).to_contain_text("Where is the harbour?")
    expect(rows).to_have_count(0)
    panel.ask("And now?")
    panel.answer()
    body = str(model.bodies()[-1])
    assert "Where is the harbour?" in body
    assert "Is it raining?" not in body


def test_a_conversation_is_named_and_the_one_on_show_is_deleted(
    page: Page, start_serve: StartServe, repository: Path
) -> None:
    panel = panel_of(page, start_serve(repository))
    hold_two_conversations(panel)
    panel.part("sessions").click()
    rows = panel.part("session-row")
    rows.nth(1).hover()
    panel.part("session-rename").nth(1).click()
    panel.part("session-title").fill("Ships")
    expect_fits(page, panel)
    page.keyboard.press("Enter")
    expect(rows.nth(1)).to_contain_text("Ships")
    rows.nth(0).hover()
    panel.part("session-delete").nth(0).click()
    expect_fits(page, panel)
    panel.part("session-delete-confirm").click()
    expect(rows).to_have_count(1)
    expect(panel.message("user")).to_have_count(0)
    panel.part("search").fill("raining")
    expect(panel.part("search-hit")).to_have_count(0)


def test_a_search_finds_the_conversation_by_what_was_said(
    page: Page, start_serve: StartServe, repository: Path
) -> None:
    panel = panel_of(page, start_serve(repository))
    hold_two_conversations(panel)
    panel.part("sessions").click()
    panel.part("search").fill("HARBOUR")
    hit = panel.part("search-hit")
    expect(hit).to_have_count(1)
    expect(hit.locator("mark")).to_have_text("harbour")
    expect_fits(page, panel)
    hit.click()
    expect(panel.message("user")).to_contain_text("Where is the harbour?")


def test_by_keyboard_the_notebook_hears_nothing_and_what_was_asked_in_cells_is_marked(
    page: Page, start_lab: StartLab, repository: Path
) -> None:
    lab = start_lab(repository.parent)
    panel = panel_in_notebook(page, lab, repository, "%%ac\nIs the harbour frozen?")
    expect(page.locator(".jp-OutputArea").last).to_contain_text(
        "It was found", timeout=FIRST_S * SECONDS
    )
    hold_two_conversations(panel)
    cells = page.evaluate(CELLS)
    button = panel.part("sessions").get_by_role("button", name="Earlier conversations")
    button.focus()
    page.keyboard.press("Enter")
    expect(panel.part("search")).to_be_focused()
    expect(panel.part("session-row")).to_have_count(3)
    for key in ("ArrowDown", "m", "b", "x", "Shift+Enter"):
        page.keyboard.press(key)
    expect(panel.part("session-row")).to_have_count(0)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(panel.part("search")).to_have_count(0)
    expect(button).to_be_focused()
    assert page.evaluate(CELLS) == cells
    assert page.locator(".jp-Notebook .jp-MarkdownCell").count() == 0

    button.click()
    row = panel.part("session-row").filter(has_text="Is the harbour frozen?")
    expect(row).to_contain_text("from a cell or a terminal")
    row.click()
    expect(panel.message("user")).to_contain_text("Is the harbour frozen?")


def test_while_an_answer_comes_in_an_earlier_conversation_opens_in_a_tab(
    page: Page, start_serve: StartServe, repository: Path
) -> None:
    panel = panel_of(page, start_serve(repository, "scripted-long@0.03"))
    panel.ask("A long story, please.")
    expect(panel.message("assistant").last).to_contain_text("word", timeout=FIRST_S * SECONDS)
    panel.part("sessions").click()
    expect(panel.part("session-row").first).to_have_attribute("aria-disabled", "false")
    expect(panel.part("session-row").first).to_have_attribute("title", re.compile("new tab"))
    page.keyboard.press("Escape")
    panel.part("stop").click()
    panel.answer("cancelled")


def test_another_page_follows_to_the_conversation_that_is_taken_up(
    page: Page, start_serve: StartServe, repository: Path
) -> None:
    server = start_serve(repository)
    panel = panel_of(page, server)
    hold_two_conversations(panel)
    other_page = page.context.new_page()
    other = panel_of(other_page, server)
    panel.part("sessions").click()
    panel.part("session-row").nth(1).click()
    expect(other.message("user")).to_contain_text("Where is the harbour?")


def test_what_was_spent_is_summed_up(page: Page, start_serve: StartServe, repository: Path) -> None:
    panel = panel_of(page, start_serve(repository, "gpt-4o-mini"))
    panel.ask("How much is it?")
    panel.answer(seconds=FIRST_S)
    spend = panel.part("spend")
    expect(spend).to_contain_text("This conversation")
    sums = spend.locator("dd").all_inner_texts()
    assert sums[0].startswith(("$", "<"))
    assert sums == [sums[0]] * 3
    panel.app.get_by_role("button", name="New conversation").click()
    expect(spend.locator("dd").nth(0)).to_have_text("$0")
    assert spend.locator("dd").nth(2).inner_text() == sums[2]


@pytest.mark.soak
def test_the_list_fits_and_is_photographed(
    page: Page, start_lab: StartLab, repository: Path, pictures: Path
) -> None:
    lab = start_lab(repository.parent, "gpt-4o-mini")
    panel = panel_in_notebook(page, lab, repository)
    command(page, "application:toggle-left-area")
    hold_two_conversations(panel)
    for theme, width in zip(THEMES, (1400, 320), strict=True):
        choose_theme(page, panel, theme)
        resize_panel(page, panel, width)
        panel.app.scroll_into_view_if_needed()
        panel.part("sessions").click()
        expect(panel.part("session-row")).to_have_count(2)
        picture = pictures / f"sessions-{theme}-{width}.png"
        page.screenshot(path=picture, animations="disabled")
        assert panel.app.evaluate(OVERFLOW) == []
        panel.part("search").fill("harbour")
        expect(panel.part("search-hit")).to_have_count(1)
        picture = pictures / f"search-{theme}-{width}.png"
        page.screenshot(path=picture, animations="disabled")
        assert panel.app.evaluate(OVERFLOW) == []
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
