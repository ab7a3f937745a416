"""Edits in the panel: cards that come with the answer, and the user's word on them."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_looks import OVERFLOW, SCHEMES
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
WITHIN = "#panel"
StartServe = Callable[..., ServeProcess]

SUMMARY = (
    "def mean(days):\n    return sum(days) / len(days)\n\n\n"
    "def top(days):\n        return max(days)\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(
        tmp_path / "work" / "garden", {"summary.py": SUMMARY, "beds.md": "# Beds\n\nTwo.\n"}
    )


def block(path: str, old: str, new: str) -> str:
    return f"{path}\n🟧🟧🟧 EDIT\n{old}🟨🟨🟨 REPL\n{new}🟩🟩🟩 END\n"


MEAN = block(
    "summary.py", "    return sum(days) / len(days)\n", "    return sum(days) / max(1, len(days))\n"
)
BEDS = block("beds.md", "Two.\n", "Three.\n")
SOIL = block("soil.md", "", "# Soil\n\nDark.\n")
TOP = block("summary.py", "    return max(days)\n", "    return max(days, default=0)\n")

FIRST = block("summary.py", "def mean(days):\n", "def average(days):\n")
GONE = block("summary.py", "    return min(days)\n", "    return min(days, default=0)\n")
DIFF = "```diff\n--- a/beds.md\n+++ b/beds.md\n@@ -1,3 +1,3 @@\n # Beds\n\n-Two.\n+Three.\n```\n"


def open_panel(page: Page, server: ServeProcess, *ticked: str) -> Panel:
    page.goto(server.page)
    panel = Panel(page, WITHIN)
    panel.wait_for("ready", 90)
    panel.tick(*ticked)
    return panel


def ask(panel: Panel, *answers: str) -> None:
    """Ask what is answered with these texts, one after another as the turn asks again."""
    panel.ask("\n=====\n".join(("Change it.", *answers)))


def cards(panel: Panel) -> Locator:
    return panel.part("edit-card")


def expect_statuses(panel: Panel, *statuses: str) -> None:
    for index, status in enumerate(statuses):
        expect(cards(panel).nth(index)).to_have_attribute("data-status", status)
    expect(cards(panel)).to_have_count(len(statuses))


def test_edits_are_pending_while_they_come_then_applied_and_staged_and_can_be_undone(
    page: Page, start_serve: StartServe, folder: RepositoryFolder
) -> None:
    server = start_serve(folder.root, "scripted-edits@0.04")
    panel = open_panel(page, server, "summary.py", "beds.md")
    ask(panel, f"First the *mean*.\n\n{MEAN}\nThen the soil.\n\n{SOIL}\nDone.\n")
    first = cards(panel).first
    expect(first).to_have_attribute("data-status", "pending", timeout=90 * SECONDS)
    expect(panel.message("assistant")).to_have_attribute("data-state", "streaming")
    expect(first).to_have_attribute("data-path", "summary.py")
    panel.answer("done", 90)
    expect_statuses(panel, "applied", "applied")
    assert "max(1, len(days))" in (folder.root / "summary.py").read_text()
    assert (folder.root / "soil.md").read_text() == "# Soil\n\nDark.\n"
    assert folder.git("diff", "--cached", "--name-only") == "soil.md\nsummary.py"
    answer = panel.message("assistant")
    expect(answer).not_to_contain_text("🟧")
    expect(first.locator("mark").first).to_be_visible()
    expect(panel.part("edit-summary")).to_contain_text("2 applied in 2 files")

    page.reload()
    panel.wait_for("ready", 90)
    expect_statuses(panel, "applied", "applied")
    other = open_panel(page.context.new_page(), server)
    expect_statuses(other, "applied", "applied")

    panel.part("undo").click()
    expect_statuses(panel, "undone", "undone")
    expect_statuses(other, "undone", "undone")
    expect(panel.part("undo")).to_have_count(0)
    assert (folder.root / "summary.py").read_text() == SUMMARY
    assert folder.git("status", "--porcelain") == ""


def test_a_stopped_answer_changes_nothing_however_far_its_blocks_came(
    page: Page, start_serve: StartServe, folder: RepositoryFolder
) -> None:
    panel = open_panel(
        page, start_serve(folder.root, "scripted-edits@0.15"), "summary.py", "beds.md"
    )
    ask(panel, f"{BEDS}\n{'More to come. ' * 200}")
    expect(cards(panel)).to_contain_text("Waiting", timeout=90 * SECONDS)
    page.reload()
    panel.wait_for("streaming", 90)
    expect_statuses(panel, "pending")
    panel.part("stop").click()
    panel.answer("cancelled")
    expect_statuses(panel, "skipped")
    expect(panel.part("edit-summary")).to_contain_text("1 skipped in 1 file")
    assert folder.git("status", "--porcelain") == ""


def test_single_edits_are_undone_and_cards_say_what_others_have_made_of_them(
    page: Page, start_serve: StartServe, folder: RepositoryFolder, pictures: Path
) -> None:
    panel = open_panel(page, start_serve(folder.root, "scripted-edits"), "summary.py", "beds.md")
    ask(panel, f"{MEAN}\n{BEDS}\n{FIRST}")
    panel.answer("done", 90)
    expect_statuses(panel, "applied", "applied", "applied")
    panel.part("undo-file").first.evaluate("button => button.closest('details').open = true")
    photograph(page, panel, pictures, "edits-undo-one")
    cards(panel).first.locator('[data-ac="edit-undo"]').click()
    expect_statuses(panel, "undone", "applied", "applied")
    assert (folder.root / "summary.py").read_text() == SUMMARY.replace("mean", "average")

    folder.write("beds.md", "# Beds\n\nMine.\n")
    expect_statuses(panel, "undone", "changed", "applied")
    photograph(page, panel, pictures, "edits-changed")
    expect(panel.part("undo")).to_have_text("Undo 1 of 2 edits")
    panel.part("undo").click()
    expect_statuses(panel, "undone", "changed", "undone")
    assert (folder.root / "summary.py").read_text() == SUMMARY
    folder.git("reset", "--hard", "--quiet")
    expect_statuses(panel, "undone", "undone", "undone")
    folder.write("beds.md", "# Beds\n\nThree.\n")
    expect_statuses(panel, "undone", "applied", "undone")


def test_what_failed_has_one_card_and_is_prepared_as_a_question(
    page: Page, start_serve: StartServe, folder: RepositoryFolder, pictures: Path
) -> None:
    panel = open_panel(page, start_serve(folder.root, "scripted-edits"), "summary.py", "beds.md")
    ask(panel, f"{GONE}\nAnd\n\n{BEDS}\n{TOP}", f"Again.\n\n{GONE}")
    panel.answer("done", 90)
    expect_statuses(panel, "failed", "applied", "failed")
    failed, corrected = cards(panel).first, cards(panel).last
    expect(failed).to_contain_text("attempt 2")
    expect(failed.locator(".edit-told")).not_to_have_attribute("open", "")
    summary = panel.part("edit-summary")
    expect(summary).to_contain_text(
        "1 applied, 1 with corrected indentation, 1 failed in 2 files, 2 attempts"
    )
    photograph(page, panel, pictures, "edits-failed")
    summary.locator(".edit-missed button").first.click()
    expect(failed).to_be_focused()
    prepared = panel.part("input").input_value()
    assert "summary.py" in prepared
    assert len(panel.message("user").all()) == 1

    corrected.locator('[data-ac="edit-correct"]').click()
    expect_statuses(panel, "failed", "applied", "applied")
    assert "        return max(days, default=0)\n" in (folder.root / "summary.py").read_text()


def test_a_diff_is_offered_and_applied_on_a_click(
    page: Page, start_serve: StartServe, folder: RepositoryFolder, pictures: Path
) -> None:
    panel = open_panel(page, start_serve(folder.root, "scripted-edits"), "beds.md")
    search = "summary.py\n```\n<<<<<<< SEARCH\ndef mean(days):\n=======\ndef average(days):\n"
    ask(panel, f"First:\n\n{DIFF}\nThen:\n\n{search}>>>>>>> REPLACE\n```\n\nDone.\n")
    panel.answer("done", 90)
    expect_statuses(panel, "suggested", "suggested")
    expect(panel.message("assistant")).not_to_contain_text("@@")
    photograph(page, panel, pictures, "edits-suggested")
    assert folder.git("status", "--porcelain") == ""
    cards(panel).first.locator('[data-ac="edit-accept"]').click()
    expect_statuses(panel, "applied", "suggested")
    assert (folder.root / "beds.md").read_text() == "# Beds\n\nThree.\n"
    assert (folder.root / "summary.py").read_text() == SUMMARY


def test_in_review_edits_wait_for_each_word_of_the_user(
    page: Page, start_serve: StartServe, folder: RepositoryFolder
) -> None:
    server = start_serve(folder.root, "scripted-edits")
    panel = open_panel(page, server, "summary.py", "beds.md")
    switch = panel.part("edits-review")
    expect(switch).to_have_attribute("aria-checked", "false")
    switch.focus()
    page.keyboard.press("Space")
    expect(switch).to_have_attribute("aria-checked", "true")
    ask(panel, f"{MEAN}\n{BEDS}\n{SOIL}")
    expect_statuses(panel, "pending", "pending", "pending")
    expect(panel.part("edit-accept")).to_have_count(3)
    assert folder.git("status", "--porcelain") == ""

    page.reload()
    panel.wait_for("ready", 90)
    expect(switch).to_have_attribute("aria-checked", "true")
    panel.part("edit-accept").first.focus()
    page.keyboard.press("Enter")
    expect_statuses(panel, "applied", "pending", "pending")
    expect(panel.part("edit-accept").first).to_be_focused()
    cards(panel).nth(1).locator('[data-ac="edit-reject"]').click()
    expect_statuses(panel, "applied", "rejected", "pending")
    cards(panel).nth(2).locator('[data-ac="edit-accept"]').click()
    expect_statuses(panel, "applied", "rejected", "applied")
    assert folder.git("diff", "--cached", "--name-only") == "soil.md\nsummary.py"
    panel.part("undo").click()
    expect_statuses(panel, "undone", "rejected", "undone")
    assert folder.git("status", "--porcelain") == ""


def test_what_runs_by_itself_is_applied_by_its_own_button_only(
    page: Page, start_serve: StartServe, folder: RepositoryFolder, pictures: Path
) -> None:
    panel = open_panel(page, start_serve(folder.root, "scripted-edits"), "beds.md")
    hook = block(".githooks/post-index-change", "", "#!/bin/sh\ntouch evil\n")
    tests = block("conftest.py", "", "x = 1\n")
    ask(panel, f"{BEDS}\nThen a hook.\n\n{hook}\nAnd tests.\n\n{tests}")
    panel.answer("done", 90)
    expect_statuses(panel, "applied", "pending", "pending")
    card = cards(panel).nth(1)
    expect(card).to_contain_text("Runs by itself: git runs what lies in a hooks folder")
    expect(panel.part("edit-accept-all")).to_have_count(0)
    photograph(page, panel, pictures, "edits-protected")
    card.locator('[data-ac="edit-accept"]').click()
    expect_statuses(panel, "applied", "applied", "pending")
    expect(panel.part("edit-summary")).to_be_focused()

    panel.part("undo").click()
    expect(panel.part("undo-confirm")).to_contain_text(".githooks/post-index-change")
    photograph(page, panel, pictures, "edits-undo")
    panel.part("undo-keep").click()
    expect(panel.part("undo-confirm")).to_have_count(0)
    panel.part("undo").click()
    panel.part("undo-confirmed").click()
    expect_statuses(panel, "undone", "undone", "pending")
    assert folder.git("status", "--porcelain") == ""


STRIP = """# Takes what was put out from a document.
while IFS= read -r line; do
    case $line in Out:*) ;; *) printf '%s\\n' "$line" ;; esac
