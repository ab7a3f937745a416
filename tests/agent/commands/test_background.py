import asyncio
import sys
from pathlib import Path

import pytest

from jupyter_ac.agent.commands.background import (
    MAX_ENDED,
    MAX_RUNNING,
    MAX_UNREAD_CHARS,
    BackgroundCommands,
    BackgroundOutput,
)
from jupyter_ac.errors import Busy, NotFound
from jupyter_ac.ids import RequestId
from tests.agent.commands.commanded import LIMIT_S, make_commanded

WAITING = """
import os, time
print('begun', flush=True)
while not os.path.exists('go'):
    time.sleep(0.01)
"""
RUN = RequestId("1-aaaaaa")
WAITS = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", code)


async def commands_of(tmp_path: Path) -> BackgroundCommands:
    return BackgroundCommands((await make_commanded(tmp_path)).runner)


async def ended(commands: BackgroundCommands, command_id: str) -> BackgroundOutput:
    """Wait for a command's end; returns all that it has printed."""
    text = ""
    async with asyncio.timeout(LIMIT_S):
        while (found := commands.read(command_id)).state == "running":
            text += found.text
            await asyncio.sleep(0.01)
    left_out = found.left_out
    return BackgroundOutput(text + found.text, left_out, found.state, found.exit_code, found.error)


async def first_line(commands: BackgroundCommands, command_id: str) -> str:
    async with asyncio.timeout(LIMIT_S):
        while not (text := commands.read(command_id).text):
            await asyncio.sleep(0.01)
    return text


async def test_output_is_read_as_it_comes_and_once(tmp_path: Path) -> None:
    commands = await commands_of(tmp_path)
    name = commands.start(python(f"{WAITING}print('b')\nraise SystemExit(4)"), RUN, sandboxed=False)
    assert await first_line(commands, name) == "begun\n"
    assert commands.read(name) == BackgroundOutput("", 0, "running")
    (tmp_path / "home" / "a project" / "go").touch()
    assert await ended(commands, name) == BackgroundOutput("b\n", 0, "exited", 4)
    await commands.aclose()


async def test_unread_output_is_bounded(tmp_path: Path) -> None:
    commands = await commands_of(tmp_path)
    code = f"print('x' * {MAX_UNREAD_CHARS} + 'end', end='')"
    name = commands.start(python(code), RUN, sandboxed=False)
    async with asyncio.timeout(LIMIT_S):
        while commands.list()[0].state == "running":
            await asyncio.sleep(0.01)
    found = commands.read(name)
    assert len(found.text) == MAX_UNREAD_CHARS
    assert found.text.endswith("xend")
    assert found.left_out == len("end")


async def test_a_command_is_stopped(tmp_path: Path) -> None:
    commands = await commands_of(tmp_path)
    name = commands.start(python(WAITS), RUN, sandboxed=False)
    await first_line(commands, name)
    assert await commands.stop(name) == BackgroundOutput("", 0, "stopped")
    assert await commands.stop(name) == BackgroundOutput("", 0, "stopped")


async def test_one_that_has_not_begun_is_stopped_too(tmp_path: Path) -> None:
    commands = await commands_of(tmp_path)
    name = commands.start(python("print(1)"), RUN, sandboxed=False)
    assert (await commands.stop(name)).state == "stopped"


async def test_one_that_cannot_be_started_says_why(tmp_path: Path) -> None:
    commands = await commands_of(tmp_path)
    found = await ended(commands, commands.start(("nowhere-at-all",), RUN, sandboxed=False))
    assert found.state == "failed"
    assert "no program 'nowhere-at-all'" in found.error


async def test_it_has_a_time_limit(tmp_path: Path) -> None:
    commands = await commands_of(tmp_path)
    name = commands.start(python(WAITS), RUN, sandboxed=False, limit_s=0.5)
    assert (await ended(commands, name)).state == "timed_out"


async def test_they_are_listed_and_only_so_many_run(tmp_path: Path) -> None:
    commands = await commands_of(tmp_path)
    names = [commands.start(python(WAITS), RUN, sandboxed=False) for _ in range(MAX_RUNNING)]
    with pytest.raises(Busy, match="stop one of them"):
        commands.start(python(WAITS), RUN, sandboxed=False)
    assert [one.command_id for one in commands.list()] == names
    await commands.stop(names[0])
    commands.start(python(WAITS), RUN, sandboxed=False)
    await commands.aclose()
    assert {one.state for one in commands.list()} == {"stopped"}
    assert all(one.running_s >= 0 for one in commands.list())
    with pytest.raises(Busy, match="being closed"):
        commands.start(python(WAITS), RUN, sandboxed=False)


async def test_the_oldest_that_have_ended_are_forgotten(tmp_path: Path) -> None:
    commands = await commands_of(tmp_path)
    names = []
    for _ in range(MAX_ENDED + 2):
        names.append(commands.start(("nowhere",), RUN, sandboxed=False))
        await ended(commands, names[-1])
    assert [one.command_id for one in commands.list()] == names[1:]
    with pytest.raises(NotFound, match="no background command 'b1'"):
        commands.read(names[0])
    await commands.aclose()


async def test_the_commands_of_a_run_end_with_it(tmp_path: Path) -> None:
    commands = await commands_of(tmp_path)
    runs = (RUN, RUN, RequestId("2-bbbbbb"))
    begun, early, other = [commands.start(python(WAITS), run, sandboxed=False) for run in runs]
    pid = int(await first_line(commands, begun))
    late = commands.start(python(WAITS), RUN, sandboxed=False)
    assert commands.is_running(RUN)
    await commands.end_run(RUN)
    assert not commands.is_running(RUN)
    assert [commands.read(name).state for name in (begun, early, late)] == ["stopped"] * 3
    assert commands.read(other).state == "running"
    assert not Path(f"/proc/{pid}").exists()
    await commands.aclose()
