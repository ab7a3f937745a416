"""The recorded example through a whole workspace, without any model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.chat.recorded import example as recorded
from jupyter_ac.chat.recorded.player import CHANGED
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.hosts.workspace import Workspace
from jupyter_ac.models.choice import RECORDED
from jupyter_ac.services.llm import sample_repository
from jupyter_ac.settings.admin import JupyterAC
from tests.hosts.test_workspace import Caller, connected
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository
from tools import demo

Row = dict[str, object]


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    found = replace(recorded.example(), words_per_second=1_000_000)
    monkeypatch.setattr(sample_repository, "example", lambda: found)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-scripted-0123456789")


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """The sample, as the tour finds it."""
    demo.make_repository(tmp_path / demo.REPOSITORY)
    found = RepositoryFolder(tmp_path / demo.REPOSITORY)
    found.git("config", "user.name", "Ada")
    found.git("config", "user.email", "ada@example.org")
    return found


@asynccontextmanager
async def page(
    folder: RepositoryFolder, environ: dict[str, str] | None = None, *, has_demo: bool = False
) -> AsyncIterator[Caller]:
    resources = HostResources()
    settings = folder.root.parent / "settings"
    planner = ModelPlanner(environ or {}, settings, JupyterAC(), lambda: has_demo)
    try:
        async with (
            Workspace(await discover(folder.root), resources, planner) as workspace,
            connected(workspace) as found,
        ):
            await found.screen.ready.wait()
            yield found
    finally:
        await resources.aclose()


async def call(page: Caller, name: str, *args: object) -> Row:
    return cast("Row", await page.peer.call(f"LLMService.{name}", *args))


async def play(page: Caller, request_id: str, question: str) -> Row:
    assert await call(page, "play_example", request_id, question) == {"status": "started"}
    return await page.screen.completed.get()


def answers(state: Row) -> list[Row]:
    messages = cast("list[Row]", state["messages"])
    return [message for message in messages if message["role"] == "assistant"]


async def test_an_answer_goes_through_the_pipeline_without_any_model(
    folder: RepositoryFolder,
) -> None:
    async with page(folder) as found:
        offered = await call(found, "get_example")
        assert [one["id"] for one in cast("list[Row]", offered["questions"])] == [
            "what-it-does",
            "say-so",
            "name-the-days",
        ]
        result = await play(found, "r-1", "say-so")
        assert (result["passed"], result["model"], result["retry_prompt"]) == (2, RECORDED, "")
        assert result["files_modified"] == ["weather/summary.py", "tests/test_summary.py"]
        usage = cast("Row", result["token_usage"])
        assert not any(usage.values())
        assert folder.git("diff", "--cached", "--name-only").split() == [
            "tests/test_summary.py",
            "weather/summary.py",
        ]
        state = await found.state()
        assert [(one["model"], "usage" in one) for one in answers(state)] == [(RECORDED, False)]
        assert state["selected_files"] == [
            "weather/readings.py",
            "weather/summary.py",
            "tests/test_summary.py",
        ]
        assert cast("Row", state["model"])["available"] is False
        spend = await call(found, "get_spend")
        assert not spend["session_usd"]
        assert spend["unpriced_turns"] == 0
        assert not await call(found, "get_spend_by_day")
        breakdown = await call(found, "get_context_breakdown")
        assert breakdown["model"] == RECORDED
        assert cast("Row", breakdown["session_totals"])["total"] == 0
        assert cast("list[str]", breakdown["notices"])[-1].startswith("One answer here is recorded")
        assert breakdown["plain_notices"] == cast("list[str]", breakdown["notices"])[-1:]
        exported = await call(found, "export_session", state["session_id"])
        assert f"## Answer · {RECORDED} · " in str(exported["content"])
        undone = await call(found, "undo_last_edits")
        assert undone["status"] == "undone"
        assert (await call(found, "get_example"))["changed"] == []


async def test_its_commit_has_a_recorded_message(folder: RepositoryFolder) -> None:
    async with page(folder) as found:
        assert "No language model" in str((await call(found, "list_commit_candidates"))["no_model"])
        await play(found, "r-1", "name-the-days")
        listed = await call(found, "list_commit_candidates")
        assert listed["no_model"] == ""
        paths = [row["path"] for row in cast("list[Row]", listed["files"])]
        await call(found, "write_commit_message", "m-1", paths)
        written = await found.screen.completed.get()
        assert written["model"] == RECORDED
        message = str(written["response"])
        assert message.startswith("Name the day of each bar\n")
        assert message.endswith("\n\nThe windiest day can be found, too.")
        refused = await call(found, "write_commit_message", "m-2", ["web/chart.js"])
        assert "No language model" in str(refused["error"])
        assert (await call(found, "commit_files", paths, message))["status"] == "committed"
    assert folder.git("log", "-1", "--format=%B").strip() == message


async def test_edits_that_no_longer_fit_say_why_and_a_reset_brings_them_back(
    folder: RepositoryFolder,
) -> None:
    folder.write("weather/summary.py", "print(1)\n")
    async with page(folder) as found:
        result = await play(found, "r-1", "say-so")
        assert (result["passed"], result["failed"], result["retry_prompt"]) == (1, 1, "")
        assert CHANGED in cast("list[str]", result["notices"])
        assert len(answers(await found.state())) == 1
        reset = await call(found, "reset_example")
        assert reset == {"status": "ok", "files": ["weather/summary.py", "tests/test_summary.py"]}
        assert (await play(found, "r-2", "say-so"))["passed"] == 2


async def test_with_a_model_the_next_question_is_its_own(
    folder: RepositoryFolder, model_server: RunningModelServer
) -> None:
    environ = {"JUPYTER_AC_MODEL": "openai/scripted", "JUPYTER_AC_API_BASE": model_server.openai}
    async with page(folder, environ) as found:
        await play(found, "r-1", "what-it-does")
        assert model_server.bodies() == []
        breakdown = await call(found, "get_context_breakdown")
        assert breakdown["model"] == "openai/scripted"
        await found.ask("r-2", "And now?")
        (body,) = map(str, model_server.bodies())
        assert "has no case for an empty list" in body
        names = [one["model"] for one in answers(await found.state())]
        assert names == [RECORDED, "openai/scripted"]
        assert (await call(found, "get_spend"))["unpriced_turns"] == 1


async def test_beside_the_demo_model_it_has_the_room_of_an_ordinary_model(
    folder: RepositoryFolder,
) -> None:
    async with page(folder, has_demo=True) as found:
        short = await call(found, "get_history_status")
        await play(found, "r-1", "say-so")
        status = await call(found, "get_history_status")
        assert cast("int", status["max_history_tokens"]) > cast("int", short["max_history_tokens"])
        assert cast("int", status["percent"]) < 10
        assert status["needs_compaction"] is False


async def test_removing_deletes_the_conversations_made_of_it_alone(
    folder: RepositoryFolder, model_server: RunningModelServer
) -> None:
    environ = {"JUPYTER_AC_MODEL": "openai/scripted", "JUPYTER_AC_API_BASE": model_server.openai}
    async with page(folder, environ) as found:
        await found.ask("r-1", "Mine")
        mixed = (await found.state())["session_id"]
        await play(found, "r-2", "what-it-does")
        await call(found, "new_session")
        await play(found, "r-3", "what-it-does")
        assert await call(found, "remove_example") == {"status": "ok", "sessions": 1, "kept": 0}
        listed = cast("list[Row]", await call(found, "history_list_sessions"))
        assert [row["session_id"] for row in listed] == [mixed]
        assert (await found.state())["messages"] == []
        gone = {"offered": False, "questions": [], "changed": []}
        assert await call(found, "get_example") == gone
        refused = await call(found, "play_example", "r-4", "what-it-does")
        assert "no recorded example" in str(refused["error"])
        assert "no recorded example" in str((await call(found, "reset_example"))["error"])
    settings = folder.root.parent / "settings" / "app.json"
    assert '"offered": false' in settings.read_text(encoding="utf-8")


async def test_other_repositories_have_none(tmp_path: Path) -> None:
    async with page(make_repository(tmp_path / "other", {"a.py": "pass\n"})) as found:
        assert (await call(found, "get_example"))["offered"] is False
        refused = await call(found, "play_example", "r-1", "what-it-does")
        assert "no recorded example" in str(refused["error"])


async def test_only_its_questions_are_played(folder: RepositoryFolder) -> None:
    async with page(folder) as found:
        refused = await call(found, "play_example", "r-1", "say-anything")
        assert refused["error"] == "The example has no question 'say-anything'."
        assert (await found.state())["messages"] == []
