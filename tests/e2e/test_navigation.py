"""From names in answers to places in files: links, the viewer, hover, definitions, modes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, open_notebook, run_cell, write_notebook
from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_looks import OVERFLOW, THEMES
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
WITHIN = "#panel"
StartServe = Callable[..., ServeProcess]
StartLab = Callable[..., Lab]
FIRST_WORD = 90 * SECONDS
WITHOUT_EXTENSION = "--ServerApp.jpserver_extensions={'jupyter_ac': False}"

SUMMARY = '''"""Sums of days."""

from weather.store import load


class Report:
    """What is told of some days."""

    def mean(self, days):
        return sum(days) / len(days)


def top(days):
    store = load("x")
    return Report().mean(store)
'''
STORE = '''"""Where days are kept."""


def load(name):
    """Read the days of a name."""
    return [1.0, 2.0]
'''
FILES: dict[str, str | bytes] = {
    "src/weather/__init__.py": "",
    "src/weather/summary.py": SUMMARY,
    "src/weather/store.py": STORE,
    "docs/guide.md": "# Guide\n\n## Use\n\nCall `load`.\n",
    "picture.bin": b"\0\1\2" * 100,
    "gone.py": "x = 1\n",
    "long.txt": "a line of text\n" * 80_000,
}
EDIT = (
    "src/weather/summary.py\n🟧🟧🟧 EDIT\n        return sum(days) / len(days)\n"
    "🟨🟨🟨 REPL\n        return sum(days) / max(1, len(days))\n🟩🟩🟩 END\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "work" / "weather-b", FILES)


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser complains about: errors, and code or styles that the page forbids."""
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    return said


def open_panel(page: Page, server: ServeProcess) -> Panel:
    page.goto(server.page)
    panel = Panel(page, WITHIN)
    panel.wait_for("ready", 90)
    return panel


def answered(panel: Panel, text: str) -> Locator:
    """Ask what is answered with this text."""
    panel.ask(f"Go.\n=====\n{text}")
    return panel.answer("done", 90)


def link(panel: Panel, text: str) -> Locator:
    return panel.message("assistant").last.locator('[data-ac="place"]').filter(has_text=text)


def code(panel: Panel) -> Locator:
    """The text in the viewer; of the newer side where there are two."""
    return panel.part("viewer").locator(".cm-content").last


def expect_place(panel: Panel, path: str, line: int) -> None:
    expect(panel.part("viewer", f'[data-path="{path}"][data-line="{line}"]')).to_be_visible(
        timeout=90 * SECONDS
    )


def middle_of(line: Locator, word: str) -> tuple[float, float]:
    """Where on the page a word of a line is."""
    box = line.evaluate(
        """(line, word) => {
            const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const start = walker.currentNode.data.indexOf(word);
                if (start < 0) continue;
                const range = document.createRange();
                range.setStart(walker.currentNode, start);
                range.setEnd(walker.currentNode, start + word.length);
                return range.getBoundingClientRect().toJSON();
            }
        }""",
        word,
    )
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_file_named_in_an_answer_opens_in_the_viewer_and_escape_gives_the_focus_back(
    page: Page, start_serve: StartServe, folder: RepositoryFolder, complaints: list[str]
) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    panel = open_panel(page, start_serve(folder.root, "scripted-edits"))
    answered(panel, "See `src/weather/store.py:4`, docs/guide.md and `nothing/here.py`.")
    expect(panel.message("assistant").locator('[data-ac="place"]')).to_have_count(2)
    assert not any("viewer-" in url for url in loaded)
    link(panel, "store.py:4").focus()
    page.keyboard.press("Enter")
    expect_place(panel, "src/weather/store.py", 4)
    expect(code(panel)).to_contain_text("def load(name):")
    expect(code(panel)).to_be_focused()
    expect(panel.part("viewer").locator(".cm-place")).to_have_text("def load(name):")
    assert sum("viewer-" in url for url in loaded) == 1
    page.keyboard.press("Escape")
    expect(panel.part("viewer")).to_have_count(0)
    expect(link(panel, "store.py:4")).to_be_focused()
    assert complaints == []


@pytest.mark.parametrize("width", [320, 1300])
def test_a_card_leads_to_its_place_and_to_what_has_changed_since_head(
    page: Page,
    start_serve: StartServe,
    folder: RepositoryFolder,
    complaints: list[str],
    pictures: Path,
    width: int,
) -> None:
    page.set_viewport_size({"width": width, "height": 850})
    panel = open_panel(page, start_serve(folder.root, "scripted-edits"))
    panel.tick("src/weather/summary.py")
    answered(panel, f"So:\n\n{EDIT}\nDone.\n")
    panel.part("edit-card").locator('[data-ac="place"]').click()
    expect_place(panel, "src/weather/summary.py", 10)
    expect(code(panel)).to_contain_text("max(1, len(days))")
    viewer = panel.part("viewer")
    viewer.get_by_role("tab", name="HEAD diff").click()
    expect(viewer.locator(".cm-changedText").first).to_be_visible()
    expect(viewer.locator(".cm-mergeView")).to_have_count(1 if width > 800 else 0)
    page.screenshot(path=pictures / f"viewer-diff-{width}.png")
    assert panel.app.evaluate(OVERFLOW) == []
    viewer.get_by_role("tab", name="HEAD", exact=True).click()
    expect(code(panel)).not_to_contain_text("max(1, len(days))")
    expect(code(panel)).to_contain_text("return sum(days) / len(days)")
    assert complaints == []


