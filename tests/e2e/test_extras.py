"""Beside the talk in the panel: images, commits, shortening, search, export, a server's restart.

One server for all tests; each starts a conversation of its own.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.installed import Installed
from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_edits import BEDS, SUMMARY, TOP
from tests.e2e.test_looks import OVERFLOW
from tests.support.model_process import running_model_server
from tests.support.pictures import png
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess, free_port

pytestmark = pytest.mark.e2e
WITHIN = "#panel"
FOCUSED = """() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.dataset.ac ?? element?.tagName;
}"""
# What the browser would do with a file that the person brings.
BRING = """(target, [kind, type, content]) => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
    data.items.add(new File([bytes], 'brought', { type }));
    const options = { bubbles: true, composed: true, cancelable: true };
    const event = kind === 'paste'
        ? new ClipboardEvent(kind, { ...options, clipboardData: data })
        : new DragEvent(kind, { ...options, dataTransfer: data });
    return target.dispatchEvent(event);
}"""


@dataclass(frozen=True)
class Garden:
    """A repository and what serves it."""

    folder: RepositoryFolder
    server: ServeProcess


@pytest.fixture(scope="module")
def garden(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Garden]:
    root = tmp_path_factory.mktemp("extras")
    folder = make_repository(
        root / "work" / "garden", {"summary.py": SUMMARY, "beds.md": "# Beds\n\nTwo.\n"}
    )
    home = root / "home"
    home.mkdir()
    with running_model_server(root / "requests") as model:
        environment = installed.environment(
            home,
            JUPYTER_AC_CONFIG_DIR=str(home / "ac"),
            JUPYTER_AC_MODEL="openai/scripted-edits",
            JUPYTER_AC_SMALLER_MODEL="openai/scripted-summary",
            JUPYTER_AC_API_BASE=model.openai,
            OPENAI_API_KEY="sk-scripted-0000",
        )
        server = ServeProcess(
            folder.root, environment, port=free_port(), python=installed.python, cwd=root
        )
        server.start()
        yield Garden(folder, server)
        server.close()


def open_panel(page: Page, garden: Garden) -> Panel:
    """A panel with an empty conversation."""
    page.goto(garden.server.page)
    panel = Panel(page, WITHIN)
    panel.wait_for("ready", 90)
    if panel.part("message").count():
        panel.app.get_by_role("button", name="New conversation").click()
        expect(panel.part("message")).to_have_count(0)
    return panel


def ask(panel: Panel, question: str, answer: str = "Fine.") -> None:
    panel.ask(f"{question}\n\n=====\n{answer}")
    panel.answer("done", 90)


def bring(panel: Panel, part: str, kind: str, content: bytes, mime: str = "image/png") -> bool:
    """Whether the browser does with the file what it always does."""
    told = panel.part(part).first.evaluate(BRING, [kind, mime, b64encode(content).decode()])
    return bool(told)


def test_images_come_with_the_question_and_are_there_after_a_reload_and_elsewhere(
    page: Page, garden: Garden
) -> None:
    panel = open_panel(page, garden)
    other = Panel(page.context.new_page(), WITHIN)
    other.page.goto(garden.server.page)
    other.wait_for("ready", 90)
    assert not bring(panel, "input", "paste", png(b"one"))
    assert not bring(panel, "picker", "drop", png(b"two"))
    expect(panel.part("attachment")).to_have_count(2)
    assert not bring(panel, "app", "drop", b"text", "text/plain")
    expect(panel.part("toast")).to_contain_text("is not a PNG")
    panel.part("attachment").first.focus()
    page.keyboard.press("Enter")
    expect(panel.part("attachment")).to_have_count(1)
    expect(panel.part("input")).to_be_focused()
    ask(panel, "What is this?")
    expect(panel.part("attachment")).to_have_count(0)
    for shown in (panel, other):
        expect(shown.message("user").locator("img")).to_have_count(1)
    page.reload()
    panel.wait_for("ready", 90)
    image = panel.message("user").locator("img")
    expect(image).to_have_js_property("naturalWidth", 1)


def test_a_commit_by_keyboard_alone_keeps_its_message_until_it_is_made(
    page: Page, garden: Garden
) -> None:
    panel = open_panel(page, garden)
    garden.folder.write("soil.md", "Dark.\n")
    button = panel.part("commit")
    button.focus()
    page.keyboard.press("Enter")
    for key in ("S", "o", "i", "l", "Shift+Enter", "Shift+Enter", "D"):
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    expect(panel.part("commit-error")).to_contain_text("git does not know who you are")
    expect(panel.part("commit-message")).to_be_focused()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    garden.folder.git("config", "user.name", "Ada")
    garden.folder.git("config", "user.email", "ada@example.org")
    page.keyboard.press("Enter")
    expect(panel.part("commit-message")).to_have_value("Soil\n\nD")
    expect(panel.part("commit-row", '[data-path="soil.md"]')).to_have_count(1)
    page.set_viewport_size({"width": 320, "height": 700})
    assert panel.app.evaluate(OVERFLOW) == []
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "commit-write"
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "commit-submit"
    page.keyboard.press("Enter")
    expect(panel.message("system")).to_have_text(re.compile("Committed [0-9a-f]+: Soil"))
    assert garden.folder.git("log", "-1", "--format=%B").strip() == "Soil\n\nD"
    assert garden.folder.git("status", "--porcelain") == ""


def test_the_talk_is_shortened_and_files_leave_the_log_on_a_click(
    page: Page, garden: Garden
) -> None:
    panel = open_panel(page, garden)
    expect(panel.part("compact")).to_be_disabled()
    panel.tick("summary.py")
    ask(panel, "First. " + "This is what the garden is about. " * 20)
    panel.tick("summary.py")
    row = panel.part("breakdown-row", '[data-path="summary.py"]')
    expect(row).to_contain_text("still sent")
    panel.part("trim").focus()
    page.keyboard.press("Enter")
    expect(row).to_have_count(0)
    expect(panel.part("toast")).to_contain_text("fewer tokens are sent")
    assert page.evaluate(FOCUSED) != "BODY"
    for question in ("Second.", "Third.", "Fourth."):
        ask(panel, question)
    panel.part("compact").focus()
    page.keyboard.press("Enter")
    expect(panel.message("system")).to_have_count(1, timeout=90 * SECONDS)
    expect(panel.part("compact")).to_be_focused()
    expect(panel.message("user")).to_have_count(4)


def test_tab_goes_round_through_the_panel_and_into_it_again(page: Page, garden: Garden) -> None:
    panel = open_panel(page, garden)
    expect(panel.part("input")).to_be_focused()
    stops = []
    for _ in range(80):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUSED))
        if stops[-1] == "input":
            break
    assert stops[-1] == "input"
    assert {"commit", "model", "settings", "picker-filter", "edits-review"} <= set(stops)


def test_conversations_are_searched_and_saved(page: Page, garden: Garden) -> None:
    panel = open_panel(page, garden)
    ask(panel, "Where do the beetroots grow?", "In the *third* bed.")
    panel.part("sessions").get_by_role("button", name="Earlier conversations").click()
    panel.part("search").fill("beetroots")
    expect(panel.part("search-hit")).to_have_count(1)
    expect(panel.part("search-hit").locator("mark")).to_have_text("beetroots")
    for name, words in (("markdown", "In the *third* bed."), ("ipynb", '"nbformat": 4')):
        with page.expect_download() as download:
            panel.part("export", f'[data-format="{name}"]').click()
        assert words in Path(download.value.path()).read_text(encoding="utf-8")
    page.set_viewport_size({"width": 320, "height": 700})
    assert panel.app.evaluate(OVERFLOW) == []


def test_a_restart_of_the_server_leaves_the_conversation_and_its_undo(
    page: Page, garden: Garden
) -> None:
    panel = open_panel(page, garden)
    panel.tick("beds.md")
    ask(panel, "Change it.", f"{BEDS}\n{TOP}")
    expect(panel.part("edit-card").first).to_have_attribute("data-status", "applied")
    before = panel.part("message").count()
    panel.part("input").fill("A draft")
    garden.server.close()
    panel.wait_for("offline")
    garden.server.start()
    panel.wait_for("ready", 90)
    expect(panel.part("message")).to_have_count(before)
    expect(panel.part("input")).to_have_value("A draft")
    panel.part("undo").click()
    expect(panel.part("edit-card").first).to_have_attribute("data-status", "undone")
    assert (garden.folder.root / "beds.md").read_text() == "# Beds\n\nTwo.\n"
    ask(panel, "And then?")
    expect(panel.message("assistant")).to_have_count(2)


def test_reasoning_is_shown_apart_also_to_who_comes_in_the_middle(
    page: Page, start_serve: Callable[..., ServeProcess], repository: Path
) -> None:
    page.goto(start_serve(repository, "scripted-reasoning@0.15").page)
    panel = Panel(page, WITHIN)
    panel.wait_for("ready", 90)
    panel.ask("Why?")
    reasoning = panel.message("assistant").locator("details")
    expect(reasoning).to_be_visible(timeout=90 * SECONDS)
    page.reload()
    panel.answer("done", 90)
    expect(reasoning.locator("div")).to_have_text("Let me think. The file has no guard.")
    expect(reasoning).not_to_have_attribute("open", "")
    expect(panel.message("assistant").locator(".answer")).not_to_contain_text("no guard")
