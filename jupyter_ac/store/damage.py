"""Detects unusable database files: damaged ones, foreign ones, and special files in their place."""

import re
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from jupyter_ac.store.hardening import harden
from jupyter_ac.store.path_checks import is_regular_or_missing, names_a_super_journal

CHECK_S: Final = 1.0
"""Time limit for checking a whole file; damage in the unchecked rest is found later, or never."""

_STEPS_BETWEEN_LOOKS: Final = 20_000
_BAD_FORMAT: Final = "unsupported file format"
"""SQLite's message for a damaged header, whose result code has many meanings."""

_VIRTUAL: Final = re.compile(r"CREATE VIRTUAL TABLE IF NOT EXISTS (\w+)")
_SHADOWS: Final = ("_data", "_idx", "_docsize", "_config", "_content")
_TABLE: Final = "CREATE TABLE "
_READ: Final = 'SELECT {names} FROM "{table}" ORDER BY {names} LIMIT 0'
_ANY: Final = "?"
"""Placeholder for any statement."""

SIDE_FILES: Final = ("", "-wal", "-shm", "-journal")
"""Suffixes of the database file itself ("") and of SQLite's files beside it."""

_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class UnusableFileError(sqlite3.DatabaseError):
    """The file is not a database of this program, although SQLite may read it."""


class UnreadableTableError(UnusableFileError):
    """SQLite can't parse a table's definition; a check of the pages doesn't find this."""


def primary_code(error: sqlite3.Error) -> int:
    """Return the primary result code; 0 for errors of the Python module itself."""
    extended = getattr(error, "sqlite_errorcode", 0)
    return int(extended) & 0xFF


def is_damage(error: Exception) -> bool:
    """Return whether an error means that the file is not usable."""
    if isinstance(error, UnusableFileError) or is_undecodable(error):
        return True
    if not isinstance(error, sqlite3.Error):
        return False
    return primary_code(error) in _DAMAGED or _BAD_FORMAT in str(error)


def is_undecodable(error: Exception) -> bool:
    """Return whether an error is about invalid text; a check of the pages doesn't find this."""
    return isinstance(error, UnicodeDecodeError) or "Could not decode to UTF-8" in str(error)


def is_damaged(path: Path, migrations: Sequence[str], optional: str = "") -> bool:
    """Return whether the present file at a path, which may be a new one, is not usable."""
    try:
        require_file(path)
    except UnusableFileError:
        return True
    with closing(sqlite3.connect(path, timeout=1.0, isolation_level=None)) as connection:
        try:
            harden(connection)
            require_sound(connection, None)
            require_ours(connection, migrations, optional)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            return is_damage(error)
    return False


def require_file(path: Path) -> None:
    """Check that a path can safely be opened as a database; it need not exist.

    Raises:
        UnusableFileError: a folder, a pipe or a device is at its path or that of a file beside it;
            or its journal would make SQLite delete another file.
    """
    for side in SIDE_FILES:
        part = path.with_name(path.name + side)
        if not is_regular_or_missing(part) and not part.is_symlink():
            raise UnusableFileError(f"{part.name} is not a regular file")
    if names_a_super_journal(path.with_name(f"{path.name}-journal")):
        raise UnusableFileError("its journal names another file")


