"""What Jupyter writes beside documents, in all places of a whole workspace at once."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.hosts.workspace import Workspace
from jupyter_ac.ids import ClientId, Identity
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.keyring import Keyring
from jupyter_ac.settings.paths import CACHE_VARIABLE
from tests.hosts.conftest import OpenPage
from tests.services.llm.pages import Page
from tests.support.checked_peer import CheckedPeer
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository

WAIT_S = 90
HEARD = ("AcApp.filesModified", "AcApp.commitResult", "AcApp.streamComplete")
USE = "from plot import plot\n\nplot()\n"
FILES: dict[str, str | bytes] = {
    "plot.py": "def plot(): ...\n",
    "use.py": USE,
    ".ipynb_checkpoints/kept-checkpoint.py": USE,
}
COPY = "deep/.ipynb_checkpoints/use-checkpoint.py"
OWN = sorted(["plot.py", "use.py", ".ipynb_checkpoints/kept-checkpoint.py"])
BOTH = sorted([*OWN, COPY])


class Caller(Page):
    """A page that asks for what it shows."""

    async def get(self, name: str, *args: object) -> object:
        async with asyncio.timeout(WAIT_S):
            return await self.peer.call(name, *args)

    async def places(self) -> dict[str, list[str]]:
        """Return the files that each place names, sorted."""
        rows = cast("dict[str, list[list[object]]]", await self.get("Repo.get_tree_rows"))
        listed = cast("str", await self.get("Repo.get_flat_file_list"))
        found = await self.get("Repo.search_files", "plot")
        references = await self.get("LLMService.lsp_get_references", "plot.py", 1, 6)
        symbols = await self.get("LLMService.search_symbols", "shade")
        candidates = cast("dict[str, object]", await self.get("LLMService.list_commit_candidates"))
        return {
            "tree": sorted(str(row[0]) for row in rows["rows"]),
            "list": listed.split("\n"),
            "search": _named(found),
            "references": _named(references),
            "symbols": _named(symbols),
            "candidates": _named(candidates["files"], "path"),
        }

    async def asked(self, request_id: str) -> None:
        """Ask the model something and wait for the end of its answer."""
        ended = len(self.named("streamComplete"))
        question = "What is drawn, and where is the light kept?"
        await self.get("LLMService.chat_streaming", request_id, question)
        await self.until(lambda page: len(page.named("streamComplete")) > ended, WAIT_S)
        result = await self.completion()
        assert "error" not in result, result

    async def show(self, *, is_shown: bool) -> None:
        """Change the setting in the panel."""
        content = json.dumps({"files": {"show_jupyter_files": is_shown}})
        saved = await self.get("Settings.save_config_content", "app", content)
        assert isinstance(saved, dict)
        assert saved["status"] == "ok"


def _named(rows: object, key: str = "file") -> list[str]:
    assert isinstance(rows, list)
    return sorted({str(row[key]) for row in rows})


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "garden", FILES)
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    made.write(COPY, USE + "\n\ndef shade(): ...\n")
    return made


def configured(tmp_path: Path, model_server: RunningModelServer) -> Path:
    """Make settings in which the scripted model answers, and return their folder."""
    config = tmp_path / "config"
    config.mkdir()
    said = {
        "model": "openai/scripted",
        "api_base": model_server.openai,
        "env": {"OPENAI_API_KEY": "sk-secret-0123456789"},
    }
    (config / "llm.json").write_text(json.dumps(said))
    return config


@asynccontextmanager
async def opened(
    folder: RepositoryFolder, config: Path, admin: JupyterAC | None = None
) -> AsyncIterator[Caller]:
    resources = HostResources()
    ring = Keyring(lambda: None)
    environ = {CACHE_VARIABLE: str(config.parent / "cache")}
    planner = ModelPlanner(environ, config, admin or JupyterAC(), lambda: False, keyring=ring)
    try:
        async with Workspace(await discover(folder.root), resources, planner) as workspace:
            ours, theirs = direct_pair()
            remote = Remote(Identity("ada"), ClientId("page"))
            serving = asyncio.create_task(workspace.serve(ours, remote, lambda *_: True))
            page = Caller(HEARD)
            page.peer = CheckedPeer(theirs, page.methods)
            running = asyncio.create_task(page.peer.run())
            async with asyncio.timeout(WAIT_S):
                await page.peer.handshaken()
                while not await page.get("LLMService.search_symbols", "plot"):
                    await asyncio.sleep(0.05)
            yield page
            await page.peer.close()
            async with asyncio.timeout(WAIT_S):
                await asyncio.gather(running, serving)
    finally:
        await resources.aclose()


async def test_all_places_follow_the_setting_at_the_next_call(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    without = {
        "tree": OWN,
        "list": OWN,
        "search": OWN,
        "references": [path for path in OWN if path != "plot.py"],
        "symbols": [],
        "candidates": [],
    }
    whole = {
        "tree": BOTH,
        "list": BOTH,
        "search": BOTH,
        "references": [path for path in BOTH if path != "plot.py"],
        "symbols": [COPY],
        "candidates": ["deep/.ipynb_checkpoints/"],
    }
    async with opened(folder, tmp_path / "config") as page:
        assert await page.places() == without
        for _ in range(2):
            await page.show(is_shown=True)
            assert await page.places() == whole
            await page.show(is_shown=False)
            assert await page.places() == without
        told = [paths for (paths,) in page.named("filesModified")]
        assert told[:4] == [[]] * 4


async def test_everything_that_is_staged_and_committed_leaves_it_out_by_default(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    folder.write("use.py", "1\n")
    async with opened(folder, tmp_path / "config") as page:
        await page.get("Repo.stage_all")
        assert folder.git("diff", "--cached", "--name-only") == "use.py"
        assert await page.get("LLMService.commit_all", "all") == {"status": "started"}
        await page.until(lambda page: len(page.named("commitResult")) == 1, WAIT_S)
        assert folder.git("show", "--format=", "--name-only") == "use.py"
        assert folder.git("status", "--porcelain", "-uall") == f"?? {COPY}"
        # Who names it gets it.
        assert "shade" in str(await page.get("Repo.get_file_content", COPY))
        await page.get("Repo.stage_files", [COPY])
        assert folder.git("diff", "--cached", "--name-only") == COPY
        assert (await page.places())["tree"] == BOTH


async def test_a_locked_setting_is_the_administrators(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    config = tmp_path / "config"
    config.mkdir()
    (config / "app.json").write_text('{"files": {"show_jupyter_files": true}}')
    admin = JupyterAC(locked_settings=["app.files.show_jupyter_files"])
    async with opened(folder, config, admin) as page:
        assert (await page.places())["tree"] == OWN
        assert "app.json can't set it" in str(await page.get("Settings.get_config_info"))
    (config / "app.json").unlink()
    async with opened(folder, config) as page:
        text = str(await page.get("Settings.get_config_content", "app"))
        assert "show_jupyter_files" in text


async def test_the_map_that_the_model_gets_follows_the_setting(
    folder: RepositoryFolder, tmp_path: Path, model_server: RunningModelServer
) -> None:
    config = configured(tmp_path, model_server)
    async with opened(folder, config) as page:
        for number, is_shown in enumerate((False, True, False)):
            await page.show(is_shown=is_shown)
            await page.get("LLMService.new_session")
            await page.asked(f"r-{number}")
            body = json.dumps(model_server.bodies()[-1])
            assert "plot.py" in body
            assert "kept-checkpoint.py" in body
            assert ("use-checkpoint.py" in body) is is_shown
            assert ("shade" in body) is is_shown


async def test_a_file_edited_by_hand_holds_from_the_next_question_on(
    folder: RepositoryFolder, tmp_path: Path, model_server: RunningModelServer
) -> None:
    config = configured(tmp_path, model_server)
    async with opened(folder, config) as page:
        assert (await page.places())["tree"] == OWN
        (config / "app.json").write_text('{"files": {"show_jupyter_files": true}}')
        await page.asked("r-1")
        assert "shade" in json.dumps(model_server.bodies()[-1])
        assert (await page.places())["tree"] == BOTH


async def test_the_checkpoints_of_a_real_server_are_out_until_the_setting_shows_them(
    repository: RepositoryFolder, connect: OpenPage, jp_fetch: Callable[..., Awaitable[object]]
) -> None:
    page = await connect()
    await page.ready()
    place = ("api", "contents", "garden", "docs", "n.ipynb")
    content = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    notebook = json.dumps({"type": "notebook", "format": "json", "content": content})
    await jp_fetch(*place, method="PUT", body=notebook)
    await jp_fetch(*place, "checkpoints", method="POST", allow_nonstandard_methods=True)
    checkpoint = "docs/.ipynb_checkpoints/n-checkpoint.ipynb"
    assert (repository.root / checkpoint).is_file()
    own = ["a.py", "b.py", "docs/c.md", "docs/n.ipynb"]

    async def listed() -> list[str]:
        return str(await page.call("Repo.get_flat_file_list")).split("\n")

    assert await listed() == own
    shown = json.dumps({"files": {"show_jupyter_files": True}})
    await page.call("Settings.save_config_content", "app", shown)
    assert await listed() == sorted([*own, checkpoint])
    await page.call("Settings.save_config_content", "app", "{}")
    assert await listed() == own
