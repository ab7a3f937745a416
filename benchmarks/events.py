"""One change of the state, told to 1,000 clients of Server-Sent Events.

    python -m benchmarks events

The processor time is that of the serving process, all threads included, from the call that changes
something to the moment when the last client has read its frame. Beside it stands what it takes to
send as many bytes to as many sockets, one after another.
"""

import asyncio
import json
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from tornado.websocket import websocket_connect

from benchmarks.figure import at_most, reported
from benchmarks.host.processes import module
from benchmarks.host.projects import make_project, name_of
from jupyter_ac.hosts.sockets.connection_limits import allow_usual_descriptors
from tests.support.event_source import following
from tests.support.pages import Page

if TYPE_CHECKING:
    import subprocess

    from tests.support.event_source import EventSource

CLIENTS: Final = 1000
ROUNDS: Final = 7
FILES: Final = 60
BAR_MS: Final = 250.0
FRAME_BYTES: Final = 1500
SETTLE_S: Final = 2.0
LIMIT_S: Final = 120.0

Ask = Callable[[], dict[str, float]]


def asker(process: "subprocess.Popen[str]") -> Ask:
    """Give the question that a serving process answers on its pipes."""

    def ask() -> dict[str, float]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n")
        process.stdin.flush()
        answer: dict[str, float] = json.loads(process.stdout.readline())
        return answer

    return ask


async def measured(ask: Ask, change: Callable[[], Awaitable[object]]) -> tuple[float, float, float]:
    """Give the processor time, the elapsed time and the longest stall of a change, in ms."""
    before, began = ask()["cpu_s"], time.monotonic()
    async with asyncio.timeout(LIMIT_S):
        await change()
    took_s, after = time.monotonic() - began, ask()
    return (after["cpu_s"] - before) * 1000, took_s * 1000, after["longest_ms"]


async def followers(leaving: AsyncExitStack, port: int, path: str) -> "list[EventSource]":
    """Connect all clients, a hundred at a time, and read what comes first."""
    sources: list[EventSource] = []
    async with asyncio.timeout(LIMIT_S):
        while len(sources) < CLIENTS:
            opening = (leaving.enter_async_context(following(port, path)) for _ in range(100))
            sources += await asyncio.gather(*opening)
        await asyncio.gather(*(source.event() for source in sources))
    return sources


async def rounds_of(
    address: str, ask: Ask, *, deltas: bool
) -> tuple[list[float], list[float], list[float]]:
    """Change the selection so often, and give each round's three figures."""
    port = urlsplit(address).port or 0
    async with AsyncExitStack() as leaving:
        page = Page(await websocket_connect(address))
        leaving.push_async_callback(page.leave)
        await page.ready()
        sources = await followers(leaving, port, f"/events?delta={int(deltas)}")
        await asyncio.sleep(SETTLE_S)
        found = []
        for number in range(ROUNDS):
            files = [name_of(number), name_of(number + 1)]

            async def change(files: list[str] = files) -> None:
                await page.call("LLMService.set_selected_files", files)
                await asyncio.gather(*(source.until(selected_files=files) for source in sources))

            found.append(await measured(ask, change))
            await asyncio.sleep(0.2)
    cpu, took, stalls = zip(*found, strict=True)
    return list(cpu), list(took), list(stalls)


def bare_rounds(frame: bytes) -> list[float]:
    """Give the processor time of sending the same bytes to as many sockets, and nothing else."""
    with ExitStack() as leaving:
        listener = leaving.enter_context(socket.create_server(("127.0.0.1", 0)))
        pairs = []
        for _ in range(CLIENTS):
            near = leaving.enter_context(socket.create_connection(listener.getsockname()))
            pairs.append((near, leaving.enter_context(listener.accept()[0])))
        found = []
        for _ in range(ROUNDS):
            began = time.process_time()
            for near, _ in pairs:
                near.send(frame)
            found.append((time.process_time() - began) * 1000)
            for _, far in pairs:
                far.recv(len(frame), socket.MSG_WAITALL)
    return found


def main() -> None:
    """Measure and print."""
    allow_usual_descriptors()
    with TemporaryDirectory() as folder:
        make_project(Path(folder), FILES)
        with module("benchmarks.host.standalone", folder) as (process, address):
            ask = asker(process)
            whole = asyncio.run(rounds_of(address, ask, deltas=False))
            deltas = asyncio.run(rounds_of(address, ask, deltas=True))
    alone = (f"{CLIENTS:,} bare sends", bare_rounds(bytes(FRAME_BYTES)))
    name = f"events: a change to {CLIENTS:,} clients"
    at_most(f"{name}, processor time", whole[0], "ms", BAR_MS, alone).emit()
    at_most(f"{name} of deltas, processor time", deltas[0], "ms", BAR_MS, alone).emit()
    reported(f"{name}, until the last has read it", whole[1], "ms").emit()
    reported(f"{name}, longest stall", whole[2], "ms").emit()


if __name__ == "__main__":
    main()
