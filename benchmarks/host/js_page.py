"""A page in node with the real JavaScript client, which times its own calls."""

import asyncio
import json
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from benchmarks.host.processes import ROOT, environment

LIMIT_S: Final = 120.0
SCRIPT: Final = Path(__file__).parents[1] / "wire" / "page.mjs"


class JsPage:
    """A connected page."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def call_ms(self, method: str, *arguments: object) -> float:
        """Call a method; gives the milliseconds until the client has read the answer."""
        return await self._time(method, *arguments)

    async def at_once_ms(self, count: int, method: str, *arguments: object) -> float:
        """Make the same call several times at once; until the last answer is read."""
        return await self._time("at once", count, method, *arguments)

    async def _time(self, *words: object) -> float:
        if self._process.stdin is None:
            raise RuntimeError("the process was started without pipes")
        self._process.stdin.write(json.dumps(words).encode() + b"\n")
        return float(await self.line())

    async def line(self) -> str:
        """Read what the process prints next."""
        if self._process.stdout is None:
            raise RuntimeError("the process was started without pipes")
        async with asyncio.timeout(LIMIT_S):
            line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("the page ended; a call failed")
        return line.decode().strip()


@asynccontextmanager
async def js_page(url: str) -> AsyncIterator[JsPage]:
    """Connect a page to a socket; it leaves with the block."""
    process = await asyncio.create_subprocess_exec(
        *("node", str(SCRIPT), url),
        cwd=ROOT,
        env=environment(),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,  # the library logs there
    )
    page = JsPage(process)
    try:
        if await page.line() != "READY":
            raise RuntimeError("the page does not come up")
        yield page
    finally:
        process.kill()
        await process.wait()