def test_hover_tells_and_a_name_leads_to_its_definition_its_uses_and_back(
    page: Page, start_serve: StartServe, folder: RepositoryFolder, complaints: list[str]
) -> None:
    panel = open_panel(page, start_serve(folder.root, "scripted-edits"))
    answered(panel, "It is in `src/weather/summary.py:14`.")
    expect(panel.part("indexing")).to_have_count(0, timeout=90 * SECONDS)
    link(panel, "summary.py").click()
    line = code(panel).locator(".cm-line").nth(13)
    expect(line).to_contain_text("store = load")
    at = middle_of(line, "load")
    page.mouse.move(*at)
    expect(panel.part("hover")).to_contain_text("Read the days of a name", timeout=90 * SECONDS)
    page.keyboard.down("Control")
    page.mouse.click(*at)
    page.keyboard.up("Control")
    expect_place(panel, "src/weather/store.py", 4)
    expect(code(panel)).to_be_focused()
    page.keyboard.press("Shift+F12")
    uses = panel.part("use")
    expect(uses.filter(has_text="summary.py:14")).to_be_visible(timeout=90 * SECONDS)
    page.keyboard.press("Escape")
    expect(uses).to_have_count(0)
    page.keyboard.press("Alt+ArrowLeft")
    expect_place(panel, "src/weather/summary.py", 14)
    expect(code(panel)).to_be_focused()
    page.keyboard.press("F12")
    expect_place(panel, "src/weather/store.py", 4)
    page.keyboard.press("Alt+ArrowLeft")
    page.keyboard.press("Alt+ArrowRight")
    expect_place(panel, "src/weather/store.py", 4)
    assert complaints == []


@pytest.mark.parametrize("width", [260, pytest.param(1300, marks=pytest.mark.soak)])
def test_hover_over_the_first_and_the_last_lines_is_seen_whole(
    page: Page, start_serve: StartServe, folder: RepositoryFolder, width: int
) -> None:
    path = folder.root / "src/weather/store.py"
    path.write_text("def top(x):\n    return x\n" + "\n" * 60 + "top(1)\n")
    page.set_viewport_size({"width": width, "height": 700})
    panel = open_panel(page, start_serve(folder.root, "scripted-edits"))
    answered(panel, "`src/weather/store.py:1` and `src/weather/store.py:63`")
    expect(panel.part("indexing")).to_have_count(0, timeout=90 * SECONDS)
    for line in ("1", "63"):
        link(panel, f"store.py:{line}").last.click()
        expect_place(panel, "src/weather/store.py", int(line))
        marked = panel.part("viewer").locator(".cm-place")
        expect(marked).to_contain_text("top")
        page.mouse.move(*middle_of(marked, "top"))
        hover = panel.part("hover")
        expect(hover).to_contain_text("top", timeout=90 * SECONDS)
        expect(hover).to_be_in_viewport(ratio=1)  # it is measured outside before it is placed
        told, room = hover.bounding_box(), panel.part("viewer").locator("#code").bounding_box()
        assert told is not None
        assert room is not None
        assert room["y"] <= told["y"]
        assert told["y"] + told["height"] <= room["y"] + room["height"]
        assert room["x"] <= told["x"]
        assert told["x"] + told["width"] <= room["x"] + room["width"]
        page.mouse.move(1, 1)
        expect(hover).to_have_count(0)
        page.keyboard.press("Escape")


def test_a_link_to_a_heading_opens_the_document_there(
    page: Page, start_serve: StartServe, folder: RepositoryFolder
) -> None:
    panel = open_panel(page, start_serve(folder.root, "scripted-edits"))
    answered(panel, "See [how](guide.md#use), `docs/guide.md#use` and docs/guide.md#guide.")
    expect(panel.message("assistant").locator('[data-ac="place"]')).to_have_count(3)
    link(panel, "how").click()
    expect_place(panel, "docs/guide.md", 3)
    expect(panel.part("viewer").locator(".cm-place")).to_have_text("## Use")
    page.keyboard.press("Escape")
    link(panel, "guide.md#guide").click()
    expect_place(panel, "docs/guide.md", 1)


