"""The examples of panels in Chromium, used with the mouse and the keys."""

import logging

import pytest
from playwright.sync_api import Locator, Page, expect

from jupyter_ac.panels import Plugin
from tests.e2e.panel_page import shown_in_page
from tests.panels.test_examples import NAMES, loaded

pytestmark = pytest.mark.e2e


def use_todo(tree: Locator) -> None:
    tree.get_by_label("New task").fill("Calibrate the camera")
    tree.get_by_label("New task").press("Enter")
    expect(tree.get_by_text("3 of 4 to do")).to_be_visible()
    expect(tree.get_by_label("New task")).to_have_value("")
    tree.get_by_label("Run the tests").check()
    expect(tree.get_by_text("2 of 4 to do")).to_be_visible()


def use_booking(tree: Locator) -> None:
    tree.get_by_label("Name").fill("Ada Lovelace")
    tree.get_by_label("E-mail").fill("ada")
    tree.get_by_label("Instrument").select_option("Spectrometer")
    tree.get_by_label("Day").fill("2030-05-17")
    tree.get_by_role("button", name="Book").click()
    expect(tree.get_by_role("alert")).to_have_text(
        ["Such as ada@example.org", "Please read the rules first"]
    )


def use_live_chart(tree: Locator) -> None:
    expect(tree.get_by_alt_text("last 120 samples")).to_be_visible()
    tree.get_by_role("button", name="Stop").click()
    expect(tree.get_by_role("button", name="Run")).to_be_visible()


def use_explorer(tree: Locator) -> None:
    tree.get_by_label("Find").fill("cork 2026-0")
    expect(tree.get_by_text("of 10,000 rows")).not_to_contain_text("10,000 of")
    tree.get_by_label("Count by").select_option("temperature")
    tree.get_by_role("row").nth(3).click()
    expect(tree.get_by_text("picked: ['Cork', '2026-0")).to_be_visible()


def use_sweep(tree: Locator) -> None:
    tree.get_by_role("button", name="Start").click()
    expect(tree.get_by_text("16 of 16 runs")).to_be_visible()
    expect(tree.get_by_text("★")).to_have_count(1)


def use_log_follower(tree: Locator) -> None:
    expect(tree.get_by_text("0 of 0 lines")).to_be_visible()
    logger = logging.getLogger("experiment")
    before = logger.level
    logger.setLevel(logging.INFO)
    try:
        for step in range(1, 200):
            logger.info("step %d: loss %.3f", step, 1 / step)
        logger.error("no beam in sector 4")
    finally:
        logger.setLevel(before)
    tree.get_by_role("button", name="Log a line").click()
    expect(tree.get_by_text("201 of 201 lines")).to_be_visible()
    expect(tree.get_by_text("81 °C")).to_be_visible()


USES = {
    "todo": use_todo,
    "booking": use_booking,
    "live_chart": use_live_chart,
    "explorer": use_explorer,
    "sweep": use_sweep,
    "log_follower": use_log_follower,
}


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_shown_and_used(
    page: Page, name: str, request: pytest.FixtureRequest
) -> None:
    page.set_viewport_size({"width": 560, "height": 420})
    plugin = loaded(name).plugin
    assert isinstance(plugin, Plugin)
    with shown_in_page(page, plugin) as tree:
        USES[name](tree)
        expect(tree.locator(".uniview-unknown, .failed")).to_have_count(0)
        expect(page.locator("[data-ac=panel-error]")).to_have_count(0)
        pictures = request.getfixturevalue("pictures")
        tree.screenshot(path=pictures / f"panels-{name.replace('_', '-')}.png")
