"""What makes a database file unusable: damage, another program's tables, a folder in its place."""

import re
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from jupyter_ac.store.hardening import harden
from jupyter_ac.store.place_checks import is_plain_file, names_a_super_journal

CHECK_S: Final = 1.0
"""A check of a whole file ends after this; what it has not reached is met later, or never."""

_STEPS_BETWEEN_LOOKS: Final = 20_000
_BAD_FORMAT: Final = "unsupported file format"
"""What SQLite says of a damaged header, under a code that means many things."""

_VIRTUAL: Final = re.compile(r"CREATE VIRTUAL TABLE IF NOT EXISTS (\w+)")
_SHADOWS: Final = ("_data", "_idx", "_docsize", "_config", "_content")
_TABLE: Final = "CREATE TABLE "
_READ: Final = 'SELECT {names} FROM "{table}" ORDER BY {names} LIMIT 0'
_ANY: Final = "?"
"""Stands for any statement."""

SIDE_FILES: Final = ("", "-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database for the files beside it, and for itself."""

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


def is_damaged(path: Path, migrations: Sequence[str], optional: str = "") -> bool:
    """Say whether what is at a place now, which may be a new file, can't be used."""
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
    """See that what is at a place can be opened as a database without harm; it need not exist.

    Raises:
        UnusableFileError: a folder, a pipe or a device is in its place or in that of a file beside
            it; or its journal would have SQLite delete another file.
    """
    for side in SIDE_FILES:
        part = path.with_name(path.name + side)
        if not is_plain_file(part) and not part.is_symlink():
            raise UnusableFileError(f"{part.name} is no plain file")
    if names_a_super_journal(path.with_name(f"{path.name}-journal")):
        raise UnusableFileError("its journal names another file")


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


def require_ours(
    connection: sqlite3.Connection, migrations: Sequence[str], optional: str = ""
) -> None:
    """See that a file has the tables, indexes and triggers of its version, and nothing else.

    What else a file may hold is written in its schema and can run: views, triggers, generated
    columns, constraints. No transaction is opened for the look, which would keep a process that
    makes the file from going on; so while one does, this may be wrong, and is asked again before
    anything is set aside.

    Args:
        connection: to the file, outside of a transaction.
        migrations: as far as they are known.
        optional: makes a virtual table that a file may have.

    Raises:
        UnusableFileError: it has others.
        sqlite3.DatabaseError: it can't be read.
    """
    version = schema_version(connection)
    if connection.execute("PRAGMA encoding").fetchone() != ("UTF-8",):
        raise UnusableFileError("its texts are in another encoding, in which no mark is right")
    there = _schema(connection)
    if version == 0 and there:
        raise UnusableFileError("it holds the tables of another program")
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
            raise UnusableFileError(f"{name[1]} is missing or not as it should be")
    for name, made in there.items():
        if name not in expected and may_be.get(name) not in {made, _ANY}:
            raise UnusableFileError(f"it holds {name[0]} {name[1]!r}, which isn't of this program")


def _require_readable(
    connection: sqlite3.Connection, there: Mapping[tuple[str, str], str], blank: sqlite3.Connection
) -> None:
    """See that a file of a newer version, which is only read, has all that is read of it.

    That is our tables, as tables, with our columns; a view, a virtual table or a generated column
    of such a name is somebody's program. Whatever else the file holds is passed over.

    Raises:
        UnusableFileError: it doesn't have them.
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
            # In their order, for which the columns' collations have to be known.
            names = ", ".join(f'"{table}"."{column}"' for column in sorted(columns))
            connection.execute(_READ.format(names=names, table=table))
        except sqlite3.OperationalError as error:
            if primary_code(error) != sqlite3.SQLITE_ERROR:
                raise
            raise UnusableFileError(f"the table {table} can't be read") from error


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    """Return the names of a table's columns, generated ones left out."""
    columns = {name for _, name, *_ in connection.execute(f'PRAGMA table_info("{table}")')}
    with suppress(sqlite3.OperationalError):
        connection.execute(_READ.format(names="rowid", table=table))
        columns.add("rowid")
    return columns


def _further(blank: sqlite3.Connection, optional: str) -> Mapping[tuple[str, str], str]:
    """Return what a virtual table adds to a schema; where it can't be made, its names only."""
    before = _schema(blank)
    try:
        blank.executescript(optional)
    except sqlite3.OperationalError:
        found = _VIRTUAL.search(optional)
        names = [f"{found[1]}{end}" for end in ("", *_SHADOWS)] if found is not None else []
        return {("table", name): _ANY for name in names}
    return {name: made for name, made in _schema(blank).items() if name not in before}


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


def _schema(connection: sqlite3.Connection) -> Mapping[tuple[str, str], str]:
    """Return what a file's schema holds, by kind and name: the statement that made it."""
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
