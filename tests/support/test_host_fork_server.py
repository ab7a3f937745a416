"""A forked host is seen as one that has started by itself."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.host_fork_server import HostForkServer
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import READY
from tests.support.stdio_process import COMMAND, command_environment, stdio

LIMIT_S = 90
CALL = {"jsonrpc": "2.0", "id": 1, "method": "Repo.get_file_content", "params": ["a.py"]}


@pytest.fixture
def forks(
    host_forks: HostForkServer | None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[HostForkServer]:
    if host_forks is None:
        pytest.skip("this system has no such fork")
    host_forks.use(monkeypatch)
    before = host_forks.count
    yield host_forks
    assert host_forks.count > before, host_forks.declined


@pytest.fixture
def garden(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "garden", {"a.py": "print(1)\n"})


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return command_environment(tmp_path / "home")


async def test_it_is_a_child_of_this_process_with_the_streams_it_was_given(
    forks: HostForkServer, garden: RepositoryFolder, env: dict[str, str]
) -> None:
    assert forks
    async with stdio(env=env, cwd=garden.root) as host:
        host.send(CALL)
        assert (await host.answer(1))["result"] == "print(1)\n"
        status = Path(f"/proc/{host.process.pid}/status").read_text("utf-8")
        assert f"PPid:\t{os.getpid()}\n" in status
        assert await host.end() == 0
        assert await host.log() == ""


def test_exit_codes_and_signals_are_those_of_an_interpreter(
    forks: HostForkServer, garden: RepositoryFolder, env: dict[str, str]
) -> None:
    assert forks
    wrong = subprocess.run(
        [*COMMAND, "stdio", "--repo", "nowhere"],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "no folder 'nowhere'" in wrong.stderr
    for number, code in ((signal.SIGTERM, 0), (signal.SIGINT, 130), (signal.SIGKILL, -9)):
        with subprocess.Popen(
            [*COMMAND, "serve", "--repo", garden.root, "--server-port", "0", "--no-browser"],
            env=env,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as server:
            assert server.stdout is not None
            assert server.stdout.readline().startswith(READY)
            assert os.getsid(server.pid) == server.pid
            server.send_signal(number)
            assert server.wait(LIMIT_S) == code


@pytest.mark.parametrize(
    "change", [{"PYTHONPATH": "/somewhere"}, {"PYTHONUTF8": "0"}, {"TZ": "Asia/Tokyo"}]
)
async def test_what_an_interpreter_reads_at_its_start_makes_one_start(
    host_forks: HostForkServer | None,
    monkeypatch: pytest.MonkeyPatch,
    garden: RepositoryFolder,
    env: dict[str, str],
    change: dict[str, str],
) -> None:
    if host_forks is None:
        pytest.skip("this system has no such fork")
    host_forks.use(monkeypatch)
    before = host_forks.count
    async with asyncio.timeout(LIMIT_S), stdio(env=env | change, cwd=garden.root) as host:
        assert await host.end() == 0
    assert host_forks.count == before
