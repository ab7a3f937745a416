"""500 WebSocket clients at 10 calls a second, beside a bare Tornado echo under the same load.

    python -m benchmarks crowd
    python -m benchmarks.crowd --seconds 600 --strict

`jupyter ac serve` and the echo take turns in the same run, a slice of the time each. The clients
connect anew for each slice: a storm of connections is part of it. Memory is the server's, looked at
after each slice.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import Figure, at_most, reported, within
from benchmarks.host.processes import end, environment, module
from benchmarks.host.projects import make_project
from benchmarks.overload import Load, measure, mixes, offer

CLIENTS: Final = 500
CALLS_EACH: Final = 10.0
SECONDS: Final = 60.0
SLICE_S: Final = 10.0
MOST_RATIO: Final = 2.0
GROWTH_MB: Final = 10.0
READY: Final = "jupyter-ac ready "
RIVAL: Final = "bare tornado echo"


@dataclass
class Report:
    """What came of it.

    Attributes:
        ours: one load for each slice.
        echo: the same of the echo.
        megabytes: the server's memory after each slice.
    """

    ours: list[Load] = field(default_factory=list)
    echo: list[Load] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    @property
    def growth(self) -> float:
        """By how much the memory has grown since the first third, when all had been in use."""
        return self.megabytes[-1] - self.megabytes[len(self.megabytes) // 3]

    @property
    def lost(self) -> int:
        """Calls that failed or were never answered, and connections that the server closed."""
        return sum(load["failed"] + load["missing"] + load["closed"] for load in self.ours)


@contextmanager
def serving() -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Run `jupyter ac serve` on a small repository, without a token.

    Gives:
        the process, and its WebSocket's address.
    """
    with TemporaryDirectory(prefix="jupyter-ac-crowd-") as name:
        folder = Path(name)
        make_project(folder / "garden", 60)
        places = {
            "JUPYTER_NO_CONFIG": "1",
            "JUPYTER_AC_CONFIG_DIR": str(folder / "config"),
            "JUPYTER_AC_CACHE_DIR": str(folder / "cache"),
        }
        options = ("--repo", str(folder / "garden"), "--server-port", "0")
        with subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyter_ac.hosts.cli.main", "serve"),
                *(*options, "--no-token", "--no-browser"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment(places),
        ) as process:
            try:
                assert process.stdout is not None
                line = process.stdout.readline()
                if not line.startswith(READY):
                    raise RuntimeError(f"the server said {line!r}")
                yield process, line.removeprefix(READY).strip()
            finally:
                end(process)


def resident_mb(process: "subprocess.Popen[str]") -> float:
    """Return the memory of a process."""
    pages = int(Path(f"/proc/{process.pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def crowd(seconds: float, clients: int, slice_s: float = SLICE_S) -> Report:
    """Load both for a while.

    Args:
        seconds: how long the server is loaded; the echo as long again.
        clients: how many there are at a time.
        slice_s: the length of a turn.
    """
    report = Report()
    calls = mixes()["get_current_state"]
    with ExitStack() as stack:
        server, url = stack.enter_context(serving())
        echo, echo_url = stack.enter_context(module("benchmarks.wire.echo"))
        load = partial(offer, rate=clients * CALLS_EACH, calls=calls, connections=clients)
        load(url, seconds=min(slice_s, 5.0))  # the start is over then
        for _ in range(max(2, round(seconds / slice_s))):
            report.ours.append(measure(server, partial(load, url, seconds=slice_s)))
            report.megabytes.append(resident_mb(server))
            report.echo.append(measure(echo, partial(load, echo_url, seconds=slice_s)))
    return report


def figures(report: Report, seconds: float, clients: int) -> list[Figure]:
    """Return what came of it."""
    where = f"{clients} clients, {CALLS_EACH:g} calls a second each, {seconds:g} s"
    times = {
        key: ([load[key] for load in report.ours], (RIVAL, [load[key] for load in report.echo]))
        for key in ("p50", "p99", "longest", "answered", "cpu_us")
    }
    return [
        within(f"p99, {where}", times["p99"][0], "ms", times["p99"][1], MOST_RATIO),
        reported(f"p50, {where}", times["p50"][0], "ms", times["p50"][1]),
        reported(f"longest, {where}", times["longest"][0], "ms", times["longest"][1]),
        reported(f"answered in time, {where}", times["answered"][0], "/s", times["answered"][1]),
        reported(f"processor time, {where}", times["cpu_us"][0], "us", times["cpu_us"][1]),
        reported(f"refused as busy, {where}", [sum(load["busy"] for load in report.ours)], ""),
        at_most(f"lost, {where}", [report.lost], "", 0),
        reported(f"memory, {where}", [median(report.megabytes)], "MB"),
        at_most(f"memory grown, {where}", [report.growth], "MB", GROWTH_MB),
    ]


def main() -> int:
    """Measure and print; 1 when a bar was missed and that matters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--strict", action="store_true", help="fail when a bar is missed")
    options = parser.parse_args()
    made = figures(crowd(options.seconds, options.clients), options.seconds, options.clients)
    for figure in made:
        figure.emit()
    return int(options.strict and any(figure.ok is False for figure in made))


if __name__ == "__main__":
    sys.exit(main())
