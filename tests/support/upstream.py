"""Upstream's Python peer in a controlled process; see `upstream_peer.py`."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.jrpc_client import node_modules
from tests.support.json_lines import WAIT_S, CommandError, Event, LineProcess, start

UpstreamError = CommandError
_ROOT = Path(__file__).parents[2]


class Upstream:
    """A server or a client of upstream's."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.port = 0
        self._ready = asyncio.Event()
        self._called: asyncio.Queue[tuple[object, object]] = asyncio.Queue()
        self._process = LineProcess(process, self._on_event)

    async def ready(self) -> None:
        """Wait until it listens, or has shaken hands."""
        async with asyncio.timeout(WAIT_S):
            await self._ready.wait()

    async def called(self) -> tuple[object, object]:
        """Wait for the next call of a method of its that tells: name and arguments."""
        async with asyncio.timeout(WAIT_S):
            return await self._called.get()

    async def call(self, method: str, *args: object, via: str = "server") -> object:
        """Have it call a method of ours."""
        return await self.command("call", method=method, args=args, via=via)

    async def command(self, cmd: str, **members: object) -> object:
        """Send a command and wait for its answer."""
        return await self._process.command({"cmd": cmd, **members})

    async def aclose(self) -> None:
        """End the process, whatever it is doing."""
        await self._process.aclose(kill=True)

    def _on_event(self, event: Event) -> None:
        if "ready" in event:
            port = event["ready"]
            self.port = port if isinstance(port, int) else 0
            self._ready.set()
        else:
            self._called.put_nowait((event["called"], event["args"]))


@asynccontextmanager
async def upstream(*arguments: str) -> AsyncIterator[Upstream]:
    """Run `server`, or `client URL`, for the time of a test."""
    command = ("-m", "tests.support.upstream_peer", str(node_modules()), *arguments)
    peer = Upstream(await start(sys.executable, *command, cwd=str(_ROOT)))
    try:
        yield peer
    finally:
        await peer.aclose()
