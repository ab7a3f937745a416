import asyncio
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError
from jupyter_ac.git.repository import discover
from jupyter_ac.services.repo.moves import MoveMethods
from tests.support.changing import writers_of
from tests.support.repositories import make_repository


async def test_of_two_who_rename_to_one_name_one_is_refused(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "a\n", "b": "b\n"})
    repository = await discover(folder.root)
    part = MoveMethods(repository, writers_of(repository))
    results = await asyncio.gather(
        part.rename_file("a", "c"), part.rename_file("b", "c"), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["AlreadyExists", "dict"]
    assert len(folder.git("ls-files").split("\n")) == 2


async def test_two_files_swap_their_names_without_a_deadlock(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "a\n", "b": "b\n"})
    repository = await discover(folder.root)
    part = MoveMethods(repository, writers_of(repository))
    async with asyncio.timeout(30):
        await asyncio.gather(
            part.rename_file("a", "b"), part.rename_file("b", "a"), return_exceptions=True
        )
    assert (folder.root / "a").read_text() + (folder.root / "b").read_text() == "a\nb\n"


async def test_a_write_to_a_new_name_is_not_overwritten_by_a_rename(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"tracked": "t\n"})
    folder.write("untracked", "u\n")
    repository = await discover(folder.root)
    writers = writers_of(repository)
    part = MoveMethods(repository, writers)
    for name in ("tracked", "untracked"):
        await writers.files.create("taken", "mine\n")
        with pytest.raises(AcError):
            await part.rename_file(name, "taken")
        assert (folder.root / "taken").read_text() == "mine\n"
        await part.delete_file("taken")
