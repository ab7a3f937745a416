"""Files damaged in many ways: no crash, and readable rows are recovered."""

import asyncio
import hashlib
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.store.salvage import drop_orphans, salvage
from jupyter_ac.store.sqlite import Database
from tests.support.damage import PAGE, damaged
from tests.support.examples import examples

SCHEMA = """
    CREATE TABLE session (id TEXT PRIMARY KEY, n INTEGER NOT NULL);
    CREATE TABLE note (
        id TEXT PRIMARY KEY, session TEXT NOT NULL REFERENCES session, text TEXT NOT NULL
    );
    CREATE TABLE block (sha TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX notes_by_session ON note (session);
"""
SESSIONS, NOTES = 10, 400


def fill(db: sqlite3.Connection) -> None:
    for number in range(SESSIONS):
        db.execute("INSERT INTO session VALUES (?, ?)", (f"s{number}", number))
    for number in range(NOTES):
        text = f"note {number} " * 20
        session = f"s{number % SESSIONS}"
        db.execute("INSERT INTO note VALUES (?, ?, ?)", (f"n{number}", session, text))
        sha = hashlib.sha256(text.encode()).hexdigest()
        db.execute("INSERT INTO block VALUES (?, ?)", (sha, text))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "h.sqlite"

    async def make() -> None:
        database = Database(path, (SCHEMA,))
        await database.run(fill)
        await database.aclose()

    asyncio.run(make())
    return path


Counts = tuple[int, int, int]


def count(db: sqlite3.Connection) -> Counts:
    sessions, notes, blocks = (
        db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
        for table in ("session", "note", "block")
    )
    return sessions, notes, blocks


async def opened(folder: Path, content: bytes) -> tuple[Counts, str]:
    """Open a file as a host does at its start; return what is there, and what is said."""
    path = folder / "h.sqlite"
    path.write_bytes(content)
    database = Database(path, (SCHEMA,))
    try:
        await database.open()
        found = await database.run(count)
        assert await database.run(lambda db: db.execute("PRAGMA quick_check").fetchall()) == [
            ("ok",)
        ]
        orphans = await database.run(lambda db: db.execute("PRAGMA foreign_key_check").fetchall())
        assert not (orphans and database.notice)  # a file whose pages look sound is left alone
        await database.run(lambda db: db.execute("INSERT INTO session VALUES ('new', 1)") and None)
    finally:
        await database.aclose()
    return found, database.notice or ""


def broken_schema(content: bytes) -> bytes:
    return content.replace(b"CREATE TABLE note", b"CREATE T\xefBLE note")


def renamed_column(content: bytes) -> bytes:
    return content.replace(b"text TEXT NOT NULL", b"tegt TEXT NOT NULL")


@pytest.mark.parametrize(
    ("damage", "least"),
    [
        (lambda content: b"x" * 16 + content[16:], (10, 400, 400)),
        (lambda content: b"\0" * 100 + content[100:], (10, 400, 400)),
        (lambda content: b"\xff" * 100 + content[100:], (10, 400, 400)),
        (lambda content: content[:56] + b"\0\0\0\2" + content[60:], (10, 400, 400)),
        (broken_schema, (10, 400, 400)),
        (renamed_column, (10, 400, 400)),
        (lambda content: content[: len(content) // 2], (10, 100, 0)),
        (lambda content: content[: len(content) - 3 * PAGE], (10, 300, 300)),
        (lambda content: content[:PAGE] + b"\0" * (len(content) - PAGE), (0, 0, 0)),
        (lambda content: b"\0" * len(content), (0, 0, 0)),
        (lambda _: b"\x89PNG\r\n" * 2000, (0, 0, 0)),
        (lambda _: b"SQLite format 3\0", (0, 0, 0)),
    ],
)
async def test_what_reads_of_a_damaged_file_is_in_the_new_one(
    sound: Path, tmp_path: Path, damage: Callable[[bytes], bytes], least: Counts
) -> None:
    content = damage(sound.read_bytes())
    found, notice = await opened(tmp_path, content)
    assert all(stored >= wanted for stored, wanted in zip(found, least, strict=True)), found
    assert "h.sqlite was damaged; it was set aside as h.sqlite.damaged-" in notice
    aside = [
        path for path in tmp_path.glob("*.damaged-*") if not path.name.endswith(("wal", "shm"))
    ]
    assert [path.read_bytes() for path in aside] == [content]


async def test_a_sound_file_is_left_alone(sound: Path, tmp_path: Path) -> None:
    assert await opened(tmp_path, sound.read_bytes()) == ((SESSIONS, NOTES, NOTES), "")


async def test_a_folder_in_its_place_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "h.sqlite").mkdir()
    (tmp_path / "h.sqlite" / "precious").write_text("kept")
    database = Database(tmp_path / "h.sqlite", (SCHEMA,))
    await database.open()
    assert await database.run(count) == (0, 0, 0)
    assert "nothing could be recovered" in (database.notice or "")
    (aside,) = tmp_path.glob("*.damaged-*")
    assert (aside / "precious").read_text() == "kept"
    await database.aclose()


async def test_another_programs_database_is_set_aside_whole(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.executescript("CREATE TABLE bookmarks (url); INSERT INTO bookmarks VALUES ('x');")
    database = Database(path, (SCHEMA,))
    await database.open()
    assert database.notice is not None
    await database.aclose()
    (aside,) = (found for found in tmp_path.glob("*.damaged-*") if "-wal" not in found.name)
    with closing(sqlite3.connect(aside)) as other:
        assert other.execute("SELECT * FROM bookmarks").fetchall() == [("x",)]


async def test_a_file_without_its_log_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    database = Database(path, (SCHEMA,))
    await database.run(fill)
    content = path.read_bytes()
    await database.aclose()
    (tmp_path / "copy").mkdir()
    _, said = await opened(tmp_path / "copy", content)
    assert "empty" not in said


async def test_an_empty_file_that_is_not_new_is_said(tmp_path: Path) -> None:
    import os

    path = tmp_path / "h.sqlite"
    path.touch()
    os.utime(path, (1, 1))
    database = Database(path, (SCHEMA,))
    await database.open()
    assert database.notice == "h.sqlite was empty; a new one was started."
    await database.aclose()


@settings(deadline=None, max_examples=examples(25))
@given(seed=st.integers(0, 10_000), flips=st.sampled_from((1, 5, 50, 500)), pages=st.integers(0, 4))
def test_flipped_bytes_and_pages_never_keep_it_from_starting(
    sound: Path, seed: int, flips: int, pages: int
) -> None:
    content = damaged(sound.read_bytes(), seed, flips, pages)
    with tempfile.TemporaryDirectory() as folder:
        (_, notes, _), _ = asyncio.run(opened(Path(folder), content))
        assert notes <= NOTES


def test_rows_whose_parents_are_lost_are_dropped() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(SCHEMA)
        fill(db)
        db.execute("DELETE FROM session WHERE id = 's3'")
        drop_orphans(db)
        assert count(db) == (SESSIONS - 1, NOTES - NOTES // SESSIONS, NOTES)


def test_what_the_new_file_has_already_stays(sound: Path, tmp_path: Path) -> None:
    (tmp_path / "damaged").write_bytes(sound.read_bytes()[: sound.stat().st_size // 2])
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(SCHEMA)
        db.execute("INSERT INTO session VALUES ('s3', 77)")
        assert salvage(tmp_path / "damaged", db) > 50
        assert db.execute("SELECT n FROM session WHERE id = 's3'").fetchone() == (77,)
    assert [path.name for path in tmp_path.iterdir()] == ["damaged"]
