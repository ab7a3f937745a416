"""Settings changed by one page hold for the next question of every page, in a whole workspace."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.hosts.workspace import Workspace
from jupyter_ac.models.choice import PROVIDER_KEYS
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.methods import Access, Handler, Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.keyring import Keyring
from tests.support.checked_peer import CheckedPeer
from tests.support.model_process import RunningModelServer
from tests.support.repositories import make_repository

WAIT_S = 90
KEY = "sk-secret-0123456789abcdefX"


class Screen:
    """What a page is told."""

    def __init__(self) -> None:
        self.ready = asyncio.Event()
        self.completed: asyncio.Queue[dict[str, object]] = asyncio.Queue()
        self.changes: asyncio.Queue[dict[str, object]] = asyncio.Queue()
        self.progress: list[str] = []

    def table(self) -> dict[str, Method]:
        """Take the events under the wire's names."""
        handlers: dict[str, Handler] = {
            "startupProgress": self._started,
            "streamComplete": self._ended,
            "settingsChanged": self._changed,
            "compactionEvent": self._progressed,
        }
        return {
            f"AcApp.{name}": Method.of(f"AcApp.{name}", handler, Access.READ)
            for name, handler in handlers.items()
        }

    def _started(self, stage: str, _message: str, _percent: int) -> bool:
        if stage == "ready":
            self.ready.set()
        return True

    def _ended(self, _request_id: str, result: dict[str, object]) -> bool:
        self.completed.put_nowait(result)
        return True

    def _changed(self, change: dict[str, object]) -> bool:
        self.changes.put_nowait(change)
        return True

    def _progressed(self, _request_id: str, event: dict[str, object]) -> bool:
        self.progress.append(str(event["message"]))
        return True


@dataclass
class Page:
    """A connected page."""

    peer: Peer
    screen: Screen

    async def call(self, name: str, *args: object) -> dict[str, object]:
        async with asyncio.timeout(WAIT_S):
            answer = await self.peer.call(name, *args)
        assert isinstance(answer, dict)
        return answer

    async def ask(self, request_id: str) -> dict[str, object]:
        await self.call("LLMService.chat_streaming", request_id, "Hello?")
        async with asyncio.timeout(WAIT_S):
            return await self.screen.completed.get()

    async def change(self) -> dict[str, object]:
        async with asyncio.timeout(WAIT_S):
            return await self.screen.changes.get()


def first_message(body: dict[str, object]) -> str:
    messages = body["messages"]
    assert isinstance(messages, list)
    return str(messages[0]["content"])


@asynccontextmanager
async def page(workspace: Workspace) -> AsyncIterator[Page]:
    ours, theirs = direct_pair()
    screen = Screen()
    serving = asyncio.create_task(workspace.serve(ours, Remote(), lambda _caller, _access: True))
    peer = CheckedPeer(theirs, screen.table())
    running = asyncio.create_task(peer.run())
    try:
        async with asyncio.timeout(WAIT_S):
            await peer.handshaken()
            await screen.ready.wait()
        yield Page(peer, screen)
    finally:
        await peer.close()
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(running, serving)


@dataclass
class Settings:
    """The configuration folder."""

    folder: Path

    def write(self, name: str, value: object) -> None:
        self.folder.mkdir(exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value)
        (self.folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "config")


@asynccontextmanager
async def opened(tmp_path: Path, settings: Settings) -> AsyncIterator[Workspace]:
    folder = make_repository(tmp_path / "garden", {"a.py": "print(1)\n"})
    resources = HostResources()
    ring = Keyring(lambda: None)
    planner = ModelPlanner({}, settings.folder, JupyterAC(), lambda: False, keyring=ring)
    try:
        async with Workspace(await discover(folder.root), resources, planner) as workspace:
            yield workspace
    finally:
        await resources.aclose()


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROVIDER_KEYS:
        monkeypatch.delenv(name, raising=False)


async def test_a_key_and_a_model_entered_in_the_panel_answer_the_next_question(
    tmp_path: Path, settings: Settings, model_server: RunningModelServer
) -> None:
    async with (
        opened(tmp_path, settings) as workspace,
        page(workspace) as one,
        page(workspace) as other,
    ):
        assert "No language model" in str((await one.ask("r-1"))["error"])
        address = {"api_base": model_server.openai}
        content = json.dumps(address)
        asked = await one.call("Settings.save_config_content", "litellm", content)
        assert asked["status"] == "confirm"
        await one.call("Settings.save_config_content", "litellm", content, True)
        await one.call("Settings.set_key", "OPENAI_API_KEY", KEY, True)
        await one.call("Settings.choose_model", "openai/scripted")
        for caller in (one, other):
            seen = [await caller.change() for _ in range(3)]
            assert (seen[-1]["model"], seen[-1]["source"]) == ("openai/scripted", "llm.json")
            assert KEY not in json.dumps(seen)
        result = await other.ask("r-2")
        assert ("error" in result, result["model"]) == (False, "openai/scripted")
        assert [row["key_end"] for row in model_server.requests()] == ["X"]
        state = await other.call("LLMService.get_current_state")
        assert state["model"] == {
            "name": "openai/scripted",
            "source": "llm.json",
            "demo": False,
            "available": True,
            "message": "",
        }
        listed = await one.call("Settings.list_models")
        assert listed["current"] == {
            "model": "openai/scripted",
            "source": "llm.json",
            "demo": False,
        }
        assert KEY not in json.dumps([listed, state, result])


