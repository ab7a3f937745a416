"""A plugin's process: what it inherits, and that it ends with its server.

What bad plugins do is in `test_hostile_plugins`.
"""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

from jupyter_ac.agent.commands.environment import MARK
from jupyter_ac.hosts.panels.plugin_process import PluginProcess, plugin_environment
from tests.hosts.panels.plugin_programs import panel_file, rights, script
from tests.hosts.panels.test_hostile_plugins import is_alive
from tests.hosts.panels.test_plugin_calls import Ears
from tests.panels.shown import until


def test_no_key_is_passed_on() -> None:
    environ = {
        "PATH": f"relative{os.pathsep}/usr/bin",
        "HOME": "/home/x",
        "OPENAI_API_KEY": "secret",
        "JUPYTER_TOKEN": "secret",
        "LD_PRELOAD": "x.so",
        "PYTHONPATH": "relative",
        "PYTHONSTARTUP": "x.py",
    }
    found = plugin_environment(environ, "mark")
    assert found["PATH"] == "/usr/bin"
    assert (found["HOME"], found[MARK]) == ("/home/x", "mark")
    assert "relative" not in found["PYTHONPATH"]
    assert not {"OPENAI_API_KEY", "JUPYTER_TOKEN", "LD_PRELOAD", "PYTHONSTARTUP"} & found.keys()


async def test_it_runs_outside_of_the_repository_and_is_described(tmp_path: Path) -> None:
    ears = Ears()
    process = await PluginProcess.start(panel_file(tmp_path).command, ears, rights())
    await process.call("initialize", {"protocolVersion": 3, "extensions": ["describe"]})
    assert ears.told[0] == ("described", "Counter", [])
    assert Path(f"/proc/{process.pid}/cwd").readlink() == Path("/")
    await process.end()
    await process.end()
    assert not is_alive(process.pid)
    assert "ended" not in [told[0] for told in ears.told]


async def test_a_process_that_closes_its_pipes_is_ended(tmp_path: Path) -> None:
    ears = Ears()
    code = "os.close(1)\ntime.sleep(1_000)\n"
    process = await PluginProcess.start(script(tmp_path, code).command, ears, rights())
    await until(lambda: bool(ears.told))
    assert ears.told == [
        ("ended", {"message": "The process of plugin was ended: it closed its output."})
    ]
    await process.end()
    assert not is_alive(process.pid)


SERVER = """
import asyncio, sys
from pathlib import Path
sys.path[:0] = [{root!r}]
from jupyter_ac.hosts.panels.plugin_process import PluginProcess
from tests.hosts.panels.plugin_programs import rights, source
from tests.hosts.panels.test_plugin_calls import Ears

async def main():
    one = source("one", sys.executable, "-c", "while True: pass")
    process = await PluginProcess.start(one.command, Ears(), rights())
    print(process.pid, flush=True)
    await asyncio.sleep(1_000)

asyncio.run(main())
"""


async def test_it_ends_with_a_server_that_is_killed() -> None:
    code = SERVER.format(root=str(Path(__file__).parents[3]))
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    with server:
        assert server.stdout is not None
        pid = int(await asyncio.to_thread(server.stdout.readline))
        assert is_alive(pid)
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
    await until(lambda: not is_alive(pid))
