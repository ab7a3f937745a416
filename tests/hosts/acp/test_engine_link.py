import asyncio
import os
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, InvalidParams
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.acp.engine_link import EngineLink
from jupyter_ac.hosts.assembly import local_host
from tests.support.repositories import make_repository


async def test_a_link_is_a_conversation_of_its_own_with_its_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_AC_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("JUPYTER_AC_CACHE_DIR", str(tmp_path / "cache"))
    folder = make_repository(tmp_path / "garden", {"a.py": "x\n"})
    heard: list[tuple[object, ...]] = []
    ended = asyncio.Event()

    def hear(*event: object) -> None:
        heard.append(event)
        if event[0] == "streamComplete":
            ended.set()

    async with local_host(os.environ) as host:
        repository = await discover(folder.root)
        async with (
            EngineLink(host, repository, hear) as link,
            EngineLink(host, repository, hear) as other,
        ):
            states = [await each.call("LLMService.get_current_state") for each in (link, other)]
            assert states[0]["session_id"] != states[1]["session_id"]
            with pytest.raises(InvalidParams):
                await link.call("LLMService.load_session_into_context", "sess_0")
            # Without a model the turn fails, and says so to this link only.
            await link.call("LLMService.chat_streaming", "1-aaaaaa", "Hello")
            async with asyncio.timeout(90):
                await ended.wait()
            (completion,) = (event for event in heard if event[0] == "streamComplete")
            assert completion[1] == "1-aaaaaa"
    with pytest.raises(AcError):
        await link.call("LLMService.get_current_state")
