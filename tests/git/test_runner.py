import asyncio
import errno
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from jupyter_ac.errors import AccessDenied, GitError, InvalidParams, TimedOut, TooLarge
from jupyter_ac.git.environment import Level
from jupyter_ac.git.runner import GitOptions, read_git, run_git
from tests.support.repositories import make_repository, scripted_git

Create = Callable[..., Awaitable[asyncio.subprocess.Process]]


def _there(tmp_path: Path) -> Path:
    """Return a folder that doesn't hold the `git` of the test: none is run out of a repository."""
    folder = tmp_path / "there"
    folder.mkdir()
    return folder


def _runs(pid: int) -> bool:
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return bool(state.stdout.strip()) and not state.stdout.startswith("Z")


async def test_output_comes_back_byte_for_byte(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": b"\xff\r\n\0"})
    assert await run_git(folder.root, "cat-file", "blob", "HEAD:a") == b"\xff\r\n\0"


async def test_standard_input_is_fed(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    data = b"line\n" * 100_000
    sha = await run_git(folder.root, "hash-object", "-w", "--stdin", stdin=data)
    assert await run_git(folder.root, "cat-file", "blob", sha.decode().strip()) == data


async def test_a_failure_names_the_command_and_the_reason(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    with pytest.raises(GitError, match="`git cat-file` failed: Not a valid object name"):
        await run_git(folder.root, "cat-file", "blob", "nowhere")


async def test_an_exit_code_that_is_expected_is_no_failure(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    assert await run_git(folder.root, "grep", "nowhere", ok=(0, 1)) == b""


async def test_names_that_are_no_text_reach_git_as_their_bytes(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"l\udce9": "x"})
    assert await run_git(folder.root, "ls-files", "-z", "--", "l\udce9") == b"l\xe9\0"


@pytest.mark.parametrize("argument", ["a\0b", "\ud800"])
async def test_an_argument_that_no_program_can_take_is_refused(
    tmp_path: Path, argument: str
) -> None:
    folder = make_repository(tmp_path / "r")
    with pytest.raises(InvalidParams):
        await run_git(folder.root, "ls-files", "--", argument)


async def test_a_missing_git_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_repository(tmp_path / "r")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git is not installed"):
        await run_git(folder.root, "status")


async def test_a_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="'gone' was removed"):
        await run_git(tmp_path / "gone", "status")


async def test_a_folder_that_may_not_be_entered_is_named_and_not_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, cwd: Path, **_more: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), cwd)

    # The tests may run as root, who may enter every folder.
    monkeypatch.setattr("jupyter_ac.git.runner.asyncio.create_subprocess_exec", refuse)
    (tmp_path / "closed").mkdir()
    with pytest.raises(AccessDenied, match="You may not enter the folder 'closed'"):
        await run_git(tmp_path / "closed", "status")


async def test_a_git_that_may_not_be_run_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "git").write_text("not a program")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="could not be started"):
        await run_git(_there(tmp_path), "status")


async def test_a_timeout_kills_the_whole_process_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    scripted_git(tmp_path / "bin", monkeypatch, f"sleep 60 & echo $! $$ > {pids}; wait")
    with pytest.raises(TimedOut, match=r"`git status` took longer than 0\.5 s"):
        await run_git(_there(tmp_path), "status", timeout_s=0.5)
    assert not any(_runs(int(pid)) for pid in pids.read_text().split())


async def test_cancelling_kills_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = tmp_path / "pid"
    os.mkfifo(pid)
    scripted_git(tmp_path / "bin", monkeypatch, f"echo $$ > {pid}; exec sleep 60")
    work = asyncio.ensure_future(run_git(_there(tmp_path), "status"))
    started = int(await asyncio.wait_for(asyncio.to_thread(pid.read_text), 30))
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(work, 30)
    assert not _runs(started)


async def test_output_over_the_limit_stops_the_command_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted_git(tmp_path / "bin", monkeypatch, "exec yes")
    output = await asyncio.wait_for(
        read_git(_there(tmp_path), ("log",), GitOptions(max_bytes=5)), 5
    )
    assert output.data == b"y\ny\ny"
    assert output.truncated


async def test_output_that_is_wanted_whole_and_too_long_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.git.runner.MAX_OUTPUT_BYTES", 1 << 20)
    scripted_git(tmp_path / "bin", monkeypatch, "exec yes")
    with pytest.raises(TooLarge, match="`git log` wrote more than 1 MiB"):
        await asyncio.wait_for(run_git(_there(tmp_path), "log"), 30)


