"""The journal mode is set although other processes have the file open."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_ac.store.sqlite_pragmas import set_journal
from jupyter_ac.store.state_paths import journal_mode


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    path = tmp_path / "garden.sqlite"
    with closing(
        sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    ) as connection:
        connection.execute("CREATE TABLE plants (name)")
        connection.execute("BEGIN")
        connection.execute("SELECT * FROM plants").fetchall()
        yield connection


def mode(connection: sqlite3.Connection) -> object:
    return connection.execute("PRAGMA journal_mode").fetchone()[0]


def test_it_waits_for_whoever_reads(tmp_path: Path, reader: sqlite3.Connection) -> None:
    with closing(sqlite3.connect(tmp_path / "garden.sqlite", timeout=0)) as connection:
        ending = threading.Timer(0.1, lambda: reader.execute("COMMIT"))
        ending.start()
        set_journal(connection, tmp_path, 30)
        ending.join()
        assert mode(connection) == journal_mode(tmp_path)


@pytest.mark.usefixtures("reader")
def test_it_doesnt_wait_for_ever(tmp_path: Path) -> None:
    with (
        closing(sqlite3.connect(tmp_path / "garden.sqlite", timeout=0)) as connection,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        set_journal(connection, tmp_path, 0.05)
