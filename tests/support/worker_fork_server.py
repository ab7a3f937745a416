"""Runs the fork server, from which the workers of a test's hosts start."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.workers.launch import working_directory

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
    """Have the workers of a test's hosts started from the fork server.

    Where a conftest imports this, the start of a worker is not what the tests are about.
    """
    if request.node.get_closest_marker("programs"):
        for name, value in request.getfixturevalue("fork_server_variables").items():
            monkeypatch.setenv(name, value)
