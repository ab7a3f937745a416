"""Folders without a repository: the panel follows the file browser, names the folder, and asks."""

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, command, open_notebook, run_all, write_notebook
from tests.e2e.panel import SECONDS, SIDE, Panel
from tests.e2e.test_looks import OVERFLOW, THEMES, choose_theme, resize_panel
from tests.support.repositories import make_repository
from tools.demo import make_repository as make_weather

pytestmark = pytest.mark.e2e
StartLab = Callable[..., Lab]

FORCE_RELAY = "localStorage.setItem('jupyter-ac.door', 'relay')"
PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
ATTACH = """(app, data) => {
    const read = async () => `data:image/png;base64,${data}`;
    app.session.attach([{ name: 'a.png', type: 'image/png', size: 8, read }]);
}"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder in no repository: `plain`, two repositories, one of them a level further down."""
    folder = tmp_path / "work"
    (folder / "plain").mkdir(parents=True)
    make_weather(folder / "weather")
    make_repository(folder / "group/garden", {"beds.md": "roses\n"})
    return folder


def browse(page: Page, lab: Lab, path: str) -> None:
    """Go to a folder in the file browser, as a click there would."""
    page.evaluate(
        "path => window.jupyterapp.commands.execute('filebrowser:go-to-path', {path})",
        lab.path(path),
    )


def open_side(page: Page, lab: Lab, path: str) -> Panel:
    """Open JupyterLab in a folder, without a document, and its side panel."""
    page.goto(lab.page(path))
    command(page, "jupyter-ac:open")
    return Panel(page, SIDE)


def repositories_in(folder: Path) -> list[str]:
    return sorted(str(found.parent.relative_to(folder)) for found in folder.rglob(".git"))


def test_the_folder_of_the_file_browser_is_worked_on_without_git_and_becomes_a_repository(
    page: Page, start_lab: StartLab, work: Path, pictures: Path
) -> None:
    (work / "plain/beds.md").write_text("roses\n", encoding="utf-8")
    lab = start_lab(work)
    side = open_side(page, lab, "plain")
    expect(side.part("init-folder")).to_have_text(str(work / "plain"))
    page.screenshot(path=pictures / "folder-plain.png")
    side.part("plain-open").click()
    side.wait_for("ready")
    side.tick("beds.md")
    side.ask("What grows here?")
    side.answer()
    expect(side.part("plain-note")).to_contain_text("nothing is staged or committed")
    for hook in ("commit", "review-start"):
        expect(side.part(hook)).to_be_hidden()
    page.screenshot(path=pictures / "folder-without-git.png")
    assert repositories_in(work) == ["group/garden", "weather"]

    side.part("plain-init").click()
    expect(side.part("init-question")).to_contain_text(str(work / "plain"))
    side.part("init-cancel").click()
    expect(side.row("beds.md")).to_be_visible()
    side.part("plain-init").click()
    expect(side.part("init-question")).to_contain_text("No repository was found inside")
    side.part("init-confirm").click()
    # The question is in the place of the note; it goes when the repository is there.
    expect(side.part("init-question")).to_have_count(0)
    side.wait_for("ready")
    expect(side.part("plain-note")).to_have_count(0)
    expect(side.app).to_contain_text("plain")
    assert repositories_in(work) == ["group/garden", "plain", "weather"]


def test_repositories_below_are_offered_and_opened_and_named_in_the_question(
    page: Page, start_lab: StartLab, work: Path, pictures: Path
) -> None:
    lab = start_lab(work)
    side = open_side(page, lab, "plain")
    expect(side.part("init-folder")).to_have_text(str(work / "plain"))
    browse(page, lab, "")
    expect(side.part("init-folder")).to_have_text(str(work))
    expect(side.part("nearby-row")).to_have_text(["weather", "group/garden"])
    page.screenshot(path=pictures / "folder-side.png")
    side.part("init").click()
    expect(side.part("nested-row")).to_have_text(["weather", "group/garden"])
    expect(side.part("init-question")).to_contain_text("stays a repository of its own")
    page.screenshot(path=pictures / "folder-side-question.png")
    assert side.app.evaluate(OVERFLOW) == []
    # Another folder has another question.
    browse(page, lab, "group")
    expect(side.part("init-question")).to_have_count(0)
    expect(side.part("init-folder")).to_have_text(str(work / "group"))
    browse(page, lab, "")
    side.part("nearby-row").filter(has_text="group/garden").click()
    side.wait_for("ready")
    expect(side.row("beds.md")).to_be_visible()
    assert repositories_in(work) == ["group/garden", "weather"]


