import asyncio
import os
import re
import sys
import time
from pathlib import Path

import pytest

from jupyter_ac.agent.commands.command import MAX_LIMIT_S, MAX_OUTPUT_BYTES, CommandRunner
from jupyter_ac.errors import AccessDenied, InvalidParams, NotFound, Unsupported
from tests.agent.commands.commanded import (
    LIMIT_S,
    SECRET,
    Commanded,
    make_commanded,
    make_sandboxed,
)
from tests.support.processes import wait_until_gone

STUBBORN = """
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
for child in range(2):
    if os.fork() == 0:
        os.setsid()
        break
open(f"up-{os.getpid()}", "w").close()
time.sleep(600)
"""
"""Ignores signals, and has children that have left its group."""

WAITING = """
import os, time
print('begun', flush=True)
while not os.path.exists('go'):
    time.sleep(0.01)
"""
MARKED = "commanded-test-"


def _running(mark: str) -> list[int]:
    """Return the processes with an argument, seen from outside of the sandbox."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdecimal() else []
        except OSError:
            continue
        if mark.encode() in words:
            found.append(int(entry.name))
    return found


async def _until_up(commanded: Commanded, count: int) -> None:
    async with asyncio.timeout(LIMIT_S):
        while len(list(commanded.folder.root.glob("up-*"))) < count:
            await asyncio.sleep(0.01)


async def test_a_command_runs_in_the_repository_and_its_outcome_is_told(tmp_path: Path) -> None:
    commanded = await make_commanded(tmp_path)
    code = "import os, sys; print(os.getcwd()); print(sys.stdin.read() == ''); sys.exit(3)"
    outcome = await commanded.python(code)
    assert outcome.output.splitlines() == [str(commanded.folder.root), "True"]
    assert (outcome.exit_code, outcome.ended, outcome.left_out) == (3, "exited", 0)
    assert not outcome.is_sandboxed
    assert outcome.duration_ms >= 0


async def test_no_key_of_this_process_is_in_its_environment(tmp_path: Path) -> None:
    commanded = await make_commanded(tmp_path, {"JUPYTER_TOKEN": SECRET})
    code = "import os; print(dict(os.environ), open('/proc/self/environ').read())"
    assert SECRET not in (await commanded.python(code)).output


async def test_arguments_reach_the_program_as_they_are(tmp_path: Path) -> None:
    commanded = await make_commanded(tmp_path)
    name = "l\udce9 b;$(id)*"
    commanded.folder.write(name, b"\xff\x1b[31mred\x1b[0m\n")
    outcome = await commanded.run("cat", name)
    assert outcome.output == "\N{REPLACEMENT CHARACTER}red\n"


async def test_a_program_of_the_repository_is_named_by_its_path(tmp_path: Path) -> None:
    commanded = await make_commanded(tmp_path)
    commanded.folder.write("do it.sh", "#!/bin/sh\necho done\n").chmod(0o755)
    assert (await commanded.run("./do it.sh")).output == "done\n"
    with pytest.raises(NotFound, match="on PATH"):
        await commanded.run("do it.sh")


async def test_what_cannot_be_run_is_said(tmp_path: Path) -> None:
    commanded = await make_commanded(tmp_path)
    commanded.folder.write("text.sh", "echo done\n")
    with pytest.raises(NotFound, match="no program 'nowhere-at-all' on PATH"):
        await commanded.run("nowhere-at-all")
    with pytest.raises(NotFound, match=r"no program './gone'"):
        await commanded.run("./gone")
    with pytest.raises(AccessDenied, match="interpreter"):
        await commanded.run("./text.sh")
    (commanded.folder.root / "text.sh").chmod(0o755)
    with pytest.raises(AccessDenied, match="#!/bin/sh"):
        await commanded.run("./text.sh")
    for argv in ((), ("",), ("echo", "a\0b"), ("echo", "\ud800")):
        with pytest.raises(InvalidParams):
            await commanded.run(*argv)


@pytest.mark.parametrize("limit_s", [0, -1, MAX_LIMIT_S + 1, float("nan"), float("inf")])
async def test_a_time_limit_has_bounds(tmp_path: Path, limit_s: float) -> None:
    commanded = await make_commanded(tmp_path)
    with pytest.raises(InvalidParams, match="time limit"):
        await commanded.run("true", limit_s=limit_s)


async def test_at_the_time_limit_it_is_ended(tmp_path: Path) -> None:
    commanded = await make_commanded(tmp_path)
    code = "import time; print('begun', flush=True); time.sleep(600)"
    outcome = await commanded.python(code, limit_s=3)
    assert (outcome.ended, outcome.exit_code) == ("timed_out", None)
    assert outcome.output in {"begun\n", ""}  # on a busy machine it hasn't


async def test_output_is_told_while_it_runs(tmp_path: Path) -> None:
    commanded = await make_commanded(tmp_path)
    said: list[str] = []

    def hear(text: str) -> None:
        said.append(text)
        commanded.folder.write("go")

    outcome = await commanded.runner.run(
        (sys.executable, "-c", WAITING), sandboxed=False, limit_s=LIMIT_S, on_output=hear
    )
    assert (said, outcome.ended) == (["begun\n"], "exited")


@pytest.mark.parametrize("is_sandboxed", [False, True])
async def test_endless_output_is_stopped_in_bounded_memory(
    tmp_path: Path, *, is_sandboxed: bool
) -> None:
    commanded = await (make_sandboxed if is_sandboxed else make_commanded)(tmp_path)
    code = "import os\nwhile True: os.write(1, b'0123456789abcde\\n' * 4096)"
    outcome = await commanded.python(code, sandboxed=is_sandboxed)
    assert outcome.ended == "too_long"
    assert outcome.left_out >= MAX_OUTPUT_BYTES - 40_000
    assert len(outcome.output) < 41_000
    assert outcome.output.startswith("0123456789")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't show environments")
@pytest.mark.parametrize("is_sandboxed", [False, True])
async def test_stop_ends_all_that_it_has_started(tmp_path: Path, *, is_sandboxed: bool) -> None:
    commanded = await (make_sandboxed if is_sandboxed else make_commanded)(tmp_path)
    mark = f"{MARKED}{os.getpid()}-{is_sandboxed}"
    running = asyncio.create_task(commanded.python(STUBBORN, mark, sandboxed=is_sandboxed))
    await _until_up(commanded, 3)
    pids = _running(mark)
    assert len(pids) >= 3
    begun = time.monotonic()
    running.cancel()
    await asyncio.wait({running}, timeout=LIMIT_S)
    assert running.cancelled()
    for pid in pids:
        wait_until_gone(pid)
    assert time.monotonic() - begun < LIMIT_S
    assert _running(mark) == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't show environments")
@pytest.mark.parametrize("is_sandboxed", [False, True])
async def test_a_daemon_does_not_outlive_a_command_that_has_ended(
    tmp_path: Path, *, is_sandboxed: bool
) -> None:
    commanded = await (make_sandboxed if is_sandboxed else make_commanded)(tmp_path)
    mark = f"{MARKED}{os.getpid()}-daemon-{is_sandboxed}"
    code = """
