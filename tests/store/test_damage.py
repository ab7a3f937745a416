import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_ac.store import damage

FIRST = "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL);"
SECOND = "ALTER TABLE note ADD COLUMN tag TEXT; CREATE TABLE more (x)"
NEWER = "CREATE {note}; CREATE TABLE more (x); PRAGMA user_version = 9"


def database(path: Path, script: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(script)
    return connection


@pytest.mark.parametrize(
    ("script", "is_ours"),
    [
        ("", True),
        (FIRST + "PRAGMA user_version = 1", True),
        (FIRST + SECOND + "; PRAGMA user_version = 2", True),
        (FIRST + "CREATE TABLE other (x); PRAGMA user_version = 1", False),
        (FIRST + SECOND + "; CREATE TABLE other (x); PRAGMA user_version = 9", True),
        (FIRST + "CREATE TABLE more (x); PRAGMA user_version = 9", False),
        (NEWER.format(note="TABLE note (more, tag, text, id INTEGER)"), True),
        (NEWER.format(note="TABLE note (id, what)"), False),
        (NEWER.format(note="VIEW note AS SELECT 1 AS id, 2 AS text, 3 AS tag"), False),
        (NEWER.format(note="VIRTUAL TABLE note USING fts5 (id, text, tag)"), False),
        (NEWER.format(note="TABLE note (id, text AS (zeroblob(1)), tag)"), False),
        (NEWER.format(note="TABLE note (id PRIMARY KEY, text, tag) WITHOUT ROWID"), False),
        (NEWER.format(note="TABLE note (id, text, tag COLLATE NOCASE)"), True),
        ("CREATE TABLE bookmarks (url)", False),
        ("CREATE TABLE bookmarks (url); PRAGMA user_version = 9", False),
        ("CREATE TABLE note (id); PRAGMA user_version = 1", False),
        (FIRST + "PRAGMA user_version = 2", False),
    ],
)
def test_a_file_is_known_by_the_tables_of_its_version(
    tmp_path: Path, script: str, is_ours: bool
) -> None:
    with closing(database(tmp_path / "h.sqlite", script)) as connection:
        if is_ours:
            damage.require_ours(connection, (FIRST, SECOND))
        else:
            with pytest.raises(damage.UnusableFileError):
                damage.require_ours(connection, (FIRST, SECOND))
    assert damage.is_damaged(tmp_path / "h.sqlite", (FIRST, SECOND)) != is_ours


def test_a_newer_file_whose_texts_have_no_order_that_is_known_is_none_of_ours(
    tmp_path: Path,
) -> None:
    script = NEWER.format(note="TABLE note (id, text, tag COLLATE NOCASE)")
    with closing(database(tmp_path / "h.sqlite", script)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOCASE', 'STRANGE')")
    assert damage.is_damaged(tmp_path / "h.sqlite", (FIRST, SECOND))


def test_a_folder_and_other_bytes_are_damage(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("no database " * 100)
    assert damage.is_damaged(tmp_path / "folder", (FIRST,))
    assert damage.is_damaged(tmp_path / "text", (FIRST,))


def test_a_check_that_takes_too_long_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(database(tmp_path / "h.sqlite", FIRST)) as connection:
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO note (text) VALUES (?)", [("x" * 500,)] * 2000)
        connection.execute("COMMIT")
        damage.require_sound(connection)
        monkeypatch.setattr(damage, "_STEPS_BETWEEN_LOOKS", 10)
        damage.require_sound(connection, -1.0)


def test_text_that_is_none_is_damage_that_the_pages_do_not_show() -> None:
    with (
        closing(sqlite3.connect(":memory:")) as connection,
        pytest.raises(sqlite3.OperationalError) as caught,
    ):
        connection.execute("SELECT CAST(x'ff' AS TEXT)").fetchone()
    assert damage.is_undecodable(caught.value)
    assert damage.is_damage(caught.value)
    assert not damage.is_damage(sqlite3.OperationalError("no such table"))


def test_a_script_is_cut_between_statements() -> None:
    script = "CREATE TABLE a (x DEFAULT ';'); -- b; c\nINSERT INTO a VALUES (1);  ;"
    assert len(list(damage.statements(script))) == 2
