"""One long session on a real server: compactions, changed files, memory, kill -9 in the middle.

The long one takes minutes: `make soak`. It prints the slope of the server's memory.
"""

import asyncio
import json
import random
import signal
import sqlite3
import statistics
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from tornado.websocket import websocket_connect

from tests.support.model_process import RunningModelServer
from tests.support.pages import Page
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess, plain_environment, serving

WAIT_S = 90.0
NAMES = ("a.py", "b.py", "c.py")
COMPACTION = {
    "compaction_trigger_tokens": 600,
    "verbatim_window_tokens": 200,
    "summary_budget_tokens": 100,
}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "garden", {name: text_of(0) for name in NAMES})


def text_of(seed: int) -> str:
    return "".join(f"value_{n} = {n if n % 50 else seed}\n" for n in range(200))


def environment(home: Path, server: RunningModelServer, aside: str) -> dict[str, str]:
    found = plain_environment(
        home,
        JUPYTER_AC_MODEL="openai/scripted",
        JUPYTER_AC_SMALLER_MODEL=f"openai/scripted-{aside}",
        JUPYTER_AC_API_BASE=server.openai,
        OPENAI_API_KEY="sk-scripted-0123456789",
    )
    config = Path(found["JUPYTER_AC_CONFIG_DIR"])
    config.mkdir(parents=True, exist_ok=True)
    (config / "app.json").write_text(json.dumps({"history_compaction": COMPACTION}))
    return found


@asynccontextmanager
async def connected(server: ServeProcess) -> AsyncIterator[Page]:
    page = Page(await websocket_connect(server.address))
    await page.ready()
    try:
        yield page
    finally:
        await page.leave()


async def ask(page: Page, number: int, question: str) -> dict[str, object]:
    name = f"{number}-x"
    started = await page.call("LLMService.chat_streaming", name, question)
    assert started == {"status": "started"}
    while (ended := await page.event("streamComplete", WAIT_S))[0] != name:
        pass
    assert isinstance(ended[1], dict)
    return ended[1]


def stages(page: Page, stage: str) -> int:
    return len(told(page, stage))


def told(page: Page, stage: str) -> list[str]:
    """The sentences of the events of a stage."""
    events = [args[1] for args in page.named("compactionEvent")]
    return [
        str(event["message"])
        for event in events
        if isinstance(event, dict) and event["stage"] == stage
    ]


async def live(page: Page, server: ServeProcess, folder: RepositoryFolder, turns: int) -> list[int]:
    """Ask, with files that change and selections that move; the memory after each turn, in kB."""
    chance, memory = random.Random(11), []
    for number in range(turns):
        if number % 3 == 0:
            folder.write(chance.choice(NAMES), text_of(number))
        if number % 5 == 0:
            await page.call("LLMService.set_selected_files", chance.sample(NAMES, 2))
        result = await ask(page, number, f"Question {number}: " + "why " * chance.randrange(60))
        assert "error" not in result, result
        memory.append(memory_kb(server))
    return memory


async def is_compacting(page: Page) -> bool:
    status = await page.call("LLMService.get_history_status")
    assert isinstance(status, dict)
    return bool(status["is_compacting"]) and bool(status["needs_compaction"])


def asks_the_smaller_model(rows: list[dict[str, object]]) -> bool:
    return any("hang" in str(row["model"]) for row in rows)


def memory_kb(server: ServeProcess) -> int:
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])


@pytest.mark.parametrize(
    ("turns", "compactions"),
    [(12, 2), pytest.param(200, 5, marks=[pytest.mark.soak, pytest.mark.timeout(600)])],
)
async def test_a_long_session_is_compacted_and_stays_whole(
    turns: int,
    compactions: int,
    folder: RepositoryFolder,
    model_server: RunningModelServer,
    tmp_path: Path,
) -> None:
    with serving(folder.root, environment(tmp_path / "home", model_server, "summary")) as server:
        async with connected(server) as page:
            memory = await live(page, server, folder, turns)
            assert stages(page, "compaction_complete") >= compactions
            assert told(page, "compaction_error") == []
            messages = (await page.state())["messages"]
            assert isinstance(messages, list)
            assert sum(message["role"] == "user" for message in messages) == turns
            status = await page.call("LLMService.get_history_status")
            assert isinstance(status, dict)
            assert status["tokens"] < 3 * COMPACTION["compaction_trigger_tokens"]
    later = memory[len(memory) // 4 :]
    slope = statistics.linear_regression(range(len(later)), later).slope
    sys.stdout.write(f"{turns} turns: {memory[-1] >> 10} MB at the end, {slope:.1f} kB a turn\n")
    if turns >= 100:
        assert slope < 100


@pytest.mark.soak
@pytest.mark.timeout(300)
async def test_a_host_killed_while_it_compacts_has_lost_nothing(
    folder: RepositoryFolder, model_server: RunningModelServer, tmp_path: Path
) -> None:
    with serving(folder.root, environment(tmp_path / "one", model_server, "hang")) as server:
        async with connected(server) as page:
            for number in range(20):
                await ask(page, number, f"Question {number}: " + "why " * 150)
                if await is_compacting(page):
                    break
            await asyncio.to_thread(model_server.wait_until, asks_the_smaller_model)
            asked = number + 1
            assert stages(page, "compaction_start") == 1
            assert server.process is not None
            server.process.send_signal(signal.SIGKILL)
            await asyncio.to_thread(server.process.wait)
    with closing(sqlite3.connect(folder.root / ".git/jupyter_ac/history.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT count(*) FROM removals").fetchone() == (0,)
    with serving(folder.root, environment(tmp_path / "two", model_server, "summary")) as server:
        async with connected(server) as page:
            messages = (await page.state())["messages"]
            assert isinstance(messages, list)
            assert [message["role"] for message in messages].count("assistant") == asked
            await ask(page, asked, "And now?")
            await page.event("sessionChanged")
            async with asyncio.timeout(WAIT_S):
                while not stages(page, "compaction_complete"):
                    await page.event("compactionEvent")
            await ask(page, asked + 1, "Then?")
    last = json.dumps(model_server.bodies()[-1])
    assert "[Summary of the conversation so far]" in last
    assert f"Question {asked - 5}:" not in last
