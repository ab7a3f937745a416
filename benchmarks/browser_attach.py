"""Attaching to a tab, beside bare `websockets` that sends the same commands."""

import asyncio
import itertools
import json
import os
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.figure import at_most, missing, within
from jupyter_ac.browser.child_sessions import DOMAINS
from jupyter_ac.browser.debugger import Debugger
from jupyter_ac.browser.endpoints import find_endpoint
from jupyter_ac.browser.executables import find_browser
from jupyter_ac.errors import NotFound

ROUNDS: Final = 30
WARM: Final = 5
START_S: Final = 60
NAME: Final = "attach to a tab of Chromium"
RIVAL: Final = "bare websockets, the same commands"


@contextmanager
def chromium(executable: str) -> Iterator[int]:
    """Run Chromium without a window; gives its port."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [executable, "--headless=new", "--remote-debugging-port=0", "--no-first-run"]
        command += [f"--user-data-dir={profile}", "--disable-gpu"]
        command += ["--no-sandbox"] if os.getuid() == 0 else []
        with subprocess.Popen([*command, "about:blank"], stderr=subprocess.DEVNULL) as process:
            try:
                yield _port(Path(profile) / "DevToolsActivePort")
            finally:
                process.terminate()
                process.wait(START_S)


def _port(file: Path) -> int:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        if file.exists() and file.read_text().count("\n"):
            return int(file.read_text().split()[0])
        time.sleep(0.05)
    raise TimeoutError("Chromium doesn't start")


class Bare:
    """A client of a few lines: ids, futures, one reader."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._pending: dict[int, asyncio.Future[dict[str, str]]] = {}
        self._reading = asyncio.create_task(self._read())

    async def call(self, method: str, params: object, session: str = "") -> dict[str, str]:
        """Send a command and wait for its result."""
        number = next(self._ids)
        message = {"id": number, "method": method, "params": params}
        future: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()
        self._pending[number] = future
        if session:
            message["sessionId"] = session
        await self._socket.send(json.dumps(message))
        return await future

    async def attach(self, target_id: str) -> None:
        """Attach, enable, detach."""
        answer = await self.call("Target.attachToTarget", {"targetId": target_id, "flatten": True})
        session = answer["sessionId"]
        await asyncio.gather(*(self.call(name, params, session) for name, params in DOMAINS))
        await self.call("Target.detachFromTarget", {"sessionId": session})

    async def _read(self) -> None:
        async for text in self._socket:
            message = json.loads(text)
            if "id" in message:
                self._pending.pop(message["id"]).set_result(message.get("result", {}))

    async def aclose(self) -> None:
        """Close the socket."""
        await self._socket.close()
        await asyncio.wait([self._reading])


@asynccontextmanager
async def clients(port: int) -> AsyncIterator[tuple[Debugger, Bare, str]]:
    """Connect both clients to one browser; gives them and the id of its tab."""
    debugger = Debugger(lambda _: None)
    await debugger.attach(str(port))
    (page,) = (row["id"] for row in debugger.targets() if row["type"] == "page")
    url = (await find_endpoint(str(port))).socket_url
    bare = Bare(await connect(url, compression=None, max_size=None, proxy=None))
    try:
        yield debugger, bare, page
    finally:
        await bare.aclose()
        await debugger.aclose()


async def measure(port: int) -> tuple[list[float], list[float]]:
    """Milliseconds of both, in alternation."""
    ours, bare_ms = [], []
    async with clients(port) as (debugger, bare, page):
        for turn in range(ROUNDS + WARM):
            start = time.perf_counter()
            await debugger.watch(page)
            await debugger.unwatch(page)
            middle = time.perf_counter()
            await bare.attach(page)
            end = time.perf_counter()
            if turn >= WARM:
                ours.append((middle - start) * 1000)
                bare_ms.append((end - middle) * 1000)
    return ours, bare_ms


def main() -> None:
    """Measure attaching and detaching."""
    try:
        executable = find_browser()
    except NotFound:
        missing(NAME, "ms", "no Chromium").emit()
        return
    with chromium(executable) as port:
        ours, rival = asyncio.run(measure(port))
    at_most(NAME, ours, "ms", 100, (RIVAL, rival)).emit()
    within(f"{NAME}, as a ratio", ours, "ms", (RIVAL, rival), 1.5).emit()


if __name__ == "__main__":
    main()
