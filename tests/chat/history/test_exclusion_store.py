import asyncio
import sqlite3
import threading
from functools import partial
from pathlib import Path

import pytest

from jupyter_ac.chat.history.exclusion_copy import COPY_FILE
from jupyter_ac.chat.history.exclusion_store import MAX_EXCLUDED, ExcludedPathStore
from jupyter_ac.chat.history.schema import HISTORY_FILE
from jupyter_ac.errors import AcError, TooLarge, Unsupported
from jupyter_ac.ids import RepoPath
from jupyter_ac.store.sqlite import Database
from tests.support.histories import history_in

A, B, ODD = RepoPath("a b/ü.py"), RepoPath("b"), RepoPath("\udcff\n.py")


async def test_they_survive_a_restart_for_everybody(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store = ExcludedPathStore(database)
    assert await store.read() == ()
    await store.replace([ODD, B, A, B])
    await database.aclose()
    database = history_in(tmp_path, key=b"o" * 32)
    assert await ExcludedPathStore(database).read() == (A, B, ODD)
    await ExcludedPathStore(database).replace([])
    assert await ExcludedPathStore(database).read() == ()
    await database.aclose()


async def test_it_is_read_while_another_process_writes(tmp_path: Path) -> None:
    database, other = history_in(tmp_path), history_in(tmp_path)
    await ExcludedPathStore(database).replace([A])
    inside, goes_on = threading.Event(), threading.Event()

    def write(db: sqlite3.Connection) -> None:
        _insert((b"b",), db)
        inside.set()
        assert goes_on.wait(60)

    writing = asyncio.create_task(other.run(write))
    try:
        assert await asyncio.to_thread(inside.wait, 60)
        assert await ExcludedPathStore(database).read() == (A,)
    finally:
        goes_on.set()
        await writing
    assert await ExcludedPathStore(database).read() == (A, B)
    await database.aclose()
    await other.aclose()


async def test_too_many_change_nothing(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store = ExcludedPathStore(database)
    await store.replace([A])
    with pytest.raises(TooLarge, match="a folder as a whole"):
        await store.replace([RepoPath(f"{at}") for at in range(MAX_EXCLUDED + 1)])
    assert await store.read() == (A,)
    await database.aclose()


def _insert(row: tuple[bytes], db: sqlite3.Connection) -> None:
    db.execute("INSERT INTO excluded_paths (path) VALUES (?)", row)


async def test_a_row_that_is_no_path_is_left_out(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store = ExcludedPathStore(database)
    await store.replace([A])
    assert await store.read() == (A,)
    for bad in (b"../up", b"", b".git/config", b"/etc"):
        await database.run(partial(_insert, (bad,)))
    assert await store.read() == (A,)
    await database.aclose()


@pytest.mark.parametrize(
    ("known", "old", "new", "left", "added"),
    [
        (["a.py", "c"], "a.py", "b.py", ["a.py"], ["b.py"]),
        (["d/a.py", "d/e", "dd"], "d", "f", ["d/a.py", "d/e"], ["f/a.py", "f/e"]),
        (["d"], "d/a.py", "a.py", [], ["a.py"]),
        (["d"], "d", "e", ["d"], ["e"]),
        (["d"], "a.py", "d/a.py", [], []),
        (["a.py", "b.py"], "a.py", "b.py", ["a.py"], []),
    ],
)
async def test_a_new_name_is_followed(
    tmp_path: Path, known: list[str], old: str, new: str, left: list[str], added: list[str]
) -> None:
    database = history_in(tmp_path)
    store = ExcludedPathStore(database)
    await store.replace(map(RepoPath, known))
    found = await store.follow(RepoPath(old), RepoPath(new))
    assert found == (tuple(left), tuple(added))
    assert set(await store.read()) == {*known, *added}
    await store.forget(found[0])
    assert set(await store.read()) == {*known, *added} - {*left}
    await database.aclose()


async def test_a_path_has_the_number_of_the_change_that_has_excluded_it(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store = ExcludedPathStore(database)
    assert ((await store.listed()).since, (await store.listed()).number) == ((), 0)
    await store.replace([A])
    await store.replace([A, B])
    found = await store.listed()
    assert (found.paths, found.since, found.number) == ((A, B), (1, 2), 2)
    await store.replace([B])
    assert ((await store.listed()).since, (await store.listed()).number) == ((2,), 2)
    await store.replace([])
    await store.replace([A])
    await store.follow(A, B)
    found = await store.listed()
    assert (found.paths, found.since, found.number) == ((A, B), (3, 4), 4)
    await database.run(lambda db: db.execute("DELETE FROM exclusions").close())
    assert (await store.listed()).number == 4
    await database.aclose()


@pytest.mark.parametrize("planted", ["'x'", "-1", str((1 << 63) - 1), "1.5"])
async def test_numbers_that_nobody_has_given_count_as_none(tmp_path: Path, planted: str) -> None:
    database = history_in(tmp_path)
    store = ExcludedPathStore(database)
    await store.replace([A])
    await database.run(lambda db: db.execute(f"UPDATE excluded_paths SET since = {planted}"))
    await store.replace([A, B])
    found = await store.listed()
    assert (found.since, found.number) == ((0, 2), 2)
    await database.aclose()


async def damaged(folder: Path, how: str) -> Database:
    """Return the history after a damage."""
    if how == "rows":
        database = history_in(folder)
        await database.run(lambda db: db.execute("DELETE FROM excluded_paths").close())
        await database.aclose()
    elif how == "file":
        (folder / HISTORY_FILE).write_bytes(b"no database " * 1000)
    else:
        (folder / HISTORY_FILE).unlink()
    return history_in(folder)


@pytest.mark.parametrize("how", ["rows", "file", "gone"])
async def test_what_a_damage_has_taken_is_excluded_still(tmp_path: Path, how: str) -> None:
    database = history_in(tmp_path)
    store = ExcludedPathStore(database)
    await store.replace([A, B, ODD])
    await store.forget([A])
    await database.aclose()
    database = await damaged(tmp_path, how)
    store = ExcludedPathStore(database)
    assert await store.read() == (B, ODD)
    (tmp_path / COPY_FILE).unlink()
    assert await store.read() == (B, ODD), "the database has it again"
    await store.replace([A])
    await store.replace([])
    assert await store.read() == ()
    await database.aclose()
    database = await damaged(tmp_path, how)
    assert await ExcludedPathStore(database).read() == ()
    await database.aclose()


async def test_where_the_copy_is_damaged_too_nothing_counts_as_known(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    await ExcludedPathStore(database).replace([A])
    await database.aclose()
    (tmp_path / COPY_FILE).write_text("[")
    database = history_in(tmp_path)
    assert await ExcludedPathStore(database).read() == (A,), "the copy isn't needed"
    await database.aclose()
    database = await damaged(tmp_path, "file")
    store = ExcludedPathStore(database)
    with pytest.raises(Unsupported, match="Move that file away, then exclude the files again"):
        await store.read()
    (tmp_path / COPY_FILE).unlink()
    await store.replace([B])
    assert await store.read() == (B,)
    await database.aclose()


async def test_a_copy_that_cant_be_written_changes_nothing(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store = ExcludedPathStore(database)
    await store.replace([A])
    (tmp_path / COPY_FILE).unlink()
    (tmp_path / COPY_FILE / "in the way").mkdir(parents=True)
    with pytest.raises(AcError):
        await store.replace([B])
    assert await store.read() == (A,)
    await database.aclose()
