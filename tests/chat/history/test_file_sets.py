from pathlib import Path

import pytest

from jupyter_ac.chat.history.file_sets import MAX_SETS, FileSetStore
from jupyter_ac.errors import AlreadyExists, NotFound, TooLarge
from jupyter_ac.ids import Identity, RepoPath
from tests.support.histories import history_in

ADA, BOB = Identity("ada"), Identity("bob")
A, ODD = RepoPath("a b/ü.py"), RepoPath("\udcff\n.py")


async def test_sets_survive_a_restart_and_belong_to_one_person(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store = FileSetStore(database)
    await store.keep(ADA, "two", [A, ODD])
    await store.keep(ADA, "one", [])
    await store.keep(ADA, "one", [A])
    await store.keep(BOB, "two", [])
    await database.aclose()
    database = history_in(tmp_path)
    store = FileSetStore(database)
    assert await store.read(ADA) == [
        {"name": "one", "paths": [A]},
        {"name": "two", "paths": [A, ODD]},
    ]
    assert await store.read(BOB) == [{"name": "two", "paths": []}]
    await database.aclose()


async def test_a_set_is_renamed_and_deleted(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store = FileSetStore(database)
    await store.keep(ADA, "one", [A])
    await store.keep(ADA, "two", [])
    with pytest.raises(AlreadyExists, match="two"):
        await store.rename(ADA, "one", "two")
    await store.rename(ADA, "one", "one")
    await store.rename(ADA, "one", "three")
    for missing in ("one", "gone"):
        with pytest.raises(NotFound):
            await store.rename(ADA, missing, "x")
        with pytest.raises(NotFound):
            await store.delete(ADA, missing)
    await store.delete(ADA, "two")
    assert await store.read(ADA) == [{"name": "three", "paths": [A]}]
    await database.aclose()


async def test_what_came_with_the_repository_is_no_set_and_damage_is_none(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store = FileSetStore(database)
    await store.keep(ADA, "mine", [A])
    await database.run(
        lambda db: db.execute("INSERT INTO file_sets VALUES ('ada', 'theirs', '[]', x'00')").close()
    )
    assert [each["name"] for each in await store.read(ADA)] == ["mine"]
    await database.run(lambda db: db.execute("UPDATE file_sets SET paths = '[1'").close())
    assert await store.read(ADA) == []
    await database.aclose()


async def test_there_is_a_limit(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store = FileSetStore(database)
    for number in range(MAX_SETS):
        await store.keep(ADA, f"{number}", [])
    with pytest.raises(TooLarge, match="delete one"):
        await store.keep(ADA, "more", [])
    await store.keep(ADA, "0", [A])
    await database.aclose()
