"""Upstream's Python peer in a process of its own, under control; see `upstream_peer.py`."""

import asyncio
import itertools
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.jrpc_client import node_modules

WAIT_S = 10.0
_LINE_LIMIT = 1 << 26


class UpstreamError(Exception):
    """What a command failed with there."""


class Upstream:
    """A server or a client of upstream's."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.port = 0
        self._process = process
        self._ids = itertools.count(1)
        self._ready = asyncio.Event()
        self._answers: dict[object, asyncio.Future[object]] = {}
        self._called: asyncio.Queue[tuple[object, object]] = asyncio.Queue()
        self._reader = asyncio.create_task(self._read())

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
        number = next(self._ids)
        future = asyncio.get_running_loop().create_future()
        self._answers[number] = future
        assert self._process.stdin is not None
        line = json.dumps({"id": number, "cmd": cmd, **members}) + "\n"
        self._process.stdin.write(line.encode())
        async with asyncio.timeout(WAIT_S):
            return await future

    async def aclose(self) -> None:
        """End the process, whatever it is doing."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._reader

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            message = json.loads(line)
            if "ready" in message:
                self.port = message["ready"] or 0
                self._ready.set()
            elif "called" in message:
                self._called.put_nowait((message["called"], message["args"]))
            elif "error" in message:
                self._answers.pop(message["id"]).set_exception(UpstreamError(message["error"]))
            else:
                self._answers.pop(message["id"]).set_result(message["value"])


@asynccontextmanager
async def upstream(*arguments: str) -> AsyncIterator[Upstream]:
    """Run `server`, or `client URL`, for the time of a test."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(Path(__file__).with_name("upstream_peer.py")),
        str(node_modules()),
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_LINE_LIMIT,
    )
    peer = Upstream(process)
    try:
        yield peer
    finally:
        await peer.aclose()
