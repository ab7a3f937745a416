from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict, NotFound, Unsupported
from jupyter_ac.git.program_grants import allow, forbid
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.rated_programs import State
from jupyter_ac.git.repository import Repository, discover
from tests.support.repositories import RepositoryFolder, make_repository

COMMAND = "python3 tools/strip.py"


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    folder = make_repository(tmp_path / "r", {"tools/strip.py": "pass\n"})
    folder.git("config", "filter.strip.clean", COMMAND)
    return folder


async def opened(folder: RepositoryFolder) -> Repository:
    repository = await discover(folder.root)
    return replace(repository, permissions=folder.root.parent / "config" / "allowed.json")


async def state(repository: Repository) -> tuple[State, str]:
    programs = (await program_policy(repository)).programs
    (program,) = [each for each in programs if each.name == "strip"]
    return program.state, program.reason


async def test_what_is_allowed_stays_so_until_its_folder_or_its_command_changes(
    folder: RepositoryFolder,
) -> None:
    repository = await opened(folder)
    assert await state(repository) == ("not_allowed", "it runs 'tools/strip.py' of this repository")
    assert (await allow(repository, "filter", "strip", COMMAND)).state == "allowed"
    beside = folder.write("tools/json.py", "evil\n")
    assert await state(repository) == ("changed", "'tools/' has changed since you allowed it")
    beside.unlink()
    assert (await state(repository))[0] == "allowed"
    folder.git("config", "filter.strip.smudge", "cat")
    assert (await state(repository))[0] == "changed"
    folder.git("config", "--unset", "filter.strip.smudge")
    await forbid(repository, "filter", "strip")
    await forbid(repository, "filter", "strip")
    assert (await state(repository))[0] == "not_allowed"


async def test_what_was_shown_is_what_is_allowed(folder: RepositoryFolder) -> None:
    repository = await opened(folder)
    with pytest.raises(Conflict, match="has changed to the command"):
        await allow(repository, "filter", "strip", "cat")
    with pytest.raises(NotFound, match="no filter 'other'"):
        await allow(repository, "filter", "other", "cat")
    folder.git("config", "core.editor", "vi")
    with pytest.raises(Unsupported, match="never run"):
        await allow(repository, "editor", "core.editor", "vi")


async def test_a_folder_that_can_not_be_watched_is_refused(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.git.allowed_programs._MAX_FILES", 0)
    with pytest.raises(Unsupported, match="holds too much"):
        await allow(await opened(folder), "filter", "strip", COMMAND)
