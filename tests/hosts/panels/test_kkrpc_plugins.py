"""Plugins on npm's kkrpc, shown by the server: as a command of the user's, and at its door."""

import json
import os
import shutil
from pathlib import Path

import pytest

from jupyter_ac.hosts.panels.server_address import door_address
from tests.hosts.panels.panel_sockets import page_at
from tests.meta.sources import ROOT
from tests.support.kkrpc_peers import kkrpc_process
from tests.support.repositories import make_repository
from tests.support.serve_process import plain_environment, serving

CHECKLIST = ROOT / "docs" / "examples" / "panels" / "checklist.mjs"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository; the example in JavaScript is among the user's panels."""
    node = shutil.which("node")
    assert node is not None
    for name, value in plain_environment(tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    config = Path(os.environ["JUPYTER_AC_CONFIG_DIR"])
    config.mkdir(parents=True, exist_ok=True)
    commands = {"checklist": {"command": [node, str(CHECKLIST)], "protocol": "kkrpc"}}
    (config / "app.json").write_text(json.dumps({"panels": {"commands": commands}}))
    make_repository(tmp_path / "garden", {"a.py": "print(1)\n"})
    return tmp_path / "garden"


async def test_the_example_in_javascript_is_a_panel_of_pages(root: Path) -> None:
    name = "command/checklist"
    with serving(root, dict(os.environ)) as serve:
        async with page_at(serve.address) as page, page_at(serve.address) as other:
            host = await page.show(name)
            await page.until(lambda: "0 of 3 done" in host.text())
            assert (await other.show(name)).text() == host.text()
            await page.fire(name, "onChange", True, text="")
            await page.until(lambda: "1 of 3 done" in host.text())
            await other.until(lambda: "1 of 3 done" in other.panels[name].text())
            await page.call("setEnvironment", name, {"colorScheme": "dark"})
            await page.call("restart", name)
            await page.until(lambda: "0 of 3 done" in host.text())
            assert host.errors == []


@pytest.mark.parametrize("version", ["superjson", "json"])
async def test_a_plugin_on_kkrpc_comes_in_by_the_door(root: Path, version: str) -> None:
    query = {"name": "js", "title": "On kkrpc", "protocol": "kkrpc"}
    events: list[dict[str, object]] = []
    with serving(root, dict(os.environ)) as serve:
        door = door_address(serve.address, query)
        async with page_at(serve.address) as page:
            async with kkrpc_process(door, version, events.append) as process:
                await process.command({"cmd": "expose", "as": "plugin"})
                await page.until(lambda: page.state("connected/js") == "stopped")
                host = await page.show("connected/js")
                assert host.text() == "ready"
                await page.fire("connected/js", "onClick", {"x": [None, "żółw"]})
                await page.until(lambda: host.text() == 'b:onClick [{"x":[null,"żółw"]}]')
                assert "gone" not in host.find(lambda node: node["id"] == "b")["props"]
                await page.call("destroy", "connected/js")
            await page.until(lambda: page.state("connected/js") in {"failed", None})
