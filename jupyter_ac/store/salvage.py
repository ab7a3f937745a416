"""Recovers the readable rows of a damaged database into a new one.

Works table by table and row by row: unreadable parts are skipped. Only a copy of the damaged file
is opened, so the file itself stays unchanged.
"""

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

TIME_S: Final = 60.0
"""Time limit, after which the rows read so far must suffice."""

_Row: TypeAlias = tuple[object, ...]

_MAGIC: Final = b"SQLite format 3\0"
_HEADER_BYTES: Final = 100
_UTF8: Final = b"\0\0\0\x01"
_LEGACY_JOURNAL: Final = b"\x01\x01"
_FURTHEST: Final = 1 << 62
_TYPES: Final = {"TEXT": str, "INTEGER": int, "BLOB": bytes}
_UNREADABLE: Final = (sqlite3.Error, UnicodeDecodeError, OverflowError, MemoryError)
_ALL: Final = "SELECT {names} FROM {table} NOT INDEXED"
_NUMBERED: Final = "SELECT rowid, {names} FROM {table} NOT INDEXED WHERE rowid >= ? AND rowid < ?"
_INSERT: Final = "INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"
_ORPHANS: Final = """
    DELETE FROM {table} WHERE {column} IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM {parent} p WHERE p.{key} = {table}.{column})
"""


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    type: type | None
    is_key: bool

    def accepts(self, value: object) -> bool:
        """Return whether a value has the column's type; damaged values often have another one."""
        if value is None:
            return not self.is_key
        return self.type is None or isinstance(value, self.type)


def salvage(damaged: Path, target: sqlite3.Connection) -> int:
    """Copy readable rows into a database with the same tables; return their number.

    Args:
        damaged: the file; its `-wal` file is read as well.
        target: has all tables in their newest version, and an open transaction without foreign key
            checks. Its existing rows stay.
    """
    before = target.total_changes
    end = time.monotonic() + TIME_S
    with tempfile.TemporaryDirectory(prefix=".salvage-", dir=damaged.parent) as folder:
        for copy in _copies(damaged, Path(folder), target):
            _repair_schema(copy, target)
            with suppress(*_UNREADABLE, OSError), closing(_opened(copy)) as source:
                for table in _tables(target):
                    _copy_rows(source, target, table, end)
            if target.total_changes > before:
                break
    return target.total_changes - before


def _copies(damaged: Path, folder: Path, target: sqlite3.Connection) -> Iterator[Path]:
    """Yield copies to try: the file with its log, and one with a repaired header."""
    if not damaged.is_file():
        return
    whole, repaired = folder / "whole.sqlite", folder / "repaired.sqlite"
    log = damaged.with_name(f"{damaged.name}-wal")
    shutil.copyfile(damaged, whole)
    if log.is_file():
        shutil.copyfile(log, folder / "whole.sqlite-wal")
    shutil.copyfile(damaged, repaired)
    with repaired.open("rb") as file:
        found = file.read(_HEADER_BYTES)
    size = _page_size(target)
    _repair_header(repaired, found, size)
    is_plausible = (found[:16], found[16:18], found[56:60]) == (
        *(_MAGIC, (size % 65536).to_bytes(2, "big"), _UTF8),
    )
    yield from (whole, repaired) if is_plausible else (repaired, whole)


def _repair_header(path: Path, found: bytes, page_size: int) -> None:
    """Write a minimal header: the file's own size, no free pages and no log."""
    pages = path.stat().st_size // page_size
    numbers = {16: (page_size % 65536, 2), 24: (1, 4), 28: (pages, 4), 92: (1, 4)}
    header = bytearray(found[:_HEADER_BYTES].ljust(_HEADER_BYTES, b"\0"))
    header[:16], header[18:20], header[20:24] = _MAGIC, _LEGACY_JOURNAL, b"\0\x40\x20\x20"
    header[32:40], header[44:48], header[52:64] = bytes(8), b"\0\0\0\x04", bytes(12)
    header[56:60] = _UTF8
    for at, (number, width) in numbers.items():
        header[at : at + width] = number.to_bytes(width, "big")
    with path.open("r+b") as file:
        file.write(header)


def _page_size(target: sqlite3.Connection) -> int:
    (size,) = target.execute("PRAGMA page_size").fetchone()
    return int(size)


def _repair_schema(copy: Path, target: sqlite3.Connection) -> None:
    """Replace the schema of tables by the correct one, and remove parts not needed for reading."""
    tables = target.execute("SELECT sql, name FROM sqlite_master WHERE type = 'table'").fetchall()
    with suppress(*_UNREADABLE), closing(_opened(copy)) as source:
        source.execute("DELETE FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL")
        source.executemany("UPDATE sqlite_master SET sql = ? WHERE name = ?", tables)


def _opened(copy: Path) -> sqlite3.Connection:
    source = sqlite3.connect(copy, isolation_level=None)
    source.text_factory = lambda text: text.decode("utf-8", "replace")
    source.execute("PRAGMA trusted_schema=OFF")
    source.execute("PRAGMA writable_schema=ON")  # continues in spite of errors in the schema
    return source


