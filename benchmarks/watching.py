"""How soon a change from outside reaches a page, and what watching costs while nothing happens.

Once with the system's notices, once with looks alone, as where there are none. A change counts from
the end of what makes it to the event at the page. The idle time is the processor's of the host and
of the git that it runs, in percent of one core.
"""

import asyncio
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest import mock

from tornado.websocket import websocket_connect

from benchmarks.figure import at_most, reported
from benchmarks.host.processes import module
from benchmarks.host.projects import make_project
from tests.support.pages import Page
from tests.support.repositories import RepositoryFolder

SIZES: Final = (500, 50_000)
ROUNDS: Final = 3
IDLE_S: Final = 30.0
REST_S: Final = 2.0
CALM: Final = 0.5
"""Percent of a core below which the start is over, with notices."""

Act = Callable[[RepositoryFolder], object]
ACTS: Final[dict[str, Act]] = {
    "edit": lambda folder: folder.write("garden/bed_001/root_0011.py", f"# {time.time()}\n"),
    "new file": lambda folder: folder.write("garden/new.py", f"# {time.time()}\n"),
    "git add": lambda folder: folder.git("add", "garden/new.py"),
    "git commit": lambda folder: folder.git("commit", "--quiet", "-m", "more"),
    "git checkout": lambda folder: folder.git("checkout", "--quiet", "--detach", "HEAD~1"),
    "new folder": lambda folder: [folder.write(f"new/in/{name}.py") for name in "abcde"],
    "git stash": lambda folder: folder.git("stash", "--quiet", "--include-untracked"),
    "delete": lambda folder: (folder.root / "garden/bed_002/root_0021.py").unlink(),
    "delete a folder": lambda folder: shutil.rmtree(folder.root / "garden/bed_003"),
}


def cpu_s(process: int) -> float:
    """The processor's time that a process and its ended children have used."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


async def percent(process: int, for_s: float) -> float:
    """The part of a core that is used in some time."""
    before, began = cpu_s(process), time.monotonic()
    await asyncio.sleep(for_s)
    return 100 * (cpu_s(process) - before) / (time.monotonic() - began)


async def noticed_ms(page: Page, folder: RepositoryFolder, act: Act) -> float:
    """Do something; the milliseconds until the page hears of it."""
    await asyncio.to_thread(act, folder)
    began = time.monotonic()
    await page.event("filesModified", 60)
    took = (time.monotonic() - began) * 1000
    await page.call("Repo.get_tree_rows", "")
    await asyncio.sleep(REST_S)  # the next change is one by itself
    return took


async def measure(folder: RepositoryFolder, files: int, how: str) -> None:
    """Measure one host on one repository."""
    with module("benchmarks.host.watched", str(folder.root), how) as (process, socket):
        connection = await websocket_connect(socket, max_message_size=2**28)
        page = Page(connection, ("startupProgress", "filesModified"))
        await page.ready()
        await page.call("Repo.get_tree_rows", "")
        for _ in range(30):
            if await percent(process.pid, 2) < CALM or how == "poll":
                break
        idle = await percent(process.pid, IDLE_S)
        took: dict[str, list[float]] = {kind: [] for kind in ACTS}
        for _ in range(ROUNDS):
            for kind, act in ACTS.items():
                took[kind].append(await noticed_ms(page, folder, act))
            folder.git("checkout", "--quiet", "--force", "main")
            await page.event("filesModified", 60)
            await asyncio.sleep(REST_S)
        await page.leave()
    about = f"{files:,} files, {how}"
    times = [each for kind in took.values() for each in kind]
    reported(f"a change noticed, {about}", times, "ms").emit()
    slowest = max(took, key=lambda kind: max(took[kind]))
    name = f"a change noticed, {about}, slowest of {len(times)}: {slowest}"
    if how == "poll" and files == max(SIZES):  # looks alone can't: they would take too much
        reported(name, [max(times)], "ms").emit()
    else:
        at_most(name, [max(times)], "ms", 2000).emit()
    bar = 1 if how == "notices" else 10
    at_most(f"idle, {about}", [idle], "% of a core", bar).emit()


async def main() -> None:
    """Measure both sizes in both ways."""
    # The first tree of a big repository may take longer than a page of the tests waits.
    with (
        mock.patch("tests.support.pages.WAIT_S", 120),
        TemporaryDirectory(prefix="jupyter-ac-bench-", ignore_cleanup_errors=True) as place,
    ):
        for files in SIZES:
            for how in ("notices", "poll"):
                root = Path(place) / f"{files}-{how}"
                await measure(make_project(root, files), files, how)
                shutil.rmtree(root)


if __name__ == "__main__":
    asyncio.run(main())
