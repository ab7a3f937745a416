"""Plugins that loop, flood, write rubbish, die: their pages are told, and others go on."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.hosts.panels.process_source import ProcessSource
from jupyter_ac.services.panels.panel_directory import PanelDirectory
from jupyter_ac.services.panels.plugin_run import RunLimits
from jupyter_ac.services.panels.shared_panel import SharedPanel
from tests.hosts.panels.plugin_programs import panel_file, script, source
from tests.services.panels.panel_page import PanelPage, page_of

PATIENT = RunLimits(start_s=60.0, busy_s=60.0)
BRIEF = RunLimits(start_s=60.0, busy_s=0.2)


@asynccontextmanager
async def page_with(
    *sources: ProcessSource, limits: RunLimits = PATIENT
) -> AsyncIterator[PanelPage]:
    """A page that is connected to panels in processes; all end at the end."""
    directory = PanelDirectory(make=lambda one, changed: SharedPanel(one, changed, limits))
    for each in sources:
        directory.add(each)
    try:
        async with page_of(directory) as page:
            await page.call("list")
            yield page
    finally:
        await directory.aclose()


async def failed(page: PanelPage, panel_id: str) -> str:
    """Wait until a panel has failed; what its page was told, with the stack."""
    await page.until(lambda: page.state(panel_id) == "failed")
    host = page.panels[panel_id]
    return f"{host.errors[-1]}\n{host.stacks[-1]}"


async def test_a_panel_in_a_process_is_shown_and_print_does_no_harm(tmp_path: Path) -> None:
    async with page_with(panel_file(tmp_path)) as page:
        host = await page.show("counter", props={"start": 4})
        assert host.text() == "4 clicks"
        await page.fire("counter", "onClick")
        await page.until(lambda: host.text() == "5 clicks")
        await page.until(lambda: page.state("counter") == "running")
        assert host.errors == []


async def test_a_plugin_that_ends_is_told_with_its_last_lines_and_restarted(tmp_path: Path) -> None:
    code = """
started()
for call in calls():
    answer(call)
    if call["method"] == "executeHandler":
        print("the end is near", file=sys.stderr)
        sys.exit(3)
"""
    async with page_with(script(tmp_path, code)) as page:
        host = await page.show("plugin")
        await page.call("executeHandler", "plugin", "a:onClick", [])
        told = await failed(page, "plugin")
        assert "ended with exit status 3" in told
        assert "the end is near" in told
        with pytest.raises(RemoteError, match="restart it"):
            await page.call("executeHandler", "plugin", "a:onClick", [])
        host.tree = None
        await page.show("plugin")  # shows the error, and starts nothing
        assert host.tree is None
        await page.call("restart", "plugin")
        await page.until(lambda: host.text() == "ready" and page.state("plugin") == "running")


async def test_a_plugin_that_was_killed_is_told(tmp_path: Path) -> None:
    code = """
started()
write("log", "info", [os.getpid()])
for call in calls():
    answer(call)
"""
    async with page_with(script(tmp_path, code)) as page:
        host = await page.show("plugin")
        await page.until(lambda: bool(host.logs))
        os.kill(int(str(host.logs[0][1][0])), signal.SIGKILL)
        assert "was ended by SIGKILL" in await failed(page, "plugin")


async def test_a_plugin_that_loops_is_told_and_ended_by_a_restart(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    code = f"""
started()
for call in calls():
    if not os.path.exists({str(flag)!r}):
        open({str(flag)!r}, "w").close()
        while True:
            pass
    answer(call)
"""
    sources = script(tmp_path, code), panel_file(tmp_path)
    async with page_with(*sources, limits=BRIEF) as page:
        host = await page.show("plugin")
        with pytest.raises(RemoteError, match="The panel is busy"):
            await page.call("executeHandler", "plugin", "a:onClick", [])
        assert "has not answered" in host.errors[-1]
        other = await page.show("counter")
        await page.fire("counter", "onClick")
        await page.until(lambda: other.text() == "1 clicks")
        await page.call("restart", "plugin")
        await page.call("executeHandler", "plugin", "a:onClick", [])


async def test_a_component_that_blocks_holds_up_its_own_panel_only(tmp_path: Path) -> None:
    code = """
import time
from jupyter_ac.panels import Plugin, component, html, use_state

@component
def Blocking():
    count, set_count = use_state(0)
    while count:
        time.sleep(0.1)
    return html.button({"on_click": lambda: set_count(1)}, "block")

