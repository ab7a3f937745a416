"""The comm `jupyter_ac.kernel` in real kernels, on the main shell and on subshells."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.hosts.kernel.live.comm_peers import MOST_COMMS
from jupyter_ac.rpc.dialect import JSONRPC2
from tests.services.panels.panel_page import PanelPage
from tests.support.cell_panels import COUNTER
from tests.support.kernel_page import KernelPage, KernelPageTransport
from tests.support.kernels import Kernel, printed, running_kernel
from tests.support.repositories import make_repository

BUSY_CELL = "import time; time.sleep(3600)"
LOAD = "%load_ext jupyter_ac"
WAITING_CELL = """
from pathlib import Path
import time
Path("begun").touch()
while not Path("go").exists():
    time.sleep(0.01)
"""
CHANGING_CELL = """
import itertools
table = {}
for number in itertools.count():
    name = f"v{number % 500}"
    globals()[name], table[number % 50] = [number], number
    if number % 3 == 0:
        del globals()[name], table[number % 50]
"""
HOSTILE_CELL = """
told = []
def telling(name):
    def tell(*arguments, **options):
        told.append(name)
        print(name)
        raise RuntimeError(name)
    return tell
NAMES = "__repr__ __len__ __eq__ __bool__ __dir__ __getattribute__ __instancecheck__".split()
Meta = type("Meta", (type,), {name: telling(name) for name in NAMES})
Value = type.__new__(Meta, "Value", (), {name: telling(name) for name in NAMES})
value = object.__new__(Value)
"""


async def begin_busy_cell(kernel: Kernel) -> None:
    kernel.client.execute(BUSY_CELL)
    await kernel.until(lambda message: message["msg_type"] == "execute_input")


async def test_a_page_asks_for_everything(tmp_path: Path) -> None:
    make_repository(tmp_path, {"helper.py": "def fails(number):\n    return number / 0\n"})
    async with running_kernel(tmp_path) as kernel:
        await kernel.run(LOAD)
        await kernel.run("x = [1, 2]; import helper, json")
        await kernel.run("helper.fails(7)")
        page = KernelPage(kernel)
        hello = await page.call("hello")
        listed = await page.call("list_variables")
        described = await page.call("describe_variable", "x", True)
        error = await page.call("get_last_error")
        history = await page.call_list("get_history", 2)
        completed = await page.call("complete", "json.dum", 8)
    assert hello["directory"] == str(tmp_path)
    assert len(hello["nonce"]) == 32
    assert set(hello["versions"]) == {"jupyter_ac", "python", "ipykernel", "hash"}
    kinds = {row["name"]: row["kind"] for row in listed["variables"]}
    assert kinds == {"x": "value", "helper": "module", "json": "module"}
    assert described["line"] == "[1, 2]"
    assert described["repr"] == {"state": "done", "text": "[1, 2]", "is_cut": False}
    assert [(row["kind"], row["file"], row["line"]) for row in error["frames"]] == [
        ("repository", "helper.py", 2),
        ("cell", "", 1),
    ]
    assert error["frames"][1]["cell"] == 3
    assert error["frames"][0]["locals"] == [{"name": "number", "type": "int", "line": "7"}]
    assert [row["source"] for row in history] == [
        "x = [1, 2]; import helper, json",
        "helper.fails(7)",
    ]
    assert completed["matches"] == ["dump", "dumps"]


async def test_on_a_subshell_it_answers_while_a_cell_runs(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        await kernel.run(LOAD)
        await kernel.run("x = 1")
        subshell = await kernel.subshell()
        on_main = KernelPage(kernel)
        await on_main.call("get_history", 1)
        page = KernelPage(kernel, subshell)
        await page.call("get_history", 1)
        await begin_busy_cell(kernel)
        listed = await page.call("list_variables")
        hello = await page.call("hello")
    assert {"x": "1"}.items() <= {row["name"]: row["line"] for row in listed["variables"]}.items()
    assert hello["nonce"] is None


async def test_variables_are_read_while_a_cell_makes_and_deletes_them(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        await kernel.run(LOAD)
        page = KernelPage(kernel, await kernel.subshell())
        await page.call("get_history", 1)
        kernel.client.execute(CHANGING_CELL)
        await kernel.until(lambda message: message["msg_type"] == "execute_input")
        for _ in range(30):
            listed = await page.call("list_variables")
            assert listed["left_out"] == 0
            described = await page.call("describe_variable", "table")
            assert (described["type"], described["line"][0]) == ("dict", "{")


async def test_looking_at_hostile_values_prints_nothing(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        await kernel.run(LOAD)
        await kernel.run(HOSTILE_CELL)
        page = KernelPage(kernel)
        listed = await page.call("list_variables")
        await page.call("describe_variable", "value")
        await page.call("complete", "value.", 6)
        await kernel.run("import nowhere")
        await page.call("get_last_error")
        told = printed(await kernel.run("print(sorted(told))"))
    row = next(row for row in listed["variables"] if row["name"] == "value")
    assert (row["type"], row["line"], row["is_known"]) == ("Value", "", False)
    assert told == "[]\n"


async def test_errors_have_a_type_and_a_remedy(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        await kernel.run(LOAD)
        page = KernelPage(kernel)
        missing = await page.call("describe_variable", "missing")
        unknown = await page.call("run_anything")
        page.send(7)
        wrong = json.loads(await page.exchange("{"))
        none = await page.call("get_last_error")
    assert missing["data"]["type"] == "not_found"
    assert "'missing'" in missing["message"]
    assert unknown["data"]["type"] == "method_not_found"
    assert wrong["error"]["code"] == -32700
    assert none is None


async def test_looking_triggers_no_events_of_cells(tmp_path: Path) -> None:
    count = "seen = []; get_ipython().events.register('post_execute', lambda: seen.append(1))"
    async with running_kernel(tmp_path) as kernel:
        await kernel.run(LOAD)
        await kernel.run(count)
        page = KernelPage(kernel)
        for _ in range(5):
            await page.call("list_variables")
        found = printed(await kernel.run("print(len(seen))"))
    assert found == "1\n"  # of the cell that has registered it


async def test_unloading_closes_the_comms_and_loading_brings_them_back(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        await kernel.run(LOAD)
        page = KernelPage(kernel)
        await page.call("list_variables")
        kernel.client.execute("%unload_ext jupyter_ac")
        await page.closed()
        refused = KernelPage(kernel)
        await refused.closed()
        await kernel.run("%load_ext jupyter_ac")
        again = KernelPage(kernel)
        assert (await again.call("list_variables"))["left_out"] == 0
        again.close()


async def test_the_oldest_of_too_many_comms_is_closed(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        await kernel.run(LOAD)
        first = KernelPage(kernel)
        await first.call("list_variables")
        others = [KernelPage(kernel) for _ in range(MOST_COMMS)]
        await first.closed()
        assert (await others[0].call("list_variables"))["left_out"] == 0


@pytest.mark.parametrize(
    ("version", "has_subshells"),
    [(7, True), (7, False), pytest.param(6, False, marks=pytest.mark.soak)],
)
async def test_every_kernel_answers_the_same_and_a_busy_one_as_soon_as_it_can(
    tmp_path: Path, request: pytest.FixtureRequest, version: int, has_subshells: bool
) -> None:
    python: Path | None = request.getfixturevalue("old_python") if version == 6 else None
    async with running_kernel(tmp_path, python) as kernel:
        assert printed(await kernel.run(LOAD)) == ""
        await kernel.run("x = [1, 2]")
        pid = int(printed(await kernel.run("import os; print(os.getpid())")))
        page = KernelPage(kernel, await kernel.subshell() if has_subshells else None)
        hello = await page.call("hello")
        listed = await page.call("list_variables")
        described = await page.call("describe_variable", "x", True)
        await begin_busy_cell(kernel)
        waiting = asyncio.create_task(page.call("list_variables"))
        if has_subshells:
            await waiting
        else:
            # Without a second shell the answer comes after the cell: it can't come before.
            await asyncio.sleep(0.5)
            assert not waiting.done()
        os.kill(pid, signal.SIGINT)
        late = await waiting
    assert hello["versions"]["ipykernel"].startswith(f"{version}.")
    assert [row["name"] for row in listed["variables"]] == ["x", "os"]
    assert listed["variables"][0] == late["variables"][0]
    assert described["repr"]["text"] == described["line"] == "[1, 2]"


@asynccontextmanager
async def panel_page(kernel: Kernel, subshell: str | None = None) -> AsyncIterator[PanelPage]:
    """Give a page that shows the kernel's panels over its comm."""
    page = PanelPage(KernelPageTransport(KernelPage(kernel, subshell)), JSONRPC2)
    serving = asyncio.create_task(page.peer.run())
    try:
        yield page
    finally:
        await page.peer.close()
        await serving


