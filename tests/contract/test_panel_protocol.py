"""Seed 002's communication sequence, the same over every transport.

connect → initialize → the tree; an event → the change; props, environment, the whole tree again;
errors and the log; the end. On a plugin's own pipe the names are bare, on a shared link they
are `Panels.*` with the panel's id.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.panels.hosted_plugin import HostedPlugin
from jupyter_ac.hosts.panels.panel_file import PanelFile
from jupyter_ac.hosts.standalone.server import Address, ServeOptions, listening
from jupyter_ac.panels import PanelView
from jupyter_ac.panels.views import view_methods
from jupyter_ac.rpc.dialect import JRPC_OO, JSONRPC2, WireDialect
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.services.panels.panel_directory import PanelDirectory
from jupyter_ac.settings.panels import JSON_RPC, KKRPC
from jupyter_ac.workers.pipes import PipeTransport
from tests.hosts.panels.panel_sockets import command, page_at
from tests.hosts.panels.test_hosted_plugin import OwnPipe
from tests.hosts.panels.test_panel_file import own_modules
from tests.panels.memory_host import MemoryHost
from tests.panels.shown import until
from tests.rpc.pairs import WAIT_S, running
from tests.services.panels.panel_page import page_of
from tests.support.local_source import LocalSource
from tests.support.repositories import make_repository
from tests.support.serve_process import plain_environment

__all__ = ["own_modules"]

CODE = """
from jupyter_ac.panels import Plugin, component, html, log, use_effect, use_environment, use_state

@component
def App(label="clicks"):
    count, set_count = use_state(0)
    scheme = use_environment().color_scheme

    def click(*args):
        log("clicked", *args)
        set_count(lambda before: before + 1)

    def fail():
        raise ValueError("no such thing")

    return html.div(
        html.button({"on_click": click}, f"{count} {label} in the {scheme}"),
        html.button({"on_click": fail}, "fail"),
        html.input({"on_change": lambda text: set_count(int(text))}),
    )

plugin = Plugin(App, name="app", title="App")
"""


Call = Callable[..., Awaitable[object]]


@dataclass
class Link:
    """What a host has of a plugin.

    Attributes:
        host: what it shows and was told.
        call: calls a method of the protocol.
    """

    host: MemoryHost
    call: Call


Open = Callable[[Path], AbstractAsyncContextManager[Link]]


@asynccontextmanager
async def in_process(folder: Path) -> AsyncIterator[Link]:
    host = MemoryHost()
    view = PanelView(PanelFile(folder / "app.py").load().runtime, host.send)
    methods = view_methods(view)

    async def call(name: str, *args: object) -> object:
        result = methods[name].handler(*args)
        return await result if asyncio.iscoroutine(result) else result

    yield Link(host, call)
    await view.destroy()


@asynccontextmanager
async def own_pipe(folder: Path) -> AsyncIterator[Link]:
    ours, theirs = direct_pair()
    pipe = OwnPipe()
    peer = Peer(ours, pipe.table(), profile=JSONRPC2)
    hosted = HostedPlugin(theirs, PanelFile(folder / "app.py").load(), {"name": "app"})
    serving = asyncio.create_task(hosted.run())
    async with running(peer):
        yield Link(pipe.host, peer.call)
    await serving


@asynccontextmanager
async def stdio_child(folder: Path) -> AsyncIterator[Link]:
    async with command(folder, "app.py") as process:
        assert process.stdout is not None
        assert process.stdin is not None
        pipe = OwnPipe()
        transport = PipeTransport(process.stdout, process.stdin)
        peer = Peer(transport, pipe.table(), profile=JSONRPC2)
        async with running(peer):
            yield Link(pipe.host, peer.call)
        assert pipe.described == []  # which is no part of the seed's protocol


def shared(profile: WireDialect) -> Open:
    """A shared link in memory."""

    @asynccontextmanager
    async def link(folder: Path) -> AsyncIterator[Link]:
        directory = PanelDirectory()
        directory.add(LocalSource(PanelFile(folder / "app.py").load(), "kernel"))
        async with page_of(directory, profile) as page:
            yield Link(page.panels["app"], bound(page.call, "app"))
        await directory.aclose()

    return link


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Address]:
    async with listening(ServeOptions(folder / "garden", 0), folder / "built") as address:
        yield address


@asynccontextmanager
async def child_of_a_server(folder: Path, protocol: str = JSON_RPC) -> AsyncIterator[Link]:
    options = ["--kkrpc"] if protocol == KKRPC else []
    argv = [sys.executable, "-m", "jupyter_ac", "panel", str(folder / "app.py"), *options]
    settings = {"panels": {"commands": {"app": {"command": argv, "protocol": protocol}}}}
    config = Path(os.environ["JUPYTER_AC_CONFIG_DIR"])
    config.mkdir(parents=True, exist_ok=True)
    (config / "app.json").write_text(json.dumps(settings))
    async with serving(folder) as address, page_at(address.socket) as page:
        yield Link(page.panels["command/app"], bound(page.call, "command/app"))


@asynccontextmanager
async def behind_the_door(folder: Path, *options: str) -> AsyncIterator[Link]:
    async with (
        serving(folder) as address,
        page_at(address.socket) as page,
        command(folder, "app.py", "--connect", address.socket, *options),
    ):
        await page.until(lambda: page.state("connected/app") == "stopped")
        yield Link(page.panels["connected/app"], bound(page.call, "connected/app"))


def bound(
    call: Callable[..., Awaitable[object]], panel_id: str
) -> Callable[..., Awaitable[object]]:
    """A call on a shared link, with the panel's id."""
    return lambda name, *args: call(name, panel_id, *args)


