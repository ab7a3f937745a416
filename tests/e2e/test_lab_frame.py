"""What JupyterLab shows of the side panel: menus, status bar, tabs, notifications, settings."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import command, open_notebook, wait_for_kernel, write_notebook
from tests.e2e.panel import SIDE, Panel
from tests.e2e.test_lab_drop import box, entry
from tools.demo import make_repository

pytestmark = pytest.mark.e2e

SETTINGS = "jupyter-ac/panel.jupyterlab-settings"
QUESTION = "Which function is the longest?"
DRAFT = "A draft that stays."
VIEWER = '[data-ac="viewer-tab"] [data-ac="viewer"]'


def status(page: Page) -> Locator:
    return page.locator('[data-ac="status-item"]')


def choose(page: Page, *labels: str) -> None:
    """Choose from the open menu; all labels but the last one open a submenu."""
    for label in labels:
        item = page.locator(".lm-Menu-item").filter(has_text=label).last
        item.hover()
    item.click()


def keeps_viewer(response: Response) -> bool:
    """Whether JupyterLab has stored a layout that has a viewer in it."""
    request = response.request
    if request.method != "PUT" or "/api/workspaces" not in request.url:
        return False
    layout = json.loads(request.post_data or "{}")["data"].get("layout-restorer:data", {})
    return "jupyter-ac-viewer:" in json.dumps(layout)


def open_document(page: Page, path: str) -> None:
    page.evaluate("path => window.jupyterapp.commands.execute('docmanager:open', { path })", path)


def test_the_panel_is_part_of_jupyterlab(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    write_notebook(repository / "chat.ipynb", "total = 1", "1 / 0")
    lab = start_lab(repository.parent)
    address = lab.page(f"{repository.name}/chat.ipynb")
    page.goto(address)
    wait_for_kernel(page)
    side = Panel(page, SIDE)

    # The status bar opens the panel and then shows what is sent.
    expect(status(page)).to_have_text("AI Pair")
    status(page).click()
    side.wait_for("ready")
    expect(status(page)).to_contain_text("tokens")

    # The menu of a file ticks it and names it in the input.
    entry(page, "README.md").click(button="right")
    choose(page, "AI Pair", "Ask About This File")
    expect(side.part("input")).to_have_value("README.md: ")
    expect(box(side, "README.md")).to_be_checked()
    entry(page, "README.md").click(button="right")
    choose(page, "AI Pair", "Send With the Next Question")
    expect(box(side, "README.md")).not_to_be_checked()

    # A selection becomes a chip by its key.
    page.locator(".jp-Notebook .cm-content").first.click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+Alt+y")
    expect(side.part("chip", '[data-kind="selection"][data-state="ready"]')).to_contain_text(
        "selection in cell 1"
    )
    expect(side.part("input")).to_be_focused()

    # The main menu performs commands; differences open in a tab, which a reload restores.
    page.locator(".lm-MenuBar-item").filter(has_text="AI Pair").click()
    page.screenshot(path=pictures / "lab-menu.png")
    choose(page, "Commit …")
    with page.expect_response(keeps_viewer):
        side.part("commit-diff").filter(has_text="summary.py").click()
    viewer = page.locator(VIEWER)
    expect(viewer).to_have_attribute("data-path", "weather/summary.py")
    expect(viewer).to_contain_text("def windiest")
    expect(side.part("viewer")).to_have_count(0)
    page.screenshot(path=pictures / "lab-viewer-tab.png")
    page.goto(f"{address.partition('/tree/')[0]}?token={lab.token}")
    expect(viewer).to_have_attribute("data-path", "weather/summary.py")
    expect(side.app).to_be_visible()


def test_settings_hold_at_once(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    other = repository.parent / "weather-b"
    make_repository(other)
    for folder in (repository, other):
        write_notebook(folder / "chat.ipynb", "1 + 1")
    settings = {SETTINGS: {"side": "left", "notificationSeconds": 0, "statusBar": False}}
    lab = start_lab(repository.parent, settings=settings)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    command(page, "jupyter-ac:open")
    side = Panel(page, SIDE)
    side.wait_for("ready")
    expect(page.locator(f"#jp-left-stack {SIDE}")).to_be_visible()
    expect(status(page)).to_have_count(0)

    # Nobody sees the end of the answer.
    side.ask(QUESTION)
    command(page, "filebrowser:activate")
    notice = page.locator(".Toastify__toast").filter(has_text="The answer is complete.")
    expect(notice).to_contain_text(QUESTION)
    page.screenshot(path=pictures / "lab-notification.png")
    notice.get_by_role("button", name="Show").click()
    expect(side.answer()).to_be_visible()

    # Following is switched off and on; a draft stays where it was typed.
    side.part("input").fill(DRAFT)
    command(page, "jupyter-ac:follow-document")
    open_document(page, lab.path(f"{other.name}/chat.ipynb"))
    page.wait_for_function("() => window.jupyterapp.shell.currentWidget?.context?.isReady")
    expect(side.part("input")).to_have_value(DRAFT)
    command(page, "jupyter-ac:follow-document")
    expect(side.part("input")).to_have_attribute("placeholder", f"Ask about {other.name} …")
    expect(side.part("input")).to_have_value("")
    open_document(page, lab.path(f"{repository.name}/chat.ipynb"))
    expect(side.part("input")).to_have_value(DRAFT)
