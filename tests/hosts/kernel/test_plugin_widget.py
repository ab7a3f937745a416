"""Plugins below cells of a real kernel: over the widget's comm, busy, saved, ended."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from jupyter_ac.errors import NotReady, RemoteError
from jupyter_ac.hosts.assets import load_build
from jupyter_ac.hosts.kernel.plugin_widget import PLUGIN_MARK, PLUGIN_MIME, display_plugin
from jupyter_ac.panels import Plugin, component, html
from tests.hosts.kernel.plugins.shown import until
from tests.meta.sources import ROOT
from tests.support.cell_panels import COUNTER, show, view_of
from tests.support.kernels import WIDGET_VIEW, printed, running_kernel, shown

DISPLAY = f"{COUNTER}\ncounter = Plugin(Counter)\ncounter.display()"
WAITING_CELL = """
from pathlib import Path
import time
Path("begun").touch()
while not Path("go").exists():
    time.sleep(0.01)
"""


async def test_the_communication_sequence_of_seed_002(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        model_id = await show(kernel, DISPLAY)
        async with view_of(kernel, model_id) as host:
            assert host.shown.names() == ["updateTree"]
            assert host.shown.text() == "0 clicksfail"
            await host.call("executeHandler", host.shown.handler("onClick", "0"), [])
            await until(lambda: host.shown.text() == "1 clicksfail")
            assert host.shown.names() == ["updateTree", "applyMutations"]
            await host.call("syncTree")
            await until(lambda: host.shown.names()[-1] == "updateTree")
            await host.call("updateProps", {"start": 7})
            await host.call("setEnvironment", {"colorScheme": "dark"})
            await host.call("executeHandler", host.shown.handler("onClick", "fail"), [])
            await until(lambda: host.shown.errors == ["ZeroDivisionError: division by zero"])
            assert "Cell In[1]:" in host.shown.stacks[0]
            assert "lambda: 1 / 0" in host.shown.stacks[0]
            await host.call("restart")
            await until(lambda: host.shown.text() == "7 clicksfail")
            await host.call("destroy")
            with pytest.raises(RemoteError, match="not initialized"):
                await host.call("syncTree")


async def test_an_output_has_a_live_view_a_picture_and_words(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        (bundle,) = shown(await kernel.run(DISPLAY))
        again = await show(kernel, "counter.display()")
    assert bundle[WIDGET_VIEW]["model_id"] == again
    assert bundle[PLUGIN_MIME] == PLUGIN_MARK
    assert bundle["text/plain"] == "Panel “Counter”"
    assert "0 clicks" in bundle["text/html"]
    assert "run the cell to make it live" in bundle["text/html"]
    assert "_onClick" not in bundle["text/html"]


async def test_clicks_during_a_cell_are_answered_after_it_in_order(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        model_id = await show(kernel, DISPLAY)
        subshell = await kernel.subshell()
        async with view_of(kernel, model_id, subshell) as host:
            handler = host.shown.handler("onClick", "0")
            kernel.client.execute(WAITING_CELL)
            await until((tmp_path / "begun").exists)
            clicks = [
                asyncio.create_task(host.call("executeHandler", handler, [])) for _ in range(5)
            ]
            await until(lambda: {"type": "busy", "busy": True} in host.customs)
            assert not any(click.done() for click in clicks)
            assert host.shown.text() == "0 clicksfail"
            (tmp_path / "go").touch()
            await asyncio.gather(*clicks)
            await until(lambda: host.shown.text() == "5 clicksfail")
            await until(lambda: host.customs[-1] == {"type": "busy", "busy": False})


async def test_handlers_print_below_the_cell_that_shows_the_plugin(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        sent = kernel.client.execute(DISPLAY)
        message = await kernel.until(lambda found: found["msg_type"] == "display_data")
        model_id = message["content"]["data"][WIDGET_VIEW]["model_id"]
        async with view_of(kernel, model_id) as host:
            handler = host.shown.handler("onClick", "0")
            await host.call("executeHandler", handler, [])
            await until(lambda: bool(host.printed))
    assert host.printed == [(sent, "clicked 0\n")]


async def test_a_cell_that_runs_again_ends_what_it_has_shown(tmp_path: Path) -> None:
    code = f"""{COUNTER}