import os, time
if os.fork() == 0:
    os.setsid()
    open("up-1", "w").close()
    time.sleep(600)
while not os.path.exists("up-1"):
    time.sleep(0.01)
print("left", flush=True)
os._exit(0)
"""
    outcome = await commanded.python(code, mark, sandboxed=is_sandboxed)
    assert (outcome.ended, outcome.exit_code, outcome.output) == ("exited", 0, "left\n")
    async with asyncio.timeout(LIMIT_S):
        while _running(mark):
            await asyncio.sleep(0.01)


async def test_in_the_sandbox_the_outcome_is_the_commands(tmp_path: Path) -> None:
    commanded = await make_sandboxed(tmp_path)
    code = "import os; os.write(1, os.getcwd().encode() + b'\\n'); os.write(2, b'e'); os._exit(3)"
    outcome = await commanded.sandboxed_python(code)
    assert outcome.output.splitlines() == [str(commanded.folder.root), "e"]
    assert (outcome.exit_code, outcome.ended, outcome.is_sandboxed) == (3, "exited", True)
    killed = await commanded.sandboxed_python("import os; os.kill(os.getpid(), 9)")
    assert killed.exit_code == 128 + 9


async def test_a_program_that_the_sandbox_does_not_show_is_named(tmp_path: Path) -> None:
    commanded = await make_sandboxed(tmp_path)
    program = commanded.home / "own" / "tool"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho tool\n")
    program.chmod(0o755)
    with pytest.raises(Unsupported, match="doesn't show"):
        await commanded.run(str(program), sandboxed=True)
    assert (await commanded.run(str(program))).output == "tool\n"


async def test_without_a_sandbox_nothing_runs_beside_it_instead(tmp_path: Path) -> None:
    commanded = await make_commanded(tmp_path)
    environ = {**os.environ, "HOME": str(commanded.folder.root)}
    sandbox = type(commanded.runner.sandbox)(commanded.runner.sandbox._repository, environ)
    runner = CommandRunner(commanded.folder.root, sandbox, environ)
    with pytest.raises(Unsupported, match=re.escape(await sandbox.refusal())):
        await runner.run(("touch", "ran"), sandboxed=True, limit_s=LIMIT_S)
    assert not (commanded.folder.root / "ran").exists()
    assert (await runner.run(("touch", "ran"), sandboxed=False, limit_s=LIMIT_S)).exit_code == 0
