"""A host on a system that fails: pipes in the place of files, no more descriptors."""

import os
import resource
import signal
from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder
from tests.support.stdio_process import Json, Stdio, stdio

CALLS: tuple[tuple[str, list[object]], ...] = (
    ("Repo.get_file_tree", []),
    ("Repo.get_file_content", ["a.py"]),
    ("Repo.search_files", ["x"]),
    ("Repo.get_unstaged_diff", []),
    ("Repo.write_file", ["new.py", "x\n"]),
    ("Repo.stage_all", []),
)


async def asked(host: Stdio, call_id: int, method: str, arguments: list[object]) -> Json:
    host.send({"jsonrpc": "2.0", "id": call_id, "method": method, "params": arguments})
    return await host.answer(call_id)


def type_of(answer: Json) -> object:
    error = answer["error"]
    assert isinstance(error, dict)
    return error["data"]["type"]


async def test_a_pipe_for_an_index_is_said_and_doesnt_keep_the_host(
    garden: RepositoryFolder, env: dict[str, str]
) -> None:
    async with stdio("--repo", str(garden.root), env=env) as host:
        assert "result" in await asked(host, 1, "Repo.get_file_tree", [])
        index = garden.root / ".git/index"
        kept = index.read_bytes()
        index.unlink()
        os.mkfifo(index)
        for call_id in (2, 3):
            answer = await asked(host, call_id, "Repo.get_file_tree", [])
            assert type_of(answer) == "git"
            assert ".git/index is a pipe" in str(answer["error"])
        index.unlink()
        index.write_bytes(kept)
        assert "result" in await asked(host, 4, "Repo.get_file_tree", [])


async def test_a_host_ends_at_once_while_git_waits_for_a_pipe(
    garden: RepositoryFolder, env: dict[str, str]
) -> None:
    """Of a file deep in the tree nobody knows before git opens it."""
    async with stdio("--repo", str(garden.root), env=env) as host:
        assert "result" in await asked(host, 1, "Repo.get_file_tree", [])
        (garden.root / "deep").mkdir()
        os.mkfifo(garden.root / "deep/.gitignore")
        garden.write("deep/file", "1\n")
        host.send({"jsonrpc": "2.0", "id": 2, "method": "Repo.get_file_tree", "params": []})
        host.send({"jsonrpc": "2.0", "id": 3, "method": "Repo.get_current_branch", "params": []})
        await host.answer(3)
        host.process.send_signal(signal.SIGTERM)
        await host.process.wait()
        # Sooner than git's own limit, which would have been an answer.
        assert all(not (isinstance(value, dict) and "timeout" in str(value)) for value in host.seen)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="limits another process by prlimit")
async def test_without_descriptors_each_call_is_busy_and_none_internal(
    garden: RepositoryFolder, env: dict[str, str]
) -> None:
    async with stdio("--repo", str(garden.root), env=env) as host:
        for at, (method, arguments) in enumerate(CALLS):
            assert "result" in await asked(host, at, method, list(arguments)), method
        pid = host.process.pid
        usual = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        open_now = 1 + max(int(entry.name) for entry in Path(f"/proc/{pid}/fd").iterdir())
        for room in (0, 1, 2, 3, 5, 8):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (open_now + room, usual[1]))
            for at, (method, arguments) in enumerate(CALLS):
                answer = await asked(host, 100 * (room + 1) + at, method, list(arguments))
                assert "result" in answer or type_of(answer) == "busy", (method, answer)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, usual)
        assert "result" in await asked(host, 1000, "Repo.get_file_content", ["a.py"])
