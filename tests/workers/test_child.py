import asyncio
import logging
import os
import signal
import subprocess

import pytest

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.workers import child as child_module
from jupyter_ac.workers import launch
from jupyter_ac.workers.child import Child

LIMIT_S = 90.0


async def test_a_child_runs_until_it_is_ended() -> None:
    child = await Child.launch("tokens", {}, {})
    assert child.is_running is True
    assert await child.peer.call("Tokens.count", "o200k_base", ["a"]) == [1]
    await asyncio.wait_for(child.end(), LIMIT_S)
    assert await child.obituary() == "ended with exit status 0"
    with pytest.raises(ConnectionClosed):
        await child.peer.call("Tokens.count", "o200k_base", ["a"])


async def test_a_child_that_ignores_the_end_of_file_is_ended_harder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(child_module, "_END_S", 0.3)
    child = await Child.launch("tokens", {}, {})
    await child.peer.call("Tokens.count", "o200k_base", ["a"])
    os.kill(child.pid, signal.SIGSTOP)
    await asyncio.wait_for(child.end(), LIMIT_S)
    assert await child.obituary() == "was ended by SIGKILL"


async def test_nobody_takes_the_exit_status_from_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else asyncio says `Unknown child process`, and gives 255 for it."""
    asked: list[object] = []
    poll = subprocess.Popen.poll

    def counted(process: "subprocess.Popen[bytes]") -> int | None:
        asked.append(process)
        return poll(process)

    monkeypatch.setattr(subprocess.Popen, "poll", counted)
    monkeypatch.setattr(launch, "command", lambda _kind: ["sleep", "60"])
    monkeypatch.setattr(child_module, "_END_S", 0.1)
    child = await Child.launch("tokens", {}, {})
    await asyncio.wait_for(child.end(), LIMIT_S)
    assert await child.obituary() == "was ended by SIGTERM"
    assert asked == []


async def test_what_the_child_says_on_its_error_output_is_logged_without_secrets(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG, "jupyter_ac.workers.child"):
        child = await Child.launch("sk-abcdefghijklmnop", {}, {})
        assert await child.obituary() == "ended with exit status 1"
        await asyncio.wait_for(child.end(), LIMIT_S)
        async with asyncio.timeout(LIMIT_S):
            while "usage: python -m jupyter_ac.worker" not in caplog.text:
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("times", [1, 5])
async def test_a_launch_that_is_given_up_leaves_nothing_half_made(
    monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    monkeypatch.setattr(launch, "command", lambda _kind: ["sleep", "60"])
    others = asyncio.all_tasks()
    launching = asyncio.create_task(Child.launch("tokens", {}, {}))
    for _ in range(times):
        await asyncio.sleep(0)
        launching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(launching, LIMIT_S)
    assert asyncio.all_tasks() == others
