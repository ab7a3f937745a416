from jupyter_ac.builtin_panels.suite_actions import RUN, SuiteActions
from jupyter_ac.builtin_panels.suite_list import MAX_ROWS, suite_list
from jupyter_ac.builtin_panels.suite_tree import SuiteTree
from jupyter_ac.panels import Plugin
from tests.builtin_panels.served_panels import MadeUpServices, ShownPanel, shown_panel
from tests.builtin_panels.test_suite_tree import FILE, row

LIST = Plugin(suite_list, name="list")


def props(tree: SuiteTree, services: MadeUpServices, left_out: int = 0) -> dict[str, object]:
    chosen: list[str] = []
    return {
        "tree": tree,
        "left_out": left_out,
        "chosen": "",
        "choose": chosen.append,
        "actions": SuiteActions(services, lambda _said: None),
    }


def count(panel: ShownPanel) -> int:
    """The number of rows that are sent."""
    return len(panel.host.find(lambda node: node["type"] == "VirtualList")["children"])


async def test_ten_thousand_tests_are_shown_a_part_at_a_time() -> None:
    tree, services = SuiteTree(), MadeUpServices({RUN: {}})
    tree.update(row(f"{FILE}::t{at}", "passed", at) for at in range(10_000))
    async with shown_panel(LIST, services, props(tree, services, 3)) as panel:
        assert count(panel) == 1
        await panel.press(FILE)
        assert count(panel) == MAX_ROWS
        assert f"Rows 1 to {MAX_ROWS} of 10,001" in panel.host.text()
        await panel.press("Later")
        assert f"Rows {MAX_ROWS + 1} to {2 * MAX_ROWS} of 10,001" in panel.host.text()
        await panel.press("Earlier")
        assert "Rows 1 to" in panel.host.text()
        await panel.type("Filter", "t9999")
        assert count(panel) == 2
        await panel.type("Filter", "nothing such")
        assert "No test is like that." in panel.host.text()
        assert "3 more tests can only be run as a whole." in panel.host.text()


async def test_outcomes_are_chosen_and_rows_run() -> None:
    tree, services = SuiteTree(), MadeUpServices({RUN: {}})
    tree.update([row(f"{FILE}::a", "failed"), row(f"{FILE}::b", "passed", 1)])
    async with shown_panel(LIST, services, props(tree, services)) as panel:
        assert "Failed (1)" in panel.host.text()
        await panel.choose("Which tests", "failed")
        assert count(panel) == 2
        await panel.choose("Which tests", "no such")
        assert count(panel) == 2
        await panel.press("Run a")
        assert services.called(RUN) == [([f"{FILE}::a"], False)]


async def test_without_tests_nothing_is_shown() -> None:
    services = MadeUpServices()
    async with shown_panel(LIST, services, props(SuiteTree(), services)) as panel:
        assert panel.host.tree is None
