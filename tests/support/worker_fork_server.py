"""Runs the fork server, from which the workers of a test's hosts start."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from jupyter_ac.workers.launch import working_directory
from tests.support.started_programs import module_starts_programs

FOLDER = Path(__file__).with_name("preloaded")
# What litellm reads while it is imported; a worker's other variables come with the request.
LITELLM = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MODE": "PRODUCTION"}


@contextlib.contextmanager
def worker_fork_server(
    python: Path = Path(sys.executable), path: str = ""
) -> Iterator[dict[str, str]]:
    """Run a fork server; gives the variables with which a host's workers start from it.

    None where the system can't watch processes by descriptors: workers start by themselves there.

    Args:
        python: the interpreter of the hosts.
        path: their PYTHONPATH without it.
    """
    if not _can_watch_processes():
        yield {}
        return
    # A socket's path may have 107 characters at most, and the folder of a test may be longer.
    with tempfile.TemporaryDirectory(prefix="fork-") as folder:
        address = f"{folder}/socket"
        python_path = os.pathsep.join(filter(None, (str(FOLDER), path)))
        with subprocess.Popen(
            [python, "-P", FOLDER / "fork_server.py", address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **LITELLM, "PYTHONPATH": python_path},
            cwd=working_directory(),
            start_new_session=True,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stdout.readline() == "READY\n"
            yield {"PYTHONPATH": python_path, "TESTS_FORK_SERVER": address}
            process.stdin.close()


def _can_watch_processes() -> bool:
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):  # another system, or an old or a restricted Linux
        return False
    return True


@pytest.fixture(scope="session")
def fork_server_variables() -> Iterator[dict[str, str]]:
    """The fork server of this process, which serves all hosts that it starts."""
    with worker_fork_server(path=os.environ.get("PYTHONPATH", "")) as variables:
        yield variables


@pytest.fixture(autouse=True)
def forked_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a test's hosts and their workers started from fork servers.

    Where a conftest imports this and the next fixture, the start of an interpreter is not what the
    tests are about.
    """
    if not request.node.get_closest_marker("programs"):
        return
    if "jp_environ" in request.fixturenames:
        request.getfixturevalue("jp_environ")  # sets PYTHONPATH
    _use_fork_servers(request, monkeypatch)


@pytest.fixture(scope="module", autouse=True)
def forked_workers_of_module(request: pytest.FixtureRequest) -> Iterator[None]:
    """The same for hosts that all tests of a module share."""
    with pytest.MonkeyPatch.context() as patch:
        if module_starts_programs(request.module.__name__):
            _use_fork_servers(request, patch)
        yield


def _use_fork_servers(request: pytest.FixtureRequest, patch: pytest.MonkeyPatch) -> None:
    """What PYTHONPATH has by now stays in it."""
    hosts = request.getfixturevalue("host_forks")
    if hosts is not None:
        hosts.use(patch)
    inherited = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    variables: Mapping[str, str] = request.getfixturevalue("fork_server_variables")
    for name, value in variables.items():
        patch.setenv(name, value)
    if variables:
        path = [*variables["PYTHONPATH"].split(os.pathsep), *inherited]
        patch.setenv("PYTHONPATH", os.pathsep.join(dict.fromkeys(filter(None, path))))
