from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict
from jupyter_ac.git.repository import discover
from jupyter_ac.services.repo.programs import ProgramMethods
from tests.support.changing import writers_of
from tests.support.repositories import make_repository


async def test_a_program_is_listed_allowed_and_forbidden(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("config", "filter.x.clean", "cat")
    repository = await discover(folder.root)
    repository = replace(repository, permissions=tmp_path / "config" / "allowed.json")
    part = ProgramMethods(repository, writers_of(repository))

    async def state() -> str:
        return next(row["state"] for row in await part.list_programs() if row["name"] == "x")

    assert await state() == "not_allowed"
    with pytest.raises(Conflict):
        await part.allow_program("filter", "x", "other")
    allowed = await part.allow_program("filter", "x", "cat")
    assert (allowed["state"], allowed["scope"], allowed["files"]) == ("allowed", "local", [])
    assert await state() == "allowed"
    assert await part.forbid_program("filter", "x") == {"status": "ok"}
    assert await state() == "not_allowed"
    hooks = await part.get_commit_hooks()
    assert hooks == {"hooks": [], "folder": "", "commands": [], "refusal": ""}
