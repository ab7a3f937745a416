from pathlib import Path

import pytest

from jupyter_ac.git.configuration import read_configuration, settings_in
from jupyter_ac.git.rated_programs import RatedProgram, fingerprinted_paths, rated_programs
from jupyter_ac.git.repository import discover
from tests.support.repositories import RepositoryFolder, configure_user, make_repository


async def rated(folder: RepositoryFolder) -> dict[str, RatedProgram]:
    repository = await discover(folder.root)
    settings = settings_in(repository, await read_configuration(repository))
    return {each.name: each for each in rated_programs(repository, settings)}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "r", {"tools/x.py": "pass\n"})


async def test_the_users_own_filter_is_trusted_as_long_as_it_names_no_file_here(
    folder: RepositoryFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = {
        "filter.lfs.clean": "git-lfs clean -- %f",
        "filter.lfs.process": "git-lfs filter-process",
        "filter.x.clean": "python3 tools/x.py",
        "filter.y.clean": "python3 tools/y.py",
        "filter.nb.clean": "python3 -m nbstripout",
    }
    configure_user(monkeypatch, tmp_path, entries)
    found = await rated(folder)
    assert found["lfs"].state == "trusted"
    assert found["lfs"].command == "clean: git-lfs clean -- %f\nprocess: git-lfs filter-process"
    assert found["x"].state == "not_allowed"
    assert found["y"].state == "trusted"
    assert found["nb"].state == "trusted"
    folder.write("tools/y.py")
    folder.write("nbstripout.py")
    found = await rated(folder)
    assert found["y"].state == found["nb"].state == "not_allowed"


async def test_what_the_repository_adds_to_the_users_filter_takes_the_trust(
    folder: RepositoryFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure_user(monkeypatch, tmp_path, {"filter.lfs.clean": "git-lfs clean -- %f"})
    folder.git("config", "lfs.extension.x.clean", "cat")
    found = (await rated(folder))["lfs"]
    assert found.state == "not_allowed"
    assert found.commands["lfs.extension.x.clean"] == "cat"
    assert found.command.startswith("filter.lfs.clean: "), "both end in `clean`"
    folder.git("config", "--unset", "lfs.extension.x.clean")
    folder.git("config", "filter.lfs.clean", "evil")
    assert (await rated(folder))["lfs"].state == "not_allowed"


async def test_a_filter_that_is_switched_off_is_none(
    folder: RepositoryFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure_user(monkeypatch, tmp_path, {"filter.a.clean": "cat"})
    folder.git("config", "filter.a.clean", "")
    assert "a" not in await rated(folder)


async def test_what_is_never_run_is_listed_as_that(folder: RepositoryFolder) -> None:
    folder.git("config", "core.pager", "tools/page")
    folder.git("config", "core.hooksPath", ".githooks")
    found = await rated(folder)
    assert {each.state for each in found.values()} == {"never_run"}
    assert "commit" in found["core.hookspath"].reason


def test_beside_a_file_its_folder_is_watched() -> None:
    assert fingerprinted_paths(["tools/x.py", "tools/y.py", "z.py", "d/"]) == [
        "tools/",
        "z.py",
        "d/",
    ]
