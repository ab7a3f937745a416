"""Watches processes that are not children of this one."""

import subprocess
import time

LIMIT_S = 90.0


def is_running(pid: int) -> bool:
    """Whether a process runs; one that ended and waits to be collected doesn't."""
    command = ["ps", "-o", "state=", "-p", str(pid)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    return answer.stdout.strip()[:1] not in {"", "Z"}


def wait_until_gone(pid: int) -> None:
    """Wait, within bounds, until a process has ended."""
    end = time.monotonic() + LIMIT_S
    while is_running(pid):
        assert time.monotonic() < end, f"process {pid} still runs"
        time.sleep(0.02)
