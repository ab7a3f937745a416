"""Folders are walked through with descriptors, one step down and one step up for each."""

import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.git import descriptor_entries
from jupyter_ac.git.folder_walk import FolderWalk
from jupyter_ac.git.repository import discover
from jupyter_ac.git.restoring import restore
from jupyter_ac.git.write_commands import Git
from tests.support.repositories import RepositoryFolder, committed, make_repository

DEPTH = 1200
DEEP = "/".join(["d"] * DEPTH)


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "r", {"a": "1\n", "d/b": "2\n"})


@pytest.fixture(autouse=True)
def nothing_deep_left(tmp_path: Path) -> Iterator[None]:
    """Python's own removal of a tree is not up to such a depth, and pytest uses it."""
    yield
    subprocess.run(["rm", "-rf", *tmp_path.iterdir()], check=True)


def deepen(place: Path, names: list[str]) -> None:
    for name in names:
        place /= name
        place.mkdir(exist_ok=True)


def count_opens(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    observed: list[str] = []
    really = os.open

    def counted(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        observed.append(path)
        return really(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", counted)
    return observed


async def test_a_walk_enters_no_link_and_leaves_where_it_came_from(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    repository = await discover(folder.root)
    (tmp_path / "outside").mkdir()
    (repository.root / "link").symlink_to("../outside")
    (repository.root / "d/e").mkdir()
    with FolderWalk(repository) as walk:
        with pytest.raises(NotADirectoryError):
            walk.enter("link")
        walk.enter("d", "e")
        walk.leave()
        assert os.stat("b", dir_fd=walk.here).st_size == 2
        walk.enter("e")
        (repository.root / "d/e").rename(tmp_path / "outside/e")
        with pytest.raises(OSError, match=os.strerror(errno.ESTALE)):
            walk.leave()


async def test_only_folders_of_folders_are_removed(folder: RepositoryFolder) -> None:
    repository = await discover(folder.root)
    (repository.root / "x/y/z").mkdir(parents=True)
    (repository.root / "x/w").mkdir()
    with FolderWalk(repository) as walk:
        walk.remove_empty("x")
        with pytest.raises(NotADirectoryError):
            walk.remove_empty("d")
    assert sorted(row.name for row in repository.root.iterdir()) == [".git", "a", "d"]
    assert (repository.root / "d/b").exists()


async def test_empty_folders_are_pruned_in_one_walk(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await discover(folder.root)
    deepen(repository.root, ["x", *DEEP.split("/")])
    observed = count_opens(monkeypatch)
    descriptor_entries.prune(repository, repository.root / "x" / DEEP)
    assert len(observed) <= 2 * DEPTH + 2
    assert not (repository.root / "x").exists()


async def test_a_file_takes_the_place_of_folders_in_one_walk(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await discover(folder.root)
    (repository.root / "a").unlink()
    deepen(repository.root, ["a", *DEEP.split("/")])
    observed = count_opens(monkeypatch)
    await restore(Git(repository), committed(folder, "a"), ())
    assert len(observed) <= 3 * DEPTH
    assert (repository.root / "a").read_text() == "1\n"


async def test_a_file_is_restored_deep_below_in_one_walk(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    deepen(folder.root, DEEP.split("/"))
    folder.write(f"{DEEP}/f", "1\n")
    folder.commit()
    folder.write(f"{DEEP}/f", "2\n")
    repository = await discover(folder.root)
    observed = count_opens(monkeypatch)
    await restore(Git(repository), committed(folder, f"{DEEP}/f"), ())
    assert len(observed) <= 3 * DEPTH
    assert (folder.root / DEEP / "f").read_text() == "1\n"
