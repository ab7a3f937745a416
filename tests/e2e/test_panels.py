"""Panels beside the server, in the view of panels: forms, tables, and plugins that fail."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.installed import Installed
from tests.e2e.panel import Panel
from tests.e2e.test_looks import OVERFLOW, SCHEMES
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
PLUGINS = Path(__file__).with_name("plugins")
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
LOOKS = tuple(zip(SCHEMES, (320, 1400), strict=True))


@pytest.fixture
def panel(
    page: Page,
    start_serve: Callable[..., ServeProcess],
    installed: Installed,
    repository: Path,
    tmp_path: Path,
) -> Panel:
    """A page at a server whose user has three panels in the settings."""
    settings = tmp_path / "serve-home0" / "ac"
    settings.mkdir(parents=True)
    commands = {
        name: {
            "command": [str(installed.python), "-m", "jupyter_ac", "panel", "--stdio", str(file)]
        }
        for name, file in (
            ("Orders", PLUGINS / "orders.py"),
            ("Cities", PLUGINS / "cities.py"),
            ("Moods", PLUGINS / "moods.py"),
        )
    }
    (settings / "app.json").write_text(json.dumps({"panels": {"commands": commands}}))
    page.goto(start_serve(repository).page)
    shown = Panel(page, "#panel")
    shown.wait_for("ready")
    return shown


class Panels:
    """The view of panels.

    Args:
        panel: around it.
    """

    def __init__(self, panel: Panel) -> None:
        self.panel = panel
        self.page = panel.page

    def open(self, title: str = "") -> "Panels":
        """Open it, and choose a panel."""
        self.panel.part("panels-open").click()
        if title:
            self.tab(title).click()
        return self

    def tab(self, title: str) -> Locator:
        return self.panel.part("panel-tab").filter(has_text=title)

    @property
    def tree(self) -> Locator:
        """Of the panel that is seen."""
        return self.panel.part("panel-tree").locator("visible=true")

    def part(self, name: str) -> Locator:
        return self.panel.part(name).locator("visible=true")

    def expect_state(self, state: str) -> None:
        expect(self.panel.part("panel-state")).to_have_attribute("data-state", state)


@pytest.fixture
def panels(panel: Panel) -> Panels:
    return Panels(panel)


def test_a_form_is_filled_in_and_sent(panels: Panels, tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.txt"
    recipe.write_text("dough, ½ hour")
    tree = panels.open("Orders").tree
    name, hot = tree.get_by_label("Name"), tree.get_by_label("Hot")
    sent = tree.get_by_role("list", name="Sent").get_by_role("listitem")
    name.fill("Ada")
    name.press("Enter")
    expect(sent).to_have_text(["Ada, mild, cheese"])
    expect(name).to_have_value("")
    name.press_sequentially("Grace", delay=5)
    hot.check()
    tree.get_by_label("Toppings").select_option(["olives", "basil"])
    tree.get_by_label("Recipe").set_input_files(recipe)
    tree.get_by_role("button", name="Order").click()
    expect(sent).to_have_text(
        ["Ada, mild, cheese", "Grace, hot, olives+basil, recipe.txt: dough, ½ hour"]
    )
    expect(name).to_have_value("")
    expect(hot).not_to_be_checked()
    expect(tree.get_by_label("Toppings")).to_have_values(["cheese"])
    name.press("Enter")
    panels.part("panel-log-toggle").click()
    expect(panels.part("panel-log-line")).to_have_text(
        ["Info Sent Ada", "Info Sent Grace", "Warning An order without a name"]
    )


def test_a_form_is_as_it_was_after_a_look_at_another_panel(panels: Panels) -> None:
    tree = panels.open("Orders").tree
    tree.get_by_label("Name").fill("Ada")
    panels.tab("Cities").click()
    expect(panels.tree.locator("#chosen")).to_have_text("Chosen: nothing")
    panels.tab("Orders").click()
    expect(tree.get_by_label("Name")).to_have_value("Ada")
    panels.page.keyboard.press("Escape")
    expect(panels.panel.part("panels")).to_have_count(0)
    panels.open()
    expect(panels.tab("Orders")).to_have_attribute("aria-selected", "true")
    expect(tree.get_by_label("Name")).to_have_value("Ada")
    expect(panels.panel.part("panel-calls")).to_contain_text("Calls nothing of the server")


def test_a_table_of_10_000_rows(panels: Panels) -> None:
    tree = panels.open("Cities").tree
    table = tree.get_by_role("grid", name="Cities")
    rows = table.locator("tbody tr[data-index]")
    expect(rows.first).to_contain_text("City 0")
    assert rows.count() < 60
    table.locator("xpath=..").evaluate("scroller => { scroller.scrollTop = 26 * 5000; }")
    expect(table.get_by_role("row", name="City 5000")).to_be_visible()
    table.get_by_role("button", name="people").click()
    expect(table.get_by_role("columnheader", name="people")).to_have_attribute(
        "aria-sort", "ascending"
    )
    table.get_by_role("button", name="people").click()
    table.focus()
    for key in ("Home", "ArrowDown", "PageDown", "ArrowUp"):
        table.press(key)
    expect(table.locator("[aria-selected=true]")).to_contain_text("9989")
    table.press("End")
    expect(table.locator("[aria-selected=true]")).to_contain_text("City 0")
    table.press("Enter")
    expect(tree.locator("#chosen")).to_have_text("Chosen: City 0")
    table.get_by_role("row", name="City 7679 1").click()
    expect(tree.locator("#chosen")).to_have_text("Chosen: City 7679")


def test_a_plugin_that_throws_says_so_and_goes_on(panels: Panels) -> None:
    tree = panels.open("Moods").tree
    tree.get_by_role("button", name="Throw").click()
    error = panels.part("panel-error")
    expect(error).to_contain_text("I am not in the mood")
    error.locator("summary").click()
    expect(error).to_contain_text("moods.py")
    tree.get_by_role("button", name="Count").click()
    expect(tree.locator("#count")).to_have_text("1")
    error.get_by_role("button", name="Restart").click()
    expect(tree.locator("#count")).to_have_text("0")
    expect(error).to_have_count(0)


def test_a_plugin_that_floods_leaves_the_page_alone(panels: Panels) -> None:
    tree = panels.open("Moods").tree
    panels.part("panel-log-toggle").click()
    tree.get_by_role("button", name="Flood").click()
    expect(panels.part("panel-log-line").first).to_be_visible()
    # The rest of the page is worked with meanwhile.
    panels.tab("Orders").click()
    panels.tree.get_by_label("Name").fill("Ada")
    panels.tree.get_by_label("Name").press("Enter")
    expect(panels.tree.get_by_role("listitem")).to_have_text(["Ada, mild, cheese"])
    panels.tab("Moods").click()
    expect(tree.locator("#count")).to_have_text("10000")
    assert panels.part("panel-log-line").count() <= 200


def test_a_plugin_that_dies_is_started_anew(panels: Panels) -> None:
    tree = panels.open("Moods").tree
    tree.get_by_role("button", name="Count").click()
    expect(tree.locator("#count")).to_have_text("1")
    tree.get_by_role("button", name="Die").click()
    panels.expect_state("failed")
    error = panels.part("panel-error")
    expect(error).to_contain_text("the last words")
    expect(tree.locator("#count")).to_have_text("1")
    expect(panels.tab("Moods")).to_have_attribute("data-state", "failed")
    error.get_by_role("button", name="Restart").click()
    panels.expect_state("running")
    expect(error).to_have_count(0)
    expect(tree.locator("#count")).to_have_text("0")
    # Nothing else of the page was touched.
    panels.tab("Orders").click()
    expect(panels.tree.get_by_label("Name")).to_be_visible()


def test_all_of_it_works_by_the_keyboard(panels: Panels) -> None:
    page = panels.page
    panels.panel.part("panels-open").focus()
    page.keyboard.press("Enter")
    expect(panels.panel.part("panel-tab").locator("nth=0")).to_be_focused()
    page.keyboard.press("Home")
    while panels.tab("Orders").get_attribute("aria-selected") != "true":
        page.keyboard.press("ArrowRight")
    expect(panels.tree.get_by_label("Name")).to_be_visible()
    name = panels.tree.get_by_label("Name")
    for _ in range(12):
        page.keyboard.press("Tab")
        if name.evaluate("field => field.getRootNode().activeElement === field"):
            break
    expect(name).to_be_focused()
    page.keyboard.type("Ada")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(panels.tree.get_by_role("listitem")).to_have_text(["Ada, hot, cheese"])
    page.keyboard.press("Escape")
    expect(panels.panel.part("panels-open")).to_be_focused()


def violations(page: Page) -> list[str]:
    """What axe finds in the open view, by rule and element."""
    page.evaluate(AXE.read_text())
    found: list[str] = page.evaluate(
        """async () => {
            const inside = root => [...root.querySelectorAll('*')].flatMap(
                each => [each, ...(each.shadowRoot ? inside(each.shadowRoot) : [])]);
            const view = inside(document).find(each => each.localName.startsWith('ac-panels'));
            const { violations } = await axe.run(view);
            return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
        }"""
    )
    return found


def test_it_looks_well(panels: Panels, pictures: Path) -> None:
    page = panels.page
    panels.open("Moods")
    panels.tree.get_by_role("button", name="Throw").click()
    expect(panels.part("panel-error")).to_be_visible()
    panels.part("panel-log-toggle").click()
    for title, ready in (("Orders", "Orders"), ("Cities", "City 1"), ("Moods", "Throw")):
        panels.tab(title).click()
        expect(panels.tree).to_contain_text(ready)
        for scheme, width in LOOKS:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            page.screenshot(
                path=pictures / f"panels-{title}-{scheme}-{width}.png", animations="disabled"
            )
            assert panels.panel.app.evaluate(OVERFLOW) == []
            assert violations(page) == []
