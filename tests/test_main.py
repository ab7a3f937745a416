"""`python -m jupyter_ac`."""

import subprocess
import sys

from jupyter_ac.version import __version__


def test_the_package_can_be_run_as_the_command_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jupyter_ac", "--version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, f"jupyter-ac {__version__}\n")
