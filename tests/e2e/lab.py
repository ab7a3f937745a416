"""JupyterLab from the installed wheel, as a child process of the test."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.e2e.installed import Installed
from tests.support.lifeline import Lifeline
from tests.support.serve_process import free_port

# Lab asks about news and updates otherwise, over a network that tests don't have.
QUIET = {
    "@jupyterlab/apputils-extension/notification.jupyterlab-settings": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
}

# Messages of comms wait for cells, as with kernels that have no subshells.
WITHOUT_SUBSHELLS = {
    "@jupyterlab/apputils-extension/kernels-settings.jupyterlab-settings": {
        "commsOverSubshells": "disabled"
    }
}

# The applications, by their command, with the class that has their settings.
APPS = {"lab": "LabApp", "notebook": "JupyterNotebookApp"}

LIMIT_S = 90.0


@dataclass
class Lab:
    """One JupyterLab server on loopback; start, stop and start again on the same port.

    Attributes:
        folder: where under the server's root the test's own documents are.
    """

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
    folder: str = ""
    _lifeline: Lifeline | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.home / "lab.log"

    @property
    def _probe(self) -> str:
        return f"{self.url}/{'jupyter-ac/health' if self.expects_extension else 'api'}"

    def path(self, path: str) -> str:
        """A document of the test as the server names it."""
        return f"{self.folder}/{path}".lstrip("/")

    def page(self, path: str) -> str:
        """The address of a document, in JupyterLab in a workspace of its own."""
        if self.app == "notebook":
            return f"{self.url}/notebooks/{self.path(path)}?token={self.token}"
        workspace = secrets.token_hex(4)
        return f"{self.url}/lab/workspaces/{workspace}/tree/{self.path(path)}?token={self.token}"

    def start(self) -> None:
        self.write_settings(self.settings)
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
                ],
                cwd=self.root,
                env=self.installed.environment(self.home, **self.variables),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._lifeline = Lifeline(self.process.pid)
        self._wait_until_it_answers()

    def write_settings(self, settings: Mapping[str, Mapping[str, object]]) -> None:
        """Make these the only settings of pages that are opened from here on."""
        folder = self.home / "config/lab/user-settings"
        shutil.rmtree(folder, ignore_errors=True)
        for name, content in {**QUIET, **settings}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content), encoding="utf-8")

    def end_kernels(self) -> None:
        """End all that pages have started and left."""
        with urllib.request.urlopen(self._api("kernels"), timeout=20) as answer:
            kernels = json.load(answer)
        for kernel in kernels:
            name = f"kernels/{kernel['id']}"
            for request in (self._api(f"{name}/interrupt", "POST"), self._api(name, "DELETE")):
                with urllib.request.urlopen(request, timeout=20) as answer:
                    answer.read()

    def stop(self) -> None:
        """End the server and its kernels, as Ctrl-C twice would.

        Jupyter may wait for ever for a kernel that a page is just connecting to. By then it has
        ended its extensions, and says so.
        """
        if self.process is None:
            return
        if self._lifeline is not None:
            self._lifeline.close()
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

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + LIMIT_S
        while not self._answers():
            assert self.process is not None
            assert self.process.poll() is None, self._end_of_log()
            assert time.monotonic() < deadline, f"no answer in time:\n{self._end_of_log()}"
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(self._probe, timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError):
            return False

    def _api(self, name: str, method: str = "GET") -> urllib.request.Request:
        return urllib.request.Request(
            f"{self.url}/api/{name}",
            headers={"Authorization": f"token {self.token}"},
            method=method,
        )

    def _end_of_log(self) -> str:
        return self.log.read_text(encoding="utf-8")[-4000:]
