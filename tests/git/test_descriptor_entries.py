from pathlib import Path

import pytest

from jupyter_ac.errors import AlreadyExists, NotFound
from jupyter_ac.git import descriptor_entries
from jupyter_ac.git.paths import Located
from jupyter_ac.git.repository import Repository, discover
from tests.support.repositories import make_repository


async def opened(tmp_path: Path) -> Repository:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "d/b": "2\n"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/b").write_text("outside\n")
    (folder.root / "link").symlink_to("../outside")
    return await discover(folder.root)


async def test_nothing_is_seen_or_read_behind_a_link(tmp_path: Path) -> None:
    repository = await opened(tmp_path)
    assert descriptor_entries.lstat(repository, "d/b") is not None
    assert descriptor_entries.lstat(repository, "link/b") is None
    assert descriptor_entries.lstat(repository, "nothing/b") is None
    assert descriptor_entries.is_folder(repository, "d")
    assert not descriptor_entries.is_folder(repository, "link")
    with descriptor_entries.open_entry(repository, "d/b") as file:
        assert file.read() == b"2\n"
    with pytest.raises(NotFound), descriptor_entries.open_entry(repository, "link/b"):
        pass


async def test_an_entry_is_moved_where_nothing_is(tmp_path: Path) -> None:
    repository = await opened(tmp_path)

    def place(path: str) -> Located:
        return descriptor_entries.entry_location(repository, path)

    with pytest.raises(AlreadyExists):
        descriptor_entries.move(repository, place("a"), place("d/b"), is_over=False)
    for old in ("link/b", "nothing", "nothing/x"):
        with pytest.raises(NotFound):
            descriptor_entries.move(repository, place(old), place("e"), is_over=False)
    with pytest.raises(NotADirectoryError):
        descriptor_entries.move(repository, place("a"), place("link/a"), is_over=False)
    descriptor_entries.move(repository, place("a"), place("new/a"), is_over=False)
    assert (repository.root / "new/a").read_text() == "1\n"
    assert (repository.root.parent / "outside/b").read_text() == "outside\n"


async def test_empty_folders_go_and_others_stay(tmp_path: Path) -> None:
    repository = await opened(tmp_path)
    (repository.root / "x/y/z").mkdir(parents=True)
    descriptor_entries.prune(repository, repository.root / "x/y/z", repository.root / "x")
    assert (repository.root / "x").is_dir()
    descriptor_entries.prune(repository, repository.root / "d")
    assert (repository.root / "d/b").exists()
    (repository.root.parent / "outside/empty").mkdir()
    descriptor_entries.prune(repository, repository.root / "link/empty")
    assert (repository.root.parent / "outside/empty").is_dir()
