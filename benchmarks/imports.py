"""What loading costs, in fresh interpreters, beside what every widget needs to load."""

import subprocess
import sys
from typing import Final

from benchmarks.figure import Figure, at_most, reported
from benchmarks.host.processes import environment

ROUNDS: Final = 9
LIMIT_S: Final = 60
PANEL: Final = "jupyter_ac.hosts.kernel.panel"
TIMED: Final = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"
EXTENSION: Final = """
import time
from IPython.testing.globalipapp import start_ipython
shell = start_ipython()
t = time.perf_counter()
{}
print(time.perf_counter() - t)
"""
LOAD: Final = """
shell.run_line_magic("load_ext", "jupyter_ac")
assert "jupyter_ac" in shell.extension_manager.loaded
"""
LOADED: Final = """
import sys, jupyter_ac
heavy = {"litellm", "tree_sitter", "tornado", "anywidget", "tiktoken", "jupyter_server"}
print(len(heavy & set(sys.modules)))
"""


def printed(code: str) -> float:
    """The number that the code prints last, in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=True,
        env=environment(),
    )
    return float(done.stdout.split()[-1])


def beside(one: str, other: str) -> tuple[list[float], list[float]]:
    """Milliseconds of two pieces of code, in alternation; the first round only warms the disk."""
    rounds = [(printed(one) * 1000, printed(other) * 1000) for _ in range(ROUNDS + 1)][1:]
    return [first for first, _ in rounds], [second for _, second in rounds]


def main() -> None:
    """Measure the import and `%load_ext`."""
    ours, rival = beside(TIMED.format("jupyter_ac"), TIMED.format("anywidget"))
    at_most("import jupyter_ac", ours, "ms", 100, ("import anywidget", rival)).emit()
    heavy = printed(LOADED)
    Figure("heavy packages that the import loads", heavy, "", bar="<= 0", ok=heavy == 0).emit()
    ours, rival = beside(
        EXTENSION.format(LOAD),
        EXTENSION.format("import anywidget"),
    )
    at_most("%load_ext jupyter_ac", ours, "ms", 300, ("import anywidget in IPython", rival)).emit()
    ours, rival = beside(TIMED.format(PANEL), TIMED.format("anywidget"))
    reported(
        "import of the panel, at the first %ac", ours, "ms", ("import anywidget", rival)
    ).emit()


if __name__ == "__main__":
    main()