def test_symbols_in_an_answer_are_links_once_it_is_whole_by_one_request(
    page: Page, start_serve: StartServe, folder: RepositoryFolder
) -> None:
    asked: list[str] = []

    def note(frame: str | bytes) -> None:
        if "resolve_symbols" in str(frame):
            asked.append(str(frame))

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", note)

    page.on("websocket", listen)
    panel = open_panel(page, start_serve(folder.root, "scripted-edits@0.05"))
    expect(panel.part("indexing")).to_have_count(0, timeout=90 * SECONDS)
    asked.clear()
    panel.ask("Go.\n=====\n" + "`Report.mean` and `load()` but not `nothing_here`. " + "more " * 30)
    expect(panel.message("assistant").last).to_contain_text("more more", timeout=FIRST_WORD)
    assert asked == []
    panel.answer("done", 90)
    expect(panel.message("assistant").locator('[data-ac="place"]')).to_have_count(2)
    assert len(asked) == 1
    link(panel, "Report.mean").click()
    expect_place(panel, "src/weather/summary.py", 9)


def test_what_cant_be_shown_is_said(
    page: Page, start_serve: StartServe, folder: RepositoryFolder
) -> None:
    (folder.root / "gone.py").unlink()
    panel = open_panel(page, start_serve(folder.root, "scripted-edits"))
    answered(panel, "Of `gone.py`, `picture.bin` and `long.txt`.")
    viewer = panel.part("viewer")
    link(panel, "gone.py").click()
    expect(viewer).to_contain_text("has been deleted", timeout=90 * SECONDS)
    expect(code(panel)).to_contain_text("x = 1")
    page.keyboard.press("Escape")
    link(panel, "picture.bin").click()
    expect(viewer).to_contain_text("is a binary file")
    page.keyboard.press("Escape")
    link(panel, "long.txt").click()
    expect(viewer).to_contain_text("Only the first 999,990 of 1,200,000 characters")
    page.keyboard.press("Escape")
    expect(viewer).to_have_count(0)


def test_the_mode_and_the_cross_reference_are_switched_for_all_pages(
    page: Page, start_serve: StartServe, folder: RepositoryFolder
) -> None:
    server = start_serve(folder.root, "scripted-edits")
    panel = open_panel(page, server)
    other = open_panel(page.context.new_page(), server)
    expect(panel.part("indexing")).to_have_count(0, timeout=90 * SECONDS)
    switch, cross = panel.part("mode-switch"), panel.part("cross-ref")
    expect(switch).to_have_attribute("data-mode", "code")
    switch.get_by_role("radio", name="Docs").click()
    expect(switch).to_have_attribute("data-mode", "doc")
    expect(panel.part("toast").first).to_be_visible()
    expect(other.part("mode-switch")).to_have_attribute("data-mode", "doc")
    cross.click()
    expect(cross).to_have_attribute("aria-checked", "true", timeout=90 * SECONDS)
    expect(other.part("cross-ref")).to_have_attribute("aria-checked", "true")
    switch.get_by_role("radio", name="Code").click()
    expect(switch).to_have_attribute("data-mode", "code")
    expect(cross).to_have_attribute("aria-checked", "false")


@pytest.mark.parametrize(
    ("door", "theme"),
    [  # what comes from a server, the other tests have on the page of `serve`
        pytest.param("server", "light", marks=pytest.mark.soak),
        ("relay", "dark"),
    ],
)
def test_the_viewer_comes_to_a_notebook_through_each_door_and_keeps_its_keys(
    page: Page,
    start_lab: StartLab,
    folder: RepositoryFolder,
    complaints: list[str],
    pictures: Path,
    door: str,
    theme: str,
) -> None:
    options: dict[str, object] = {
        "settings": {
            "@jupyterlab/apputils-extension/themes.jupyterlab-settings": {"theme": THEMES[theme]}
        }
    }
    if door == "relay":
        options |= {"expects_extension": False, "arguments": (WITHOUT_EXTENSION,)}
    lab = start_lab(folder.root.parent, "scripted-edits", **options)
    write_notebook(folder.root / "chat.ipynb", *PANEL_CELLS, "1 + 1")
    open_notebook(page, lab, f"{folder.root.name}/chat.ipynb")
    run_cell(page, 0)
    run_cell(page, 1)
    panel = Panel(page)
    panel.wait_for("ready", seconds=90)
    expect(panel.app).to_have_attribute("data-door", door)
    answered(panel, "See `src/weather/store.py:4`.")
    link(panel, "store.py").click()
    expect_place(panel, "src/weather/store.py", 4)
    expect(code(panel)).to_contain_text("def load(name):", timeout=90 * SECONDS)
    page.screenshot(path=pictures / f"viewer-lab-{theme}.png")
    cells = page.locator(".jp-Notebook .jp-Cell")
    before = cells.count()
    for key in ("b", "d", "d", "a", "Enter", "F12", "Escape"):
        page.keyboard.press(key)
    expect(panel.part("viewer")).to_have_count(0)
    expect(cells).to_have_count(before)
    assert [line for line in complaints if "Content Security Policy" in line] == []
