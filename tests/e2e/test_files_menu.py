"""Actions on files, branches and sets in the picker, and the context as a drawing, in a browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_standalone import open_page
from tests.support.repositories import make_repository
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
StartServe = Callable[..., ServeProcess]
CODE = "class Garden:\n    def water(self):\n        return 1\n\n\ndef weed():\n    return 2\n"


def test_a_day_with_files_by_keyboard_and_mouse(
    page: Page, start_serve: StartServe, tmp_path: Path
) -> None:
    folder = make_repository(tmp_path / "garden", {"bed/rose.py": CODE, "weed.md": "weed\n"})
    folder.git("branch", "spring")
    folder.write("weed.md", "weed\nmore\n")
    panel = open_page(page, start_serve(folder.root))
    badge = panel.row("weed.md").locator(".badge")

    panel.row("weed.md").click(button="right")
    panel.part("picker-action", '[data-action="stage"]').click()
    expect(badge).to_have_text("S")
    assert folder.git("diff", "--cached", "--name-only") == "weed.md"
    expect(panel.part("picker").get_by_role("tree")).to_be_focused()
    page.keyboard.press("Shift+F10")
    page.keyboard.press("d")
    page.keyboard.press("Enter")
    question = panel.part("picker-confirmation")
    expect(question).to_contain_text("Discard the changes of weed.md?")
    panel.part("picker-confirm").click()
    expect(badge).to_have_count(0)
    assert (folder.root / "weed.md").read_text() == "weed\n"

    panel.row("bed/rose.py").click()
    panel.part("picker").get_by_role("tree").focus()
    page.keyboard.press("F2")
    panel.part("picker-form").locator("input").fill("bed/tulip.py")
    page.keyboard.press("Enter")
    expect(panel.row("bed/tulip.py").locator('[data-ac="picker-check"]')).to_be_checked()
    folder.git("commit", "-q", "-m", "renamed")

    panel.part("picker-sets").click()
    panel.part("set-save").click()
    panel.part("picker-form").locator("input").fill("flowers")
    page.keyboard.press("Enter")
    expect(panel.part("picker-form")).to_have_count(0)
    panel.part("branch-menu").click()
    panel.part("branch", '[data-branch="spring"]').click()
    expect(panel.part("branch-menu")).to_contain_text("spring")
    expect(panel.row("bed/rose.py")).to_be_visible()
    panel.part("picker-sets").click()
    panel.part("set-load").click()
    expect(panel.part("toast").first).to_contain_text("bed/tulip.py")

    panel.tick("bed/rose.py")
    panel.part("context-tab", '[data-tab="drawing"]').click()
    symbol = panel.part("icicle-box", '[data-kind="symbol"]').filter(has_text="Garden")
    symbol.click()
    expect(panel.part("context-reason")).to_contain_text("You ticked this file.")
    panel.part("context-remove").click()
    expect(panel.part("icicle-box", '[data-kind="symbol"]')).to_have_count(0)


def test_a_file_is_excluded_and_included_by_mouse_keyboard_and_menu(
    page: Page, start_serve: StartServe, tmp_path: Path
) -> None:
    folder = make_repository(tmp_path / "garden", {"bed/rose.py": CODE, "weed.md": "weed\n"})
    panel = open_page(page, start_serve(folder.root))
    rose, weed, bed = (panel.row(path) for path in ("bed/rose.py", "weed.md", "bed"))
    rose.locator('[data-ac="picker-check"]').click()
    rose.locator('[data-ac="picker-check"]').click(modifiers=["Shift"])
    expect(rose).to_have_attribute("data-excluded", "all")
    expect(bed).to_have_attribute("data-excluded", "some")
    expect(rose).to_contain_text("never sent")
    expect(rose.locator('[data-ac="picker-check"]')).not_to_be_checked()
    expect(panel.part("breakdown-row", '[data-path="bed/rose.py"]')).to_have_count(0)
    expect(panel.part("breakdown-excluded")).to_contain_text("1 file is excluded")
    page.reload()
    expect(rose).to_have_attribute("data-excluded", "all")
    weed.click()
    panel.part("picker").get_by_role("tree").focus()
    page.keyboard.press("Shift+Space")
    expect(weed).to_have_attribute("data-excluded", "all")
    expect(panel.part("picker-excluded-count")).to_have_text("2")
    weed.click(button="right")
    panel.part("picker-action", '[data-action="include"]').click()
    expect(weed).to_have_attribute("data-excluded", "none")
    rose.click()
    expect(rose).to_have_attribute("data-excluded", "none")
    expect(rose.locator('[data-ac="picker-check"]')).to_be_checked()