def _tables(target: sqlite3.Connection) -> list[str]:
    """Return the tables in the order of their creation, except virtual ones."""
    found = target.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'"
        " AND name NOT LIKE 'sqlite%' ORDER BY rowid"
    )
    return [name for (name,) in found]


def _copy_rows(
    source: sqlite3.Connection, target: sqlite3.Connection, table: str, end: float
) -> None:
    with suppress(*_UNREADABLE):
        there = {column.name for column in _columns(source, table)}
        columns = [column for column in _columns(target, table) if column.name in there]
        names = ", ".join(_quoted(column.name) for column in columns)
        marks = ", ".join("?" * len(columns))
        into = _INSERT.format(table=_quoted(table), names=names, marks=marks)
        for row in _rows(source, table, columns):
            if time.monotonic() > end:
                return
            if all(column.accepts(value) for column, value in zip(columns, row, strict=True)):
                with suppress(sqlite3.Error):
                    target.execute(into, row)


def _rows(source: sqlite3.Connection, table: str, columns: Sequence[_Column]) -> Iterator[_Row]:
    """Yield all readable rows, some of them more than once."""
    names = ", ".join(_quoted(column.name) for column in columns)
    try:
        source.execute(_NUMBERED.format(table=_quoted(table), names="0"), (0, 0)).fetchone()
    except sqlite3.OperationalError:  # a table without rowids
        keys = [_quoted(column.name) for column in columns if column.is_key]
        yield from _by_key(source, _ALL.format(table=_quoted(table), names=names), keys)
    except _UNREADABLE:
        yield from _by_number(source, _NUMBERED.format(table=_quoted(table), names=names))
    else:
        yield from _by_number(source, _NUMBERED.format(table=_quoted(table), names=names))


def _by_number(source: sqlite3.Connection, query: str) -> Iterator[_Row]:
    """Skip unreadable rows in doubling steps, then read the skipped range backwards."""
    unread, start, step = 0, 0, 1
    while start < _FURTHEST:
        try:
            for number, *row in source.execute(f"{query} ORDER BY rowid", (start, _FURTHEST)):
                if number < start:
                    break  # the order is corrupt, so the loop might not end
                if start > unread:
                    yield from _backwards(source, query, (unread, number))
                yield tuple(row)
                unread, start, step = number + 1, number + 1, 1
            else:
                return
        except _UNREADABLE:
            pass
        start, step = start + step, 2 * step


def _backwards(source: sqlite3.Connection, query: str, bounds: tuple[int, int]) -> Iterator[_Row]:
    for _, *row in _readable(source, f"{query} ORDER BY rowid DESC", bounds):
        yield tuple(row)


def _by_key(source: sqlite3.Connection, query: str, keys: Sequence[str]) -> Iterator[_Row]:
    """Read from both ends, and from each possible prefix of a hash."""
    for order in ("ASC", "DESC"):
        by = ", ".join(f"{key} {order}" for key in keys)
        yield from _readable(source, f"{query} ORDER BY {by}")
    if len(keys) == 1 and _fails(source, f"{query} ORDER BY {keys[0]}"):
        part = f"{query} WHERE {keys[0]} >= ? AND {keys[0]} < ? ORDER BY {keys[0]}"
        for number in range(256):
            values = (f"{number:02x}", f"{number:02x}g")
            yield from _readable(source, part, values)
            yield from _readable(source, f"{part} DESC", values)


def _readable(
    source: sqlite3.Connection, query: str, values: tuple[object, ...] = ()
) -> Iterator[_Row]:
    """Yield rows until one can't be read."""
    with suppress(*_UNREADABLE):
        yield from source.execute(query, values)


def _fails(source: sqlite3.Connection, query: str) -> bool:
    """Return whether a query can't be read to its end."""
    try:
        for _ in source.execute(query):
            pass
    except _UNREADABLE:
        return True
    return False


def _columns(connection: sqlite3.Connection, table: str) -> list[_Column]:
    found = connection.execute(f"PRAGMA table_info({_quoted(table)})")
    return [
        _Column(name, _TYPES.get(str(kind).upper()), bool(key))
        for _, name, kind, _, _, key in found
    ]


def drop_orphans(target: sqlite3.Connection) -> None:
    """Remove rows that refer to unreadable ones, recursively."""
    tables = _tables(target)
    before = -1
    while before != target.total_changes:
        before = target.total_changes
        for table in tables:
            for pointer in target.execute(f"PRAGMA foreign_key_list({_quoted(table)})").fetchall():
                _, _, parent, column, key, *_ = pointer
                keys = [each.name for each in _columns(target, parent) if each.is_key]
                target.execute(
                    _ORPHANS.format(
                        table=_quoted(table),
                        column=_quoted(column),
                        parent=_quoted(parent),
                        key=_quoted(key or keys[0]),
                    )
                )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