async def test_it_lists_and_shows_the_panels_of_the_notebook(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        await kernel.run(LOAD)
        await kernel.run(f"{COUNTER}\ncounter = Plugin(Counter, calls=['Repo.get_file_tree'])")
        subshell = await kernel.subshell()
        async with panel_page(kernel, subshell) as page:
            assert await page.call("list") == []
            kernel.client.execute("counter.display()")
            await page.until(lambda: bool(page.rows))
            assert page.rows == [
                {
                    "id": "counter",
                    "title": "Counter",
                    "origin": "kernel",
                    "state": "stopped",
                    "error": None,
                    "calls": [],
                    "loads": 0,
                }
            ]
            host = await page.show("counter")
            assert host.text() == "0 clicksfail"
            await page.until(lambda: page.state("counter") == "running")
            assert page.rows[0]["calls"] == []
            await page.fire("counter", "onClick", text="0")
            await page.until(lambda: host.text() == "1 clicksfail")

            kernel.client.execute(WAITING_CELL)
            await page.until((tmp_path / "begun").exists)
            click = asyncio.create_task(page.fire("counter", "onClick", text="1"))
            assert page.state("counter") == "running"
            assert await page.call("list") == page.rows
            assert not click.done()
            (tmp_path / "go").touch()
            await click
            await page.until(lambda: host.text() == "2 clicksfail")

            await page.call("restart", "counter")
            await page.until(lambda: host.text() == "0 clicksfail")
            kernel.client.execute("counter = Plugin(Counter, {'start': 9}); counter.display()")
            await page.until(lambda: host.text() == "9 clicksfail")
            await page.fire("counter", "onClick", text="9")
            await page.until(lambda: host.text() == "10 clicksfail")
            await page.call("destroy", "counter")
            with pytest.raises(RemoteError, match="not initialized"):
                await page.call("syncTree", "counter")
            with pytest.raises(RemoteError, match="There is no panel tea"):
                await page.call("initialize", "tea", {"protocolVersion": 3})
