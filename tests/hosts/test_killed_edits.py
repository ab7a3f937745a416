"""`kill -9` of a host at random moments of a turn with edits, seen from outside."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from tests.support.dying_edits import BEFORE, FILES, after, answers, created, moments
from tests.support.model_process import running_model_server
from tests.support.pages import EVENTS, Page
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess, plain_environment, serving

KILLS = 50
LONGEST_S = 60.0
LOST_S = 1.5
"""The last second, and time for the disk."""
PROSE = "Some words about it. " * 20

Rows = list[dict[str, object]]


@asynccontextmanager
async def page_of(serve: ServeProcess) -> AsyncIterator[Page]:
    request = HTTPRequest(serve.address, connect_timeout=30)
    page = Page(await websocket_connect(request), (*EVENTS, "streamDelta"))
    try:
        await page.ready()
        yield page
    finally:
        await page.leave()


async def ask(page: Page, number: int) -> None:
    await page.call("LLMService.set_selected_files", list(FILES))
    first, second = answers(number)
    question = "\n=====\n".join([f"Question {number}", PROSE + first, PROSE + second])
    await page.call("LLMService.chat_streaming", f"r{number}", question)


async def whole_turn(serve: ServeProcess) -> float:
    """Make a turn to its end; gives how long it takes."""
    async with page_of(serve) as page:
        began = time.monotonic()
        await ask(page, 0)
        await page.event("streamComplete", LONGEST_S)
        return time.monotonic() - began


async def ask_and_kill(serve: ServeProcess, number: int, moment_s: float) -> str:
    """Ask, kill the host; gives what of the answer was seen before the last second."""
    async with page_of(serve) as page:
        end = time.monotonic() + moment_s
        await ask(page, number)
        seen: list[tuple[float, int]] = []
        while time.monotonic() < end:
            seen.append((time.monotonic(), len(list(page.named("streamDelta")))))
            await asyncio.sleep(0.02)
        killed = time.monotonic()
        serve.end(signal.SIGKILL)
        deltas = [str(args[2]) for args in page.named("streamDelta")]
        safe = max((count for at, count in seen if at < killed - LOST_S), default=0)
        return "".join(deltas[:safe])


def contents(folder: RepositoryFolder) -> dict[str, str]:
    return {name: (folder.root / name).read_text() for name in FILES}


async def check(serve: ServeProcess, folder: RepositoryFolder, number: int, safe: str) -> bool:
    """The history is there, the files are old or new, and what is said of them is so.

    Returns:
        whether something had been applied.
    """
    async with page_of(serve) as page:
        state = await page.state()
        messages = [
            message
            for message in cast("Rows", state["messages"])
            if message["request_id"] == f"r{number}"
        ]
        question, answer = messages
        assert str(question["content"]).startswith(f"Question {number}\n")
        assert str(answer["content"]).startswith(safe)
        found = contents(folder)
        assert set(found.values()) <= {BEFORE, after(number)}
        changed = {name for name, text in found.items() if text != BEFORE}
        if (folder.root / created(number)).exists():
            changed.add(created(number))
        rows = cast("Rows", answer.get("edit_results", []))
        assert {row["file"] for row in rows if row["status"] == "applied"} == changed
        if changed:
            undone = await page.call("LLMService.undo_last_edits")
            assert cast("dict[str, object]", undone)["status"] == "undone", undone
            assert set(contents(folder).values()) == {BEFORE}
            assert not (folder.root / created(number)).exists()
        return bool(changed)


@pytest.mark.soak
@pytest.mark.timeout(900)
async def test_a_host_killed_at_fifty_moments_loses_a_second_and_does_not_lie(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "garden", dict.fromkeys(FILES, BEFORE))
    applied = 0
    with running_model_server(tmp_path / "requests") as model:
        environment = plain_environment(
            tmp_path / "home",
            JUPYTER_AC_MODEL="openai/scripted-edits@0.008",
            JUPYTER_AC_API_BASE=model.openai,
            OPENAI_API_KEY="sk-scripted-0123456789",
        )
        with serving(folder.root, environment) as serve:
            longest_s = await whole_turn(serve)
            assert await check(serve, folder, 0, PROSE)
            serve.restart()
            for number, moment_s in enumerate(moments(KILLS, longest_s), 1):
                safe = await ask_and_kill(serve, number, moment_s)
                serve.start()
                applied += await check(serve, folder, number, safe)
                assert set(contents(folder).values()) == {BEFORE}
    assert applied >= KILLS // 10
