"""Runs of the agent in the panel: cards, approval by keyboard and mouse, undo, and a reload."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Error, Locator, Page, expect

from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_edits import block
from tests.e2e.test_looks import OVERFLOW
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
StartServe = Callable[..., ServeProcess]

EDIT = block("plan.txt", "one\n", "ONE\n")


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "work" / "garden", {"plan.txt": "one\ntwo\n"})


@pytest.fixture
def panel(served_panel: Callable[[Path], Panel], folder: RepositoryFolder) -> Panel:
    """A panel whose model takes tools and answers as the question says, in the mode *Agent*."""
    opened = served_panel(folder.root)
    opened.part("agent-switch").select_option("agent")
    return opened


def call(name: str, **arguments: object) -> str:
    return f"@call {name} {json.dumps(arguments)}\n"


def ask(panel: Panel, *answers: str) -> None:
    panel.ask("\n=====\n".join(("Please do it.", *answers)))


def expect_cards(panel: Panel, *expected: tuple[str, str]) -> None:
    cards = panel.part("tool-card")
    for index, (tool, status) in enumerate(expected):
        expect(cards.nth(index)).to_have_attribute("data-tool", tool, timeout=90 * SECONDS)
        expect(cards.nth(index)).to_have_attribute("data-status", status, timeout=90 * SECONDS)
    expect(cards).to_have_count(len(expected))


def press_until_gone(page: Page, key: str, part: Locator) -> None:
    """Press a key again and again: for a moment after a question has appeared keys do nothing."""
    for _ in range(100):
        page.keyboard.press(key)
        try:
            part.wait_for(state="detached", timeout=SECONDS)
        except Error:
            continue
        return
    expect(part).to_have_count(0)


def test_a_run_is_approved_by_keyboard_and_taken_back(
    page: Page, panel: Panel, folder: RepositoryFolder
) -> None:
    expect(panel.part("agent-limits")).to_contain_text("25 steps")
    ask(
        panel,
        "First I look.\n\n" + call("read_file", path="plan.txt"),
        f"Now I change it.\n\n{EDIT}\n" + call("run_command", command="touch made.txt"),
        "All is done.\n",
    )
    question = panel.part("tool-question")
    expect(panel.part("tool-text")).to_have_text("touch made.txt", timeout=90 * SECONDS)
    expect(panel.part("run-line")).to_contain_text("of 25 steps")
    expect(question).to_be_focused()
    assert not (folder.root / "made.txt").exists()
    press_until_gone(page, "a", question)
    panel.answer()
    expect_cards(panel, ("read_file", "done"), ("run_command", "done"))
    assert (folder.root / "made.txt").exists()
    assert (folder.root / "plan.txt").read_text() == "ONE\ntwo\n"
    parts = panel.message("assistant").locator(".answer > *")
    expect(parts).to_have_count(6)
    page.reload()
    panel.wait_for("ready")
    expect(panel.part("agent-switch")).to_have_attribute("data-mode", "agent")
    expect_cards(panel, ("read_file", "done"), ("run_command", "done"))
    expect(panel.part("run-files")).to_contain_text("made.txt")
    panel.part("run-diff-open").click()
    expect(panel.part("diff-file", '[data-path="plan.txt"]')).to_contain_text("ONE")
    expect(panel.part("diff-file", '[data-path="made.txt"]')).to_be_visible()
    panel.part("run-undo").click()
    expect(panel.part("run-undone")).to_contain_text("made.txt", timeout=90 * SECONDS)
    expect(panel.part("run-undo")).to_have_count(0)
    assert not (folder.root / "made.txt").exists()
    assert (folder.root / "plan.txt").read_text() == "one\ntwo\n"


def test_a_question_outlives_the_page_and_is_refused_with_a_reason(
    page: Page, panel: Panel, folder: RepositoryFolder, model: RunningModelServer
) -> None:
    ask(panel, call("run_command", command="touch made.txt"), "Then not.\n")
    expect(panel.part("tool-text")).to_have_text("touch made.txt", timeout=90 * SECONDS)
    page.reload()
    panel.wait_for("streaming")
    expect(panel.part("tool-text")).to_have_text("touch made.txt", timeout=90 * SECONDS)
    panel.part("tool-reason").fill("Use no touch.")
    panel.part("tool-refuse").click()
    expect(panel.answer()).to_contain_text("Then not.")
    expect_cards(panel, ("run_command", "refused"))
    assert not (folder.root / "made.txt").exists()
    assert "Use no touch." in json.dumps(model.bodies()[-1])


@pytest.mark.parametrize("width", [300, pytest.param(1100, marks=pytest.mark.soak)])
def test_a_question_fits_into_the_panel(page: Page, panel: Panel, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    ask(panel, call("run_command", command=f"touch {'a' * 200}.txt"), "Done.\n")
    expect(panel.part("tool-question")).to_be_visible(timeout=90 * SECONDS)
    assert panel.app.evaluate(OVERFLOW) == []
    panel.part("stop").click()
    panel.answer("cancelled")
