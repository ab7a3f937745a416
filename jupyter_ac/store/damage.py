"""What makes a database file unusable: damage, another program's tables, a folder in its place."""

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

CHECK_S: Final = 1.0
"""A check of a whole file ends after this; what it has not reached is met later, or never."""

_STEPS_BETWEEN_LOOKS: Final = 20_000
_BAD_FORMAT: Final = "unsupported file format"
"""What SQLite says of a damaged header, under a code that means many things."""

_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class UnusableFileError(sqlite3.DatabaseError):
    """The file is no database of ours, although SQLite may read it."""


class UnreadableTableError(UnusableFileError):
    """SQLite can't make sense of a table's definition, which a look at the pages doesn't find."""


def primary_code(error: sqlite3.Error) -> int:
    """Return the primary result code; 0 for errors of the Python module itself."""
    extended = getattr(error, "sqlite_errorcode", 0)
    return int(extended) & 0xFF


def is_damage(error: Exception) -> bool:
    """Say whether an error means that the file can't be used as it is."""
    if isinstance(error, UnusableFileError) or is_undecodable(error):
        return True
    if not isinstance(error, sqlite3.Error):
        return False
    return primary_code(error) in _DAMAGED or _BAD_FORMAT in str(error)


def is_undecodable(error: Exception) -> bool:
    """Say whether an error is about text that is none, which a look at the pages doesn't find."""
    return isinstance(error, UnicodeDecodeError) or "Could not decode to UTF-8" in str(error)


def is_damaged(path: Path, migrations: Sequence[str]) -> bool:
    """Say whether what is at a place now, which may be a new file, can't be used."""
    if path.is_dir():
        return True
    with closing(sqlite3.connect(path, timeout=1.0, isolation_level=None)) as connection:
        try:
            require_sound(connection, None)
            require_ours(connection, migrations)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            return is_damage(error)
    return False


def require_sound(connection: sqlite3.Connection, limit_s: float | None = CHECK_S) -> None:
    """Look at the file's pages.

    Args:
        connection: to the file.
        limit_s: after this the rest is passed over; None for no limit.

    Raises:
        sqlite3.DatabaseError: something is wrong with them.
    """
    if limit_s is not None:
        end = time.monotonic() + limit_s
        connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS_BETWEEN_LOOKS)
    try:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        if primary_code(error) != sqlite3.SQLITE_INTERRUPT:
            raise
        return
    finally:
        connection.set_progress_handler(None, 0)
    if found != ("ok",):
        raise UnusableFileError("a page is damaged")


def require_ours(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """See that a file has the tables of its version.

    No transaction is opened for that, which would keep a process that makes the file from going on;
    so while one does, this may be wrong, and is asked again before anything is set aside.

    Args:
        connection: to the file, outside of a transaction.
        migrations: as far as they are known.

    Raises:
        UnusableFileError: it has others.
        sqlite3.DatabaseError: it can't be read.
    """
    version = schema_version(connection)
    there = _columns(connection)
    if version == 0 and there:
        raise UnusableFileError("it holds the tables of another program")
    is_newer = version > len(migrations)
    with closing(sqlite3.connect(":memory:")) as blank:
        for script in migrations[: 1 if is_newer else version]:
            blank.executescript(script)
        expected = _columns(blank)
    for table, columns in expected.items():
        if table not in there or not (is_newer or columns <= there[table]):
            raise UnusableFileError(f"the table {table} is missing or not as it should be")


def schema_version(connection: sqlite3.Connection) -> int:
    """Return which migration was the last."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def statements(script: str) -> Iterator[str]:
    """Split a script; `executescript` would commit the transaction that is under way."""
    pending = ""
    for piece in script.split(";"):
        pending += piece + ";"
        if sqlite3.complete_statement(pending):
            if pending.strip(" \t\r\n;"):
                yield pending
            pending = ""
    if pending.strip(" \t\r\n;"):
        yield pending


def _columns(connection: sqlite3.Connection) -> Mapping[str, frozenset[str]]:
    """Return the columns of each ordinary table."""
    found = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        " AND sql NOT LIKE 'CREATE VIRTUAL%'"
    ).fetchall()
    return {
        name: frozenset(row[1] for row in connection.execute(_table_info(name)))
        for (name,) in found
    }


def _table_info(table: str) -> str:
    quoted = table.replace('"', '""')
    return f'PRAGMA table_info("{quoted}")'
