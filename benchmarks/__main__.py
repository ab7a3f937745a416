"""Run every benchmark and print the table: `python -m benchmarks [NAME …]`."""

import json
import subprocess
import sys

BENCHMARKS = ("bundle", "imports", "rpc", "turn", "breakdown", "tree")


def run(name: str) -> list[dict[str, object]]:
    """The figures of one benchmark, from a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}"],
        stdout=subprocess.PIPE,
        text=True,
        timeout=900,
        check=True,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    for line in lines:
        print(line, flush=True)
    return [json.loads(line) for line in lines]


def row(figure: dict[str, object]) -> str:
    """One line of the table."""
    value = f"{figure['value']} {figure['unit']}"
    rival = f"{figure['rival']} {figure['rival_value'] or ''}".strip()
    verdict = {True: "ok", False: "MISSED"}.get(bool(figure["ok"]), "")
    return (
        f"{figure['name']!s:48} {value:>16}  {rival:36} {figure['ratio'] or ''!s:>7}  "
        f"{figure['bar']!s:14} {verdict if figure['bar'] else ''}"
    )


def main() -> None:
    """Measure, then print."""
    figures = [figure for name in sys.argv[1:] or BENCHMARKS for figure in run(name)]
    print()
    print(*(row(figure) for figure in figures), sep="\n")


main()
