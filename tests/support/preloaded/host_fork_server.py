"""A fork server for hosts: imports what `jupyter ac` imports, and forks a process for each command.

The forked process is a child of this one's parent, the test process, which waits for it and sends
it signals as to any that it has started (`CLONE_PARENT`, as Linux has it). `host_fork_server.py`
of `tests/support` is the client.

Run it as `host_fork_server.py SOCKET`; it ends with its standard input.
"""

import ctypes
import gc
import importlib
import io
import json
import os
import platform
import runpy
import selectors
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypedDict

COMMAND: Final = "jupyter_ac.hosts.cli.main"
_PRELOADED: Final = tuple(
    f"jupyter_ac.hosts.cli.{name}" for name in ("acp", "ask", "map", "mcp", "serve", "stdio")
)
_CLONE_PARENT: Final = 0x8000
_SYS_CLONE: Final = {"x86_64": 56, "aarch64": 220}


class Request(TypedDict):
    """A command that is started.

    Attributes:
        arguments: its own.
        environ: all variables.
        folder: where it runs; None for where this process does.
        is_safe: the interpreter's `-P`.
        is_session: it leads a session.
    """

    arguments: list[str]
    environ: dict[str, str]
    folder: str | None
    is_safe: bool
    is_session: bool


def can_fork_beside() -> bool:
    """Whether this system can fork a child of one's parent."""
    return sys.platform == "linux" and platform.machine() in _SYS_CLONE


def fork_beside() -> int:
    """Fork a child of this process's parent; returns as `os.fork` does."""
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    flags = _CLONE_PARENT | signal.SIGCHLD
    pid: int = ctypes.PyDLL(None).syscall(_SYS_CLONE[platform.machine()], flags, 0, 0, 0, 0)
    (python.PyOS_AfterFork_Parent if pid else python.PyOS_AfterFork_Child)()
    return pid


def serve(listener: socket.socket) -> Request | None:
    """Fork until standard input ends; returns the request in each forked process, None at last."""
    with selectors.DefaultSelector() as selector:
        selector.register(sys.stdin, selectors.EVENT_READ)
        selector.register(listener, selectors.EVENT_READ)
        while True:
            if any(key.fileobj is sys.stdin for key, _ in selector.select()):
                return None
            client, _ = listener.accept()
            with client:
                _, pipes, _, _ = socket.recv_fds(client, 1, 3)
                with client.makefile("rb") as lines:
                    request: Request = json.loads(lines.readline())
                pid = fork_beside()
                if not pid:
                    _take(pipes)
                    return request
                client.sendall(b"%d\n" % pid)
            for pipe in pipes:
                os.close(pipe)


def _take(pipes: Sequence[int]) -> None:
    """Make these the standard streams."""
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)
    for pipe in pipes:
        os.close(pipe)
    streams = [io.FileIO(number, "rw"[number > 0], closefd=False) for number in range(3)]
    sys.stdin = io.TextIOWrapper(io.BufferedReader(streams[0]))
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(streams[1]), line_buffering=os.isatty(1))
    errors = io.BufferedWriter(streams[2])
    sys.stderr = io.TextIOWrapper(errors, errors="backslashreplace", line_buffering=True)


def become(request: Request) -> None:
    """Run a command as a new interpreter would; its exit code is the process's."""
    if request["is_session"]:
        os.setsid()
    if request["folder"] is not None:
        os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environ"])
    options = ["-P"] if request["is_safe"] else []
    sys.argv = ["", *request["arguments"]]
    sys.orig_argv = [sys.executable, *options, "-m", COMMAND, *request["arguments"]]
    if not request["is_safe"]:
        sys.path.insert(0, str(Path.cwd()))
    gc.unfreeze()
    runpy.run_module(COMMAND, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(sys.argv[1])
        listening.listen(64)
        sys.stdout.write("READY\n")
        sys.stdout.flush()
        for module in _PRELOADED:
            importlib.import_module(module)
        gc.freeze()
        wanted = serve(listening)
    if wanted is not None:
        become(wanted)
