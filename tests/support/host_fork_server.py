"""Runs the fork server from which hosts start, and has `subprocess` use it.

An interpreter that imports a host takes two thirds of a second of a processor, and the tests start
hundreds of them. That a command starts by itself is tried where a shell starts it: in the examples
of the documentation, and by `make demo`.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.support.preloaded.host_fork_server import COMMAND, Request, can_fork_beside

_SCRIPT: Final = Path(__file__).with_name("preloaded") / "host_fork_server.py"
_FORKED: Final = frozenset({"acp", "ask", "map", "mcp", "serve", "stdio"})
_USUAL: Final[Callable[..., int]] = vars(subprocess)["_fork_exec"]


class HostForkServer:
    """Forks the hosts of one interpreter.

    Args:
        python: its path.
        address: where the server listens.
        environ: of the server.

    Attributes:
        count: how many it has forked.
        declined: of the last host that was started in the usual way, why.
    """

    def __init__(self, python: Path, address: str, environ: Mapping[str, str]) -> None:
        self._python = os.fspath(python)
        self._address = address
        self._own = _own(environ)
        self.count = 0
        self.declined = ""

    def use(self, patch: pytest.MonkeyPatch) -> None:
        """Have the hosts forked that this process starts by `subprocess`, until the patch ends."""
        patch.setattr("subprocess._fork_exec", self._fork)

    def _fork(self, arguments: Sequence[object], *rest: object) -> int:
        request = self._request(arguments, rest)
        return _USUAL(arguments, *rest) if request is None else self._forked(request, rest)

    def _request(self, arguments: Sequence[object], rest: Sequence[object]) -> Request | None:
        """What the server needs to know; None for what it can't start."""
        python, *words = map(_text, arguments)
        is_safe = words[:1] == ["-P"]
        words = words[int(is_safe) :]
        if (python, *words[:2]) != (self._python, "-m", COMMAND) or not _FORKED.intersection(
            words[2:3]
        ):
            return None
        _, close, _, folder, variables = rest[:5]
        restore, is_session, group, *_, preexec = rest[13:21]
        environ = _environ(variables)
        is_plain = close and restore and preexec is None and group == -1
        if not is_plain or _own(environ) != self._own or not _has_usual_path(environ):
            differing = sorted(_own(environ).items() ^ self._own.items())
            self.declined = f"{is_plain=}, {differing=}, {environ.get('PYTHONPATH', '')=}"
            return None
        return {
            "arguments": words[2:],
            "environ": environ,
            "folder": None if folder is None else _text(folder),
            "is_safe": is_safe,
            "is_session": bool(is_session),
        }

    def _forked(self, request: Request, rest: Sequence[object]) -> int:
        """The process id of the new child."""
        pipes = [rest[5], rest[8], rest[10]]  # as `subprocess` passes what a child reads and writes
        streams = [
            pipe if isinstance(pipe, int) and pipe != -1 else number
            for number, pipe in enumerate(pipes)
        ]
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self._address)
            socket.send_fds(connection, [b"\n"], streams)
            connection.sendall(json.dumps(request).encode() + b"\n")
            with connection.makefile("rb") as lines:
                pid = int(lines.readline())
        self.count += 1
        return pid


def _text(value: object) -> str:
    return os.fsdecode(value) if isinstance(value, str | bytes | os.PathLike) else str(value)


def _environ(variables: object) -> dict[str, str]:
    if variables is None:
        return dict(os.environ)
    assert isinstance(variables, list)
    pairs = (_text(each).partition("=") for each in variables)
    return {name: value for name, _, value in pairs}


def _own(environ: Mapping[str, str]) -> dict[str, str]:
    """What an interpreter reads at its start."""
    return {
        name: value
        for name, value in environ.items()
        if name.startswith(("PYTHON", "LANG", "LC_", "TZ"))
        if name not in {"PYTHONPATH", "PYTHON_KEYRING_BACKEND"}
    }


def _has_usual_path(environ: Mapping[str, str]) -> bool:
    """Whether modules are found where this process finds them, and nowhere else."""
    entries = filter(None, environ.get("PYTHONPATH", "").split(os.pathsep))
    return {*entries} <= {*sys.path, os.fspath(_SCRIPT.parent)}


@contextlib.contextmanager
def host_fork_server(
    python: Path = Path(sys.executable), environ: Mapping[str, str] = os.environ
) -> Iterator[HostForkServer | None]:
    """Run a fork server; gives None where the system has no such fork.

    Args:
        python: the interpreter of the hosts.
        environ: what they have of it that an interpreter reads at its start.
    """
    if not can_fork_beside():
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="hosts-") as folder:  # a socket's path is short
        address = f"{folder}/socket"
        with subprocess.Popen(
            [python, "-P", _SCRIPT, address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(environ),
            start_new_session=True,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stdout.readline() == "READY\n"
            yield HostForkServer(python, address, environ)
            process.stdin.close()


@pytest.fixture(scope="session")
def host_forks() -> Iterator[HostForkServer | None]:
    """The fork server of this process for the hosts that it starts."""
    with host_fork_server() as server:
        yield server
