"""The panels of a workspace: those of packages, of settings, of the command line."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPRequest

from jupyter_ac.hosts.panels.plugin_command import PluginCommand
from jupyter_ac.hosts.standalone.server import ServeOptions, listening
from jupyter_ac.panels.wire import UINode
from tests.hosts.panels.panel_sockets import page_at
from tests.hosts.panels.plugin_programs import COUNTER, PIPE
from tests.hosts.panels.test_installed_panels import install
from tests.panels.memory_host import text_of
from tests.rpc.pairs import WAIT_S
from tests.services.panels.panel_page import PanelPage
from tests.support.repositories import make_repository
from tests.support.serve_process import plain_environment

FILES = """
from jupyter_ac.panels import Plugin, component, html, use_effect, use_services, use_state

METHODS = ("Repo.get_flat_file_list", "Repo.write_file", "Repo.is_clean", "Panels.list")

@component
def Files():
    found, set_found = use_state([])
    services = use_services()

    async def load():
        answers = []
        for name in METHODS:
            try:
                answers.append(await services.call(name))
            except Exception as error:
                answers.append(f"{type(error).__name__}: {error}")
        set_found(answers)

    use_effect(load, ())
    return html.ul([html.li(str(each), key=at) for at, each in enumerate(found)])

plugin = Plugin(Files, name="files", calls=METHODS[:2] + METHODS[3:])
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a repository, a package with panels, and the user's settings."""
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "panels_of_workspace.py").write_text(FILES)
    install(packages, "panels-of-workspace", {"files": "panels_of_workspace:plugin"})
    more = {"PYTHONPATH": f"{packages}:{Path(__file__).parents[2]}"}
    for name, value in plain_environment(tmp_path / "home", **more).items():
        monkeypatch.setenv(name, value)
    monkeypatch.syspath_prepend(str(packages))
    (tmp_path / "counter.py").write_text(COUNTER)
    make_repository(tmp_path / "garden", {"a.py": "print(1)\n", ".vscode/x": "1"})
    (tmp_path / "built").mkdir()
    (tmp_path / "built" / "page.html").write_text("<!doctype html>")
    return tmp_path


@asynccontextmanager
async def page_in(place: Path, *panels: PluginCommand) -> AsyncIterator[PanelPage]:
    options = ServeOptions(place / "garden", 0, panels=panels)
    async with listening(options, place / "built") as address, page_at(address.socket) as page:
        yield page


def nodes_below(tree: UINode) -> list[UINode]:
    """The elements right below the top."""
    return [child for child in tree["children"] if not isinstance(child, str)]


def configure(place: Path, commands: object) -> None:
    folder = place / "home" / "ac"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "app.json").write_text(json.dumps({"panels": {"commands": commands}}))


async def test_a_panel_of_a_package_reads_what_it_lists_and_nothing_else(place: Path) -> None:
    async with page_in(place) as page:
        host = await page.show("files")
        await page.until(lambda: len(host.tree["children"] if host.tree else []) == 4)
        assert host.tree is not None
        files, written, clean, panels = map(text_of, nodes_below(host.tree))
        assert "a.py" in files
        assert "Repo.write_file can't be called from this panel" in written
        assert "may only read" in written
        assert "lists in `calls`" in clean
        assert "Panels.list can't be called" in panels
        row = next(row for row in page.rows if row["id"] == "files")
        assert row["origin"] == "entry-point"
        assert row["calls"] == ["Repo.get_flat_file_list"]


async def test_panels_of_the_settings_and_the_command_line_are_listed(place: Path) -> None:
    panel = [sys.executable, "-m", "jupyter_ac", "panel", str(place / "counter.py")]
    configure(place, {"my own": {"command": panel}})
    command = PluginCommand("counter", tuple(panel))
    async with page_in(place, command) as page:
        rows = await page.call("list")
        assert isinstance(rows, list)
        found = {row["id"]: row["origin"] for row in rows}
        assert found["files"] == "entry-point"
        assert (found["file/counter"], found["command/my own"]) == ("file", "command")
        for panel_id in ("file/counter", "command/my own"):
            host = await page.show(panel_id)
            await page.fire(panel_id, "onClick")
            async with asyncio.timeout(WAIT_S):
                while host.text() != "1 clicks":
                    await asyncio.sleep(0.001)


async def test_a_command_is_granted_nothing(place: Path) -> None:
    (place / "spy.py").write_text(
        PIPE
        + """
write("describe", {"name": "spy", "title": "Spy", "calls": ["Repo.is_clean"]})
write("Repo.is_clean", id=7)
for line in sys.stdin:
    call = json.loads(line)
    if call.get("id") == 7 and "error" in call:
        write("log", "info", [call["error"]["message"]])
    elif call.get("method") == "initialize":
        write("updateTree", text("spying"))
        answer(call)
"""
    )
    configure(place, {"spy": {"command": [sys.executable, str(place / "spy.py")]}})
    async with page_in(place) as page:
        host = await page.show("command/spy")
        write = "Repo.is_clean can't be called from this panel: only plugins of installed packages"
        await page.until(lambda: any(write in str(args) for _, args in host.logs))


async def test_a_setting_that_has_changed_holds_from_the_next_start(place: Path) -> None:
    configure(place, {"mine": {"command": ["no-such-program"]}})
    async with page_in(place) as page:
        host = await page.show("command/mine")
        assert "no program no-such-program" in host.errors[-1]
        panel = [sys.executable, "-m", "jupyter_ac", "panel", str(place / "counter.py")]
        configure(place, {"mine": {"command": panel}})
        await page.call("list")
        await page.call("restart", "command/mine")
        await page.until(lambda: host.text() == "0 clicks")


async def test_nothing_of_the_repository_is_started(place: Path) -> None:
    settings = {"panels": {"commands": {"evil": {"command": ["touch", str(place / "ran")]}}}}
    for name in ("app.json", ".jupyter_ac/app.json"):
        path = place / "garden" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(settings))
    async with page_in(place) as page:
        rows = await page.call("list")
        assert "evil" not in str(rows)
    assert not (place / "ran").exists()


async def test_calls_of_a_single_request_leave_no_page_behind(place: Path) -> None:
    async with (
        listening(ServeOptions(place / "garden", 0), place / "built") as address,
        page_at(address.socket) as page,
    ):
        for method, params in (
            ("Panels.list", []),
            ("Panels.initialize", ["files", {"protocolVersion": 3}]),
        ):
            call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            request = HTTPRequest(
                f"http://127.0.0.1:{address.port}/rpc?token={address.token}",
                method="POST",
                headers={"Content-Type": "application/json"},
                body=json.dumps(call),
                request_timeout=WAIT_S,
            )
            answer = await AsyncHTTPClient().fetch(request)
            assert "error" not in json.loads(answer.body)
        await page.until(lambda: page.state("files") == "running")
        await page.call("restart", "files")  # which only ends what nobody sees
        await page.until(lambda: page.state("files") == "stopped")