def test_a_repository_that_was_opened_from_a_folder_is_shown_there_also_after_a_reload(
    page: Page, start_lab: StartLab, work: Path
) -> None:
    side = open_side(page, lab := start_lab(work), "group")
    side.part("nearby-row").click()
    expect(side.row("beds.md")).to_be_visible()
    page.reload()
    command(page, "jupyter-ac:open")
    expect(side.row("beds.md")).to_be_visible()
    browse(page, lab, "plain")
    expect(side.part("init-folder")).to_have_text(str(work / "plain"))
    browse(page, lab, "group")
    expect(side.row("beds.md")).to_be_visible()
    command(page, "jupyter-ac:choose-repository")
    expect(side.part("nearby-row")).to_have_text("garden")


def test_what_is_typed_and_what_is_answered_stay_while_the_folder_changes(
    page: Page, start_lab: StartLab, work: Path
) -> None:
    lab = start_lab(work, "scripted-some@0.004")
    side = open_side(page, lab, "weather/weather")
    side.wait_for("ready")
    side.ask("Go on while I look elsewhere.")
    side.answer("streaming")
    side.part("input").fill("Not sent yet")
    side.app.evaluate(ATTACH, PIXEL)
    picture = side.app.get_by_role("button", name="Leave image 1 out")
    expect(picture).to_have_count(1)
    browse(page, lab, "plain")
    expect(side.part("init-folder")).to_have_text(str(work / "plain"))
    browse(page, lab, "group/garden")
    side.wait_for("ready")
    expect(side.part("input")).to_have_value("")
    expect(side.message("user")).to_have_count(0)
    browse(page, lab, "weather")
    side.answer()
    expect(side.message("user")).to_have_count(1)
    expect(side.part("input")).to_have_value("Not sent yet")
    expect(picture).to_have_count(1)


def test_a_document_is_followed_as_long_as_one_is_open(
    page: Page, start_lab: StartLab, work: Path
) -> None:
    lab = start_lab(work)
    side = open_side(page, lab, "weather/README.md")
    side.wait_for("ready")
    browse(page, lab, "plain")
    page.wait_for_timeout(1000)
    expect(side.row("README.md")).to_be_visible()
    command(page, "application:close-all")
    expect(side.part("init-folder")).to_have_text(str(work / "plain"), timeout=90 * SECONDS)


@pytest.mark.parametrize(
    "door",
    [  # the relay's own way to a repository, `test_relay.py` has
        "server",
        pytest.param("relay", marks=pytest.mark.soak),
    ],
)
def test_a_panel_of_a_kernel_names_its_folder_and_goes_to_a_repository_below(
    page: Page, start_lab: StartLab, work: Path, door: str
) -> None:
    if door == "relay":
        page.add_init_script(FORCE_RELAY)
    write_notebook(work / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, start_lab(work), "chat.ipynb")
    run_all(page)
    panel = Panel(page)
    expect(panel.part("init-folder")).to_have_text(str(work), timeout=90 * SECONDS)
    panel.part("nearby-row").filter(has_text="group/garden").click()
    panel.wait_for("ready")
    expect(panel.row("beds.md")).to_be_visible()
    expect(panel.app).to_have_attribute("data-door", door)
    panel.ask("Here?")
    expect(panel.answer()).to_contain_text("Here?")
    assert repositories_in(work) == ["group/garden", "weather"]


@pytest.mark.soak
def test_the_offers_and_the_question_fit(
    page: Page, start_lab: StartLab, work: Path, pictures: Path
) -> None:
    make_repository(work / "a-group-with-a-rather-long-name/and_a_repository_of_a_longer_one")
    write_notebook(work / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, start_lab(work), "chat.ipynb")
    command(page, "application:toggle-left-area")
    run_all(page)
    panel = Panel(page)
    expect(panel.part("init-folder")).to_have_text(str(work), timeout=90 * SECONDS)
    for theme, width in zip(THEMES, (300, 600), strict=True):
        choose_theme(page, panel, theme)
        resize_panel(page, panel, width)
        panel.app.scroll_into_view_if_needed()
        page.screenshot(path=pictures / f"folder-{theme}-{width}.png")
        assert panel.app.evaluate(OVERFLOW) == []
        panel.part("init").click()
        expect(panel.part("init-cancel")).to_be_focused()
        page.screenshot(path=pictures / f"folder-question-{theme}-{width}.png")
        assert panel.app.evaluate(OVERFLOW) == []
        panel.part("init-cancel").click()
