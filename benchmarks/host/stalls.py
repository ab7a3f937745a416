"""The stalls of the host's loop over the rounds of a benchmark, beside those of an idle loop."""

from dataclasses import dataclass, field
from typing import Final

from benchmarks.figure import at_most, reported
from benchmarks.host.gauges import Gauge
from benchmarks.host.heartbeat import Stall
from benchmarks.host.jupyter import JupyterServer

BAR_MS: Final = 50


@dataclass
class Stalls:
    """Collects one value a round.

    Attributes:
        idle: the loop beside it.
    """

    idle: Gauge
    found: list[Stall] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)

    async def begin(self, server: JupyterServer) -> None:
        """Forget what happened so far: a round begins."""
        await server.pulse()
        self.idle.read()

    async def end(self, server: JupyterServer) -> None:
        """Note what happened since."""
        self.add(await server.pulse())

    def add(self, stall: Stall) -> None:
        """Note a round's worst stall."""
        self.found.append(stall)
        self.beside.append(self.idle.read())

    def print(self, words: str) -> None:
        """Give the figures."""
        longest = [stall["longest_ms"] for stall in self.found]
        busiest = [stall["busiest_ms"] for stall in self.found]
        beside = ("an idle loop beside it", self.beside)
        at_most(f"longest stall, {words}", longest, "ms", BAR_MS, beside).emit()
        reported(f"most work within 5 ms, {words}", busiest, "ms").emit()
