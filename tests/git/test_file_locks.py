import asyncio
from pathlib import Path

import pytest

from jupyter_ac.errors import RefusedPath
from jupyter_ac.git.file_locks import ALL_FILES, FileLocks
from jupyter_ac.git.repository import discover
from jupyter_ac.store.exclusive import NamedLocks
from tests.support.repositories import make_repository


async def locks_of(tmp_path: Path) -> FileLocks:
    repository = await discover(make_repository(tmp_path / "r", {"d/a": "1\n"}).root)
    return FileLocks(repository, NamedLocks(tmp_path))


async def test_spellings_of_one_file_have_one_tag(tmp_path: Path) -> None:
    locks = await locks_of(tmp_path)
    assert len(set(await locks.tags("d/a", "d//a", "d\\a", "D/A"))) == 1
    assert len(set(await locks.tags("d/a", "d/b", "a"))) == 3
    with pytest.raises(RefusedPath):
        await locks.tags("d/a", "../a")


async def test_two_who_want_the_same_files_in_another_order_both_get_them(tmp_path: Path) -> None:
    locks = await locks_of(tmp_path)
    one, other = await locks.tags("d/a", "d/b")
    done: list[str] = []

    async def take(*tags: str) -> None:
        for _ in range(20):
            async with locks.hold("d/a", *tags):
                await asyncio.sleep(0)
        done.append(tags[0])

    async with asyncio.timeout(30):
        await asyncio.gather(take(one, other), take(other, one))
    assert sorted(done) == sorted([one, other])


async def test_a_file_named_twice_is_locked_once(tmp_path: Path) -> None:
    locks = await locks_of(tmp_path)
    (tag,) = await locks.tags("d/a")
    async with asyncio.timeout(30), locks.hold("d/a", tag, tag):
        assert len(list((tmp_path / "locks").glob("file-*.lock"))) == 1


async def test_every_file_has_one_of_the_locks_that_stand_for_all(tmp_path: Path) -> None:
    locks = await locks_of(tmp_path)
    tags = await locks.tags(*(f"d/{number}" for number in range(200)))
    async with asyncio.timeout(30), locks.hold("d", *tags):
        taken = {path.stem for path in (tmp_path / "locks").glob("*.lock")}
    assert taken == set(ALL_FILES)
