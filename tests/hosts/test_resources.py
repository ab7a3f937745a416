"""The workers that all workspaces share."""

import asyncio
import os
from dataclasses import replace

import pytest

from jupyter_ac.errors import ProviderUnavailable
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import CompletionRequest

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
        assert len(resources._preparing) == 2
        await resources.aclose()
    assert not any(is_running(pid) for pid in pids)


async def test_starting_does_not_wait_for_the_libraries() -> None:
    resources = HostResources()
    await resources.start(CHOICE)
    loading = asyncio.create_task(resources.models.load())
    await asyncio.sleep(0)
    assert is_running(resources._workers["models"].pid)
    assert not loading.done()
    await resources.aclose()
    with pytest.raises(ProviderUnavailable):
        await loading


async def test_another_address_is_prepared_for_itself_and_a_failure_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resources = HostResources()
    asked: list[str | None] = []

    async def warm(request: CompletionRequest) -> None:
        asked.append(request.api_base)
        if len(asked) == 1:
            raise ProviderUnavailable("The worker is gone.")

    monkeypatch.setattr(resources.models, "warm", warm)
    elsewhere = replace(CHOICE, api_base="http://127.0.0.1:1/v1")
    for choice in (CHOICE, CHOICE, CHOICE, elsewhere):
        resources.prepare(choice)
        async with asyncio.timeout(60):
            await asyncio.gather(*resources._preparing.values())
    assert asked == [None, None, elsewhere.api_base]
    await resources.aclose()
