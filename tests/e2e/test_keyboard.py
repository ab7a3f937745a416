"""Keys pressed in the panel belong to the panel, not to the notebook around it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.labs import Labs, variables_for
from tests.e2e.notebook import PANEL_CELLS, open_notebook, run_all, write_notebook
from tests.e2e.panel import Panel
from tests.e2e.profile import Profile
from tests.support.model_process import RunningModelServer
from tools.demo import make_repository

pytestmark = pytest.mark.e2e
CELLS = "document.querySelectorAll('.jp-Notebook .jp-Cell').length"
COUNTS = "[...document.querySelectorAll('.jp-InputPrompt')].map(node => node.innerText)"
MARKDOWN = "document.querySelectorAll('.jp-Notebook .jp-MarkdownCell').length"


@pytest.fixture(scope="module")
def page(profile: Profile) -> Iterator[Page]:
    """One page for all tests: none of them changes the notebook."""
    yield profile.context.new_page()
    profile.forget()


@pytest.fixture(scope="module")
def panel(
    page: Page,
    labs: Labs,
    model_process: RunningModelServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Panel:
    repository = tmp_path_factory.mktemp("keys") / "weather-a"
    make_repository(repository)
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    model_process.forget()
    lab = labs.lab(repository.parent, variables_for(model_process, "scripted"), {})
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    return panel


def test_keys_in_the_input_never_reach_the_notebook(page: Page, panel: Panel) -> None:
    cells, prompts = page.evaluate(CELLS), page.evaluate(COUNTS)
    sidebar = page.locator("#jp-left-stack").is_visible()
    panel.part("input").click()
    for key in ("Shift+Enter", "Alt+Enter", "Control+b", "m"):
        page.keyboard.press(key)
    expect(panel.part("input")).to_be_focused()
    page.keyboard.press("Control+Enter")
    assert page.evaluate(CELLS) == cells
    assert page.evaluate(COUNTS) == prompts
    assert page.evaluate(MARKDOWN) == 0
    assert page.locator("#jp-left-stack").is_visible() == sidebar


def test_keys_in_the_tree_never_reach_the_notebook(page: Page, panel: Panel) -> None:
    cells, prompts = page.evaluate(CELLS), page.evaluate(COUNTS)
    panel.part("picker").get_by_role("tree").focus()
    for key in ("m", "b", "a", "Shift+Enter", "Control+b"):
        page.keyboard.press(key)
    assert page.evaluate(CELLS) == cells
    assert page.evaluate(COUNTS) == prompts
    assert page.evaluate(MARKDOWN) == 0


def test_keys_after_a_click_anywhere_in_the_panel_never_reach_the_notebook(
    page: Page, panel: Panel
) -> None:
    cells = page.evaluate(CELLS)
    for part in ("breakdown", "app"):
        panel.part(part).first.click(position={"x": 200, "y": 12})
        for key in ("m", "b", "x", "Shift+Enter"):
            page.keyboard.press(key)
    assert page.evaluate(CELLS) == cells
    assert page.evaluate(MARKDOWN) == 0


def test_everything_can_be_done_by_keyboard(page: Page, panel: Panel) -> None:
    panel.part("picker-filter").focus()
    page.keyboard.type("readme")
    # A question can be asked before the tree is there; a tick needs its row.
    expect(panel.part("picker-row")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    box = panel.row("README.md").locator('[data-ac="picker-check"]')
    expect(box).to_be_checked()
    panel.part("input").focus()
    page.keyboard.type("By keyboard only.")
    page.keyboard.press("Enter")
    panel.answer()
