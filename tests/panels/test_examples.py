"""The gallery: each example loads, shows a tree within the limits, and reacts to events."""

import importlib.util
import logging
import threading
from pathlib import Path
from types import ModuleType

import pytest

from jupyter_ac.panels import Component, Plugin
from jupyter_ac.panels.wire import LAYOUT_TAGS, MAX_DEPTH, MAX_NODES, MAX_TREE_BYTES, TEXT, UINode
from jupyter_ac.rpc.codec import encode
from tests.panels.memory_host import MemoryHost, nodes, text_of
from tests.panels.shown import Shown, shown, until
from tests.support.json_values import JsonValue

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "examples" / "panels"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
COMPONENTS = {"DataTable", "VirtualList"}


def loaded(name: str) -> ModuleType:
    """Import an example."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def app_of(name: str) -> Component:
    """The component of an example's plugin."""
    plugin = loaded(name).plugin
    assert isinstance(plugin, Plugin)
    return plugin.app


def named(host: MemoryHost, name: str) -> UINode:
    """The control with a name, or with a label that holds it."""

    def is_it(node: UINode) -> bool:
        return node["type"] in {"input", "select"} and name in node["props"].values()

    labels = [n for n in nodes(host.tree) if n["type"] == "label" and name in text_of(n)]
    for label in labels:
        for node in nodes(label):
            if node["type"] in {"input", "select"}:
                return node
    return host.find(is_it)


async def change(panel: Shown, name: str, value: object) -> None:
    """Change a control as a person does."""
    handler = named(panel.host, name)["props"]["_onChangeHandlerId"]
    assert isinstance(handler, str)
    panel.view.execute_handler(handler, [value])
    await panel.settle()


@pytest.mark.parametrize("name", NAMES)
async def test_each_shows_a_tree_within_the_limits(name: str) -> None:
    plugins = [value for value in vars(loaded(name)).values() if isinstance(value, Plugin)]
    assert len(plugins) == 1
    plugin = plugins[0]
    assert plugin.calls == frozenset()
    async with shown(plugin.app, plugin.props) as panel:
        tree = panel.host.tree
        assert tree is not None
        assert panel.host.errors == []
        everything = list(nodes(tree))
        assert len(everything) <= MAX_NODES
        assert len(encode(tree).encode()) <= MAX_TREE_BYTES
        assert depth(tree) <= MAX_DEPTH
        assert {node["type"] for node in everything} <= LAYOUT_TAGS | COMPONENTS | {TEXT}
        assert panel.handlers() == panel.host.handler_ids()


def depth(node: UINode) -> int:
    below = [depth(child) for child in node["children"] if not isinstance(child, str)]
    return 1 + max(below, default=0)


@pytest.mark.parametrize("name", NAMES)
def test_each_is_one_file_of_sixty_lines_that_the_page_shows(name: str) -> None:
    text = (FOLDER / f"{name}.py").read_text("utf-8")
    assert len(text.splitlines()) <= 60
    page = (ROOT / "docs" / "panels.md").read_text("utf-8")
    assert f"(examples/panels/{name}.py)" in page
    assert f"(images/panels-{name.replace('_', '-')}.png)" in page
    assert (ROOT / "docs" / "images" / f"panels-{name.replace('_', '-')}.png").is_file()


async def test_tasks_are_added_checked_and_removed() -> None:
    async with shown(app_of("todo")) as panel:
        host = panel.host
        assert "2 of 3 to do" in host.text()
        await panel.fire("onSubmit")
        assert "2 of 3 to do" in host.text()
        await change(panel, "New task", "  Buy a lens ")
        await panel.fire("onSubmit")
        assert "3 of 4 to do" in host.text()
        assert named(host, "New task")["props"]["value"] == ""
        await change(panel, "Run the tests", True)
        assert "2 of 4 to do" in host.text()
        kept = named(host, "Buy a lens")["id"]
        await panel.fire("onClick", text="Remove done")
        assert "2 of 2 to do" in host.text()
        assert "Run the tests" not in host.text()
        assert named(host, "Buy a lens")["id"] == kept
        assert host.errors == []