done
"""


def test_a_filter_runs_once_it_was_allowed_by_a_question_that_names_it(
    page: Page, start_serve: StartServe, folder: RepositoryFolder, pictures: Path
) -> None:
    folder.write("tools/strip.sh", STRIP)
    folder.write(".gitattributes", "*.md filter=strip\n")
    folder.commit("filter")
    folder.git("config", "filter.strip.clean", "sh tools/strip.sh")
    panel = open_panel(page, start_serve(folder.root, "scripted-edits"), "beds.md")
    ask(panel, block("beds.md", "Two.\n", "Three.\nOut: 3\n"))
    panel.answer("done", 90)
    expect_statuses(panel, "applied")
    card = cards(panel).first
    expect(card).to_contain_text("not staged")
    photograph(page, panel, pictures, "filter-card")
    assert folder.git("diff", "--cached", "--name-only") == ""

    card.get_by_role("button", name="Allow").click()
    question = panel.part("program-question")
    expect(question).to_contain_text("sh tools/strip.sh")
    expect(question).to_contain_text("tools/strip.sh of this repository")
    expect(panel.part("program-cancel")).to_be_focused()
    photograph(page, panel, pictures, "filter-question")
    panel.part("program-allow").click()
    expect(question).to_have_count(0)
    expect(panel.part("toast").filter(has_text="Staged beds.md")).to_be_visible()
    assert folder.git("diff", "--cached", "--name-only") == "beds.md"
    assert folder.git("show", ":beds.md") == "# Beds\n\nThree."
    expect(card).to_contain_text("Applied and staged.")
    expect(card).not_to_contain_text("not staged")
    expect(card.get_by_role("button", name="Allow")).to_have_count(0)
    photograph(page, panel, pictures, "filter-staged")
    page.reload()
    expect(cards(panel).first).to_contain_text("Applied and staged.")
    assert (folder.root / "beds.md").read_text() == "# Beds\n\nThree.\nOut: 3\n"


def photograph(page: Page, panel: Panel, pictures: Path, name: str) -> None:
    for scheme, width in zip(SCHEMES, (300, 900), strict=True):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 1000})
        expect(panel.app).to_have_attribute("data-theme", scheme)
        page.screenshot(path=pictures / f"{name}-{scheme}-{width}.png")
        assert panel.app.evaluate(OVERFLOW) == []


def test_a_file_that_git_ignores_is_sent_only_after_a_tick_and_a_send(
    page: Page, start_serve: StartServe, folder: RepositoryFolder, pictures: Path
) -> None:
    folder.write(".gitignore", ".env\n")
    folder.write(".env", "KEY=1\nTOKEN=2\n")
    server = start_serve(folder.root, "scripted-edits@0.004")
    panel = open_panel(page, server)
    secret = block(".env", "TOKEN=2\n", "TOKEN=3\n")
    ask(panel, secret)
    panel.answer("done", 90)
    expect_statuses(panel, "not_in_context")
    expect(cards(panel).first).to_contain_text("git ignores it")
    photograph(page, panel, pictures, "edit-tick")
    panel.part("edit-tick").click()
    expect(panel.part("input")).to_have_value(re.compile(r"send its edits again:\n- \.env$"))
    expect(panel.part("breakdown")).to_contain_text(".env: By its name", timeout=90 * SECONDS)
    assert (folder.root / ".env").read_text() == "KEY=1\nTOKEN=2\n"
