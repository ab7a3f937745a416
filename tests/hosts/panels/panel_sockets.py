"""Pages and plugins that are connected to a real server by WebSocket."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jupyter_ac.hosts.panels.hosted_plugin import HostedPlugin
from jupyter_ac.hosts.panels.plugin_socket import open_socket
from jupyter_ac.hosts.panels.server_address import door_address
from jupyter_ac.panels import Component, Plugin, component, html, use_state
from tests.rpc.pairs import WAIT_S
from tests.services.panels.panel_page import PanelPage


@component
def counter(start: int = 0) -> object:
    count, set_count = use_state(start)
    return html.button({"on_click": lambda: set_count(count + 1)}, f"{count} clicks")


@asynccontextmanager
async def page_at(url: str) -> AsyncIterator[PanelPage]:
    """A page that is connected to a server, and follows its panels."""
    async with open_socket(url) as transport:
        page = PanelPage(transport)
        running = asyncio.create_task(page.peer.run())
        try:
            await page.call("list")
            yield page
        finally:
            await page.peer.close()
            async with asyncio.timeout(WAIT_S):
                await running


@asynccontextmanager
async def plugin_at(
    url: str, app: Component = counter, name: str = "counter", title: str = ""
) -> AsyncIterator[HostedPlugin]:
    """A plugin of this process that is connected to a server's door."""
    async with open_socket(door_address(url, {"name": name, "title": title})) as transport:
        hosted = HostedPlugin(transport, Plugin(app), {"name": name, "title": title, "calls": []})
        running = asyncio.create_task(hosted.run())
        try:
            yield hosted
        finally:
            await transport.close()
            async with asyncio.timeout(WAIT_S):
                await running


@asynccontextmanager
async def command(folder: Path, *args: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """`jupyter ac panel` as a process with pipes; ended at the end."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "jupyter_ac",
        "panel",
        *args,
        cwd=folder,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(WAIT_S):
            await process.communicate()
