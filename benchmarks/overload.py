"""More calls than a server can answer, beside a bare Tornado echo under the same load.

    python -m benchmarks overload
    python -m benchmarks.overload --seconds 10 --rate 5000 --rounds 5

The load is open-loop: calls are sent at a fixed rate whether or not earlier ones were answered, as
many pages or scripts send them that know nothing of each other.
"""

import argparse
import json
import os
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, TypedDict

from benchmarks.figure import beside, reported, within
from benchmarks.host.processes import ROOT, module
from benchmarks.host.projects import make_project, name_of

RATES: Final = (2000, 5000)
SECONDS: Final = 5.0
ROUNDS: Final = 5
CONNECTIONS: Final = 8
FILES: Final = 60
LEAST_RATIO: Final = 0.7
LIMIT_S: Final = 120.0
WARM_UP_RATE: Final = 100.0
WARM_UP_S: Final = 6.0
GENERATOR: Final = Path(__file__).parent / "wire" / "offered.mjs"

Call = tuple[str, list[object]]

_STATE: Final[Call] = ("LLMService.get_current_state", [])
_REVIEW: Final[Call] = ("Repo.get_review_state", [])
_SELECTED: Final[Call] = ("LLMService.get_selected_files", [])


class Load(TypedDict):
    """What one round gave; rates a second, times in milliseconds."""

    offered: float
    answered: float
    late: int
    busy: int
    failed: int
    missing: int
    closed: int
    p50: float
    p99: float
    longest: float
    answered_in_all: int
    stall_ms: float
    cpu_us: float


def mixes() -> dict[str, list[Call]]:
    """The calls of each load, by its name."""
    files: list[Call] = [("Repo.get_file_content", [name_of(number)]) for number in range(20)]
    mixed = [call for each in files[:10] for call in (each, _STATE, _REVIEW, _SELECTED)]
    return {
        "get_file_content": files,
        "get_current_state": [_STATE],
        "get_review_state": [_REVIEW],
        "a mix of reads": mixed,
    }


def offer(
    url: str, rate: float, seconds: float, calls: list[Call], connections: int = CONNECTIONS
) -> Load:
    """Offer a load from a node process of its own."""
    done = subprocess.run(
        [
            "node",
            str(GENERATOR),
            url,
            f"{rate:g}",
            f"{seconds:g}",
            str(connections),
            json.dumps(calls),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        timeout=LIMIT_S,
        check=True,
    )
    load: Load = json.loads(done.stdout.splitlines()[-1])
    return load


def cpu_s(process: "subprocess.Popen[str]") -> float:
    """The processor time that a server has taken, its threads included."""
    fields = (
        Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    )
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(server: "subprocess.Popen[str]", offering: Callable[[], Load]) -> Load:
    """Offer a load, and see what an answer costs the server."""
    before = cpu_s(server)
    load = offering()
    spent_s = cpu_s(server) - before
    answered = load["answered_in_all"]
    return {**load, "cpu_us": spent_s * 1e6 / max(answered, 1)}


def stall(server: "subprocess.Popen[str]") -> float:
    """The loop's longest stall since the last question."""
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write("\n")
    server.stdin.flush()
    return float(json.loads(server.stdout.readline())["longest_ms"])


def emit(name: str, ours: list[Load], echo: list[Load]) -> None:
    """Print the figures of one load."""
    rival = "bare tornado echo"
    floor = [each["answered"] for each in echo]
    answered = [each["answered"] for each in ours]
    beside(f"{name}: answered", answered, "/s", (rival, floor), LEAST_RATIO).emit()
    for key in ("p50", "p99", "longest"):
        late = [each[key] for each in ours]
        reported(f"{name}: {key}", late, "ms", (rival, [each[key] for each in echo])).emit()
    costs = [each["cpu_us"] for each in ours]
    rival_costs = [each["cpu_us"] for each in echo]
    within(f"{name}: processor time", costs, "us", (rival, rival_costs), 1 / LEAST_RATIO).emit()
    refused = [float(each["busy"]) for each in ours]
    reported(f"{name}: refused as busy", refused, "calls").emit()
    lost = [float(each["missing"] + each["failed"] + each["closed"]) for each in ours]
    reported(f"{name}: failed, closed or never answered", lost, "calls").emit()
    reported(f"{name}: longest stall", [each["stall_ms"] for each in ours], "ms").emit()


def main() -> None:
    """Measure each mix at each rate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, action="append", help="calls a second; repeatable")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--mix", action="append", choices=list(mixes()))
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        make_project(folder / "garden", FILES)
        server, url = stack.enter_context(
            module("benchmarks.host.standalone", str(folder / "garden"))
        )
        echo_server, echo_url = stack.enter_context(module("benchmarks.wire.echo"))
        # The start is over by then, and what was just written has become old enough to be kept.
        offer(url, WARM_UP_RATE, WARM_UP_S, mixes()["a mix of reads"])
        for name, calls in mixes().items():
            if options.mix and name not in options.mix:
                continue
            for rate in options.rate or RATES:
                ours: list[Load] = []
                echo: list[Load] = []
                for _ in range(options.rounds):
                    stall(server)
                    load = measure(server, partial(offer, url, rate, options.seconds, calls))
                    ours.append({**load, "stall_ms": stall(server)})
                    bare = partial(offer, echo_url, rate, options.seconds, calls)
                    echo.append(measure(echo_server, bare))
                shown = f"{median(each['offered'] for each in ours):.0f}/s of {name}"
                emit(shown, ours, echo)


if __name__ == "__main__":
    main()
