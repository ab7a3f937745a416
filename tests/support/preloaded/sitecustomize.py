"""Hands a worker's start over to the fork server of the tests; a no-op in every other process.

Python imports a module of this name whenever it starts, so it is enough that PYTHONPATH has this
folder. This process stays, with the exit status of the forked one: its parent may wait for it, send
it signals and look for it among its children.
"""

import os
import sys

ADDRESS = "TESTS_FORK_SERVER"
WORKER = ["-P", "-m", "jupyter_ac.worker"]


def run_forked(address: str) -> int | None:
    """Have the fork server run this command line on this process's pipes; give the exit status.

    None if there is no fork server any more: then the worker starts here, which takes longer.
    """
    # Only workers need these.
    import json
    import signal
    import socket

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    request = {"arguments": sys.orig_argv[4:], "environ": dict(os.environ)}
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(address)
        except (ConnectionRefusedError, FileNotFoundError):
            return None
        socket.send_fds(connection, [b"\n"], [0, 1, 2])
        connection.sendall(json.dumps(request).encode() + b"\n")
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nowhere, number)  # the other ends of the pipes shall see when the worker ends
        status = int(connection.recv(64) or b"1")
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


# The embedded model's library can't be loaded before a fork.
if ADDRESS in os.environ and sys.orig_argv[1:4] == WORKER and sys.orig_argv[4:] != ["embedded"]:
    exit_status: int | None = 1
    try:
        exit_status = run_forked(os.environ[ADDRESS])
    finally:  # whatever happens: Python would go on after an error of this module
        if exit_status is not None:
            os._exit(exit_status)
