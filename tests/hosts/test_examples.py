"""The programs in `docs/examples`, run as a reader would, against real hosts."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.meta.sources import ROOT
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess, serving
from tests.support.stdio_process import command_environment

EXAMPLES = ROOT / "docs" / "examples"
LIMIT_S = 90
HTTP = ["post.sh", "post_client.py", "post_client.mjs", "http_client.py", "http_client.mjs"]
CLIENT = "disconnected {yes}\nprint(1)\n\n-32000 not_found\n"
EXPECTED = {
    "post.sh": '{"jsonrpc":"2.0","id":1,"result":true}',
    "post_client.py": "print(1)\n\n",
    "post_client.mjs": "print(1)\n\n",
    "http_client.py": CLIENT.format(yes="True"),
    "http_client.mjs": CLIENT.format(yes="true"),
}


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> RepositoryFolder:
    return make_repository(tmp_path_factory.mktemp("examples") / "garden", {"a.py": "print(1)\n"})


@pytest.fixture(scope="module")
def host(
    garden: RepositoryFolder, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServeProcess]:
    environment = command_environment(tmp_path_factory.mktemp("home"))
    with serving(garden.root, environment) as server:
        yield server


def command(name: str) -> list[str]:
    programs = {".py": sys.executable, ".mjs": "node", ".sh": "sh"}
    return [programs[Path(name).suffix], str(EXAMPLES / name)]


def run(
    name: str, environment: Mapping[str, str], folder: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(name),
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def variables(host: ServeProcess) -> dict[str, str]:
    module = ROOT / "jupyter_ac" / "static" / "http-client.js"
    return {
        **host.environment,
        "URL": f"http://127.0.0.1:{host.port}",
        "TOKEN": host.token,
        "MODULE": module.as_uri(),
    }


@pytest.mark.parametrize("name", HTTP)
def test_an_example_calls_by_post(name: str, host: ServeProcess) -> None:
    done = run(name, variables(host))
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip("\n") == EXPECTED[name].rstrip("\n")


@pytest.mark.parametrize("name", HTTP)
def test_an_example_fails_without_the_token(name: str, host: ServeProcess) -> None:
    done = run(name, {**variables(host), "TOKEN": "wrong"})
    assert done.returncode != 0


def test_an_example_follows_the_state(host: ServeProcess) -> None:
    process = subprocess.Popen(
        command("events.sh"), env=variables(host), stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        state = json.loads(next(line for line in lines if line.startswith("data: "))[6:])
        process.terminate()
    assert state["connectionState"] == "disconnected"


@pytest.mark.parametrize("name", ["stdio_client.py", "stdio_client.mjs"])
def test_an_example_speaks_to_a_host_of_its_own(
    name: str, garden: RepositoryFolder, tmp_path: Path
) -> None:
    environment = command_environment(tmp_path / "home")
    tools = Path(sys.executable).parent
    environment["PATH"] = os.pathsep.join([str(tools), environment["PATH"]])
    done = run(name, environment, garden.root)
    assert done.returncode == 0, done.stderr
    # Node shows an object on several lines.
    *answers, end = done.stdout.strip().splitlines()
    cancelled = "".join(line for line in answers if not line.startswith("2 "))
    (clean,) = (line for line in answers if line.startswith("2 "))
    assert cancelled.startswith("1 ")
    assert "-32800" in cancelled
    assert "cancelled by its caller" in cancelled
    assert clean.lower() == "2 true"
    assert end == "exit code 0"