def require_sound(connection: sqlite3.Connection, limit_s: float | None = CHECK_S) -> None:
    """Check the file's pages.

    Args:
        connection: to the file.
        limit_s: time limit, after which the rest is not checked; None for no limit.

    Raises:
        sqlite3.DatabaseError: a page is damaged.
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


def require_ours(
    connection: sqlite3.Connection, migrations: Sequence[str], optional: str = ""
) -> None:
    """Check that a file has exactly the tables, indexes and triggers of its schema version.

    Other objects in a schema can execute code: views, triggers, generated columns, constraints. The
    check opens no transaction, which would block a process that is just creating the file; so
    during such a creation it may fail wrongly, and it is repeated before a file is set aside.

    Args:
        connection: to the file, outside of a transaction.
        migrations: all known ones.
        optional: script for a virtual table that a file may have.

    Raises:
        UnusableFileError: the schema differs.
        sqlite3.DatabaseError: it can't be read.
    """
    version = schema_version(connection)
    if connection.execute("PRAGMA encoding").fetchone() != ("UTF-8",):
        raise UnusableFileError("its text encoding is not UTF-8")
    there = _schema(connection)
    if version == 0 and there:
        raise UnusableFileError("it contains tables of another program")
    is_newer = version > len(migrations)
    with closing(sqlite3.connect(":memory:")) as blank:
        for script in migrations if is_newer else migrations[:version]:
            blank.executescript(script)
        expected = _schema(blank)
        if is_newer:
            _require_readable(connection, there, blank)
            return
        may_be = _further(blank, optional)
    for name, made in expected.items():
        if there.get(name) != made:
            raise UnusableFileError(f"{name[1]} is missing or wrong")
    for name, made in there.items():
        if name not in expected and may_be.get(name) not in {made, _ANY}:
            raise UnusableFileError(f"it contains the foreign {name[0]} {name[1]!r}")


def _require_readable(
    connection: sqlite3.Connection, there: Mapping[tuple[str, str], str], blank: sqlite3.Connection
) -> None:
    """Check that a file of a newer version, which is only read, has all tables and columns to read.

    They must be real tables and columns: a view, a virtual table or a generated column of that name
    can execute code. Other contents of the file are ignored.

    Raises:
        UnusableFileError: something is missing.
        sqlite3.DatabaseError: it can't be read.
    """
    for kind, table in _schema(blank):
        if kind != "table":
            continue
        if not there.get((kind, table), "").startswith(_TABLE):
            raise UnusableFileError(f"the table {table} is missing")
        columns = _columns(blank, table)
        if not columns <= _columns(connection, table):
            raise UnusableFileError(f"the table {table} lacks columns")
        try:
            # The ORDER BY fails if a column's collation is unknown.
            names = ", ".join(f'"{table}"."{column}"' for column in sorted(columns))
            connection.execute(_READ.format(names=names, table=table))
        except sqlite3.OperationalError as error:
            if primary_code(error) != sqlite3.SQLITE_ERROR:
                raise
            raise UnusableFileError(f"the table {table} can't be read") from error


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    """Return the names of a table's columns, except generated ones."""
    columns = {name for _, name, *_ in connection.execute(f'PRAGMA table_info("{table}")')}
    with suppress(sqlite3.OperationalError):
        connection.execute(_READ.format(names="rowid", table=table))
        columns.add("rowid")
    return columns


def _further(blank: sqlite3.Connection, optional: str) -> Mapping[tuple[str, str], str]:
    """Return the schema entries of a virtual table; only their names if it can't be created."""
    before = _schema(blank)
    try:
        blank.executescript(optional)
    except sqlite3.OperationalError:
        found = _VIRTUAL.search(optional)
        names = [f"{found[1]}{end}" for end in ("", *_SHADOWS)] if found is not None else []
        return {("table", name): _ANY for name in names}
    return {name: made for name, made in _schema(blank).items() if name not in before}


def schema_version(connection: sqlite3.Connection) -> int:
    """Return the number of applied migrations."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def statements(script: str) -> Iterator[str]:
    """Split a script into statements; `executescript` would commit the open transaction."""
    pending = ""
    for piece in script.split(";"):
        pending += piece + ";"
        if sqlite3.complete_statement(pending):
            if pending.strip(" \t\r\n;"):
                yield pending
            pending = ""
    if pending.strip(" \t\r\n;"):
        yield pending


def _schema(connection: sqlite3.Connection) -> Mapping[tuple[str, str], str]:
    """Return a file's schema: the SQL statement by kind and name."""
    found = connection.execute(
        "SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(sql AS BLOB) FROM sqlite_master"
    )
    rows = [[_plain(value) for value in row] for row in found]
    return {
        (kind, name): " ".join(sql.split())
        for kind, name, sql in rows
        if not name.startswith("sqlite_")
    }


def _plain(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "replace")
