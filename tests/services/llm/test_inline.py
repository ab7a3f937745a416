"""Completions at the cursor through a whole workspace, with the real litellm."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.hosts.workspace import Workspace
from jupyter_ac.services.llm.inline import MAX_CHARS
from jupyter_ac.settings.admin import JupyterAC
from tests.hosts.test_workspace import Caller, connected
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository

Row = dict[str, object]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-scripted-0123456789")


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    files = {"a.py": "x = 1\n", ".gitignore": "*.log\n", ".env": "A=1\n", "deep/n.ipynb": "{}"}
    found = make_repository(tmp_path / "r", dict(files))
    settings = {"inline_completion": {"enabled": True, "max_tokens": 20}}
    (tmp_path / "settings").mkdir()
    (tmp_path / "settings" / "app.json").write_text(json.dumps(settings), encoding="utf-8")
    return found


@asynccontextmanager
async def page(
    folder: RepositoryFolder, server: RunningModelServer, model: str = "openai/scripted-prose"
) -> AsyncIterator[Caller]:
    place = folder.root.parent
    environ = {"JUPYTER_AC_MODEL": model, "JUPYTER_AC_API_BASE": server.openai}
    resources = HostResources(server_root=place)
    planner = ModelPlanner(environ, place / "settings", JupyterAC(), lambda: False)
    try:
        async with (
            Workspace(await discover(folder.root), resources, planner) as workspace,
            connected(workspace) as found,
        ):
            yield found
    finally:
        await resources.aclose()


async def complete(page: Caller, *args: object) -> Row:
    return cast("Row", await page.peer.call("LLMService.complete_inline", *args))


async def test_what_is_near_goes_out_and_its_cost_is_counted(
    folder: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with page(folder, model_server) as found:
        above, below = [{"id": "1", "text": "import a"}], [{"id": "3", "text": "done()"}]
        done = await complete(found, "a.py", "y = ", "\nz", "python", above, below)
        assert (done["text"], done["model"]) == ("I would rather not.", "openai/scripted-prose")
        (body,) = model_server.bodies()
        assert body["max_tokens"] == 20
        sent = json.dumps(body["messages"])
        assert all(part in sent for part in ("File: a.py", "import a", "done()", "y = "))
        breakdown = cast("Row", await found.peer.call("LLMService.get_context_breakdown"))
        totals = cast("Row", breakdown["session_totals"])
        assert totals["total"] == sum(
            cast("dict[str, int]", done["usage"])[name]
            for name in ("input_tokens", "output_tokens")
        )
        days = cast("list[Row]", await found.peer.call("LLMService.get_spend_by_day"))
        assert [day["answers"] for day in days] == [1]
        assert (await found.state())["messages"] == []


async def test_what_may_not_be_sent_is_not_sent(
    folder: RepositoryFolder, model_server: RunningModelServer, tmp_path: Path
) -> None:
    folder.write("run.log", "x\n")
    (tmp_path / "outside.py").write_text("x\n", encoding="utf-8")
    async with page(folder, model_server) as found:
        for path, reason in (
            ("run.log", "git ignores"),
            (".env", "looks like a secret"),
            ("../outside.py", "is not in this repository"),
            ("server:/outside.py", "is not in this repository"),
            (".git/config", ""),
        ):
            refused = await complete(found, path, "x")
            assert reason in str(refused["error"]), path
        assert "send less" in str((await complete(found, "a.py", "x" * (MAX_CHARS + 1)))["error"])
        assert "must have an id" in str((await complete(found, "a.py", "", "", "", [{}]))["error"])
        assert model_server.bodies() == []


async def test_cells_that_are_excluded_stay_out(
    folder: RepositoryFolder, model_server: RunningModelServer
) -> None:
    cells: list[Row] = [
        {"cell_type": "code", "id": name, "metadata": {}, "source": name, "outputs": []}
        for name in ("plain", "private")
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    folder.write("deep/n.ipynb", json.dumps(notebook))
    async with page(folder, model_server) as found:
        await found.peer.call("LLMService.set_excluded_cells", "deep/n.ipynb", ["private"])
        rows = [{"id": name, "text": f"{name} text"} for name in ("plain", "private")]
        await complete(found, "server:/r/deep/n.ipynb", "x = ", "", "python", rows)
        unknown = [{"id": "other", "text": "private text"}]
        await complete(found, "server:/r/deep/n.ipynb", "x = ", "", "python", unknown)
    first, second = (json.dumps(body["messages"]) for body in model_server.bodies())
    assert "plain text" in first
    assert "private text" not in first
    assert "private text" not in second


async def test_a_later_call_ends_an_earlier_one_at_the_provider(
    folder: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with page(folder, model_server, "openai/scripted-hang") as found:
        first = asyncio.create_task(complete(found, "a.py", "x"))
        while not model_server.bodies():
            await asyncio.sleep(0.02)
        second = asyncio.create_task(complete(found, "a.py", "xy"))
        superseded = {"text": "", "model": "", "usage": None, "superseded": True}
        assert await first == superseded
        third = asyncio.create_task(complete(found, ".env", "xyz"))
        assert await second == superseded
        assert "looks like a secret" in str((await third)["error"])


async def test_it_is_off_by_default(
    folder: RepositoryFolder, model_server: RunningModelServer
) -> None:
    (folder.root.parent / "settings" / "app.json").write_text("{}", encoding="utf-8")
    async with page(folder, model_server) as found:
        refused = await complete(found, "a.py", "x = ")
        assert "inline_completion.enabled" in str(refused["error"])
        assert model_server.bodies() == []
