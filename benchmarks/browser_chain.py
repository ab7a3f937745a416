"""A page that writes 50,000 lines, from Chromium through the worker to a host, and the list there.

The lines come through the pipe of a launched browser in ten seconds rather than in a minute: 500
at once, ten times a second. The host's stalls stand beside those of an idle loop; how long the
worker stalls is seen in the answers that it gives meanwhile.
"""

import asyncio
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from benchmarks.figure import at_most, missing, reported
from benchmarks.host.gauges import idle_loop
from benchmarks.host.heartbeat import Pulse
from jupyter_ac.browser.client import BrowserClient, Change
from jupyter_ac.browser.executables import find_browser
from jupyter_ac.errors import NotFound
from jupyter_ac.rpc.target_states import TargetStates
from jupyter_ac.services.browser.watched_targets import WatchedTargets

LINES: Final = 50_000
REQUESTS: Final = 10_000
ROUNDS: Final = 4
STALL_MS: Final = 50
LIST_MS: Final = 5
FLAT_MB: Final = 30
WAIT_S: Final = 180.0
NAME: Final = "50,000 lines of a console, from Chromium to the host"
FLOOD: Final = """(() => { let n = 0; const step = () => {
  for (let i = 0; i < 500; i++, n++) console.log(`line ${n} of the flood`, {n, text: 'a text'});
  if (n < 50000) setTimeout(step, 100); else console.error('the end');
}; setTimeout(step); })(); 1"""
ASK: Final = """(async () => { for (let n = 0; n < 10000; n++)
  await fetch(`http://127.0.0.1:1/api/${n % 97}/items?page=${n}&token=abc${n}`).catch(() => 0);
  return 1; })()"""


class Chain:
    """A host with one watched page."""

    def __init__(self, targets: WatchedTargets, target: str) -> None:
        self.targets = targets
        self.target = target

    @property
    def worker(self) -> int:
        """The worker's number."""
        pid = self.targets.client._worker.pid  # noqa: SLF001
        assert pid is not None
        return pid

    async def js(self, code: str, *, awaits: bool = False) -> None:
        """Run code in the page."""
        how = {"persist": False, "await_promise": awaits, "return_value": False}
        await self.targets.act(self.target, "js", {"code": code, "selection": None, **how}, WAIT_S)

    async def console(self, **asked: object) -> list[dict[str, object]]:
        """The newest messages."""
        arguments = {"limit": 1, "level": None, "reveal": False, **asked}
        answer = await self.targets.act(self.target, "console", arguments, WAIT_S)
        assert isinstance(answer, dict)
        found: list[dict[str, object]] = answer["messages"]
        return found

    async def network(self) -> int:
        """Ask for the list; gives its length."""
        asked = {"limit": 50, "show_all": False, "order": "desc", "reveal": False}
        answer = await self.targets.act(self.target, "network", asked, WAIT_S)
        assert isinstance(answer, dict)
        return len(answer["requests"])


def memory_mb(pid: int) -> float:
    """What a process holds in memory."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found.group(1)) / 1024 if found is not None else 0.0


async def flood(chain: Chain) -> tuple[float, float]:
    """Have the lines written; gives the seconds, and the longest answer meanwhile in ms."""
    await chain.targets.act(chain.target, "clear", {"events": True, "console": True}, WAIT_S)
    first = await chain.console()
    assert not first
    begun, longest = time.perf_counter(), 0.0
    await chain.js(FLOOD)
    async with asyncio.timeout(WAIT_S):
        while True:
            asked = time.perf_counter()
            newest = await chain.console()
            longest = max(longest, time.perf_counter() - asked)
            if newest and newest[0]["message"] == "the end":
                break
            await asyncio.sleep(0.005)
    took = time.perf_counter() - begun
    oldest_of_thousand = (await chain.console(limit=1000))[-1]["message"]
    assert str(oldest_of_thousand).startswith(f"line {LINES - 999} ")
    known = chain.targets.find(chain.target)
    assert known is not None
    assert known.view is not None
    assert known.view["events"] >= LINES
    return took, longest * 1000


async def floods(chain: Chain) -> None:
    """Measure the console through the chain."""
    stalls, busiest, idles, times, answers, memory = [], [], [], [], [], []
    with idle_loop() as idle:
        pulse = Pulse()
        pulse.start()
        for _ in range(ROUNDS):
            idle.read()
            pulse.take()
            took, longest = await flood(chain)
            stall = pulse.take()
            stalls.append(stall["longest_ms"])
            busiest.append(stall["busiest_ms"])
            idles.append(idle.read())
            times.append(took)
            answers.append(longest)
            memory.append(memory_mb(chain.worker))
    reported(NAME, times, "s").emit()
    beside = ("an idle loop beside it", idles)
    at_most(f"longest stall of the host, {NAME}", stalls, "ms", STALL_MS, beside).emit()
    reported(f"most work of the host within 5 ms, {NAME}", busiest, "ms").emit()
    at_most(
        f"longest answer of the worker meanwhile, {NAME}", answers, "ms", STALL_MS, beside
    ).emit()
    growth = [max(0.0, memory[-1] - memory[1])]
    at_most("memory of the worker after 2 x 50,000 more lines", growth, "MB", FLAT_MB).emit()
    reported("memory of the worker with 50,000 lines", memory, "MB").emit()


async def lists(chain: Chain) -> None:
    """Measure the list of 10,000 requests, asked for by the host."""
    await chain.targets.act(chain.target, "clear", {"events": True, "console": True}, WAIT_S)
    for _ in range(4):
        await chain.js(ASK.replace("10000", str(REQUESTS // 4)), awaits=True)
    times = []
    for _ in range(35):
        begun = time.perf_counter()
        assert await chain.network() == 50
        times.append((time.perf_counter() - begun) * 1000)
    name = "network(limit=50) of 10,000 requests, asked for by the host"
    at_most(name, times, "ms", LIST_MS).emit()


async def measure(root: Path) -> None:
    """Launch a browser, and measure both."""

    def make(report: Callable[[Change], None]) -> BrowserClient:
        return BrowserClient(root, report)

    targets = WatchedTargets(make, TargetStates(), lambda: None)
    try:
        made = await targets.client.call("launch", {"headless": True}, timeout_s=WAIT_S)
        assert isinstance(made, dict)
        await targets.watch(made["target"])
        chain = Chain(targets, made["target"])
        await floods(chain)
        await lists(chain)
    finally:
        await targets.aclose()


def main() -> None:
    """Measure the chain."""
    try:
        find_browser()
    except NotFound:
        missing(NAME, "s", "no Chromium").emit()
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    main()
