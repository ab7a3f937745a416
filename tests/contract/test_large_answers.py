"""Answers and conversations without measure: each turn ends, and the panel opens after it."""

import asyncio
import json
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.chat.edits.reading.parser import MAX_BLOCKS
from jupyter_ac.chat.history.schema import MIGRATIONS
from jupyter_ac.chat.pagination import PAGE_BYTES, PAGE_MESSAGES
from jupyter_ac.store.sqlite import Database
from tests.contract.doors import environment_for
from tests.services.llm.pages import objects
from tests.support.model_process import RunningModelServer
from tests.support.pages import EVENTS, CallFailedError, Page
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess

LIMIT_S = 120.0
LISTED = (*EVENTS, "streamDelta", "editBlocks")


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "repo", {"a.py": "x = 1\n"})


@pytest.fixture
def server(
    tmp_path: Path, folder: RepositoryFolder, model_server: RunningModelServer
) -> Iterator[ServeProcess]:
    model_server.forget()
    model_server.answer_as("scripted-repeat")
    environment = environment_for(tmp_path / "home", model_server.openai)
    running = ServeProcess(folder.root, environment).start()
    yield running
    running.close()
    model_server.answer_as("")


@asynccontextmanager
async def opened(server: ServeProcess) -> AsyncIterator[Page]:
    request = HTTPRequest(server.address, connect_timeout=30)
    page = Page(await websocket_connect(request, max_message_size=1 << 30), LISTED)
    yield page
    await page.leave()


async def answered(page: Page, times: int, unit: str) -> dict[str, object]:
    """Ask for an answer of so many times a text, and wait for its end."""
    number = len(list(page.named("streamComplete")))
    started = await page.call(
        "LLMService.chat_streaming", f"r-{number}", f"Say it.\n=====\n{times} {unit}"
    )
    assert started == {"status": "started"}
    _, result = await page.event("streamComplete", LIMIT_S)
    assert isinstance(result, dict)
    return result


async def require_open(server: ServeProcess, requests: int) -> dict[str, object]:
    """The panel gets its state, and it is small."""
    async with opened(server) as page:
        state = await page.state()
        messages = objects(state["messages"])
        assert len({message["request_id"] for message in messages}) == requests
        assert len(json.dumps(state)) < 2 * PAGE_BYTES
        return state


@pytest.mark.parametrize(
    "unit", ["🟧🟧🟧 EDIT\\n", "a.py\\n««« EDIT\\nx = 1\\n", "b.py\\n🟧🟧🟧 RENAME\\n"]
)
async def test_sixteen_thousand_blocks_leave_the_panel_open(
    server: ServeProcess, unit: str
) -> None:
    async with opened(server) as page:
        result = await answered(page, 16_000, unit)
        rows = objects(result["edit_results"])
        assert len(rows) <= 3 * MAX_BLOCKS
        notices = result["notices"]
        assert isinstance(notices, list)
        assert any(f"more than {MAX_BLOCKS} edit blocks" in notice for notice in notices)
        blocks = [args for args in page.named("editBlocks")]
        assert all(len(objects(rows)) <= 3 * MAX_BLOCKS for _, rows in blocks)
    await require_open(server, 1)
    server.restart()
    await require_open(server, 1)


async def test_two_hundred_thousand_markers_end_and_so_does_the_host(server: ServeProcess) -> None:
    t=time.monotonic()
    async with opened(server) as page:
        await answered(page, 200_000, "🟧🟧🟧 EDIT\\n")
    print("took", time.monotonic()-t)
    print(Path(f"/proc/{server.pid}/status").read_text().split("VmHWM:")[1].split("\n")[0])
    t=time.monotonic()
    assert server.end(signal.SIGTERM) == 0
    print("end", time.monotonic()-t)