from jupyter_ac.panels import use_effect
@component
def Living():
    def begin():
        print("begun")
        return lambda: print("ended")
    use_effect(begin, [])
    return html.p("alive")
Plugin(Living).display()
"""
    async with running_kernel(tmp_path) as kernel:
        assert "begun" in printed(await kernel.run(code, cell_id="one"))
        assert "ended" not in printed(await kernel.run("1", cell_id="two"))
        kernel.begin("1", "one")
        found: set[str] = set()
        while found != {"ended", "comm_close"}:
            message = await kernel.until(lambda each: each["msg_type"] in {"comm_close", "stream"})
            found.add(message["content"].get("text", "comm_close").strip())


async def test_a_notebook_without_a_page_keeps_the_last_picture(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        await kernel.run(f"{COUNTER}\nsetter = []")
        code = """
@component
def Level():
    level, set_level = use_state(3)
    setter.append(set_level)
    return html.p(f"Level {level}")
Plugin(Level).display()
"""
        first = next(each for each in await kernel.run(code) if each["msg_type"] == "display_data")
        published = await kernel.run("setter[-1](4)")
        updates = [each for each in published if each["msg_type"] == "update_display_data"]
        quiet = await kernel.run("1")
    assert "Level 3" in first["content"]["data"]["text/html"]
    (update,) = updates
    assert update["content"]["transient"] == first["content"]["transient"]
    assert "Level 4" in update["content"]["data"]["text/html"]
    assert not [each for each in quiet if each["msg_type"] == "update_display_data"]


async def test_it_serves_what_shows_panels(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        model_id = await show(kernel, DISPLAY)
        kernel.send_custom(model_id, {"type": "nothing"})
        kernel.send_custom(model_id, {"type": "panels"})
        served = await kernel.custom(model_id, "panels")
    assert served["hash"] == load_build().hash
    assert "ac-plugin-panel" in str(served["source"])


async def test_only_a_cell_can_show_a_plugin(tmp_path: Path) -> None:
    code = f"""{COUNTER}
import asyncio, threading
def show():
    try:
        Plugin(Counter).display()
    except Exception as error:
        print(type(error).__name__, error)
thread = threading.Thread(target=show)
thread.start()
thread.join()
"""
    async with running_kernel(tmp_path) as kernel:
        assert "NotReady Plugin.display() works in a cell only" in printed(await kernel.run(code))


@component
def nothing() -> object:
    return html.p("nothing")


def test_outside_of_a_notebook_it_says_what_to_do() -> None:
    with pytest.raises(NotReady, match=r"jupyter ac panel FILE\.py"):
        display_plugin(Plugin(nothing))


def test_in_a_terminal_it_says_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "cell.py"
    file.write_text(f"{COUNTER}\nPlugin(Counter).display()", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "IPython", "--no-banner", "--colors=NoColor", str(file)],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
    )
    assert "NotReady: Plugin.display() shows a panel below a cell" in done.stdout + done.stderr


def test_the_mark_is_json() -> None:
    assert json.loads(json.dumps(PLUGIN_MARK)) == {"version": 1}


async def test_it_works_in_ipykernel_6(tmp_path: Path, old_python: Path) -> None:
    async with running_kernel(tmp_path, old_python) as kernel:
        model_id = await show(kernel, DISPLAY)
        async with view_of(kernel, model_id) as host:
            handler = host.shown.handler("onClick", "0")
            kernel.client.execute(WAITING_CELL)
            await until((tmp_path / "begun").exists)
            clicks = [
                asyncio.create_task(host.call("executeHandler", handler, [])) for _ in range(3)
            ]
            await until(lambda: {"type": "busy", "busy": True} in host.customs)
            assert host.shown.text() == "0 clicksfail"
            (tmp_path / "go").touch()
            await asyncio.gather(*clicks)
            await until(lambda: host.shown.text() == "3 clicksfail")
            await until(lambda: "clicked 2\n" in "".join(text for _, text in host.printed))