async def test_a_booking_says_what_is_wrong_only_after_it_was_sent() -> None:
    async with shown(app_of("booking")) as panel:
        host = panel.host
        assert "Who will come?" not in host.text()
        await panel.fire("onSubmit")
        for words in ("Who will come?", "Such as ada@", "A day from tomorrow on", "Choose one"):
            assert words in host.text()
        await change(panel, "Name", "Ada")
        assert "Who will come?" not in host.text()
        await change(panel, "E-mail", "ada@example.org")
        await change(panel, "Day", "2000-01-01")
        assert "A day from tomorrow on" in host.text()
        await change(panel, "Day", "9999-01-01")
        await change(panel, "Instrument", "Microscope")
        assert "Please read the rules first" in host.text()
        await change(panel, "I have read the rules", True)
        assert "Microscope on 9999-01-01 for Ada" in host.text()
        await panel.fire("onClick", text="Change")
        assert named(host, "Name")["props"]["value"] == "Ada"
        assert host.errors == []


async def test_the_chart_runs_until_it_is_stopped_and_follows_the_theme() -> None:
    async with shown(app_of("live_chart"), {"seconds": 0.001}) as panel:
        host = panel.host
        await until(lambda: "last 120 samples" in str(picture(host)["alt"]))
        assert "1d63c4" in str(picture(host)["src"])
        panel.view.set_environment({"colorScheme": "dark"})
        await until(lambda: "7ab2ff" in str(picture(host)["src"]))
        await change(panel, "Noise", "0")
        await panel.fire("onClick", text="Stop")
        stopped = picture(host)["src"]
        await panel.settle()
        assert picture(host)["src"] == stopped
        await panel.fire("onClick", text="Run")
        await until(lambda: picture(host)["src"] != stopped)
        assert host.errors == []


def picture(host: MemoryHost) -> dict[str, object]:
    return dict(host.find(lambda node: node["type"] == "img")["props"])


async def test_rows_are_found_counted_and_picked() -> None:
    async with shown(app_of("explorer")) as panel:
        host = panel.host
        assert "10,000 of 10,000 rows" in host.text()
        assert len(bars(host)) == 5
        await change(panel, "Find", "CORK 2026-03")
        rows = table_rows(host)
        assert 0 < len(rows) < 1000
        assert all(row[0] == "Cork" and str(row[1]).startswith("2026-03") for row in rows)
        assert bars(host) == [f"Cork: {len(rows)}"]
        await change(panel, "Count by", "temperature")
        assert sum(int(bar.split()[1]) for bar in bars(host)) == len(rows)
        assert len(bars(host)) > 5
        await panel.fire("onRowClick", 1)
        assert f"picked: {rows[1]}" in host.text()
        await change(panel, "Find", "nowhere")
        assert "0 of 10,000 rows" in host.text()
        assert bars(host) == []
        assert host.errors == []


def bars(host: MemoryHost) -> list[str]:
    return [str(node["props"]["title"]) for node in nodes(host.tree) if "title" in node["props"]]


def table_rows(host: MemoryHost) -> JsonValue:
    return host.find(lambda node: node["type"] == "DataTable")["props"]["rows"]


async def test_a_sweep_shows_progress_and_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    example = loaded("sweep")
    go = threading.Semaphore(0)

    def loss(rate: float, depth: int) -> float:
        go.acquire()
        return rate * depth

    monkeypatch.setattr(example, "loss", loss)
    async with shown(example.plugin.app) as panel:
        host = panel.host
        assert "0 of 16 runs" in host.text()
        await panel.fire("onClick", text="Start")
        go.release(2)
        await until(lambda: "2 of 16 runs" in host.text())
        assert "0.10 ★" in host.text()
        await panel.fire("onClick", text="Stop")
        assert "Start" in host.text()
        go.release(40)
        await panel.fire("onClick", text="Start")
        await until(lambda: "16 of 16 runs" in host.text() and "Start" in host.text())
        assert host.errors == []


async def test_log_lines_of_any_thread_are_shown_from_the_chosen_level_on() -> None:
    logger = logging.getLogger("experiment")
    async with shown(app_of("log_follower")) as panel:
        host = panel.host
        thread = threading.Thread(target=lambda: logger.error("no beam"))
        thread.start()
        thread.join()
        await until(lambda: "experiment: no beam" in host.text())
        await panel.fire("onClick", text="Log a line")
        assert "2 of 2 lines" in host.text()
        assert host.text().index("81 °C") < host.text().index("no beam")
        await change(panel, "From level", "ERROR")
        assert "1 of 2 lines" in host.text()
        await panel.fire("onClick", text="Clear")
        assert "0 of 0 lines" in host.text()
        assert host.errors == []
    assert logger.handlers == []
