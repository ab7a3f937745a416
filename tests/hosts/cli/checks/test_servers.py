"""Jupyter servers: the ones that run, and one for the occasion."""

import json
import subprocess
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from jupyter_ac.hosts.cli.checks import servers
from jupyter_ac.hosts.cli.checks.context import CheckState
from jupyter_ac.version import __version__
from tests.hosts.cli.checks.conftest import Look
from tests.support.jupyter_process import JupyterProcess, jupyter_serving
from tests.support.repositories import RepositoryFolder
from tests.support.stdio_process import command_environment

ANOTHER_ROOT = "elsewhere"


class Answers(BaseHTTPRequestHandler):
    """Answers every request as the server says."""

    def do_GET(self) -> None:
        assert isinstance(self.server, Stub)
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


class Stub(HTTPServer):
    """A Jupyter server of another kind."""

    status = HTTPStatus.NOT_FOUND
    body = b""

    @property
    def info(self) -> dict[str, object]:
        return {"url": f"http://127.0.0.1:{self.server_port}/", "token": "", "pid": 1}


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    """One such server, the only one that runs."""
    with Stub(("127.0.0.1", 0), Answers) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setattr(servers, "list_running_servers", lambda: [server.info])
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def jupyter(
    garden: RepositoryFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[JupyterProcess]:
    """A real one with the extension, in the repository."""
    environ = command_environment(tmp_path / "server")
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", environ["JUPYTER_RUNTIME_DIR"])
    with jupyter_serving(garden.root, environ) as running:
        yield running


def switch(config: Path, name: str, *, on: bool) -> None:
    text = json.dumps({"ServerApp": {"jpserver_extensions": {name: on}}})
    (config / "jupyter_server_config.json").write_text(text)


async def test_the_extension_is_enabled_or_not(
    look: Look, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await look()
    # Only what this test writes, whatever the environment has.
    monkeypatch.setattr("jupyter_server.serverapp.ServerApp.config_file_paths", [str(config)])
    assert (await servers.extension(here)).text == "not configured"
    switch(config, "jupyter_ac", on=True)
    assert (await servers.extension(here)).state is CheckState.OK
    switch(config, "jupyter_ac", on=False)
    found = await servers.extension(here)
    assert found.state is CheckState.WARN
    assert "jupyter server extension enable" in found.remedy


async def test_no_server_runs(look: Look) -> None:
    assert (await servers.running(await look())).text == "none"


async def test_a_server_that_runs_is_asked_for_version_and_socket(
    look: Look, jupyter: JupyterProcess, tmp_path: Path
) -> None:
    here = await look()
    running = await servers.running(here)
    assert running.state is CheckState.OK
    assert running.text == f"http://127.0.0.1:{jupyter.port}/ runs {__version__}"
    socket = await servers.socket(here)
    assert socket.state is CheckState.OK
    assert socket.text.startswith(f"http://127.0.0.1:{jupyter.port}/ answers, ")
    assert jupyter.token not in running.text + socket.text

    # A repository outside its root is no fault.
    (tmp_path / ANOTHER_ROOT).mkdir()
    subprocess.run(["git", "init", "-q", str(tmp_path / ANOTHER_ROOT)], check=True)
    found = await servers.socket(await look(folder=tmp_path / ANOTHER_ROOT))
    assert found.state is CheckState.OK
    assert "outside" in found.text


async def test_a_server_without_the_extension(look: Look, stub: Stub) -> None:
    here = await look()
    found = await servers.running(here)
    assert found.state is CheckState.WARN
    assert found.text == f"{stub.info['url']} runs without jupyter_ac"
    assert "restart" in found.remedy
    assert (await servers.socket(here)).state is CheckState.WARN


async def test_a_server_of_another_version(look: Look, stub: Stub) -> None:
    stub.status = HTTPStatus.OK
    stub.body = json.dumps({"status": "ok", "version": "0.0.1"}).encode()
    found = await servers.running(await look())
    assert found.state is CheckState.WARN
    assert found.text.endswith(f"runs 0.0.1, installed is {__version__}")
    stub.body = b"something else"
    assert "doesn't answer" in (await servers.running(await look())).text
    stub.status = HTTPStatus.BAD_GATEWAY
    assert "502" in (await servers.running(await look())).text


async def test_one_that_is_gone_or_behind_a_file_is_said(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    infos = [
        {"url": "http://127.0.0.1:9/", "token": "t", "pid": 1},
        {"url": "http+unix://x/", "sock": "/tmp/x", "pid": 1},
    ]
    monkeypatch.setattr(servers, "list_running_servers", lambda: infos)
    here = await look()
    running = await servers.running(here)
    assert running.state is CheckState.WARN
    assert "Unix socket" in running.text
    assert (await servers.socket(here)).state is CheckState.FAIL


async def test_a_trial_server_ends_with_the_check(look: Look) -> None:
    found = await servers.socket(await look(JUPYTER_AC_MODEL=""))
    assert found.state is CheckState.OK
    assert found.text.startswith("a trial server answers, ")
