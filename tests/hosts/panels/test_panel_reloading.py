"""A panel's file is loaded anew when it is saved."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.git.watch.fs_events import WatchUnavailable
from jupyter_ac.hosts.panels import panel_reloading
from jupyter_ac.hosts.panels.hosted_plugin import HostedPlugin
from jupyter_ac.hosts.panels.panel_file import PanelFile
from jupyter_ac.hosts.panels.panel_reloading import PanelReloading
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.peer import Peer
from tests.hosts.panels.test_hosted_plugin import OwnPipe
from tests.hosts.panels.test_panel_file import own_modules
from tests.panels.shown import until

__all__ = ["own_modules"]

START = {"protocolVersion": 3}


def write(folder: Path, words: str) -> None:
    """Save a version of the file, as editors do."""
    code = f"""
from jupyter_ac.panels import component, html

@component
def App():
    return html.p({words})
"""
    (folder / "panel.py.new").write_text(code)
    (folder / "panel.py.new").replace(folder / "panel.py")


@asynccontextmanager
async def followed(folder: Path) -> AsyncIterator[tuple[Peer, OwnPipe]]:
    reloading = PanelReloading(PanelFile(folder / "panel.py"))
    reloading.load()
    ours, theirs = direct_pair()
    pipe = OwnPipe()
    peer = Peer(ours, pipe.table(), profile=JSONRPC2)
    made = HostedPlugin(theirs, reloading.plugin, {})
    async with reloading.shown_by(made):
        tasks = [asyncio.create_task(work) for work in (peer.run(), made.run())]
        following = asyncio.create_task(reloading.follow())
        try:
            await peer.call("initialize", START)
            yield peer, pipe
        finally:
            following.cancel()
            await peer.close()
            await asyncio.gather(*tasks, following, return_exceptions=True)


async def saved(folder: Path, words: str, pipe: OwnPipe, expected: str) -> None:
    """Save until the change was seen: the watch may not have begun yet."""
    async with asyncio.timeout(60):
        while pipe.host.text() != expected:
            write(folder, words)
            await asyncio.sleep(0.2)


async def test_a_save_shows_the_new_panel(tmp_path: Path) -> None:
    write(tmp_path, "'one'")
    async with followed(tmp_path) as (_peer, pipe):
        assert pipe.host.text() == "one"
        await saved(tmp_path, "'two'", pipe, "two")
        assert pipe.host.errors == []


async def test_an_error_keeps_the_last_panel_and_the_next_save_mends_it(tmp_path: Path) -> None:
    write(tmp_path, "'one'")
    async with followed(tmp_path) as (_peer, pipe):
        await saved(tmp_path, "'two'", pipe, "two")
        write(tmp_path, "'three")
        await until(lambda: bool(pipe.host.errors))
        assert pipe.host.errors[0].startswith("panel.py: SyntaxError: ")
        assert "panel.py, line 6" in pipe.host.errors[0]
        assert pipe.host.text() == "two"
        write(tmp_path, "missing")
        await until(lambda: any("NameError" in error for error in pipe.host.errors))
        assert pipe.host.text() == "two"
        await saved(tmp_path, "'three'", pipe, "three")


async def test_a_file_that_is_broken_at_first_is_mended_by_a_save(tmp_path: Path) -> None:
    write(tmp_path, "'one")
    async with followed(tmp_path) as (_peer, pipe):
        await until(lambda: bool(pipe.host.errors))
        await saved(tmp_path, "'two'", pipe, "two")


async def test_code_that_ends_the_process_does_not(tmp_path: Path) -> None:
    (tmp_path / "panel.py").write_text("import sys\nsys.exit(3)\n")
    reloading = PanelReloading(PanelFile(tmp_path / "panel.py"))
    assert not reloading.load()
    assert reloading.error is not None
    assert "SystemExit" in reloading.error["message"]


async def test_where_nothing_is_watched_the_panel_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def unavailable(*_args: object) -> None:
        raise WatchUnavailable("The system doesn't report changes.")

    monkeypatch.setattr(panel_reloading, "watch_folders", unavailable)
    write(tmp_path, "'one'")
    reloading = PanelReloading(PanelFile(tmp_path / "panel.py"))
    await reloading.follow()
    assert "Start the panel again after a change" in caplog.text


@pytest.fixture(autouse=True)
def no_bytecode() -> Iterator[None]:
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    yield
    sys.dont_write_bytecode = before
