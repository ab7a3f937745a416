"""One repository's workspace, without a server: connections are pairs in memory."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.hosts.workspace import Workspace
from jupyter_ac.ids import ClientId, Identity
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.methods import Access, MethodTable, Namespace, method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.settings.admin import JupyterAC
from tests.support.checked_peer import CheckedPeer
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository

WAIT_S = 90
ADA = Identity("ada")


class Screen:
    """What a page exposes, and what it was told."""

    def __init__(self) -> None:
        self.progress: list[tuple[str, int]] = []
        self.ready = asyncio.Event()
        self.completed: asyncio.Queue[dict[str, object]] = asyncio.Queue()

    @method(Access.READ)
    def startupProgress(self, stage: str, message: str, percent: int) -> bool:  # noqa: N802 - the wire's name
        assert message
        self.progress.append((stage, percent))
        if stage == "ready":
            self.ready.set()
        return True

    @method(Access.READ)
    def streamComplete(self, _request_id: str, result: dict[str, object]) -> bool:  # noqa: N802 - the wire's name
        self.completed.put_nowait(result)
        return True


class Caller:
    """A page connected to a workspace."""

    def __init__(self, peer: Peer, screen: Screen) -> None:
        self.peer = peer
        self.screen = screen
        self.ended = asyncio.Event()

    async def run(self) -> None:
        await self.peer.run()
        self.ended.set()

    async def state(self) -> dict[str, object]:
        found = await self.peer.call("LLMService.get_current_state")
        assert isinstance(found, dict)
        return found

    async def ask(self, request_id: str, question: str) -> dict[str, object]:
        await self.peer.call("LLMService.chat_streaming", request_id, question)
        async with asyncio.timeout(WAIT_S):
            return await self.screen.completed.get()


@asynccontextmanager
async def connected(workspace: Workspace, identity: str = "ada") -> AsyncIterator[Caller]:
    ours, theirs = direct_pair()
    screen = Screen()
    remote = Remote(Identity(identity), ClientId("page"))
    serving = asyncio.create_task(workspace.serve(ours, remote, lambda _caller, _access: True))
    peer = CheckedPeer(theirs, MethodTable(Namespace("AcApp", screen)))
    caller = Caller(peer, screen)
    running = asyncio.create_task(caller.run())
    try:
        async with asyncio.timeout(WAIT_S):
            await peer.handshaken()
        yield caller
    finally:
        await peer.close()
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(running, serving)


@pytest.fixture
def repository(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "garden", {"a.py": "print(1)\n"})


@asynccontextmanager
async def opened(folder: RepositoryFolder, environ: dict[str, str]) -> AsyncIterator[Workspace]:
    resources = HostResources()
    planner = ModelPlanner(environ, folder.root.parent / "no-settings", JupyterAC(), lambda: False)
    try:
        async with Workspace(await discover(folder.root), resources, planner) as workspace:
            yield workspace
    finally:
        await resources.aclose()


def scripted(server: RunningModelServer, model: str = "openai/scripted") -> dict[str, str]:
    return {"JUPYTER_AC_MODEL": model, "JUPYTER_AC_API_BASE": server.openai}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-scripted-0123456789")


async def test_the_start_is_told_in_rising_steps_and_ends_ready(
    repository: RepositoryFolder,
) -> None:
    async with opened(repository, {}) as workspace, connected(workspace) as page:
        async with asyncio.timeout(WAIT_S):
            await page.screen.ready.wait()
        assert page.screen.progress[-1] == ("ready", 100)
        percents = [percent for _, percent in page.screen.progress]
        assert percents == sorted(percents)
        assert {stage for stage, _ in page.screen.progress} <= {
            "workers",
            "session_restore",
            "model",
            "ready",
        }


async def test_the_conversation_and_selection_outlive_the_workspace(
    repository: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with (
        opened(repository, scripted(model_server)) as workspace,
        connected(workspace) as page,
    ):
        await page.peer.call("LLMService.set_selected_files", ["a.py"])
        result = await page.ask("r-1", "What is this?")
        assert "error" not in result
        before = await page.state()
    async with (
        opened(repository, scripted(model_server)) as workspace,
        connected(workspace) as page,
        connected(workspace, "grace") as other,
    ):
        after = await page.state()
        assert (await other.state())["messages"] == []
    for key in ("messages", "selected_files"):
        assert after[key] == before[key]
    assert after["session_id"] != before["session_id"]  # it goes on under a new name
    assert len(after["messages"]) == 2  # type: ignore[arg-type]  # a list, as compared above


async def test_a_question_before_the_start_is_complete_waits_and_is_answered(
    repository: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with (
        opened(repository, scripted(model_server)) as workspace,
        connected(workspace) as page,
    ):
        result = await page.ask("r-1", "Already?")
        assert "Already?" in str(result["response"])


async def test_closing_stops_a_running_turn_keeps_it_and_tells_the_page(
    repository: RepositoryFolder, model_server: RunningModelServer
) -> None:
    environ = scripted(model_server, "openai/scripted-stall")
    async with opened(repository, environ) as workspace:
        page_closed = asyncio.create_task(ask_and_be_cut_off(workspace))
        async with asyncio.timeout(WAIT_S):
            while not model_server.requests():
                await asyncio.sleep(0.05)
        busy = [workspace.is_busy]
    busy.append(workspace.is_busy)
    assert busy == [True, False]
    result = await page_closed
    assert "interrupted" in str(result["error"])
    async with opened(repository, environ) as workspace, connected(workspace) as page:
        messages = (await page.state())["messages"]
        assert isinstance(messages, list)
        assert [message["state"] for message in messages] == ["done", "error"]


async def ask_and_be_cut_off(workspace: Workspace) -> dict[str, object]:
    async with connected(workspace) as page:
        result = await page.ask("r-1", "Wait.")
        async with asyncio.timeout(WAIT_S):
            await page.ended.wait()
        return result


async def test_without_a_model_the_last_step_says_what_to_set(repository: RepositoryFolder) -> None:
    async with opened(repository, {}) as workspace, connected(workspace) as page:
        result = await page.ask("r-1", "Anyone?")
        assert "ANTHROPIC_API_KEY" in str(result["error"])
        assert (await page.state())["init_complete"] is True


async def test_a_history_that_is_no_database_does_not_keep_it_from_starting(
    repository: RepositoryFolder,
) -> None:
    state = repository.root / ".git/jupyter_ac"
    state.mkdir(mode=0o700)
    (state / "history.sqlite").write_text("not a database at all" * 100, encoding="utf-8")
    async with opened(repository, {}) as workspace, connected(workspace) as page:
        async with asyncio.timeout(WAIT_S):
            await page.screen.ready.wait()
        assert (await page.state())["messages"] == []


async def test_what_a_killed_writer_left_behind_is_swept_at_the_start(
    repository: RepositoryFolder,
) -> None:
    left = repository.write("docs/.jupyter_ac-0123456789abcdef.tmp", "half")
    async with opened(repository, {}) as workspace, connected(workspace) as page:
        async with asyncio.timeout(WAIT_S):
            while left.exists():
                await asyncio.sleep(0.01)
            written = await page.peer.call("Repo.write_file", "docs/new.md", "# New")
        assert isinstance(written, dict)
        assert await page.peer.call("Repo.get_file_hash", "docs/new.md") == written["hash"]


async def test_who_follows_the_state_learns_of_the_start_of_files_and_of_the_end(
    repository: RepositoryFolder,
) -> None:
    async with opened(repository, {}) as workspace:
        async with asyncio.timeout(WAIT_S), workspace.follow(Remote(ADA)) as feed:
            changed = asyncio.Event()
            feed.followers.add(changed.set)
            while b'"init_complete":true' not in feed.frame():
                await changed.wait()
                changed.clear()
            # Again and again: a file that is older than the watch isn't news.
            for number in count():
                (repository.root / f"new{number}.txt").write_text("n", encoding="utf-8")
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.5):
                        await changed.wait()
                changed.clear()
                if b'"files_version":0' not in feed.frame():
                    break
        assert not feed.is_closed
    assert feed.is_closed
