"""The workers that all workspaces share."""

import asyncio
import os

from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.models.choice import ModelChoice

CHOICE = ModelChoice("openai/scripted", "flag")


def is_running(pid: int | None) -> bool:
    if pid is None:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_without_a_model_nothing_is_started() -> None:
    resources = HostResources()
    await resources.start(None)
    resources.prepare(None)
    assert all(worker.pid is None for worker in resources._workers.values())
    await resources.aclose()


async def test_what_was_started_ends_with_the_host() -> None:
    resources = HostResources()
    async with asyncio.timeout(30):
        await resources.start(CHOICE)
        pids = [resources._workers[kind].pid for kind in ("models", "tokens")]
        assert all(is_running(pid) for pid in pids)
        resources.prepare(CHOICE)
        resources.prepare(CHOICE)
        assert len(resources._tasks) == 2
        await resources.aclose()
    assert not any(is_running(pid) for pid in pids)


async def test_starting_does_not_wait_for_the_libraries() -> None:
    resources = HostResources()
    async with asyncio.timeout(2):
        await resources.start(CHOICE)
    await resources.aclose()
