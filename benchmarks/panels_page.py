"""Panels in the page: 1,000 mutations, and 10,000 updates a second, in Chromium.

Beside the mutations the same changes by plain calls of the DOM, in the same element: what no host
can be faster than. The browser's layout of the rows, which follows, is not the host's work: the
times with it stand beside those of plain calls. Beside the flood: the same page at rest.
"""

import os
from contextlib import closing
from pathlib import Path
from typing import Final, TypedDict

from playwright.sync_api import sync_playwright

from benchmarks.figure import at_most, beside, reported
from tests.e2e.conftest import CHROMIUM_FLAGS
from tests.e2e.plugin_page import PluginPage

ROUNDS: Final = 9
FLOOD_ROUNDS: Final = 5
FLOOD_SECONDS: Final = 2
UPDATES: Final = 10_000
MOST_MS: Final = 16.0
FLOOR: Final = "plain DOM"
SCRIPT: Final = Path(__file__).with_suffix(".js")


class Times(TypedDict):
    """Of one change: of each round, the time to change the page and the time to lay it out."""

    ours: list[tuple[float, float]]
    plain: list[tuple[float, float]]


def main() -> None:
    """Measure both."""
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with (
        sync_playwright() as playwright,
        closing(
            playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        ) as browser,
    ):
        shown = PluginPage(browser.new_page()).open()
        shown.page.add_script_tag(path=SCRIPT)
        rates: dict[int, list[float]] = {UPDATES: [], 0: []}
        for _ in range(FLOOD_ROUNDS):
            for updates, found in rates.items():
                found.append(shown.page.evaluate(f"window.flood({updates}, {FLOOD_SECONDS})"))
        times: dict[str, Times] = shown.page.evaluate(f"window.measure({ROUNDS})")
    for change, each in times.items():
        name = f"panel in the page, 1,000 {change}"
        applied, floor = ([first for first, _ in found] for found in (each["ours"], each["plain"]))
        at_most(name, applied, "ms", MOST_MS, (FLOOR, floor)).emit()
        ours, plain = ([sum(both) for both in found] for found in (each["ours"], each["plain"]))
        reported(f"{name}, laid out", ours, "ms", (FLOOR, plain)).emit()
    idle = ("at rest", rates[0])
    beside(
        "panel in the page, 10,000 updates a second", rates[UPDATES], "frames/s", idle, 0.95
    ).emit()


if __name__ == "__main__":
    main()
