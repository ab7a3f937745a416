"""Conversations side by side, as a user has them: two answers at once, keys, a reload."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.panel import SECONDS, Panel
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e


def test_two_answers_are_made_at_once_in_tabs_that_a_reload_keeps(
    page: Page, start_serve: Callable[..., ServeProcess], repository: Path
) -> None:
    page.goto(start_serve(repository, "scripted-slow").page)
    panel = Panel(page, "#panel")
    panel.wait_for("ready", 90)
    panel.tick("README.md")
    panel.ask("The first one?")
    panel.wait_for("streaming")
    expect(panel.part("conversation-tab")).to_have_count(0)
    panel.app.get_by_role("button", name="New conversation").click()
    tabs = panel.part("conversation-tab")
    expect(tabs).to_have_count(2)
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    panel.wait_for("ready", 90)
    expect(panel.message("user")).to_have_count(0)
    expect(panel.part("input")).to_be_focused()
    # It begins with the ticks of the first one, which keeps its own from then on.
    expect(panel.row("README.md").locator('[data-ac="picker-check"]')).to_be_checked()
    panel.row("README.md").locator('[data-ac="picker-check"]').click()
    panel.ask("The second one?")
    expect(tabs.nth(1)).to_have_attribute("data-mark", "running")
    expect(panel.message("user")).to_have_text("The second one?")
    expect(tabs.nth(0)).to_have_attribute("data-mark", "unread", timeout=90 * SECONDS)
    panel.answer("done", 90)

    tabs.nth(1).focus()
    page.keyboard.press("ArrowLeft")
    expect(tabs.nth(0)).to_be_focused()
    expect(tabs.nth(0)).to_have_attribute("data-mark", "")
    expect(panel.message("user")).to_have_text("The first one?")
    expect(panel.row("README.md").locator('[data-ac="picker-check"]')).to_be_checked()

    page.reload()
    panel.wait_for("ready", 90)
    expect(tabs).to_have_count(2)
    expect(tabs.nth(0)).to_have_attribute("aria-selected", "true")
    tabs.nth(1).click()
    expect(panel.message("user")).to_have_text("The second one?")
    expect(panel.row("README.md").locator('[data-ac="picker-check"]')).not_to_be_checked()
    page.keyboard.press("Delete")
    expect(tabs).to_have_count(0)
    expect(panel.message("user")).to_have_text("The first one?")
