"""Real servers in real processes: one made with the SDK, and hostile ones."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.agent.mcp_servers import server_connection
from jupyter_ac.agent.mcp_servers.server_config import ServerConfig
from jupyter_ac.agent.mcp_servers.server_connection import ServerConnection
from jupyter_ac.agent.mcp_servers.server_tools import MAX_TOOLS, definition_of
from jupyter_ac.errors import AcError, NotReady, TimedOut
from tests.agent.mcp_servers.probing import probe
from tests.support.processes import wait_until_gone

ENVIRON = {**os.environ, "ANTHROPIC_API_KEY": "sk-secret", "JUPYTER_TOKEN": "token"}


@asynccontextmanager
async def connected(server: ServerConfig, folder: Path) -> AsyncIterator[ServerConnection]:
    connection = ServerConnection(server, folder, ENVIRON)
    try:
        await connection.start()
        yield connection
    finally:
        await connection.aclose()
        assert not connection.is_open


async def test_a_server_made_with_the_sdk(tmp_path: Path) -> None:
    async with connected(probe("good"), tmp_path) as connection:
        rows = await connection.list_tools()
        assert [row.name for row in rows] == ["echo", "environment"]
        assert rows[0].description == "Say it again."
        text, is_error = await connection.call("echo", {"text": "hello"})
        assert text.startswith("hello ")
        assert not is_error
        assert (await connection.call("echo", {}))[1]
        seen = json.loads((await connection.call("environment", {}))[0])
        assert seen.keys().isdisjoint({"ANTHROPIC_API_KEY", "JUPYTER_TOKEN", "PYTHONPATH"})
        assert "sk-secret" not in json.dumps(seen)
    with pytest.raises(NotReady, match="isn't running"):
        await connection.call("echo", {"text": "x"})


async def test_a_thousand_tools_and_endless_pages_are_bounded(tmp_path: Path) -> None:
    for kind in ("many", "pages"):
        async with connected(probe(kind), tmp_path) as connection:
            assert len(await connection.list_tools()) <= MAX_TOOLS


async def test_names_and_schemas_that_cannot_be_offered_are_left_out(tmp_path: Path) -> None:
    for kind, offered in (("names", ["mcp__p__a_b", "mcp__p__ok"]), ("schemas", ["mcp__p__ok"])):
        async with connected(probe(kind), tmp_path) as connection:
            taken: list[str] = []
            for row in await connection.list_tools():
                if (found := definition_of("p", row, taken)) is not None:
                    taken.append(found.name)
            assert taken == offered


async def test_servers_that_do_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotReady, match="has ended at its start"):
        async with connected(probe("gone"), tmp_path):
            pass
    with pytest.raises(NotReady, match="can't be started: No such file"):
        async with connected(ServerConfig("x", "user", ("/gone",)), tmp_path):
            pass
    monkeypatch.setattr(server_connection, "START_S", 0.5)
    place = tmp_path / "pids"
    with pytest.raises(TimedOut, match=r"hasn't answered within 0.5 s"):
        async with connected(probe("mute", str(place)), tmp_path):
            pass
    if place.exists():
        for pid in place.read_text().split():
            wait_until_gone(int(pid))


async def test_a_start_that_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    place = tmp_path / "pids"
    connection = ServerConnection(probe("mute", str(place)), tmp_path, ENVIRON)
    starting = asyncio.create_task(connection.start())
    async with asyncio.timeout(60):
        while not place.exists() or " " not in place.read_text():
            await asyncio.sleep(0.05)
    starting.cancel()
    await asyncio.wait({starting})
    assert starting.cancelled()
    assert not connection.is_open
    for pid in place.read_text().split():
        wait_until_gone(int(pid))


@pytest.mark.parametrize("kind", ["crash", "hang", "flood", "endless"])
async def test_a_call_ends_whatever_the_server_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(server_connection, "CALL_S", 5.0)
    place = tmp_path / "pids"
    async with connected(probe(kind, str(place)), tmp_path) as connection:
        await connection.list_tools()
        with pytest.raises(AcError, match="MCP server probe"):
            await connection.call("act", {})
    for pid in place.read_text().split():
        wait_until_gone(int(pid))


async def test_a_long_result_is_cut(tmp_path: Path) -> None:
    async with connected(probe("long"), tmp_path) as connection:
        text, _ = await connection.call("act", {})
        assert len(text) == server_connection.MAX_RESULT
