"""The input in a browser: nothing that was typed is lost, and undo knows what was put there."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.panel import SECONDS, Panel
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
LIMIT_MS = 120 * SECONDS


@pytest.fixture
def panel(page: Page, start_serve: Callable[..., ServeProcess], repository: Path) -> Panel:
    server = start_serve(repository, "scripted-long@0.02")
    page.goto(server.page)
    panel = Panel(page, "#panel")
    panel.wait_for("ready", 90)
    return panel


def test_what_was_typed_is_never_lost(page: Page, panel: Panel) -> None:
    typed = panel.part("input")
    typed.click()
    page.keyboard.type("Half a question")
    page.keyboard.press("Escape")
    expect(typed).to_have_value("Half a question")

    page.reload()
    panel.wait_for("ready", 90)
    expect(typed).to_have_value("Half a question")

    typed.click()
    page.keyboard.press("Enter")
    panel.wait_for("streaming")
    expect(typed).to_have_value("")
    page.keyboard.press("Control+z")
    expect(typed).to_have_value("Half a question")
    page.keyboard.press("Control+Shift+z")
    expect(typed).to_have_value("")

    page.keyboard.type("Next")
    page.keyboard.press("Escape")
    panel.answer("cancelled")
    expect(typed).to_have_value("Next")
    expect(typed).to_be_focused()

    panel.app.get_by_role("button", name="New conversation").click()
    expect(panel.message("user")).to_have_count(0)
    expect(typed).to_have_value("")
    # Undo doesn't lead from one conversation into another.
    page.keyboard.press("Control+z")
    expect(typed).to_have_value("")


def test_questions_wait_come_back_and_are_asked_anew(page: Page, panel: Panel) -> None:
    page.set_viewport_size({"width": 900, "height": 420})
    typed, waiting = panel.part("input"), panel.part("queue-item")
    typed.click()
    page.keyboard.type("One")
    page.keyboard.press("Enter")
    expect(panel.message("assistant").last).to_contain_text("word00150", timeout=LIMIT_MS)
    page.keyboard.type("Two")
    page.keyboard.press("Enter")
    expect(waiting).to_contain_text("Two")
    expect(typed).to_have_value("")
    page.keyboard.press("Escape")
    panel.answer("cancelled")
    expect(waiting).to_have_count(0)
    expect(typed).to_have_value("Two")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")

    page.keyboard.press("ArrowUp")
    expect(typed).to_have_value("One")
    page.keyboard.press("Control+z")
    expect(typed).to_have_value("")

    # Asking while scrolled up: the question comes into view.
    log = panel.app.get_by_role("log")
    log.evaluate("log => { log.scrollTop = 0; }")
    expect(panel.app.get_by_role("button", name="To the end")).to_be_visible()
    page.keyboard.type("Three")
    page.keyboard.press("Enter")
    expect(panel.message("user").last).to_be_in_viewport()
    expect(panel.message("assistant").last).to_contain_text("word00001", timeout=LIMIT_MS)
    page.keyboard.press("Escape")
    panel.answer("cancelled")

    panel.part("question-edit").nth(1).click()
    expect(panel.message("user")).to_have_count(1)
    expect(typed).to_have_value("Three")
    expect(typed).to_be_focused()
    page.reload()
    panel.wait_for("ready", 90)
    expect(panel.message("user")).to_have_count(1)
    expect(typed).to_have_value("Three")
