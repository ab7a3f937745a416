"""Programs that check code: where they are found, and that each of them ends."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from jupyter_ac.errors import TimedOut, TooLarge, Unsupported
from jupyter_ac.planner.validation.checker_process import find_program, run_checker

LIMIT_S = 60.0


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def program(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


async def test_a_program_reads_the_code_and_has_no_variables() -> None:
    code = "import os, sys; print(sys.stdin.read(), sorted(os.environ), os.getcwd())"
    output = await run_checker(python(code), "a\ud800b", LIMIT_S)
    text, _, rest = output.stdout.partition(" ")
    assert text == "a?b"
    assert "PATH" not in rest
    assert rest.endswith("/\n")
    assert output.exit_code == 0


async def test_both_outputs_and_the_status_are_told() -> None:
    output = await run_checker(python("import sys; print('x', file=sys.stderr); exit(3)"), "", 60)
    assert (output.exit_code, output.stderr) == (3, "x\n")


async def test_a_program_that_takes_too_long_is_killed_with_its_children(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = (
        "import pathlib, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"pathlib.Path({str(pid)!r}).write_text(str(child.pid))\n"
        "time.sleep(600)"
    )
    with pytest.raises(TimedOut, match="smaller piece"):
        await run_checker(python(code), "", 3.0)
    if pid.is_file():
        await gone(int(pid.read_text(encoding="utf-8")))


async def test_a_program_is_killed_when_its_caller_is_cancelled(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = (
        "import os, pathlib, time\n"
        f"pathlib.Path({str(pid)!r}).write_text(str(os.getpid()))\n"
        "time.sleep(600)"
    )
    running = asyncio.create_task(run_checker(python(code), "", 600.0))
    while not (pid.is_file() and pid.read_text(encoding="utf-8")):
        await asyncio.sleep(0.02)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await gone(int(pid.read_text(encoding="utf-8")))


async def gone(pid: int) -> None:
    async with asyncio.timeout(LIMIT_S):
        while Path(f"/proc/{pid}").exists() and "Z" not in _state(pid):
            await asyncio.sleep(0.02)


def _state(pid: int) -> str:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return "Z"
    return text.rpartition(")")[2].split()[0]


async def test_a_program_that_prints_for_ever_is_stopped() -> None:
    with pytest.raises(TooLarge, match="smaller piece"):
        await run_checker(python("while True: print('x' * 100_000)"), "", LIMIT_S)


async def test_a_program_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="none"):
        await run_checker([str(tmp_path / "none")], "", LIMIT_S)


def test_programs_are_found_outside_the_repository(tmp_path: Path) -> None:
    root, outside = tmp_path / "repository", tmp_path / "bin"
    program(root / "bin", "checker-a")
    found = program(outside, "checker-b")
    (outside / "link").symlink_to(root / "bin")
    path = os.pathsep.join(["bin", "", str(root / "bin"), str(outside / "link"), str(outside)])
    environ = {"PATH": path}
    assert find_program("checker-a", root, environ) is None
    assert find_program("checker-b", root, environ) == str(found)
    assert find_program("checker-b", root, {}) is None


def test_programs_of_the_interpreters_folder_come_first(tmp_path: Path) -> None:
    outside = program(tmp_path / "bin", "ruff").parent
    found = find_program("ruff", tmp_path / "repository", {"PATH": str(outside)})
    assert found == str(Path(sys.executable).parent / "ruff")
