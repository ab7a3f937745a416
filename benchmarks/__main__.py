"""Run every benchmark and print the table: `python -m benchmarks [NAME …]`."""

import json
import os
import signal
import subprocess
import sys
from typing import Final

from benchmarks.host.processes import environment

BENCHMARKS: Final = (
    "bundle",
    "imports",
    "rpc",
    "post",
    "chain",
    "overload",
    "rpc_objects",
    "events",
    "soak",
    "crowd",
    "turn",
    "edits",
    "stop",
    "stream",
    "relay",
    "embedded",
    "breakdown",
    "agent_step",
    "prompt_cost",
    "prompt_replay",
    "run_cost",
    "context_recall",
    "session_recall",
    "tree",
    "watching",
    "search",
    "ordinary_git",
    "index",
    "history",
    "messages",
    "fetch",
    "variables",
    "panels",
    "panels_page",
    "picker",
    "page",
    "conversation_page",
    "browser_attach",
    "browser_chain",
    "browser_recorder",
)
LIMIT_S: Final = 900


def run(name: str) -> list[dict[str, object]]:
    """The figures of one benchmark, from a process of its own.

    Raises:
        TimeoutExpired: it hung; it was ended with all its children.
    """
    with subprocess.Popen(
        [sys.executable, "-m", f"benchmarks.{name}"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=LIMIT_S)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)  # with all that it started
            raise
    lines = [line for line in output.splitlines() if line.startswith("{")]
    print(*lines, sep="\n", flush=True)
    figures: list[dict[str, object]] = [json.loads(line) for line in lines]
    if process.returncode:
        figures.append({"name": f"{name}: the benchmark failed"})
    return figures


def row(figure: dict[str, object]) -> str:
    """One line of the table."""
    value = f"{_shown(figure, 'value')} {_shown(figure, 'unit')}"
    rival = f"{_shown(figure, 'rival')} {_shown(figure, 'rival_value')}"
    verdict = {True: "ok", False: "MISSED"}.get(figure.get("ok") is True)
    return (
        f"{figure['name']!s:63} {value:>16}  {rival.strip():42} {_shown(figure, 'ratio'):>7}  "
        f"{_shown(figure, 'bar'):14} {verdict if figure.get('bar') else ''}"
    ).rstrip()


def _shown(figure: dict[str, object], key: str) -> str:
    value = figure.get(key)
    return "" if value is None else str(value)


def main() -> int:
    """Measure, then print; 1 when a benchmark could not run."""
    names = sys.argv[1:] or BENCHMARKS
    if unknown := set(names).difference(BENCHMARKS):
        print(f"no such benchmark: {', '.join(sorted(unknown))}; there are {BENCHMARKS}")
        return 2
    figures = [figure for name in names for figure in run(name)]
    print()
    print(*(row(figure) for figure in figures), sep="\n")
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"\nLoad {load} on {os.cpu_count()} cores. Only ratios hold; times are for orientation.")
    return int(any("value" not in figure for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
