"""`jupyter ac serve` as a real process, for black-box tests."""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.lifeline import Lifeline

LIMIT_S = 90.0
READY = "jupyter-ac ready "
# What a machine's own settings could change.
_DROPPED = ("JUPYTER_", "OPENAI_", "ANTHROPIC_", "GIT_", "BROWSER")


def free_port() -> int:
    """A port for a server that is started later, and again.

    It is below those that the system itself gives to sockets: any connection of this machine could
    have got one of these meanwhile.
    """
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        if is_free(port):
            return port


def is_free(port: int) -> bool:
    """Whether a server may have this port."""
    with socket.socket() as probe, contextlib.suppress(OSError):
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do
        probe.bind(("127.0.0.1", port))
        return True
    return False


def plain_environment(home: Path, **more: str) -> dict[str, str]:
    """This process's environment without what says where Jupyter, models and settings are."""
    stored = {key: value for key, value in os.environ.items() if not key.startswith(_DROPPED)}
    home.mkdir(parents=True, exist_ok=True)
    return {
        **stored,
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_AC_CONFIG_DIR": str(home / "ac"),
        "JUPYTER_AC_CACHE_DIR": str(home / "cache"),
        "JUPYTER_PLATFORM_DIRS": "1",
        **more,
    }


@dataclass
class ServeProcess:
    """One server; start, stop and start again on the same port.

    Attributes:
        repo: the folder to serve.
        environment: of the process.
        options: further ones of the command line.
        port: None takes any free one.
        python: the interpreter that has the package.
        cwd: where the process runs.
    """

    repo: Path
    environment: Mapping[str, str]
    options: Sequence[str] = ("--no-browser",)
    port: int | None = None
    python: Path = Path(sys.executable)
    cwd: Path | None = None
    address: str = ""
    process: "subprocess.Popen[str] | None" = None
    errors: list[Path] = field(default_factory=list)
    _lifeline: Lifeline | None = None

    def start(self) -> "ServeProcess":
        log = Path(self.environment["HOME"]) / f"serve-{os.urandom(4).hex()}.err"
        self.errors.append(log)
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                [
                    *(self.python, "-m", "jupyter_ac.hosts.cli.main", "serve"),
                    *("--repo", str(self.repo), "--server-port", str(self.port or 0)),
                    *self.options,
                ],
                env=dict(self.environment),
                cwd=self.cwd,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )
        self._lifeline = Lifeline(self.process.pid)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith(READY), f"{line!r} {self.stderr}"
        self.address = line.removeprefix(READY).strip()
        self.port = int(self.address.split(":")[2].partition("/")[0])
        return self

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def page(self) -> str:
        """The address for a browser."""
        return self.address.replace("ws", "http", 1)

    @property
    def token(self) -> str:
        return self.address.partition("token=")[2]

    @property
    def stderr(self) -> str:
        return "".join(log.read_text(encoding="utf-8") for log in self.errors)

    def end(self, by: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait; gives the exit code."""
        assert self.process is not None
        self.process.send_signal(by)
        try:
            return self.process.wait(LIMIT_S)
        finally:
            self.close()

    def restart(self) -> None:
        """End the server and start one on the same port."""
        self.end()
        self.start()

    def close(self) -> None:
        """End it whatever it does."""
        process, self.process = self.process, None
        if process is None:
            return
        if self._lifeline is not None:
            self._lifeline.close()
        with contextlib.suppress(ProcessLookupError):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        process.wait(LIMIT_S)
        if process.stdout is not None:
            process.stdout.close()


@contextlib.contextmanager
def serving(repo: Path, environment: Mapping[str, str], *options: str) -> Iterator[ServeProcess]:
    """Run a server on any free port for the time of the block."""
    server = ServeProcess(repo, environment, ("--no-browser", *options)).start()
    try:
        yield server
    finally:
        server.close()


def children(pid: int) -> list[int]:
    """All processes below one, whoever started them."""
    listing = subprocess.run(
        ["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True, timeout=20
    ).stdout
    parents = {int(child): int(parent) for child, parent in map(str.split, listing.splitlines())}
    found, level = list[int](), [pid]
    while level:
        level = [child for child, parent in parents.items() if parent in level]
        found += level
    return found


def wait_for_file(path: Path) -> None:
    """Wait, within bounds, until a file is there."""
    deadline = time.monotonic() + LIMIT_S
    while not path.exists():
        assert time.monotonic() < deadline, f"no {path.name}"
        time.sleep(0.05)


def wait_for_children(pid: int, count: int) -> list[int]:
    """Wait, within bounds, until a process has at least so many below it."""
    deadline = time.monotonic() + LIMIT_S
    while len(found := children(pid)) < count:
        assert time.monotonic() < deadline, f"only {found} below {pid}"
        time.sleep(0.05)
    return found