LINKS: Mapping[str, Open] = {
    "in the process": in_process,
    "its own pipe": own_pipe,
    "a child's standard streams": stdio_child,
    "a shared link, JSON-RPC 2.0": shared(JSONRPC2),
    "a shared link, jrpc-oo": shared(JRPC_OO),
    "a child of a server": child_of_a_server,
    "a child of a server, kkrpc": lambda folder: child_of_a_server(folder, KKRPC),
    "the door for plugins": behind_the_door,
    "the door for plugins, kkrpc": lambda folder: behind_the_door(folder, "--kkrpc"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the plugin, and what a server needs."""
    for name, value in plain_environment(tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    (tmp_path / "app.py").write_text(CODE)
    make_repository(tmp_path / "garden", {"a.py": "print(1)\n"})
    (tmp_path / "built").mkdir()
    (tmp_path / "built" / "page.html").write_text("<!doctype html>")
    return tmp_path


@pytest.mark.parametrize("name", LINKS)
async def test_the_sequence_of_the_seed(name: str, folder: Path) -> None:
    async with asyncio.timeout(WAIT_S), LINKS[name](folder) as link:
        host, call = link.host, link.call
        # Another version, and calls before the beginning, are refused and change nothing.
        for method, args in (
            ("initialize", [{"protocolVersion": 2}]),
            ("initialize", [{}]),
            ("syncTree", []),
            ("executeHandler", ["node-1:onClick", []]),
        ):
            with pytest.raises(AcError):
                await call(method, *args)
        assert host.sent == []
        # The first tree comes before the answer.
        request = {
            "protocolVersion": 3,
            "props": {"label": "times"},
            "env": {"colorScheme": "dark"},
            "extensions": ["moveBefore"],
        }
        assert await call("initialize", request) is None
        assert host.names() == ["updateTree"]
        assert host.text() == "0 times in the darkfail"
        # An event: the log, and the change as mutations.
        assert await call("executeHandler", host.handler("onClick", "times"), [1, "x"]) is None
        await until(lambda: host.text().startswith("1 times"))
        assert host.logs == [("log", ["clicked", 1, "x"])]
        assert host.names().count("updateTree") == 1
        # Errors of a handler end nothing.
        await call("executeHandler", host.handler("onClick", "fail"), [])
        await until(lambda: host.errors == ["ValueError: no such thing"])
        assert "in fail" in host.stacks[0]
        await call("executeHandler", host.handler("onChange"), ["41"])
        await until(lambda: host.text().startswith("41 times"))
        # Props and environment, and back to the defaults.
        await call("updateProps", {"label": "points"})
        await until(lambda: host.text().startswith("41 points in the dark"))
        await call("setEnvironment", {"colorScheme": None})
        await until(lambda: host.text().startswith("41 points in the light"))
        with pytest.raises(AcError):
            await call("setEnvironment", {"colorScheme": "blue"})
        # The whole tree, when a host asks for it.
        before = host.tree
        await call("syncTree")
        await until(lambda: host.names()[-1] == "updateTree")
        assert host.tree == before
        # A handler that is not there is no error.
        await call("executeHandler", "node-999999:onClick", [])
        await until(lambda: any("no handler" in str(args) for _, args in host.logs))
        # The end; afterwards nothing comes and nothing can be called.
        await call("destroy")
        await call("destroy")
        with pytest.raises(AcError):
            await call("syncTree")


@pytest.mark.parametrize("name", LINKS)
async def test_it_can_be_shown_again(name: str, folder: Path) -> None:
    async with asyncio.timeout(WAIT_S), LINKS[name](folder) as link:
        host, call = link.host, link.call
        for _ in range(2):
            await call("initialize", {"protocolVersion": 3})
            assert host.tree is not None
            await call("executeHandler", host.handler("onClick", "clicks"), [])
            await until(lambda: bool(host.logs))
            await call("destroy")
            host.tree = None
            host.logs.clear()
