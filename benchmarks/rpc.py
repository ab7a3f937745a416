"""Calls and events through the real `@flatmax/jrpc-oo` client, beside frames without any RPC."""

import json
import subprocess
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import Rival, beside, reported
from benchmarks.host.jupyter import jupyter_server
from benchmarks.host.processes import ROOT, module
from benchmarks.host.projects import make_project

ROUNDS: Final = 7
COUNT: Final = 2000
LIMIT_S: Final = 120
CLIENT: Final = Path(__file__).parent / "wire" / "client.mjs"
TRAFFIC: Final = {
    "sequential": "calls one after another",
    "at_once": "calls all at once",
    "events": "awaited events",
}

Rates = dict[str, float]


def traffic(*arguments: str) -> Rates:
    """One round from a node process of its own."""
    done = subprocess.run(
        ["node", str(CLIENT), *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        timeout=LIMIT_S,
        check=True,
    )
    rates: Rates = json.loads(done.stdout.splitlines()[-1])
    return rates


def rival(name: str, rounds: list[Rates], key: str) -> Rival:
    """What stands beside one kind of traffic."""
    return name, [rates[key] for rates in rounds]


def main() -> None:
    """Measure the bare peer and the Jupyter server's socket against the same echo."""
    ours: list[Rates] = []
    floor: list[Rates] = []
    least: list[Rates] = []
    inside: list[Rates] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        make_project(folder / "root" / "garden", 20)
        _, probe_url = stack.enter_context(module("benchmarks.wire.probe"))
        _, echo_url = stack.enter_context(module("benchmarks.wire.echo"))
        _, least_url = stack.enter_context(module("benchmarks.wire.least"))
        server = stack.enter_context(jupyter_server(folder / "root"))
        method = "LLMService.get_selected_files"
        for _ in range(ROUNDS):
            ours.append(traffic("jrpc", probe_url, str(COUNT)))
            floor.append(traffic("raw", echo_url, str(COUNT)))
            least.append(traffic("jrpc", least_url, str(COUNT)))
            inside.append(traffic("call", server.socket("garden"), str(COUNT), method))
    for key, words in TRAFFIC.items():
        values = [rates[key] for rates in ours]
        beside(f"RPC, {words}", values, "/s", rival("bare tornado echo", floor, key), 0.5).emit()
        handler = rival("the least handler, same client", least, key)
        reported(f"RPC, {words}, without the client's share", values, "/s", handler).emit()
    values = [rates["sequential"] for rates in inside]
    echo = rival("bare tornado echo", floor, "sequential")
    reported("RPC in the Jupyter server, calls one after another", values, "/s", echo).emit()


if __name__ == "__main__":
    main()
