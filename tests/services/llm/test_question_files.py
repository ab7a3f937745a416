from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.chat.auto_selection import IGNORED, AutoSelectionRule
from jupyter_ac.chat.turn import turn
from jupyter_ac.git.repository import discover
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.llm.question_files import QuestionFileMethods
from tests.chat.memory import World, open_world
from tests.services.llm.pages import Service, keeping, llm_methods, objects
from tests.support.exclusions import none_excluded
from tests.support.repositories import RepositoryFolder, make_repository

FILES = dict.fromkeys(("a.py", "b.py", "c.py", "gone.py", "made.log", "key.py"), "x = 1\n")


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "shed", {**FILES, ".gitignore": "*.log\n"})
    (made.root / "gone.py").unlink()
    secret = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 9
    (made.root / "key.py").write_text(secret, encoding="utf-8")
    return made


@asynccontextmanager
async def offering(world: World, folder: RepositoryFolder, history: Path) -> AsyncIterator[Service]:
    """Serve a world whose files are also in a repository."""
    rule = AutoSelectionRule(await discover(folder.root), none_excluded)
    async with keeping(world, history) as service:
        methods = QuestionFileMethods(service.domain.book, rule)
        service.table = MethodTable(llm_methods(service.domain, methods))
        yield service


async def test_what_was_ticked_then_is_offered_or_left_out_with_the_reason(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    world = open_world(dict.fromkeys(FILES, "x = 1\n"))
    async with offering(world, folder, tmp_path) as service:
        page = await service.page()
        await page.call("set_selected_files", [*FILES])
        await page.say("1-a", "One?")
        await page.call("set_selected_files", ["c.py"])
        await page.say("2-a", "Two?")
    async with offering(world, folder, tmp_path) as service:
        page = await service.page()
        found = await page.ask("get_question_files", "1-a")
        assert found["files"] == ["a.py", "b.py"]
        left_out = {row["path"]: row["reason"] for row in objects(found["left_out"])}
        assert str(left_out.pop("key.py")).startswith("it looks like a secret (")
        assert left_out == {"gone.py": "it is gone", "made.log": IGNORED}
        assert await page.call("get_selected_files") == ["c.py"]
        assert await page.ask("get_question_files", "2-a") == {"files": [], "left_out": []}


async def test_very_many_ticked_files_are_not_kept(
    folder: RepositoryFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "MAX_TICKED", 2)
    async with offering(open_world(dict.fromkeys(FILES, "1")), folder, tmp_path) as service:
        page = await service.page()
        for number, paths in enumerate((["a.py", "b.py", "c.py"], ["a.py", "b.py"])):
            await page.call("set_selected_files", paths)
            await page.say(f"{number}-a", "Why?")
        await page.call("set_selected_files", [])
        assert (await page.ask("get_question_files", "0-a"))["files"] == []
        assert (await page.ask("get_question_files", "1-a"))["files"] == ["a.py", "b.py"]


async def test_an_unknown_question_is_named(folder: RepositoryFolder, tmp_path: Path) -> None:
    async with offering(open_world(), folder, tmp_path) as service:
        page = await service.page()
        refused = await page.ask("get_question_files", "9-z")
        assert "no question '9-z'" in str(refused["error"])
