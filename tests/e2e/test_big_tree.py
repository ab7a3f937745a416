"""A repository of very many files in the panel, and one that somebody changes outside of it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_standalone import open_page
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
StartServe = Callable[..., ServeProcess]
WOODS = 400
# As many as a list may draw at most; more would hold up the page.
MOST_ROWS = 300
ROW_PX = 24
TOP_ROW = """tree => {
    const { top } = tree.getBoundingClientRect();
    const rows = [...tree.querySelectorAll('[data-ac=picker-row]')];
    const row = rows.find(row => row.getBoundingClientRect().bottom > top);
    return [row.dataset.path, Math.round(row.getBoundingClientRect().top - top)];
}"""


def make_forest(root: Path, files: int) -> RepositoryFolder:
    """Make a repository with one folder of `WOODS` files and the others over a hundred folders."""
    folder = make_repository(root)
    for number in range(WOODS):
        folder.write(f"woods/tree_{number:05}.py", "leaf\n")
    for number in range(WOODS, files - 1):
        folder.write(f"src/pkg_{number % 100:02}/module_{number:05}.py", "leaf\n")
    folder.write("README.md", "# Forest\n")
    folder.commit("first")
    return folder


def wait_for_tree(panel: Panel) -> None:
    expect(panel.row("src")).to_have_count(1, timeout=90 * SECONDS)
    expect(panel.part("picker-loading")).to_have_count(0, timeout=90 * SECONDS)


@pytest.mark.parametrize("files", [3_000, pytest.param(50_000, marks=pytest.mark.soak)])
def test_a_tree_in_many_slices_is_read_scrolled_filtered_and_ticked(
    page: Page, start_serve: StartServe, tmp_path: Path, files: int
) -> None:
    forest = make_forest(tmp_path / "forest", files)
    asked: list[str] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framesent", lambda frame: asked.append(str(frame))),
    )
    panel = open_page(page, start_serve(forest.root))
    wait_for_tree(panel)
    assert sum("Repo.get_tree_rows" in frame for frame in asked) >= files / 2_000
    assert not any("Repo.get_file_tree" in frame for frame in asked)
    expect(panel.part("picker-row")).to_have_count(3)

    panel.row("woods").click()
    expect(panel.row("woods/tree_00000.py")).to_be_visible()
    panel.part("picker").get_by_role("tree").evaluate("tree => { tree.scrollTop = 1e9 }")
    expect(panel.row("README.md")).to_be_in_viewport()
    expect(panel.row("woods/tree_00000.py")).to_have_count(0)
    assert panel.part("picker-row").count() < MOST_ROWS

    last = f"module_{files - 2:05}.py"
    panel.part("picker-filter").fill(last.upper())
    expect(panel.part("picker-row")).to_have_count(3)
    expect(panel.part("picker-row").last).to_contain_text(last)
    panel.part("picker-filter").fill("")
    expect(panel.row("src")).to_be_visible()

    panel.part("picker").get_by_role("tree").evaluate("tree => { tree.scrollTop = 0 }")
    panel.tick("woods")
    expect(panel.part("picker")).to_contain_text(f"{WOODS} ticked")
    expect(panel.part("breakdown")).to_contain_text("smaller files", timeout=90 * SECONDS)
    assert panel.part("breakdown-row").count() < MOST_ROWS
    page.reload()
    panel.wait_for("ready", 90)
    wait_for_tree(panel)
    expect(panel.row("woods")).to_contain_text(f"{WOODS}/{WOODS}")


@pytest.mark.soak
def test_a_folder_of_more_files_than_can_be_selected_stays_unticked(
    page: Page, start_serve: StartServe, tmp_path: Path
) -> None:
    folder = make_repository(tmp_path / "pile")
    for number in range(10_001):
        folder.write(f"pile/{number}")
    panel = open_page(page, start_serve(folder.root))
    panel.row("pile").locator('[data-ac="picker-check"]').click(timeout=90 * SECONDS)
    expect(panel.part("toast").first).to_contain_text("At most 10,000 files")
    expect(panel.row("pile").locator('[data-ac="picker-check"]')).not_to_be_checked()


def test_what_happens_outside_appears_without_a_click(
    page: Page, start_serve: StartServe, tmp_path: Path
) -> None:
    folder = make_repository(tmp_path / "garden", {"bed/rose.md": "rose\n", "README.md": "one\n"})
    panel = open_page(page, start_serve(folder.root))
    expect(panel.row("bed/rose.md")).to_be_visible()
    branch = panel.part("app").get_by_title("Branch", exact=True)
    expect(branch).to_have_text("main")

    folder.write("README.md", "one\ntwo\n")
    readme = panel.row("README.md")
    expect(readme.locator(".badge")).to_have_text("M", timeout=90 * SECONDS)
    expect(readme.locator(".plus")).to_have_text("+1")
    folder.git("checkout", "-q", "-b", "spring")
    expect(branch).to_have_text("spring", timeout=90 * SECONDS)
    folder.write("bed/new bed/tulip.md")
    expect(panel.row("bed/new bed")).to_be_visible(timeout=90 * SECONDS)
    folder.git("add", "-A")
    expect(readme.locator(".badge")).to_have_text("S", timeout=90 * SECONDS)
    folder.commit("second")
    expect(readme.locator(".badge")).to_have_count(0, timeout=90 * SECONDS)
    (folder.root / "bed/rose.md").unlink()
    expect(panel.row("bed/rose.md").locator(".badge")).to_have_text("D", timeout=90 * SECONDS)
    folder.git("rm", "-q", "bed/rose.md")
    folder.commit("third")
    expect(panel.row("bed/rose.md")).to_have_count(0, timeout=90 * SECONDS)
    expect(panel.row("bed")).to_be_visible()
    folder.git("checkout", "-q", "--detach")
    expect(branch).to_have_text(folder.git("rev-parse", "HEAD")[:7], timeout=90 * SECONDS)


def test_what_is_in_view_stays_there_when_rows_come_and_go_above_it(
    page: Page, start_serve: StartServe, tmp_path: Path
) -> None:
    trees = {f"{name}/{number:03}.txt": "leaf\n" for name in "ab" for number in range(400)}
    folder = make_repository(tmp_path / "avenue", dict(trees))
    panel = open_page(page, start_serve(folder.root))
    panel.row("b").click()
    panel.row("a").click()
    tree = panel.part("picker").get_by_role("tree")
    tree.evaluate(f"tree => {{ tree.scrollTop = 600 * {ROW_PX} + 7 }}")
    expect(panel.row("b/198.txt")).to_be_visible()
    height, top_row = tree.evaluate("tree => tree.scrollHeight"), tree.evaluate(TOP_ROW)
    for number in range(50):
        folder.write(f"a/new {number}.txt")
    higher = height + 50 * ROW_PX
    expect(tree).to_have_js_property("scrollHeight", higher, timeout=90 * SECONDS)
    assert tree.evaluate(TOP_ROW) == top_row
    folder.git("clean", "-qfd")
    expect(tree).to_have_js_property("scrollHeight", height, timeout=90 * SECONDS)
    assert tree.evaluate(TOP_ROW) == top_row

    panel.row("b/200.txt").click()
    expect(tree).to_have_attribute("aria-activedescendant", "row-b/200.txt")
    folder.git("rm", "-q", "b/200.txt")
    folder.commit("felled")
    expect(tree).to_have_attribute("aria-activedescendant", "row-b/201.txt", timeout=90 * SECONDS)
    assert tree.evaluate(TOP_ROW) == top_row

    panel.part("picker-filter").fill("9.txt")
    expect(panel.row("a/009.txt")).to_be_in_viewport()


def test_the_context_follows_a_ticked_file_that_somebody_else_edits(
    page: Page, start_serve: StartServe, tmp_path: Path
) -> None:
    folder = make_repository(tmp_path / "garden", {"rose.md": "rose\n", "weed.md": "weed\n"})
    panel = open_page(page, start_serve(folder.root))
    panel.tick("rose.md")
    share = panel.part("breakdown-row", '[data-path="rose.md"]')
    expect(share).to_have_count(1)
    tokens = share.get_attribute("data-tokens")
    assert tokens is not None
    folder.write("rose.md", "one rose, and another one\n" * 50)
    expect(share).not_to_have_attribute("data-tokens", tokens, timeout=90 * SECONDS)
