"""Answers and conversations without measure: each turn ends, and the panel opens after it."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.chat.edit_blocks.reading.parser import MAX_BLOCKS
from jupyter_ac.chat.edit_blocks.retry import MOST_RETRIES
from jupyter_ac.chat.pagination import PAGE_BYTES
from jupyter_ac.workers.wire import MAX_ANSWER_CHARS
from tests.contract.doors import HostEnvironment
from tests.services.llm.pages import objects
from tests.support.model_process import RunningModelServer
from tests.support.pages import EVENTS, Page
from tests.support.repositories import make_repository
from tests.support.serve_process import ServeProcess

LIMIT_S = 120.0
LISTED = (*EVENTS, "streamDelta", "editBlocks")
MARKER = "🟧🟧🟧 EDIT\\n"
MOST_ROWS = (1 + MOST_RETRIES) * MAX_BLOCKS


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory,
    host_environment: HostEnvironment,
) -> Iterator[ServeProcess]:
    """A host for all tests, each of which begins a conversation."""
    place = tmp_path_factory.mktemp("large")
    folder = make_repository(place / "repo", {"a.py": "x = 1\n"})
    running = ServeProcess(folder.root, host_environment(place / "home")).start()
    yield running
    running.close()


@pytest.fixture(autouse=True)
def _repeating(provider: RunningModelServer) -> None:
    provider.answer_as("scripted-repeat")


@asynccontextmanager
async def opened(server: ServeProcess) -> AsyncIterator[Page]:
    request = HTTPRequest(server.address, connect_timeout=30)
    page = Page(await websocket_connect(request, max_message_size=1 << 30), LISTED)
    try:
        yield page
    finally:
        await page.leave()


@asynccontextmanager
async def begun(server: ServeProcess) -> AsyncIterator[Page]:
    """A page with a conversation that nothing has been said in."""
    async with opened(server) as page:
        await page.call("LLMService.new_session")
        yield page


async def ask(page: Page, times: int, unit: str) -> None:
    """Ask for an answer of so many times a text."""
    question = f"Say it.\n=====\n{times} {unit}"
    started = await page.call("LLMService.chat_streaming", os.urandom(6).hex(), question)
    assert started == {"status": "started"}


async def answered(page: Page, times: int, unit: str) -> dict[str, object]:
    """The same, and wait for its end."""
    await ask(page, times, unit)
    _, result = await page.event("streamComplete", LIMIT_S)
    assert isinstance(result, dict)
    return result


def notices(result: dict[str, object]) -> list[str]:
    found = result["notices"]
    assert isinstance(found, list)
    return found


async def require_open(server: ServeProcess, requests: int) -> dict[str, object]:
    """The panel gets its state, and it is small."""
    async with opened(server) as page:
        state = await page.state()
        messages = objects(state["messages"])
        assert len({message["request_id"] for message in messages}) == requests
        assert len(json.dumps(state)) < 2 * PAGE_BYTES
        return state


@pytest.mark.parametrize(
    "unit", ["🟧🟧🟧 EDIT\\n", "a.py\\n««« EDIT\\nx = 1\\n═══════ REPL\\nx = 2\\n"]
)
async def test_sixteen_thousand_blocks_leave_the_panel_open(
    server: ServeProcess, unit: str
) -> None:
    async with begun(server) as page:
        result = await answered(page, 16_000, unit)
        assert len(objects(result["edit_results"])) <= MOST_ROWS
        assert any(f"more than {MAX_BLOCKS} edit blocks" in notice for notice in notices(result))
        assert all(len(objects(rows)) <= MOST_ROWS for _, rows in page.named("editBlocks"))
    await require_open(server, 1)
    server.restart()
    await require_open(server, 1)


async def test_two_hundred_thousand_markers_end_and_the_host_with_them(
    server: ServeProcess,
) -> None:
    async with begun(server) as page:
        # The second is still being made when the host is told to end.
        await answered(page, 200_000, MARKER)
        await page.call("LLMService.new_session")
        await ask(page, 200_000, MARKER)
        await page.event("streamDelta", LIMIT_S)
        status = Path(f"/proc/{server.pid}/status")
        if status.exists():
            peak_kb = int(status.read_text().partition("VmHWM:")[2].split()[0])
            assert peak_kb < 400_000
        # Off the loop, which answers the host.
        assert await asyncio.to_thread(server.end, signal.SIGTERM) == 0
    server.start()
    await require_open(server, 1)


async def test_an_answer_that_does_not_end_is_stopped_and_says_so(server: ServeProcess) -> None:
    async with begun(server) as page:
        result = await answered(page, 3_000_000, "😀\\n")
        assert str(result["response"]) == "😀\n" * (MAX_ANSWER_CHARS // 2)
        assert result["finish_reason"] == "too_long"
        assert any(f"{MAX_ANSWER_CHARS:,} characters" in notice for notice in notices(result))
        state = await page.state()
        _, answer = objects(state["messages"])
        shown, more = str(answer["content"]), answer["content_left_out"]
        assert isinstance(more, int)
        assert len(shown.encode("utf-16-le")) // 2 + more == MAX_ANSWER_CHARS // 2 * 3
        ((request_id, _),) = page.named("streamComplete")
        attached = await page.call("LLMService.attach_stream", request_id)
        assert isinstance(attached, dict)
        assert attached["text"] == result["response"]
    await require_open(server, 1)
