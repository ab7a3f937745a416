import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from jupyter_ac.agent.commands.mounts import Mounts, find_mounts
from jupyter_ac.errors import Unsupported
from jupyter_ac.git.repository import Repository, discover
from tests.support.repositories import make_repository


async def repository_at(place: Path) -> Repository:
    return await discover(make_repository(place, {"a": "x"}).root)


def environment(home: Path, *path: Path) -> Mapping[str, str]:
    home.mkdir(parents=True, exist_ok=True)
    return {"HOME": str(home), "PATH": os.pathsep.join(map(str, path))}


async def found(tmp_path: Path, *path: Path) -> Mounts:
    repository = await repository_at(tmp_path / "home" / "r")
    return find_mounts(repository, environment(tmp_path / "home", *path))


async def test_the_home_folder_is_empty_and_the_repository_in_it_is_there(tmp_path: Path) -> None:
    mounts = await found(tmp_path)
    home = tmp_path / "home"
    assert mounts.home == home
    assert home in mounts.empty
    assert mounts.shows(home / "r" / "a")
    assert not mounts.shows(home / ".ssh" / "id")
    assert not mounts.shows(Path("/etc/shadow"))
    assert not mounts.shows(Path("/run/user"))
    assert not mounts.shows(Path("/var/lib"))


async def test_the_interpreter_is_shown_but_no_folder_that_holds_more(tmp_path: Path) -> None:
    home = tmp_path / "home"
    tools = home / "tools" / "bin"
    local = home / ".local" / "bin"
    for folder in (tools, local, tools.parent / "lib", local.parent / "share" / "jupyter"):
        folder.mkdir(parents=True)
    mounts = await found(tmp_path, tools, local, home, home.parent, Path("/"), Path("relative"))
    assert mounts.shows(Path(os.path.realpath(sys.executable)))
    assert mounts.shows(Path(sys.prefix) / "pyvenv.cfg")
    assert mounts.shows(tools / "x")
    assert mounts.shows(tools.parent / "lib" / "x")
    assert mounts.shows(local / "x")
    assert not mounts.shows(local.parent / "share" / "jupyter" / "x")
    assert not mounts.shows(home / "x")


async def test_a_folder_that_cannot_be_looked_into_is_left_out(tmp_path: Path) -> None:
    mounts = await found(tmp_path, tmp_path / ("x" * 300) / "bin", tmp_path / "missing")
    assert not any(path.is_relative_to(tmp_path) for path in mounts.programs)


async def test_a_folder_in_a_shown_one_is_not_mounted_again(tmp_path: Path) -> None:
    tools = tmp_path / "home" / "tools" / "bin"
    (tools / "more").mkdir(parents=True)
    (tools / "linked").symlink_to(tools / "more")
    mounts = await found(tmp_path, tools / "linked", tools / "more", tools)
    ours = [path for path in mounts.programs if path.is_relative_to(tmp_path)]
    assert ours == [tools]
    assert mounts.shows(tools / "more" / "x")


async def test_git_directories_and_environments_in_the_repository_are_protected(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    nested = make_repository(folder.root / "vendor" / "lib", {"b": "y"})
    folder.write("venv/pyvenv.cfg")
    folder.write("node_modules/.bin/tool")
    bin_folder = folder.root / "node_modules" / ".bin"
    further = (folder.root / "a", folder.root / "missing", folder.root)
    repository = await discover(folder.root)
    mounts = find_mounts(repository, environment(tmp_path / "home", bin_folder), further)
    expected = {folder.root / ".git", nested.root / ".git", folder.root / "venv", bin_folder}
    assert set(mounts.protected) == {*expected, folder.root / "a"}


async def test_a_worktree_protects_its_own_directory_and_the_shared_one(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "main", {"a": "x"})
    folder.git("worktree", "add", "-q", str(tmp_path / "linked"))
    mounts = find_mounts(await discover(tmp_path / "linked"), environment(tmp_path / "home"))
    assert {tmp_path / "linked" / ".git", folder.root / ".git"} <= set(mounts.protected)
    assert not mounts.shows(folder.root / "a")


async def test_our_state_and_jupyters_folders_are_hidden_wherever_they_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await repository_at(tmp_path / "r")
    runtime, state = repository.root / ".jupyter", repository.common_dir / "jupyter_ac"
    for folder in (runtime, state):
        folder.mkdir()
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(runtime))
    mounts = find_mounts(repository, environment(tmp_path / "home"))
    assert set(mounts.hidden) == {runtime, state}
    assert not mounts.shows(runtime / "jpserver-1.json")


@pytest.mark.parametrize("inside", ["", "deep/er"])
async def test_a_repository_around_the_home_folder_has_no_sandbox(
    tmp_path: Path, inside: str
) -> None:
    repository = await repository_at(tmp_path / "r")
    with pytest.raises(Unsupported, match="holds the home folder"):
        find_mounts(repository, environment(tmp_path / "r" / inside))


async def test_a_repository_among_jupyters_files_has_no_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await repository_at(tmp_path / "jupyter" / "r")
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "jupyter"))
    with pytest.raises(Unsupported, match="keys"):
        find_mounts(repository, environment(tmp_path / "home"))


async def test_a_git_directory_that_could_be_replaced_has_no_sandbox(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    (folder.root / ".git").rename(tmp_path / "elsewhere")
    (folder.root / ".git").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Unsupported, match="is a link"):
        find_mounts(await discover(folder.root), environment(tmp_path / "home"))


async def test_without_a_home_folder_it_is_that_of_temporary_files(tmp_path: Path) -> None:
    repository = await repository_at(tmp_path / "r")
    mounts = find_mounts(repository, {"HOME": "/"})
    assert mounts.home == Path("/tmp")
    assert Path("/") not in mounts.empty
