"""The machine's cache of parsed records, keyed by content hash.

One file for all working trees and processes. It can be lost at any time: if it is damaged in any
way, it is deleted and rebuilt, and records that can't be stored are parsed again next time.
"""

import asyncio
import hashlib
import logging
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from jupyter_ac.errors import AcError
from jupyter_ac.store.damage import is_damage
from jupyter_ac.store.sqlite_pragmas import set_journal

T = TypeVar("T")

MAX_BYTES: Final = 1 << 30
UNUSED_DAYS: Final = 30
"""A file of another format that nobody has opened for so long is removed."""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, day INTEGER NOT NULL, data BLOB NOT NULL)
"""
_SIDE_FILES: Final = ("", "-wal", "-shm", "-journal")
_KEPT_SHARE: Final = 0.75
_BUSY_S: Final = 5.0
_DAY_S: Final = 86_400
_SUM_BYTES: Final = 4

_READ: Final = "SELECT day, data FROM entries WHERE key = ?"
_WRITE: Final = """
INSERT INTO entries (key, day, data) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET day = excluded.day, data = excluded.data
"""
_TOUCH: Final = "UPDATE entries SET day = ? WHERE key = ?"
_FORGET: Final = """
DELETE FROM entries WHERE id IN (
    SELECT id FROM (
        SELECT id, sum(length(data)) OVER (ORDER BY day DESC, id DESC) AS total FROM entries)
    WHERE total > ?)
"""

_logger = logging.getLogger(__name__)


class Key(NamedTuple):
    """The key of an entry: a kind of entry, and a name that is unique within the kind."""

    kind: str
    name: str

    @classmethod
    def of_record(cls, blob: str, language: str) -> "Key":
        """Return the key of a file's record."""
        return cls(language, blob)

    @property
    def encoded(self) -> bytes:
        """As the table has it."""
        return f"{self.kind}:{self.name}".encode("utf-8", "surrogateescape")


class Cache:
    """Entries of bytes. Belongs to one event loop; SQLite has a thread of its own.

    Args:
        folder: where the file is; made when needed.
        version: of what the entries hold; each has a file of its own.
        max_bytes: what was used least recently goes beyond it.
    """

    def __init__(self, folder: Path, version: str, max_bytes: int = MAX_BYTES) -> None:
        name = hashlib.sha256(version.encode()).hexdigest()[:16]
        self.path = folder / f"index-{name}.sqlite"
        self._max_bytes = max_bytes
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="jupyter_ac-cache")
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        self._is_closed = False

    async def read(self, keys: Iterable[Key]) -> dict[Key, bytes]:
        """Return the entries that are there."""
        wanted = list(keys)
        return await self._run(lambda connection: _read(connection, wanted)) or {}

    async def write(self, entries: Mapping[Key, bytes]) -> None:
        """Store entries; returns when they are stored, or can't be."""
        await self._run(lambda connection: _write(connection, entries))

    async def tidy(self) -> None:
        """Remove what is too much or too old."""
        await self._run(self._tidy)

    async def aclose(self) -> None:
        """Close the file after the work that is queued; nothing is found in it afterwards."""
        if not self._is_closed:
            self._is_closed = True
            await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
            self._thread.shutdown(wait=False)

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        if self._is_closed:
            return None
        running = asyncio.get_running_loop().run_in_executor(self._thread, self._try, work)
        return await asyncio.shield(running)

    def _try(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Do some work; None when it can't be done, also not with a new file."""
        try:
            return work(self._open())
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if not is_damage(error) and not _is_foreign(error):
                _logger.warning("%s isn't used: %s", self.path.name, error)
                return None
            _logger.warning("%s is damaged (%s) and is made anew", self.path.name, error)
        except (OSError, AcError) as error:
            _logger.warning("%s isn't used: %s", self.path.name, error)
            return None
        self._throw_away()
        try:
            return work(self._open())
        except (sqlite3.Error, OSError, AcError) as error:
            _logger.warning("%s isn't used: %s", self.path.name, error)
            return None

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._inode != _inode(self.path):
            self._close()  # another process has thrown it away
        if self._connection is None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self.path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
            )
            try:
                connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
                set_journal(connection, self.path.parent, _BUSY_S)
                # After a power cut it may be damaged, and is rebuilt.
                connection.execute("PRAGMA synchronous=OFF")
                connection.execute(_SCHEMA)
                connection.execute(_READ, (b"",))
                self.path.chmod(0o600)
                self.path.touch()
            except BaseException:
                connection.close()
                raise
            self._connection = connection
            self._inode = _inode(self.path)
        return self._connection

    def _close(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _throw_away(self) -> None:
        self._close()
        for side in _SIDE_FILES:
            with suppress(OSError):
                self.path.with_name(self.path.name + side).unlink()

    def _tidy(self, connection: sqlite3.Connection) -> None:
        _remove_unused(self.path)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
        if pages * page_bytes > self._max_bytes:
            connection.execute(_FORGET, (int(self._max_bytes * _KEPT_SHARE),))
            connection.executescript("PRAGMA incremental_vacuum")


def _read(connection: sqlite3.Connection, wanted: list[Key]) -> dict[Key, bytes]:
    today = _today()
    found: dict[Key, bytes] = {}
    untouched = []
    for key in wanted:
        encoded = key.encoded
        row = connection.execute(_READ, (encoded,)).fetchone()
        if row is not None and _sum(encoded, row[1][_SUM_BYTES:]) == row[1][:_SUM_BYTES]:
            found[key] = row[1][_SUM_BYTES:]
            if row[0] != today:
                untouched.append((today, encoded))
    if untouched:
        with suppress(sqlite3.OperationalError):  # another process writes, or nobody can
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_TOUCH, untouched)
            connection.execute("COMMIT")
    return found


def _write(connection: sqlite3.Connection, entries: Mapping[Key, bytes]) -> None:
    today = _today()
    rows = [
        (encoded := key.encoded, today, _sum(encoded, data) + data) for key, data in entries.items()
    ]
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany(_WRITE, rows)
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _sum(key: bytes, data: bytes) -> bytes:
    """Return what shows that an entry is whole, and is this key's."""
    return zlib.crc32(data, zlib.crc32(key)).to_bytes(_SUM_BYTES)


def _remove_unused(path: Path) -> None:
    oldest = time.time() - UNUSED_DAYS * _DAY_S
    for other in path.parent.glob("index-*.sqlite*"):
        with suppress(OSError):
            if not other.name.startswith(path.name) and other.stat().st_mtime < oldest:
                other.unlink()


def _is_foreign(error: Exception) -> bool:
    """Say whether the file holds another table than ours."""
    return isinstance(error, sqlite3.OperationalError) and "no such column" in str(error)


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def _today() -> int:
    return int(time.time()) // _DAY_S
