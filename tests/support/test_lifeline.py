"""A process held by a lifeline ends with the process that holds it."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.lifeline import Lifeline
from tests.support.processes import is_running, wait_until_gone

ROOT = Path(__file__).parents[2]
HOLDER = """
import subprocess, sys
from tests.support.lifeline import Lifeline
server = subprocess.Popen(["sleep", "3600"], start_new_session=True)
line = Lifeline(server.pid)
print(server.pid, flush=True)
sys.stdin.read()
"""


def test_it_ends_what_a_killed_process_leaves() -> None:
    command = [sys.executable, "-c", HOLDER]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as holder:
        assert holder.stdout is not None
        server = int(holder.stdout.readline())
        assert is_running(server)
        holder.kill()
    wait_until_gone(server)


def test_what_it_no_longer_watches_goes_on() -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, start_new_session=True) as server:
        line = Lifeline(server.pid)
        line.close()
        assert os.waitpid(server.pid, os.WNOHANG) == (0, 0)
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(30) == 0