async def test_a_file_edited_by_hand_answers_the_next_question_and_a_broken_one_does_not_stop_it(
    tmp_path: Path, settings: Settings, model_server: RunningModelServer
) -> None:
    said = {"api_base": model_server.openai, "env": {"OPENAI_API_KEY": KEY}}
    settings.write("llm.json", {**said, "model": "openai/scripted"})
    async with opened(tmp_path, settings) as workspace, page(workspace) as caller:
        assert (await caller.ask("r-1"))["model"] == "openai/scripted"
        settings.write("llm.json", {**said, "model": "openai/scripted-markdown"})
        assert (await caller.ask("r-2"))["model"] == "openai/scripted-markdown"
        assert (await caller.change())["model"] == "openai/scripted-markdown"
        settings.write("llm.json", '{\n"model": "openai/x", "env": {"OPENAI_API_KEY": "' + KEY)
        result = await caller.ask("r-3")
        assert ("error" in result, result["model"]) == (False, "openai/scripted-markdown")
        change = await caller.change()
        assert "llm.json, line 2" in str(change["message"])
        assert KEY not in str(change)


async def test_the_users_instructions_hold_for_new_sessions(
    tmp_path: Path, settings: Settings, model_server: RunningModelServer
) -> None:
    said = {"api_base": model_server.openai, "env": {"OPENAI_API_KEY": KEY}}
    settings.write("llm.json", {**said, "model": "openai/scripted"})
    settings.write("app.json", {"prompt": {"map_tokens": 0}})
    async with opened(tmp_path, settings) as workspace, page(workspace) as caller:
        await caller.ask("r-1")
        for name, text in (("system", "Talk like a gardener."), ("system_extra", "Be brief.")):
            saved = await caller.call("Settings.save_config_content", name, text)
            assert saved["status"] == "ok"
        await caller.ask("r-2")
        await caller.call("LLMService.new_session")
        await caller.ask("r-3")
    heads = [first_message(body) for body in model_server.bodies()]
    assert heads[0] == heads[1]
    assert "You are a programmer" in heads[0]
    assert heads[2] == "Talk like a gardener.\n\nBe brief."


async def test_the_limits_of_the_settings_reach_the_provider(
    tmp_path: Path, settings: Settings, model_server: RunningModelServer
) -> None:
    said = {"api_base": model_server.openai, "env": {"OPENAI_API_KEY": KEY}}
    limits = {"num_retries": 1, "max_output_tokens": 77}
    settings.write("llm.json", {**said, **limits, "model": "openai/scripted-503"})
    async with opened(tmp_path, settings) as workspace, page(workspace) as caller:
        result = await caller.ask("r-1")
        assert "Overloaded" in str(result["error"])
        assert len(model_server.requests()) == 2
        waits = [text for text in caller.screen.progress if "Trying again in 1 s (1 of 1)" in text]
        assert len(waits) == 1
        limits["first_chunk_timeout_seconds"] = 1
        settings.write("llm.json", {**said, **limits, "model": "openai/scripted-hang"})
        assert "did not answer within 1 s" in str((await caller.ask("r-2"))["error"])
        assert {body["max_tokens"] for body in model_server.bodies()} == {77}


async def test_a_workspace_opens_over_a_broken_file_and_says_why(
    tmp_path: Path, settings: Settings, model_server: RunningModelServer
) -> None:
    settings.write("llm.json", "{")
    settings.write("app.json", '{"prompt": {"profile": "grand"}}')
    async with opened(tmp_path, settings) as workspace, page(workspace) as caller:
        state = await caller.call("LLMService.get_current_state")
        assert "llm.json, line 1" in str(state["model"])
        info = await caller.call("Settings.get_config_info")
        assert "prompt.profile must be one of" in str(info["notices"])
        said = {"model": "openai/scripted", "api_base": model_server.openai}
        settings.write("llm.json", {**said, "env": {"OPENAI_API_KEY": KEY}})
        assert (await caller.ask("r-1")).get("error") is None
