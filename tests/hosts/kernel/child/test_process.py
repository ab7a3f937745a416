"""Starting and ending the child process, with scripts in its place."""

import os
import signal
import sys
from pathlib import Path

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.hosts.kernel.child.process import HostProcess, command, environment
from tests.hosts.kernel.child.ends import FAKE
from tests.support.processes import is_running

LIMIT = 1 << 20
ECHO = "import sys\nfor line in sys.stdin: sys.stdout.write(line); sys.stdout.flush()"


async def start(script: str) -> HostProcess:
    return await HostProcess.start([sys.executable, "-c", script], environment())


def test_the_command_line_names_the_folder_and_only_a_chosen_model() -> None:
    plain = command(Path("/some where"))
    assert plain[:2] == [sys.executable, "-P"]
    assert plain[-3:] == ["stdio", "--links", "--repo=/some where"]
    assert command(Path("/r"), "openai/gpt")[-1] == "--model=openai/gpt"


async def test_lines_go_to_it_and_come_back() -> None:
    process = await start(ECHO)
    lines = process.lines(LIMIT)
    process.writer.write('["a",1]')
    process.writer.write('["b",2]')
    assert [await anext(lines), await anext(lines)] == [b'["a",1]', b'["b",2]']
    await process.end()
    assert not is_running(process.pid)


async def test_its_end_is_told_with_the_last_words_of_its_log() -> None:
    words = "import sys; sys.exit('first\\nno key in sk-abcdefghijklmnopqrst\\n\\n')"
    process = await start(words)
    assert [line async for line in process.lines(LIMIT)] == []
    assert await process.end() == "no key in …"


async def test_a_silent_end_is_told_with_its_status() -> None:
    process = await start("raise SystemExit(7)")
    assert await process.end() == "jupyter ac stdio ended with exit status 7"


@pytest.mark.parametrize(
    ("number", "name"), [(signal.SIGKILL, "SIGKILL"), (signal.SIGRTMIN + 1, "signal 35")]
)
async def test_what_ended_it_says_more_than_its_log(number: int, name: str) -> None:
    process = await start("import sys, time; print('all is well', file=sys.stderr); time.sleep(60)")
    os.kill(process.pid, number)
    assert [line async for line in process.lines(LIMIT)] == []
    assert await process.end() == f"jupyter ac stdio was ended by {name}"


async def test_one_that_does_not_listen_is_ended_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jupyter_ac.hosts.kernel.child.process._END_S", 0.2)
    process = await start(
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('x', flush=True)"
        "; time.sleep(3600)"
    )
    assert await anext(process.lines(LIMIT)) == b"x"
    assert await process.end() == "jupyter ac stdio was ended by SIGKILL"


async def test_an_interrupt_of_the_kernel_is_none_of_the_child_s() -> None:
    process = await HostProcess.start(FAKE, environment())
    assert os.getsid(process.pid) == process.pid != os.getsid(0)
    await process.end()


async def test_it_starts_in_a_folder_of_nobody_s(tmp_path: Path) -> None:
    (tmp_path / "jupyter_ac.py").write_text("raise SystemExit('the wrong module')")
    process = await start("import os; print(os.getcwd(), flush=True)")
    assert await anext(process.lines(LIMIT)) == b"/"
    await process.end()


async def test_what_cannot_be_started_is_said() -> None:
    with pytest.raises(NotReady, match="can't be started"):
        await HostProcess.start(["/no/such/program"], environment())
