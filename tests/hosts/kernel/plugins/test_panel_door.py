"""The protocol of seed 002 under its bare names, as JSON-RPC 2.0, at a panel of the kernel."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.hosts.kernel.plugins.panel_door import PanelDoor
from jupyter_ac.panels import Plugin
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.services.panels.shared_panel import SharedPanel
from tests.hosts.kernel.plugins.shown import clicks, until
from tests.support.local_source import LocalSource
from tests.support.pipe_host import PipeHost


@asynccontextmanager
async def door_to(panel: SharedPanel, error: ErrorReport | None = None) -> AsyncIterator[PipeHost]:
    ours, theirs = direct_pair()
    door = PanelDoor(panel, ours, lambda: error)
    serving = asyncio.create_task(door.run())
    try:
        async with PipeHost(theirs).running() as host:
            yield host
    finally:
        await serving


def panel_of(plugin: Plugin) -> SharedPanel:
    return SharedPanel(LocalSource(plugin, "kernel"), lambda: None)


async def test_the_communication_sequence() -> None:
    panel = panel_of(Plugin(clicks))
    async with door_to(panel) as host:
        assert await host.call("initialize", {"protocolVersion": 3, "props": {"start": 4}}) is None
        assert host.shown.names() == ["updateTree"]
        assert host.shown.text() == "4 clicksfail"
        handler = host.shown.handler("onClick", "4")
        assert await host.call("executeHandler", handler, []) is None
        await until(lambda: host.shown.text() == "5 clicksfail")
        assert host.shown.names() == ["updateTree", "applyMutations"]
        await host.call("syncTree")
        await until(lambda: host.shown.names()[-1] == "updateTree")
        await host.call("updateProps", {"start": 9})
        await host.call("setEnvironment", {"colorScheme": "dark"})
        await host.call("executeHandler", host.shown.handler("onClick", "fail"), [])
        await until(lambda: host.shown.errors == ["ValueError: no tea"])
        assert await host.call("destroy") is None
        with pytest.raises(RemoteError, match="not initialized"):
            await host.call("syncTree")
        assert await host.call("destroy") is None
    await panel.aclose()


async def test_a_restart_begins_anew_for_all_views() -> None:
    panel = panel_of(Plugin(clicks))
    async with door_to(panel) as one, door_to(panel) as other:
        for host in (one, other):
            await host.call("initialize", {"protocolVersion": 3, "extensions": ["moveBefore"]})
        await one.call("executeHandler", one.shown.handler("onClick", "0"), [])
        await until(lambda: one.shown.text() == other.shown.text() == "1 clicksfail")
        await one.call("restart")
        await until(lambda: one.shown.text() == other.shown.text() == "0 clicksfail")
    await panel.aclose()


async def test_a_view_that_comes_later_hears_of_the_error() -> None:
    panel = panel_of(Plugin(clicks))
    async with door_to(panel, {"message": "no water"}) as host:
        await host.call("initialize", {"protocolVersion": 3})
        await until(lambda: host.shown.errors == ["no water"])
    await panel.aclose()


async def test_another_version_is_refused() -> None:
    panel = panel_of(Plugin(clicks))
    async with door_to(panel) as host:
        with pytest.raises(RemoteError, match="Invalid params"):
            await host.call("initialize", {"protocolVersion": 2})
        assert host.shown.sent == []
    await panel.aclose()
