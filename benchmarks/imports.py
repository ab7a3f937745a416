"""What loading costs, in fresh interpreters, beside an empty one."""

import subprocess
import sys
from statistics import median

from benchmarks.figure import Figure, at_most

ROUNDS = 7
IMPORT = "import time; t = time.perf_counter(); import jupyter_ac; print(time.perf_counter() - t)"
EXTENSION = """
import time
from IPython.testing.globalipapp import start_ipython
shell = start_ipython()
t = time.perf_counter()
shell.run_line_magic("load_ext", "jupyter_ac")
print(time.perf_counter() - t)
"""


def milliseconds(code: str) -> float:
    """What the code prints as seconds, from an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return float(done.stdout.split()[-1]) * 1000


def main() -> None:
    """Measure the import and `%load_ext`."""
    at_most("import jupyter_ac", [milliseconds(IMPORT) for _ in range(ROUNDS)], "ms", 100).emit()
    at_most(
        "%load_ext jupyter_ac", [milliseconds(EXTENSION) for _ in range(ROUNDS)], "ms", 300
    ).emit()
    peer = "import time; t = time.perf_counter(); import anywidget; print(time.perf_counter() - t)"
    value = median(milliseconds(peer) for _ in range(ROUNDS))
    Figure("import anywidget, for orientation", round(value, 1), "ms").emit()


main()
