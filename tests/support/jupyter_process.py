"""A Jupyter server with the extension as a real process, for black-box tests."""

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from tests.support.lifeline import Lifeline

LIMIT_S = 90.0


@dataclass
class JupyterProcess:
    """One server on any free port of loopback.

    Attributes:
        root: the folder that it serves.
        environment: of the process; its `JUPYTER_RUNTIME_DIR` is where it says which port it has.
    """

    root: Path
    environment: Mapping[str, str]
    token: str = field(default_factory=lambda: secrets.token_hex(8))
    port: int = 0
    process: "subprocess.Popen[bytes] | None" = None
    _lifeline: Lifeline | None = None

    def start(self) -> "JupyterProcess":
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root"),
                    *("--ServerApp.ip=127.0.0.1", "--ServerApp.port=0"),
                    f"--ServerApp.root_dir={self.root}",
                    f"--IdentityProvider.token={self.token}",
                    # jupytext, which tests compare with, brings an extension of its own.
                    '--ServerApp.jpserver_extensions={"jupyter_ac": True, "jupytext": False}',
                ],
                cwd=self.root,
                env=dict(self.environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._lifeline = Lifeline(self.process.pid)
        deadline = time.monotonic() + LIMIT_S
        while not self.port:
            assert self.process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            with contextlib.suppress(OSError, ValueError):
                self.port = int(json.loads(self._note.read_text("utf-8"))["port"])
            time.sleep(0.02)
        return self

    def socket(self, repo: Path, **more: str) -> str:
        """The address of the socket for a repository."""
        query = urlencode({"token": self.token, "repo": str(repo), **more})
        return f"ws://127.0.0.1:{self.port}/jupyter-ac/rpc?{query}"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def log(self) -> str:
        return self._log.read_text("utf-8")[-4000:]

    @property
    def _log(self) -> Path:
        return Path(self.environment["HOME"]) / "jupyter.log"

    @property
    def _note(self) -> Path:
        return Path(self.environment["JUPYTER_RUNTIME_DIR"]) / f"jpserver-{self.pid}.json"

    def end(self, by: signal.Signals) -> None:
        """Send a signal, and leave the rest to the test."""
        assert self.process is not None
        self.process.send_signal(by)

    def close(self) -> None:
        """End it and all that it has started, whatever they do."""
        process, self.process = self.process, None
        if process is None:
            return
        if self._lifeline is not None:
            self._lifeline.close()
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)


@contextlib.contextmanager
def jupyter_serving(root: Path, environment: Mapping[str, str]) -> Iterator[JupyterProcess]:
    """Run a server for the time of the block."""
    server = JupyterProcess(root, environment)
    try:
        yield server.start()
    finally:
        server.close()
