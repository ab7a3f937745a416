"""The programs in `docs/examples`, run as a reader would, against real hosts."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
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


def documented(name: str, host: ServeProcess, token: str) -> list[str]:
    """The command that the example itself says, with this host's port and token."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    found = re.findall(rf"URL=\S+ TOKEN=\S+ \w+ {re.escape(name)}", text)
    assert len(found) == 1, f"{name} doesn't say how to run it"
    assert "18080 TOKEN=3f… " in found[0]
    return ["sh", "-c", found[0].replace("18080", str(host.port)).replace("3f…", token)]


def run(
    command: Sequence[str], environment: Mapping[str, str], folder: Path
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command,
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def variables(host: ServeProcess) -> dict[str, str]:
    module = ROOT / "jupyter_ac" / "static" / "http-client.js"
    return {**with_this_python(host.environment), "MODULE": module.as_uri()}


def with_this_python(environment: Mapping[str, str]) -> dict[str, str]:
    """Let `python` and `jupyter` be those of this process."""
    path = [str(Path(sys.executable).parent), environment["PATH"]]
    return {**environment, "PATH": os.pathsep.join(path)}


@pytest.mark.parametrize("name", HTTP)
def test_an_example_calls_by_post(name: str, host: ServeProcess) -> None:
    done = run(documented(name, host, host.token), variables(host), EXAMPLES)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip("\n") == EXPECTED[name].rstrip("\n")


@pytest.mark.parametrize("name", HTTP)
def test_an_example_fails_without_the_token(name: str, host: ServeProcess) -> None:
    done = run(documented(name, host, "wrong"), variables(host), EXAMPLES)
    assert done.returncode != 0


def test_an_example_follows_the_state(host: ServeProcess) -> None:
    process = subprocess.Popen(
        documented("events.sh", host, host.token),
        env=variables(host),
        cwd=EXAMPLES,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        state = json.loads(next(line for line in lines if line.startswith("data: "))[6:])
        os.killpg(process.pid, signal.SIGTERM)
    assert state["connectionState"] == "disconnected"


@pytest.mark.parametrize("name", ["stdio_client.py", "stdio_client.mjs"])
def test_an_example_speaks_to_a_host_of_its_own(
    name: str, garden: RepositoryFolder, tmp_path: Path
) -> None:
    environment = with_this_python(command_environment(tmp_path / "home"))
    done = run(command(name), environment, garden.root)
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
