"""Ends the processes of a command that have left its process group.

A daemon makes a session of its own, so that no signal to the group reaches it. It still has the
environment that it was started with, and in it the mark of its command. A program that empties its
environment isn't found; in the sandbox nothing can leave.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from jupyter_ac.agent.commands.environment import MARK

_ROUNDS: Final = 20
_PAUSE_S: Final = 0.01
_PROCESSES: Final = Path("/proc")


def end_marked(mark: str) -> None:
    """Kill the processes with a command's mark, those that they start meanwhile included.

    Does nothing where the system doesn't show environments (it needs Linux 5.3). Blocks on the disk
    for some milliseconds; at most for a few tenths of a second.

    Args:
        mark: the value of `MARK` in the environment of the command.
    """
    if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
        return
    for _ in range(_ROUNDS):
        killed = [pid for pid in _processes() if _kill(pid, mark)]
        if not killed:
            return
        time.sleep(_PAUSE_S)


def _processes() -> list[int]:
    own = os.getpid()
    try:
        with os.scandir(_PROCESSES) as entries:
            found = [int(entry.name) for entry in entries if entry.name.isdecimal()]
    except OSError:
        return []
    return [pid for pid in found if pid != own]


def _kill(pid: int, mark: str) -> bool:
    """Kill a process if it has the mark; returns whether it had."""
    entry = f"{MARK}={mark}".encode()
    # Held while the environment is read: else the number may be another's when it is killed.
    with _held(pid) as process:
        if process is None or entry not in _environment(pid):
            return False
        try:
            signal.pidfd_send_signal(process, signal.SIGKILL)
        except OSError:
            return False
        return True


@contextmanager
def _held(pid: int) -> Iterator[int | None]:
    try:
        process = os.pidfd_open(pid)
    except OSError:  # it has ended
        yield None
        return
    try:
        yield process
    finally:
        os.close(process)


def _environment(pid: int) -> list[bytes]:
    try:
        return (_PROCESSES / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:  # somebody else's, or it has ended
        return []
