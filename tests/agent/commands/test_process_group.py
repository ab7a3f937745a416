import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from jupyter_ac.agent.commands.environment import MARK
from jupyter_ac.agent.commands.process_group import ProcessGroup
from tests.support.processes import wait_until_gone

LIMIT_S = 120.0


class Collected:
    def __init__(self, limit: int = 1 << 20) -> None:
        self.data = b""
        self.limit = limit
        self.has_some = asyncio.Event()

    def add(self, data: bytes) -> bool:
        self.data += data
        self.has_some.set()
        return len(self.data) <= self.limit

    async def lines(self, count: int) -> list[bytes]:
        async with asyncio.timeout(LIMIT_S):
            while self.data.count(b"\n") < count:
                self.has_some.clear()
                await self.has_some.wait()
        return self.data.splitlines()


async def started(folder: Path, code: str, collected: Collected) -> ProcessGroup:
    variables = {**os.environ, MARK: f"{folder.name}-{os.getpid()}"}
    argv = (sys.executable, "-I", "-S", "-c", code)
    return await ProcessGroup.start(argv, folder, variables, collected.add)


async def test_both_outputs_come_in_their_order(tmp_path: Path) -> None:
    collected = Collected()
    code = "import os\nfor n in range(50):\n os.write(1 + n % 2, b'%d ' % n)"
    group = await started(tmp_path, code, collected)
    assert await group.wait(LIMIT_S) == "exited"
    await group.end()
    assert collected.data.split() == [b"%d" % n for n in range(50)]
    assert group.exit_code == 0


async def test_a_signal_is_an_exit_status_as_in_a_shell(tmp_path: Path) -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    group = await started(tmp_path, code, Collected())
    assert await group.wait(LIMIT_S) == "exited"
    await group.end()
    assert group.exit_code == 128 + 9


async def test_it_may_tidy_up_at_its_end(tmp_path: Path) -> None:
    code = """
import os, signal, time
signal.signal(signal.SIGTERM, lambda *_: (os.write(1, b"tidy\\n"), os._exit(3)))
print("up", flush=True)
time.sleep(600)
"""
    collected = Collected()
    group = await started(tmp_path, code, collected)
    await collected.lines(1)
    assert await group.wait(0) == "timed_out"
    await group.end()
    assert collected.data == b"up\ntidy\n"
    assert group.exit_code == 3


async def test_who_ignores_sigterm_and_its_children_are_killed(tmp_path: Path) -> None:
    code = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.fork()
print(os.getpid(), flush=True)
time.sleep(600)
"""
    collected = Collected()
    group = await started(tmp_path, code, collected)
    pids = [int(line) for line in await collected.lines(2)]
    await group.end()
    assert group.exit_code == 128 + signal.SIGKILL
    for pid in pids:
        wait_until_gone(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't show environments")
async def test_a_daemon_ends_with_its_command(tmp_path: Path) -> None:
    code = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(600)
    os._exit(0)
os.wait()
"""
    collected = Collected()
    group = await started(tmp_path, code, collected)
    assert await group.wait(LIMIT_S) == "exited"
    pid = int((await collected.lines(1))[0])
    await group.end()
    wait_until_gone(pid)


async def test_too_much_output_is_noticed(tmp_path: Path) -> None:
    code = "import os\nwhile True: os.write(1, b'x' * 65536)"
    collected = Collected(limit=1 << 20)
    group = await started(tmp_path, code, collected)
    assert await group.wait(LIMIT_S) == "too_long"
    await group.end()


def opened_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


async def test_a_program_that_is_missing_leaves_nothing_open(tmp_path: Path) -> None:
    before = opened_files()
    with pytest.raises(FileNotFoundError):
        await ProcessGroup.start(["/nowhere"], tmp_path, {MARK: "m"}, Collected().add)
    await asyncio.sleep(0)
    assert opened_files() == before
