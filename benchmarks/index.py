"""The symbol index: from nothing, after a restart, after one change; memory and stalls.

The rival of the first is tree-sitter alone, which parses the same files in one process and forgets
them. Ours reads, resolves and keeps them; both are counted from the start of their processes.
"""

import asyncio
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import at_most, reported, within
from benchmarks.host.family import watch_family
from benchmarks.host.gauges import Gauge, idle_loop
from benchmarks.host.heartbeat import Pulse
from benchmarks.host.libraries import make_libraries, make_library
from benchmarks.host.processes import ROOT, environment
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.client import IndexClient
from jupyter_ac.workers.process import Worker

ROUNDS: Final = 5
CHANGES: Final = 9
LIMIT_S: Final = 800.0
COLD_BAR: Final = 1.0
WARM_BAR: Final = 0.1
CHANGE_BARS_MS: Final = {500: 50, 50_000: 200}
MEMORY_BAR_MIB: Final = 1024
STALL_BAR_MS: Final = 50
MAP_TOKENS: Final = 4096


async def start_s(root: Path, cache: Path) -> float:
    """Open an index; returns the seconds until all symbols and references are known."""
    begun = time.monotonic()
    client = IndexClient(root, cache, Worker("index", env=environment()))
    try:
        if not await client.ready(LIMIT_S):
            raise RuntimeError(client.status.reason)
        return time.monotonic() - begun
    finally:
        await client.aclose()


async def bare_s(root: Path) -> float:
    """Parse the same files with tree-sitter alone."""
    begun = time.monotonic()
    command = [sys.executable, "-m", "benchmarks.host.bare_parse", str(root)]
    await asyncio.to_thread(subprocess.run, command, cwd=ROOT, env=environment(), check=True)
    return time.monotonic() - begun


async def measure_starts(folder: Path, pulse: Pulse, idle: Gauge) -> None:
    """Measure the library, from nothing and after a restart."""
    root = (await asyncio.to_thread(make_library, folder / "library")).root
    cold: list[float] = []
    warm: list[float] = []
    bare: list[float] = []
    stalls: list[float] = []
    beside: list[float] = []
    for number in range(ROUNDS):
        bare.append(await bare_s(root))
        pulse.take()
        idle.read()
        for found in (cold, warm):
            found.append(await start_s(root, folder / f"cache_{number}"))
        stalls.append(pulse.take()["longest_ms"])
        beside.append(idle.read())
    words = f"{len(list(root.rglob('*.py'))):,} files"
    within(f"cold index, {words}", cold, "s", ("tree-sitter alone", bare), COLD_BAR).emit()
    within(f"index after a restart, {words}", warm, "s", ("cold index", cold), WARM_BAR).emit()
    machine = ("an idle loop beside it", beside)
    at_most("longest stall of the host, indexing", stalls, "ms", STALL_BAR_MS, machine).emit()


async def measure_changes(client: IndexClient, root: Path, files: int) -> None:
    """Measure the way from a changed file to a map that shows it."""
    path = RepoPath("copy_00/argparse.py")
    place = root / path
    text = place.read_text()
    refreshes: list[float] = []
    maps: list[float] = []
    await client.call("Index.stable_map", MAP_TOKENS, timeout_s=LIMIT_S)
    for number in range(CHANGES):
        place.write_text(f"{text}\n\ndef added_{number}(argument):\n    return argument\n")
        begun = time.monotonic()
        await client.refresh([path])
        refreshes.append(1000 * (time.monotonic() - begun))
        await client.call("Index.stable_map", MAP_TOKENS)
        maps.append(1000 * (time.monotonic() - begun))
    words = f"{files:,} files"
    at_most(f"changed file to map, {words}", maps, "ms", CHANGE_BARS_MS[files]).emit()
    reported(f"of that, changed file to index, {words}", refreshes, "ms").emit()


async def measure_size(folder: Path, files: int, pulse: Pulse) -> None:
    """Measure a repository of a size: memory, changes and the host's stalls."""
    made = await asyncio.to_thread(make_libraries, folder / f"libraries_{files}", files)
    root = made.root
    memory: list[float] = []
    pulse.take()
    worker = Worker("index", env=environment())
    client = IndexClient(root, folder / f"cache_{files}", worker)
    await worker.start()
    watching = asyncio.create_task(watch_family(worker.pid or 0, memory))
    begun = time.monotonic()
    try:
        await client.ready(LIMIT_S)
        took_s = time.monotonic() - begun
        stall = pulse.take()["longest_ms"]
        await measure_changes(client, root, files)
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        await client.aclose()
    words = f"{files:,} files"
    reported(f"cold index, {words}", [took_s], "s").emit()
    at_most(f"memory of all processes, {words}", [max(memory)], "MiB", MEMORY_BAR_MIB).emit()
    at_most(f"longest stall of the host, {words}", [stall], "ms", STALL_BAR_MS).emit()


async def main() -> None:
    """Measure all of it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        idle = stack.enter_context(idle_loop())
        pulse = Pulse()
        pulse.start()
        await measure_starts(folder, pulse, idle)
        for files in CHANGE_BARS_MS:
            await measure_size(folder, files, pulse)


if __name__ == "__main__":
    asyncio.run(main())
