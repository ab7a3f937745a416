"""The sessions of an agent, with the engine behind them and no model."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from acp import RequestError
from acp.helpers import text_block

from jupyter_ac.hosts.acp import engine_agent
from jupyter_ac.hosts.acp.engine_agent import EngineAgent
from jupyter_ac.hosts.assembly import local_host
from tests.hosts.acp.editor import Editor
from tests.support.repositories import make_repository

if TYPE_CHECKING:
    from acp.interfaces import Client


@asynccontextmanager
async def agent_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, editor: Editor
) -> AsyncIterator[tuple[EngineAgent, str]]:
    monkeypatch.setenv("JUPYTER_AC_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("JUPYTER_AC_CACHE_DIR", str(tmp_path / "cache"))
    folder = make_repository(tmp_path / "garden", {"a.py": "x\n"})
    async with local_host(os.environ) as host:
        agent = EngineAgent(host)
        agent.on_connect(cast("Client", editor))
        try:
            yield agent, str(folder.root)
        finally:
            await agent.aclose()


async def test_sessions_modes_and_what_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = Editor()
    async with agent_of(tmp_path, monkeypatch, editor) as (agent, root):
        hello = await agent.initialize(protocol_version=1)
        assert hello.agent_capabilities is not None
        assert hello.agent_capabilities.load_session
        with pytest.raises(RequestError, match="no login"):
            await agent.authenticate("key")
        session = await agent.new_session(cwd=root, mcp_servers=[object()])
        assert session.modes is not None
        modes = [mode.id for mode in session.modes.available_modes]
        assert modes == ["ask", "plan", "agent", "sandbox"]
        async with asyncio.timeout(30):
            while "mcp.json" not in editor.said:
                await asyncio.sleep(0.01)
        (commands,) = editor.of_kind("available_commands_update")
        assert commands["availableCommands"][0]["name"] == "plan"
        await agent.set_session_mode(session.session_id, "ask")
        for mode in ("", "root"):
            with pytest.raises(RequestError):
                await agent.set_session_mode(session.session_id, mode)
        with pytest.raises(RequestError, match="No language model"):
            await agent.prompt(session.session_id, [text_block("Hello")])
        with pytest.raises(RequestError, match="No language model"):
            await agent.prompt(session.session_id, [text_block("/plan Grow beans")])
        await agent.cancel(session.session_id)
        await agent.cancel("unknown")
        for folder in ("garden", str(tmp_path), str(tmp_path / "gone")):
            with pytest.raises(RequestError):
                await agent.new_session(cwd=folder)
            with pytest.raises(RequestError):
                await agent.list_sessions(cwd=folder)
        # Both prompts without a model are in the history of the repository's sessions.
        (listed,) = (await agent.list_sessions()).sessions
        assert (listed.session_id, listed.title) == (session.session_id, "Hello")


async def test_sessions_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_agent, "MAX_SESSIONS", 1)
    async with agent_of(tmp_path, monkeypatch, Editor()) as (agent, root):
        await agent.new_session(cwd=root)
        with pytest.raises(RequestError, match="There are 1 sessions"):
            await agent.new_session(cwd=root)