plugin = Plugin(Blocking)
"""
    sources = panel_file(tmp_path, code, "blocking.py"), panel_file(tmp_path)
    async with page_with(*sources, limits=BRIEF) as page:
        await page.show("blocking")
        await page.fire("blocking", "onClick")
        other = await page.show("counter")
        await page.fire("counter", "onClick")
        await page.until(lambda: other.text() == "1 clicks")


@pytest.mark.parametrize(
    "rubbish",
    [
        'print("hello")',
        'print("{")',
        'print("[1, 2]")',
        "sys.stdout.buffer.write(bytes(range(256)) + b'\\n')",
        'print(json.dumps({"jsonrpc": "2.0", "method": "updateTree", "params": [3]}))',
        'print(json.dumps({"jsonrpc": "2.0", "method": "applyMutations", "params": ["x"]}))',
        'print(json.dumps({"jsonrpc": "2.0", "method": "log", "params": ["loud", []]}))',
        'print(json.dumps({"jsonrpc": "2.0", "method": "reportError", "params": []}))',
        'print(json.dumps({"jsonrpc": "2.0", "id": {}, "method": "updateTree"}))',
        'print("[" * 100_000)',
    ],
)
async def test_rubbish_on_standard_output_is_left_out(tmp_path: Path, rubbish: str) -> None:
    code = f"""
started()
for call in calls():
    {rubbish}
    sys.stdout.flush()
    write("updateTree", text("still here"))
    answer(call)
"""
    async with page_with(script(tmp_path, code)) as page:
        host = await page.show("plugin")
        await page.call("executeHandler", "plugin", "a:onClick", [])
        await page.until(lambda: host.text() == "still here")


async def test_a_line_without_an_end_ends_its_plugin(tmp_path: Path) -> None:
    code = """
started()
next(calls())
while True:
    sys.stdout.write("x" * 100_000)
"""
    async with page_with(script(tmp_path, code)) as page:
        await page.show("plugin")
        call = asyncio.create_task(page.call("executeHandler", "plugin", "a:onClick", []))
        assert "wrote too long a line" in await failed(page, "plugin")
        with pytest.raises(RemoteError):
            await call


async def test_a_flood_of_changes_is_joined_and_slowed_down(tmp_path: Path) -> None:
    code = """
started()
call = next(calls())
for number in range(3_000):
    write("applyMutations", [{"type": "setText", "nodeId": "t", "text": str(number)}])
answer(call)
for call in calls():
    answer(call)
"""
    async with page_with(script(tmp_path, code)) as page:
        host = await page.show("plugin")
        await page.call("executeHandler", "plugin", "a:onClick", [])
        await page.until(lambda: host.text() == "2999")
        assert sum(map(len, host.batches)) == 3_000
        assert len(host.batches) < 1_500


async def test_a_flood_of_the_log_is_cut(tmp_path: Path) -> None:
    code = """
started()
call = next(calls())
for number in range(2_000):
    write("log", "info", [number])
    write("reportError", {"message": "again"})
answer(call)
for call in calls():
    answer(call)
"""
    async with page_with(script(tmp_path, code)) as page:
        host = await page.show("plugin")
        await page.call("executeHandler", "plugin", "a:onClick", [])
        assert len(host.logs) + len(host.errors) <= 4_000
        assert page.state("plugin") == "running"


async def test_much_error_output_neither_blocks_nor_fills_the_server(tmp_path: Path) -> None:
    code = """
started()
call = next(calls())
for number in range(20_000):
    print("y" * 300, number, file=sys.stderr)
answer(call)
next(calls())
sys.exit(1)
"""
    async with page_with(script(tmp_path, code)) as page:
        await page.show("plugin")
        await page.call("executeHandler", "plugin", "a:onClick", [])
        with pytest.raises(RemoteError):
            await page.call("executeHandler", "plugin", "a:onClick", [])
        told = await failed(page, "plugin")
        assert "19999" in told
        assert len(told) < 20_000


async def test_a_plugin_that_reads_nothing_is_ended_when_too_much_waits(tmp_path: Path) -> None:
    code = """
started()
time.sleep(1_000)
"""
    async with page_with(script(tmp_path, code)) as page:
        await page.show("plugin")
        calls = [
            asyncio.create_task(page.call("executeHandler", "plugin", "a", ["z" * 1_000_000]))
            for _ in range(20)
        ]
        assert "does not read what it is sent" in await failed(page, "plugin")
        results = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(result, RemoteError) for result in results)


async def test_a_plugin_that_never_starts_is_given_up(tmp_path: Path) -> None:
    brief = RunLimits(start_s=0.5, busy_s=60.0)
    async with page_with(script(tmp_path, "time.sleep(1_000)"), limits=brief) as page:
        await page.show("plugin")
        assert "has shown nothing for 0.5 s" in await failed(page, "plugin")


async def test_a_program_that_is_not_there_is_said(tmp_path: Path) -> None:
    missing = source("missing", str(tmp_path / "nothing"))
    relative = source("relative", "./plugin.py")
    async with page_with(missing, relative) as page:
        await page.show("missing")
        assert "there is no program" in await failed(page, "missing")
        await page.show("relative")
        assert "write its absolute path" in await failed(page, "relative")


async def test_what_a_plugin_has_started_ends_with_it(tmp_path: Path) -> None:
    code = """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"],
                         start_new_session=True)
started()
write("log", "info", [child.pid])
for call in calls():
    answer(call)
"""
    async with page_with(script(tmp_path, code)) as page:
        host = await page.show("plugin")
        await page.until(lambda: bool(host.logs))
        await page.call("restart", "plugin")
        pid = int(str(host.logs[0][1][0]))
        await page.until(lambda: not is_alive(pid))


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but is still listed doesn't."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