async def test_a_process_is_reaped_also_when_cancelled_again_while_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = tmp_path / "pid"
    os.mkfifo(pid)
    scripted_git(tmp_path / "bin", monkeypatch, f"echo $$ > {pid}; exec sleep 60")
    work = asyncio.ensure_future(run_git(_there(tmp_path), "status"))
    started = int(await asyncio.wait_for(asyncio.to_thread(pid.read_text), 30))
    for _ in range(4):
        work.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(work, 30)
    assert not _runs(started)


async def test_a_flood_of_complaints_is_read_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted_git(
        tmp_path / "bin", monkeypatch, "yes fatal: no | head -c 1000000 >&2; echo done; exit 3"
    )
    output = await asyncio.wait_for(read_git(_there(tmp_path), ("log",)), 30)
    assert output.data == b"done\n"
    assert output.exit_code == 3
    assert len(output.complaint) == 2000


async def test_a_program_left_running_with_the_outputs_open_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = tmp_path / "pid"
    scripted_git(tmp_path / "bin", monkeypatch, f"sleep 60 & echo $! > {pid}; echo said; exit 3")
    output = await asyncio.wait_for(
        read_git(_there(tmp_path), ("log",), GitOptions(level=Level.CHANGING)), 10
    )
    assert (output.data, output.exit_code) == (b"said\n", 3)
    left = int(pid.read_text())
    assert _runs(left)
    os.kill(left, signal.SIGKILL)
    async with asyncio.timeout(30):
        while _runs(left):
            await asyncio.sleep(0.01)


async def test_the_loop_stays_free_while_git_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted_git(tmp_path / "bin", monkeypatch, "exec sleep 0.3")
    work = asyncio.ensure_future(run_git(_there(tmp_path), "status"))
    turns = 0
    while not work.done():
        await asyncio.sleep(0.005)
        turns += 1
    assert turns > 10


async def test_a_command_has_its_whole_input_before_it_starts(tmp_path: Path) -> None:
    """From a pipe it would take half a list for all of it when this process is killed."""
    folder = make_repository(tmp_path / "r")
    folder.git("config", "alias.look", "!test -f /dev/stdin && wc -c")
    data = b"x" * 1_000_000
    assert (await run_git(folder.root, "look", stdin=data)).strip() == b"1000000"


async def test_output_is_handed_on_until_no_more_is_wanted(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": b"line\n" * 1_000_000})
    taken: list[bytes] = []

    def take(piece: bytes) -> bool:
        taken.append(piece)
        return len(taken) < most

    command = ("cat-file", "blob", "HEAD:a")
    most = 3
    output = await read_git(folder.root, command, GitOptions(on_data=take))
    assert (output.data, output.truncated, len(taken)) == (b"", True, most)
    taken.clear()
    most = 1_000_000
    output = await read_git(folder.root, command, GitOptions(on_data=take))
    assert (output.exit_code, output.truncated) == (0, False)
    assert b"".join(taken) == b"line\n" * 1_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="other systems know no such limit")
async def test_a_command_gets_no_more_memory_than_it_may_have(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    command = ("grep", "-E", "-e", "((a{1,255}){1,255}){1,255}")
    output = await read_git(folder.root, command, GitOptions(max_memory=100_000_000))
    assert output.exit_code != 0
    assert "Memory exhausted" in output.complaint


async def test_a_command_that_is_cancelled_while_it_starts_is_reaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    scripted_git(tmp_path / "bin", monkeypatch, "exec sleep 600")
    create: Create = asyncio.create_subprocess_exec
    is_there, go_on = asyncio.Event(), asyncio.Event()
    made: list[asyncio.subprocess.Process] = []

    async def create_slowly(*command: bytes, **how: object) -> asyncio.subprocess.Process:
        made.append(await create(*command, **how))
        is_there.set()
        await go_on.wait()
        return made[0]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", create_slowly)
    task = asyncio.create_task(read_git(folder.root, ["status"]))
    await is_there.wait()
    task.cancel()
    asyncio.get_running_loop().call_soon(go_on.set)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert made[0].returncode == -signal.SIGKILL


async def test_a_full_disk_for_what_git_is_told_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    monkeypatch.setattr(tempfile, "TemporaryFile", partial(open, "/dev/full", "w+b", buffering=0))
    with pytest.raises(GitError, match="No space left on device"):
        await read_git(folder.root, ["hash-object", "--stdin"], GitOptions(stdin=b"x"))
