from collections import Counter

import pytest

from jupyter_ac.builtin_panels.suite_row import (
    RowActions,
    counted,
    duration,
    group_outcome,
    progress,
    row_of,
)
from jupyter_ac.builtin_panels.suite_tree import SuiteTree, TreeView
from jupyter_ac.panels import component, html
from jupyter_ac.panels.wire import UINode
from jupyter_ac.suite_rows import Outcome
from tests.builtin_panels.test_suite_tree import FILE, row
from tests.panels.memory_host import MemoryHost
from tests.panels.shown import shown


@pytest.mark.parametrize(("took", "words"), [(0, "0 ms"), (999, "999 ms"), (3400, "3.4 s")])
def test_times_are_words(took: int, words: str) -> None:
    assert duration(took) == words


@pytest.mark.parametrize(
    ("counts", "short", "words"),
    [
        ({"": 3}, "3", "3 tests"),
        ({"": 1, "passed": 2}, "2/3", "2 of 3 have ended"),
        ({"passed": 1, "failed": 1, "error": 1}, "2/3 ✗", "2 of 3 failed"),
    ],
)
def test_a_group_says_its_numbers(counts: dict[Outcome, int], short: str, words: str) -> None:
    assert counted(Counter(counts)) == (short, words)


@pytest.mark.parametrize(
    ("counts", "outcome"),
    [
        ({"": 1}, ""),
        ({"": 1, "passed": 1}, ""),
        ({"passed": 1, "skipped": 1}, "passed"),
        ({"skipped": 1}, "skipped"),
        ({"failed": 1, "running": 1}, "running"),
        ({"failed": 1, "passed": 9}, "failed"),
        ({"waiting": 1, "passed": 1}, "waiting"),
    ],
)
def test_a_group_is_marked_by_what_matters(counts: dict[Outcome, int], outcome: Outcome) -> None:
    assert group_outcome(Counter(counts)) == outcome


def titled(host: MemoryHost, title: str) -> UINode:
    """The first node with this title."""
    return host.find(lambda node: node["props"].get("title") == title)


async def test_a_row_is_labelled_and_its_buttons_act() -> None:
    tree = SuiteTree()
    tree.update([row(f"{FILE}::test_a", "failed"), row(f"{FILE}::test_b")])
    acted: list[tuple[str, str]] = []
    actions = RowActions(
        lambda name: acted.append(("toggle", name)),
        lambda name: acted.append(("choose", name)),
        lambda name: acted.append(("run", name)),
    )

    @component
    def app() -> object:
        rows = [row_of(each, f"{FILE}::test_a", actions) for each in tree.rows(TreeView())]
        return html.div(rows, progress(tree.counts))

    async with shown(app) as panel:
        labels = {
            str(titled(panel.host, title)["props"]["aria-label"])
            for title in (FILE, f"{FILE}::test_a", f"{FILE}::test_b")
        }
        assert labels == {
            f"{FILE}, failed, 1 of 2 failed",
            "test_a, failed, 1 ms",
            "test_b, not run, 1 ms",
        }
        for title in (FILE, f"{FILE}::test_a", "Run test_b"):
            handler = titled(panel.host, title)["props"]["_onClickHandlerId"]
            panel.view.execute_handler(str(handler), [])
        assert acted == [
            ("toggle", FILE),
            ("choose", f"{FILE}::test_a"),
            ("run", f"{FILE}::test_b"),
        ]
        chosen = panel.host.find(lambda node: node["props"].get("aria-pressed") is True)
        assert chosen["props"]["title"] == f"{FILE}::test_a"
        group = panel.host.find(lambda node: "aria-expanded" in node["props"])
        assert group["props"]["aria-expanded"] is True
