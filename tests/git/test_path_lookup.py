import errno
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from jupyter_ac.errors import RefusedPath, TooLarge
from jupyter_ac.git import path_lookup
from jupyter_ac.git.path_lookup import find, find_entry, names_for_git
from jupyter_ac.git.repository import discover
from jupyter_ac.git.runner import GitOutput, read_git
from tests.support.repositories import RepositoryFolder, make_repository

ODD = ("a\\b", "d/\\c", "\\e", "c:f", "...")


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    files = dict.fromkeys((*ODD, "a/b", "d/c", "e"), "1\n")
    return make_repository(tmp_path / "r", dict(files))


@pytest.mark.parametrize("name", ODD)
async def test_an_odd_name_means_the_file_that_has_it_also_when_it_is_deleted(
    folder: RepositoryFolder, name: str
) -> None:
    repository = await discover(folder.root)
    for _ in range(2):  # on disk, then not
        assert (await find(repository, name)).absolute == folder.root / name
        assert (await find_entry(repository, f"./{name}")).path == name
        assert await names_for_git(repository, [name, name]) == [name]
        (folder.root / name).unlink(missing_ok=True)
    folder.git("rm", "-q", "--cached", "--", name)
    assert (await find(repository, name)).path == name, "in the last commit"


async def test_an_odd_name_that_nothing_has_means_what_front_ends_mean(
    folder: RepositoryFolder,
) -> None:
    repository = await discover(folder.root)
    assert (await find(repository, "d\\c")).path == "d/c"
    assert await names_for_git(repository, ["d\\c", "new\\x"]) == ["d/c", "new/x"]
    for refused in ("x:y", "....", "\\x", "..\\x", "a\\.git\\b"):
        with pytest.raises(RefusedPath):
            await find(repository, refused)
        with pytest.raises(RefusedPath):
            await names_for_git(repository, [refused])


async def test_what_lies_behind_a_linked_folder_has_its_own_name(
    folder: RepositoryFolder,
) -> None:
    repository = await discover(folder.root)
    (folder.root / "link").symlink_to("d")
    entry = await find_entry(repository, "link/c")
    assert (entry.path, entry.real) == ("d/c", folder.root / "d/c")
    assert (await find(repository, "link/c")).path == "link/c"
    assert await names_for_git(repository, ["link/c", "link", "link/new"]) == [
        "d/c",
        "link",
        "d/new",
    ]


async def test_what_git_knows_keeps_its_name_where_a_link_has_taken_its_folder(
    folder: RepositoryFolder,
) -> None:
    repository = await discover(folder.root)
    (folder.root / "a/b").unlink()
    (folder.root / "a").rmdir()
    (folder.root / "a").symlink_to("/etc")
    assert await names_for_git(repository, ["a/b", "a"]) == ["a/b", "a"]
    for refused in ("a/passwd", "a/new"):
        with pytest.raises(RefusedPath, match="leads out"):
            await names_for_git(repository, [refused])
    with pytest.raises(RefusedPath, match="leads out"):
        await find_entry(repository, "a/b")


async def test_many_odd_names_take_few_processes(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await discover(folder.root)
    asked: list[Sequence[str]] = []

    async def read(directory: Path, args: Sequence[str]) -> GitOutput:
        asked.append(args)
        return await read_git(directory, args)

    monkeypatch.setattr(path_lookup, "read_git", read)
    new = [f"new\\{at}" for at in range(500)]
    found = await names_for_git(repository, ["a", "a\\b", "e", *new, "d\\c", "c:f", "a\\b"])
    assert found == ["a", "a\\b", "e", *(name.replace("\\", "/") for name in new), "d/c", "c:f"]
    assert [args[0] for args in asked] == ["ls-files", "ls-tree"]
    asked.clear()
    long = [f"{'n' * 240}\\{at}" for at in range(500)]
    assert len(await names_for_git(repository, [*long, "a\\b"])) == 501
    assert len(asked) == 6
    asked.clear()
    with pytest.raises(TooLarge, match="500 of the paths have a backslash"):
        await names_for_git(repository, new, 499)
    assert asked == []


async def test_a_folder_that_is_exchanged_with_a_link_meanwhile_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"d/f": "1\n"}).root)

    def exchanged(path: str) -> str:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)

    monkeypatch.setattr(os.path, "realpath", exchanged)
    with pytest.raises(RefusedPath, match="'d/f' is being replaced"):
        await names_for_git(repository, ["d/f"])
