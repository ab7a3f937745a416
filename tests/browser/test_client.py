import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.browser.client import GONE, BrowserClient, Change, local_error
from jupyter_ac.errors import (
    BrowserError,
    InvalidParams,
    NotConnected,
    NotFound,
    RemoteError,
)

WAIT_S = 60.0


@asynccontextmanager
async def running(root: Path) -> AsyncIterator[tuple[BrowserClient, list[Change]]]:
    """A client, and what it is told."""
    told: list[Change] = []
    made = BrowserClient(root, told.append)
    try:
        yield made, told
    finally:
        await made.aclose()


def test_errors_of_the_worker_are_the_ones_that_it_raised() -> None:
    found = local_error(RemoteError("There is none.", -32000, {"type": "not_found", "a": 1}))
    assert isinstance(found, NotFound)
    assert (found.message, found.details) == ("There is none.", {"a": 1})


def test_errors_with_a_sentence_of_json_rpc_keep_their_own() -> None:
    data = {"type": "invalid_params", "reason": "limit must be 1 to 1000."}
    found = local_error(RemoteError("Invalid params", -32602, data))
    assert isinstance(found, InvalidParams)
    assert found.message == "limit must be 1 to 1000."


def test_errors_of_the_browser_keep_command_and_code() -> None:
    raised = BrowserError("Page.navigate", -32000, "Cannot: navigate")
    data = {"type": "browser", **raised.details}
    found = local_error(RemoteError(raised.message, -32000, data))
    assert isinstance(found, BrowserError)
    assert (found.message, found.details) == (raised.message, raised.details)


@pytest.mark.parametrize("data", [None, {}, {"type": "internal", "error_id": "e"}, {"type": 3}])
def test_what_nobody_has_foreseen_stays_as_it_came(data: object) -> None:
    error = RemoteError("internal error", -32603, data)
    assert local_error(error) is error


async def test_the_worker_starts_at_the_first_call_and_again_after_its_death(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as (client, told):
        was_running = client.is_running
        assert not was_running
        assert await client.call("filters_status") == {}
        pid = client._worker.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(WAIT_S):
            while not told:
                await asyncio.sleep(0.01)
        assert told == [{"kind": GONE, "target": ""}]
        assert await client.call("filters_status") == {}
        assert client.is_running
        assert client._worker.pid != pid


async def test_a_call_during_which_the_worker_dies_says_so(tmp_path: Path) -> None:
    async with running(tmp_path) as (client, _):
        await client.call("filters_status")
        pid = client._worker.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        waiting = asyncio.create_task(client.call("filters_status", timeout_s=WAIT_S))
        await asyncio.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(NotConnected, match="connect again"):
            await waiting


async def test_what_is_not_watched_is_said(tmp_path: Path) -> None:
    async with running(tmp_path) as (client, _):
        with pytest.raises(NotConnected):
            await client.act("nowhere", "page")
        with pytest.raises(NotFound):
            await client.call("watch", "nowhere")
        with pytest.raises(NotFound):
            await client.call("quit", "7")
        with pytest.raises(InvalidParams):
            await client.call("targets", "http://example.com")
