"""JupyterLab from the installed wheel, as a child process of the test."""

import json
import os
import secrets
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.e2e.installed import Installed

# Lab asks about news and updates otherwise, over a network that tests don't have.
QUIET = {
    "@jupyterlab/apputils-extension/notification.jupyterlab-settings": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
}

# The applications, by their command, with the class that has their settings.
APPS = {"lab": "LabApp", "notebook": "JupyterNotebookApp"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Lab:
    """One JupyterLab server on loopback; start, stop and start again on the same port."""

    installed: Installed
    root: Path
    home: Path
    variables: Mapping[str, str]
    settings: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    token: str = field(default_factory=lambda: secrets.token_hex(8))
    process: subprocess.Popen[bytes] | None = None
    expects_extension: bool = True
    app: str = "lab"
    arguments: Sequence[str] = ()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.home / "lab.log"

    @property
    def _probe(self) -> str:
        return f"{self.url}/{'jupyter-ac/health' if self.expects_extension else 'api'}"

    def page(self, path: str) -> str:
        """The address of a document, in a workspace of its own."""
        workspace = secrets.token_hex(4)
        return f"{self.url}/lab/workspaces/{workspace}/tree/{path}?token={self.token}"

    def start(self, *arguments: str) -> None:
        self._write_settings()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    self.installed.python,
                    *("-m", "jupyter", self.app, "--no-browser", "--ip=127.0.0.1", "--allow-root"),
                    f"--port={self.port}",
                    "--ServerApp.port_retries=0",
                    f"--ServerApp.root_dir={self.root}",
                    f"--IdentityProvider.token={self.token}",
                    f"--{APPS[self.app]}.expose_app_in_browser=True",
                    *self.arguments,
                    *arguments,
                ],
                cwd=self.root,
                env=self.installed.environment(self.home, **self.variables),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait_until_it_answers()

    def stop(self) -> None:
        """End the server and its kernels, as Ctrl-C twice would.

        Jupyter may wait for ever for a kernel that a page is just connecting to. By then it has
        ended its extensions, and says so.
        """
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            if "Kernel shutdown: " not in self.log.read_text(encoding="utf-8"):
                raise
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait(10)
            self.process = None

    def _write_settings(self) -> None:
        for name, content in {**QUIET, **self.settings}.items():
            path = self.home / "config/lab/user-settings" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content), encoding="utf-8")

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + 60
        while not self._answers():
            assert self.process is not None
            assert self.process.poll() is None, self._end_of_log()
            assert time.monotonic() < deadline, f"no answer within 60 s:\n{self._end_of_log()}"
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(self._probe, timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError):
            return False

    def _end_of_log(self) -> str:
        return self.log.read_text(encoding="utf-8")[-4000:]
