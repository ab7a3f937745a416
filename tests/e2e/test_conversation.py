"""What can be done with a conversation in a browser: versions, exclusion, pins, search, export."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.panel import SECONDS, Panel
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
LIMIT_MS = 60 * SECONDS


def say(panel: Panel, text: str, count: int) -> None:
    panel.ask(text)
    expect(panel.message("assistant", "done")).to_have_count(count, timeout=LIMIT_MS)


def test_a_conversation_is_changed_searched_and_saved(
    page: Page, start_serve: Callable[..., ServeProcess], repository: Path
) -> None:
    page.set_default_timeout(15_000)
    page.set_viewport_size({"width": 900, "height": 700})
    page.goto(start_serve(repository).page)
    panel = Panel(page, "#panel")
    panel.wait_for("ready", 90)
    panel.tick("README.md")
    for number, question in enumerate(("What is one?", "What is two?", "What is three?"), 1):
        say(panel, question, number)

    # What is excluded is not sent any more, and can be put back.
    panel.part("exclude").nth(1).click()
    expect(panel.message("user").nth(1)).to_have_attribute("data-context", "excluded")
    expect(panel.part("context-mark")).to_contain_text("tokens less")
    panel.part("pin").first.click()
    expect(panel.part("pin").first).to_have_attribute("aria-pressed", "true")
    page.reload()
    panel.wait_for("ready", 90)
    expect(panel.message("user").nth(1)).to_have_attribute("data-context", "excluded")
    panel.part("marked-turns").first.click()
    expect(panel.part("marked-row")).to_have_count(2)
    expect(panel.part("marked-row").first).to_be_focused()
    with page.expect_download() as saved:
        panel.part("export-as", '[data-format="json"]').click()
    written = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert [each["role"] for each in written["messages"]] == ["user", "assistant"] * 3
    panel.part("include").click()
    expect(panel.message("user").nth(1)).to_have_attribute("data-context", "")

    # The search marks hits over the whole conversation.
    panel.part("input").click()
    page.keyboard.press("Control+f")
    page.keyboard.type("WHAT IS TWO?")
    expect(panel.part("find-count")).to_have_text("1 of 2")
    page.keyboard.press("Enter")
    expect(panel.part("find-count")).to_have_text("2 of 2")
    assert page.evaluate("CSS.highlights.get('ac-find').size") == 2
    page.keyboard.press("Escape")
    expect(panel.part("find")).to_have_count(0)
    expect(panel.part("input")).to_be_focused()

    # A question that is asked anew has versions, and an answer can be branched from.
    ticked = panel.row("README.md").locator('[data-ac="picker-check"]')
    ticked.click()
    panel.part("question-edit").nth(1).click()
    expect(panel.part("other-end")).to_contain_text("What is two?")
    panel.part("asked-files-tick").click()
    expect(ticked).to_be_checked()
    panel.part("input").fill("What is 2?")
    panel.part("send").click()
    expect(panel.message("assistant", "done")).to_have_count(2, timeout=LIMIT_MS)
    expect(panel.part("version")).to_have_text("2 of 2")
    panel.part("versions").get_by_role("button", name="Earlier version").click()
    expect(panel.part("version")).to_have_text("1 of 2")
    expect(panel.message("user")).to_have_count(3)
    panel.part("branch-here").first.click()
    expect(panel.message("user")).to_have_count(1)
    expect(panel.part("spoken")).to_have_attribute("role", "status")
