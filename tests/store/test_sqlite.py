import asyncio
import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from jupyter_ac.errors import AccessDenied, AcError, Busy, NotReady, Unsupported
from jupyter_ac.store.sqlite import Database

FIRST = "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL);"
SECOND = """
    ALTER TABLE note ADD COLUMN tag TEXT NOT NULL DEFAULT 'a;b';
    -- a comment; with a semicolon
    CREATE TRIGGER seen AFTER INSERT ON note BEGIN
        UPDATE note SET tag = 'seen' WHERE id = new.id;
    END
"""


@asynccontextmanager
async def _database(
    path: Path, *migrations: str, busy_timeout_s: float = 5.0
) -> AsyncIterator[Database]:
    database = Database(path, migrations or (FIRST,), busy_timeout_s)
    try:
        yield database
    finally:
        await database.aclose()


def _insert(text: str) -> Callable[[sqlite3.Connection], None]:
    def work(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO note (text) VALUES (?)", (text,))

    return work


def _texts(connection: sqlite3.Connection) -> list[str]:
    return [row[0] for row in connection.execute("SELECT text FROM note ORDER BY id")]


def _pragma(name: str) -> Callable[[sqlite3.Connection], object]:
    def work(connection: sqlite3.Connection) -> object:
        (value,) = connection.execute(f"PRAGMA {name}").fetchone()
        return value

    return work


async def test_what_is_written_is_there_after_reopening(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    async with _database(path) as database:
        await database.run(_insert("one"))
        assert database.read_only is None
    assert path.stat().st_mode & 0o777 == 0o600
    async with _database(path) as database:
        assert await database.run(_texts) == ["one"]


async def test_work_runs_on_one_thread_that_is_not_the_loops(tmp_path: Path) -> None:
    async with _database(tmp_path / "h.sqlite") as database:
        threads = await asyncio.gather(
            *(database.run(lambda _: threading.get_ident()) for _ in range(5))
        )
    assert len(set(threads)) == 1
    assert threading.get_ident() not in threads


async def test_work_that_raises_leaves_nothing(tmp_path: Path) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        _insert("half")(connection)
        raise LookupError("stop")

    async with _database(tmp_path / "h.sqlite") as database:
        with pytest.raises(LookupError, match="stop"):
            await database.run(fail)
        assert await database.run(_texts) == []


async def test_a_commit_that_fails_leaves_nothing(tmp_path: Path) -> None:
    schema = (
        "CREATE TABLE a (x PRIMARY KEY);"
        "CREATE TABLE b (y REFERENCES a(x) DEFERRABLE INITIALLY DEFERRED)"
    )
    async with _database(tmp_path / "h.sqlite", schema) as database:
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            await database.run(lambda c: c.execute("INSERT INTO b VALUES (1)") and None)
        count = await database.run(lambda c: c.execute("SELECT count(*) FROM b").fetchone())
        assert count == (0,)


async def test_migrations_are_applied_once_each_and_in_order(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    async with _database(path, FIRST) as database:
        await database.run(_insert("old"))
        assert await database.run(_pragma("user_version")) == 1
    for _ in range(2):
        async with _database(path, FIRST, SECOND) as database:
            await database.open()
            assert await database.run(_pragma("user_version")) == 2
    async with _database(path, FIRST, SECOND) as database:
        await database.run(_insert("new"))
        rows = await database.run(lambda c: c.execute("SELECT text, tag FROM note").fetchall())
        assert rows == [("old", "a;b"), ("new", "seen")]


async def test_a_migration_that_fails_leaves_the_old_schema(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    async with _database(path, FIRST) as database:
        await database.run(_insert("old"))
    async with _database(path, FIRST, "CREATE TABLE more (x); CREATE TABLE note (y)") as database:
        with pytest.raises(AcError, match=r"h\.sqlite can't be used: table note already exists"):
            await database.open()
    async with _database(path, FIRST) as database:
        assert await database.run(_texts) == ["old"]
        assert await database.run(_pragma("user_version")) == 1


async def test_many_processes_opening_a_new_file_at_once_migrate_it_once(tmp_path: Path) -> None:
    databases = [Database(tmp_path / "h.sqlite", (FIRST, SECOND)) for _ in range(8)]
    await asyncio.gather(*(database.run(_insert("x")) for database in databases))
    assert await databases[0].run(_texts) == ["x"] * 8
    for database in databases:
        await database.aclose()


async def test_a_newer_schema_is_read_and_never_written(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    async with _database(path, FIRST, SECOND) as database:
        await database.run(_insert("kept"))
    async with _database(path, FIRST) as database:
        assert await database.run(_texts) == ["kept"]
        assert database.read_only is not None
        assert "newer version" in database.read_only
        with pytest.raises(Unsupported, match="newer version"):
            await database.run(_insert("lost"))
        assert await database.run(_texts) == ["kept"]


async def test_a_schema_that_becomes_newer_while_the_file_is_open_is_only_read_from_then_on(
    tmp_path: Path,
) -> None:
    path = tmp_path / "h.sqlite"
    async with _database(path, FIRST) as database:
        await database.run(_insert("kept"))
        async with _database(path, FIRST, SECOND) as newer:
            await newer.run(_insert("theirs"))
        with pytest.raises(Unsupported, match="newer version"):
            await database.run(_insert("lost"))
        assert await database.read(_texts) == ["kept", "theirs"]
        assert database.read_only is not None


async def test_a_file_that_may_not_be_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "h.sqlite"
    async with _database(path) as database:
        await database.run(_insert("kept"))
    path.chmod(0o400)
    if os.geteuid() == 0:  # who may write everything
        monkeypatch.setattr(os, "access", lambda *_: False)
    async with _database(path) as database:
        assert await database.run(_texts) == ["kept"]
        with pytest.raises(Unsupported, match="may not be written"):
            await database.run(_insert("lost"))


async def test_files_beside_it_that_were_made_read_only_are_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "h.sqlite"
    async with _database(path) as database:
        await database.run(_insert("one"))
        shutil.copy(path, tmp_path / "kept")
        shutil.copy(tmp_path / "h.sqlite-wal", tmp_path / "kept-wal")
    shutil.move(tmp_path / "kept", path)
    shutil.move(tmp_path / "kept-wal", tmp_path / "h.sqlite-wal")
    (tmp_path / "h.sqlite-wal").chmod(0o444)  # as after the file was only read
    modes: list[int] = []

    def first_look(*_: object) -> None:
        modes.append((tmp_path / "h.sqlite-wal").stat().st_mode & 0o777)

    monkeypatch.setattr("jupyter_ac.store.sqlite.require_ours", first_look)
    async with _database(path) as database:
        await database.run(_insert("two"))
        assert modes == [0o600]
        assert await database.run(_texts) == ["one", "two"]


async def test_an_old_file_that_may_not_be_written_is_left_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "h.sqlite"
    async with _database(path, FIRST) as database:
        await database.run(_insert("kept"))
    with monkeypatch.context() as limited:
        limited.setattr(os, "access", lambda *_: False)
        async with _database(path, FIRST, SECOND) as database:
            with pytest.raises(AccessDenied, match=r"older version .* change its permissions"):
                await database.run(_texts)
    async with _database(path, FIRST, SECOND) as database:
        assert await database.run(_texts) == ["kept"]


@pytest.mark.parametrize(
    "garbage", [b"this is no database" * 100, b"SQLite format 3\0" + b"\xff" * 5000]
)
async def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, garbage: bytes) -> None:
    path = tmp_path / "h.sqlite"
    path.write_bytes(garbage)
    (tmp_path / "h.sqlite-wal").write_bytes(b"old log")
    async with _database(path) as database:
        await database.run(_insert("new"))
        assert await database.run(_texts) == ["new"]
        assert "was damaged; it was set aside as h.sqlite.damaged-" in (database.notice or "")
    (stored,) = (place for place in tmp_path.glob("*.damaged-*") if not place.name.endswith("-wal"))
    assert stored.read_bytes() == garbage


async def test_damage_found_while_working_does_not_lose_the_work(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    async with _database(path) as database:
        for _ in range(200):
            await database.run(_insert("x" * 500))
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    async with _database(path) as database:
        await database.run(_insert("the user's words"))
        assert await database.run(_texts) == ["the user's words"]
        assert database.notice is not None


async def test_a_good_file_that_took_the_damaged_ones_place_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    met: list[sqlite3.DatabaseError] = []

    def meet_damage_once(connection: sqlite3.Connection) -> list[str]:
        if not met:
            met.append(sqlite3.DatabaseError("malformed"))
            met[0].sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise met[0]
        return _texts(connection)

    async with _database(path) as other, _database(path) as database:
        await other.run(_insert("good"))
        assert await database.run(meet_damage_once) == ["good"]
        assert database.notice is None


@pytest.mark.parametrize("side", ["", "-wal", "-shm", "-journal"])
async def test_a_link_is_refused(tmp_path: Path, side: str) -> None:
    (tmp_path / "target").write_bytes(b"precious")
    (tmp_path / f"h.sqlite{side}").symlink_to("target")
    async with _database(tmp_path / "h.sqlite") as database:
        with pytest.raises(AcError, match=f"h.sqlite{side} is a link"):
            await database.run(_insert("x"))
    assert (tmp_path / "target").read_bytes() == b"precious"


async def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    async with _database(tmp_path / "nowhere" / "h.sqlite") as database:
        with pytest.raises(AcError, match=r"h\.sqlite can't be opened") as caught:
            await database.open()
    assert str(tmp_path) not in str(caught.value)


async def test_a_full_disk_is_said_and_the_rest_is_kept(tmp_path: Path) -> None:
    async with _database(tmp_path / "h.sqlite") as database:
        await database.run(_insert("kept"))
        pages = await database.run(_pragma("page_count"))
        await database.run(_pragma(f"max_page_count={pages}"))
        with pytest.raises(AcError, match=r"The disk is full: h\.sqlite"):
            await database.run(_insert("x" * 100_000))
        assert await database.run(_texts) == ["kept"]


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, r"The disk is full: h\.sqlite"),
        (errno.EROFS, r"h\.sqlite couldn't be written: the disk is read-only"),
    ],
)
async def test_a_folder_that_takes_nothing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    def refuse(_: Path) -> str:
        raise OSError(number, os.strerror(number), str(tmp_path))

    monkeypatch.setattr("jupyter_ac.store.sqlite_pragmas.journal_mode", refuse)
    async with _database(tmp_path / "h.sqlite") as database:
        with pytest.raises(AcError, match=said) as caught:
            await database.run(_texts)
    assert str(tmp_path) not in str(caught.value)


async def test_another_process_that_writes_for_too_long_is_said(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    async with _database(path, busy_timeout_s=0.2) as database:
        await database.open()
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(Busy, match="Another process is writing"):
                await database.run(_insert("x"))
            other.execute("ROLLBACK")
        await database.run(_insert("x"))


async def test_reading_keeps_nobody_from_writing_and_sees_one_moment(tmp_path: Path) -> None:
    reading, go_on = threading.Event(), threading.Event()

    def read_twice(connection: sqlite3.Connection) -> tuple[list[str], list[str]]:
        before = _texts(connection)
        reading.set()
        assert go_on.wait(30)
        return before, _texts(connection)

    path = tmp_path / "h.sqlite"
    async with _database(path) as one, _database(path, busy_timeout_s=0.2) as two:
        await one.run(_insert("old"))
        looking = asyncio.create_task(one.read(read_twice))
        await asyncio.to_thread(reading.wait, 30)
        await two.run(_insert("new"))
        go_on.set()
        assert await looking == (["old"], ["old"])
        assert await one.read(_texts) == ["old", "new"]


async def test_two_processes_write_in_turn(tmp_path: Path) -> None:
    one, two = (Database(tmp_path / "h.sqlite", (FIRST,)) for _ in range(2))
    await asyncio.gather(*(each.run(_insert("x")) for each in (one, two) for _ in range(50)))
    assert len(await one.run(_texts)) == 100
    await one.aclose()
    await two.aclose()


async def test_after_kill_9_everything_that_was_reported_written_is_there(tmp_path: Path) -> None:
    script = """
import asyncio, pathlib, sys
from jupyter_ac.store.sqlite import Database

SCHEMA = "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"
INSERT = "INSERT INTO note (text) VALUES (?)"

async def main():
    database = Database(pathlib.Path(sys.argv[1]), (SCHEMA,))
    for number in range(100000):
        await database.run(lambda c: c.execute(INSERT, (str(number),)) and None)
        print(number, flush=True)

asyncio.run(main())
"""
    path = tmp_path / "h.sqlite"
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    for _ in range(20):
        child.stdout.readline()
    child.send_signal(signal.SIGKILL)
    reported = 19 + len(child.stdout.read().split())
    child.stdout.close()
    child.wait(30)
    async with _database(path) as database:
        texts = await database.run(_texts)
        assert texts == [str(number) for number in range(len(texts))]
        assert len(texts) >= reported
        assert database.notice is None


async def test_the_loop_stays_free_while_the_database_works(tmp_path: Path) -> None:
    release = threading.Event()
    async with _database(tmp_path / "h.sqlite") as database:
        work = asyncio.ensure_future(database.run(lambda _: release.wait(30)))
        for _ in range(10):
            await asyncio.sleep(0)
        assert not work.done()
        release.set()
        assert await asyncio.wait_for(work, 30)


async def test_closing_waits_for_queued_work_and_closes_once(tmp_path: Path) -> None:
    database = Database(tmp_path / "h.sqlite", (FIRST,))
    work = asyncio.ensure_future(database.run(_insert("last")))
    await asyncio.sleep(0)
    await database.aclose()
    await database.aclose()
    await work
    with pytest.raises(NotReady, match="closed"):
        await database.run(_texts)
    with closing(sqlite3.connect(tmp_path / "h.sqlite")) as connection:
        assert _texts(connection) == ["last"]


async def test_queued_work_is_done_although_its_caller_is_cancelled(tmp_path: Path) -> None:
    release = threading.Event()
    async with _database(tmp_path / "h.sqlite") as database:
        first = asyncio.ensure_future(database.run(lambda _: release.wait(30)))
        queued = asyncio.ensure_future(database.run(_insert("asked")))
        await asyncio.sleep(0)
        queued.cancel()
        await asyncio.wait({queued})
        release.set()
        await first
        assert await database.run(_texts) == ["asked"]


@pytest.mark.parametrize("is_folder_gone", [False, True])
async def test_a_file_that_was_deleted_is_begun_anew_and_not_written_into_the_void(
    tmp_path: Path, is_folder_gone: bool
) -> None:
    path = tmp_path / "state" / "h.sqlite"
    path.parent.mkdir()
    async with _database(path) as database:
        await database.run(_insert("old"))
        if is_folder_gone:
            shutil.rmtree(path.parent)
        else:
            path.unlink()
        await database.run(_insert("new"))
        with closing(sqlite3.connect(path)) as connection:
            assert _texts(connection) == ["new"]


async def test_a_file_that_came_in_place_of_ours_is_the_one_that_is_used(tmp_path: Path) -> None:
    path, other = tmp_path / "h.sqlite", tmp_path / "other.sqlite"
    async with _database(other) as database:
        await database.run(_insert("theirs"))
    async with _database(path) as database:
        await database.run(_insert("ours"))
        for side in ("-wal", "-shm"):
            path.with_name(path.name + side).unlink(missing_ok=True)
        other.replace(path)
        assert await database.run(_texts) == ["theirs"]


async def test_a_database_that_was_never_used_closes(tmp_path: Path) -> None:
    await Database(tmp_path / "h.sqlite", (FIRST,)).aclose()
    assert not (tmp_path / "h.sqlite").exists()


@pytest.mark.parametrize(
    "planted",
    [
        "CREATE TRIGGER spy AFTER INSERT ON note BEGIN DELETE FROM note; END",
        "CREATE VIEW notes AS SELECT 1",
        "CREATE INDEX more ON note (abs(id))",
        "CREATE TABLE more (x, y AS (zeroblob(1000000000)))",
        "DROP TABLE note; CREATE TABLE note (id INTEGER PRIMARY KEY, text CHECK (text = ''))",
        "DROP TABLE note; CREATE VIEW note AS SELECT 1 AS id, 'planted' AS text",
    ],
)
async def test_a_file_whose_schema_holds_more_than_ours_is_set_aside_with_its_rows_carried_over(
    tmp_path: Path, planted: str
) -> None:
    path = tmp_path / "h.sqlite"
    async with _database(path) as database:
        await database.run(_insert("1"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.executescript(planted)
    async with _database(path) as database:
        await database.run(_insert("ours"))
        texts = await database.run(_texts)
        made = await database.run(lambda c: c.execute("SELECT name FROM sqlite_master").fetchall())
        assert texts == (["ours"] if "DROP" in planted else ["1", "ours"])
        assert made == [("note",)]
        assert "set aside" in (database.notice or "")


async def test_a_file_in_another_encoding_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.executescript(f"PRAGMA encoding='UTF-16le'; {FIRST} DROP TABLE note;")
    async with _database(path) as database:
        await database.run(_insert("ours"))
        assert await database.run(_texts) == ["ours"]
        assert await database.run(_pragma("encoding")) == "UTF-8"
        assert "set aside" in (database.notice or "")


@pytest.mark.parametrize("side", ["", "-wal", "-journal"])
async def test_a_pipe_in_the_place_of_a_file_is_set_aside(tmp_path: Path, side: str) -> None:
    os.mkfifo(tmp_path / f"h.sqlite{side}")
    async with _database(tmp_path / "h.sqlite") as database:
        await asyncio.wait_for(database.run(_insert("x")), 30)
        assert await database.run(_texts) == ["x"]


async def test_a_journal_that_names_another_file_deletes_nothing(tmp_path: Path) -> None:
    """SQLite deletes the file that a journal of several databases names."""
    path, victim = tmp_path / "h.sqlite", tmp_path / "precious"
    async with _database(path) as database:
        await database.run(_insert("kept"))
    victim.write_bytes(b"")
    magic = bytes.fromhex("d9d505f920a163d7")
    name = str(victim).encode()
    numbers = (1, 0, path.stat().st_size // 4096, 512, 4096)
    head = magic + b"".join(number.to_bytes(4, "big") for number in numbers)
    tail = (1_073_741_824 // 4096 + 1).to_bytes(4, "big") + name + len(name).to_bytes(4, "big")
    tail += (sum(name) & 0xFFFFFFFF).to_bytes(4, "big") + magic
    page = (1).to_bytes(4, "big") + path.read_bytes()[:4096] + bytes(4)
    path.with_name("h.sqlite-journal").write_bytes(head.ljust(512, b"\0") + page + tail)
    async with _database(path) as database:
        assert await database.run(_texts) == ["kept"]
    assert victim.exists()


async def test_a_folder_that_becomes_a_link_while_it_is_open_is_not_written_through(
    tmp_path: Path,
) -> None:
    path, outside = tmp_path / "state" / "h.sqlite", tmp_path / "outside"
    path.parent.mkdir()
    outside.mkdir()
    async with _database(path) as database:
        await database.run(_insert("one"))
        path.parent.rename(tmp_path / "moved")
        path.parent.symlink_to(outside)
        with pytest.raises(AcError, match="behind a link"):
            await database.run(_insert("two"))
    assert list(outside.iterdir()) == []


async def test_a_folder_above_that_becomes_a_link_is_not_written_through(tmp_path: Path) -> None:
    path, outside = tmp_path / "git" / "state" / "h.sqlite", tmp_path / "outside"
    path.parent.mkdir(parents=True)
    (outside / "state").mkdir(parents=True)
    async with _database(path) as database:
        await database.run(_insert("one"))
        (tmp_path / "git").rename(tmp_path / "moved")
        (tmp_path / "git").symlink_to(outside)
        with pytest.raises(AcError, match="behind a link"):
            await database.run(_insert("two"))
    assert list((outside / "state").iterdir()) == []
