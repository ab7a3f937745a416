"""Stores sets of files that a person has saved under a name, the same in all worktrees."""

import sqlite3
from collections.abc import Sequence
from typing import Final

import orjson

from jupyter_ac.chat.history import row_signatures
from jupyter_ac.context_rows import FileSet
from jupyter_ac.errors import AlreadyExists, NotFound, TooLarge
from jupyter_ac.ids import Identity, RepoPath
from jupyter_ac.store.sqlite import Database

MAX_SETS: Final = 100
"""Of one person in one repository."""

_READ: Final = """
    SELECT name, paths FROM file_sets WHERE identity = ? AND mark IS {file_set}
    ORDER BY name LIMIT ?
"""
_WRITE: Final = "INSERT OR REPLACE INTO file_sets VALUES (?, ?, ?, x'')"
_MARK: Final = "UPDATE file_sets SET mark = {file_set} WHERE identity = ? AND name = ?"
_DROP: Final = "DELETE FROM file_sets WHERE identity = ? AND name = ?"


class FileSetStore:
    """The sets of a repository.

    Args:
        database: as of `HistoryStore`; the caller closes it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, identity: Identity) -> list[FileSet]:
        """Return those of a person by name, without rows that aren't the user's own."""
        return await self._database.run(lambda db: _read(db, identity))

    async def keep(self, identity: Identity, name: str, paths: Sequence[RepoPath]) -> None:
        """Store a set, in place of the one with this name.

        Raises:
            TooLarge: there are as many sets as can be.
        """
        stored = orjson.dumps([path.encode("utf-8", "surrogateescape").hex() for path in paths])

        def write(db: sqlite3.Connection) -> None:
            names = {known["name"] for known in _read(db, identity)}
            if name not in names and len(names) >= MAX_SETS:
                raise TooLarge(f"At most {MAX_SETS} sets can be saved; delete one first.")
            _put(db, identity, name, stored.decode())

        await self._database.run(write)

    async def rename(self, identity: Identity, name: str, new: str) -> None:
        """Give a set another name.

        Raises:
            NotFound: there is no such set.
            AlreadyExists: another one has the name.
        """

        def write(db: sqlite3.Connection) -> None:
            _require(db, identity, name)
            if new == name:
                return
            if any(known["name"] == new for known in _read(db, identity)):
                raise AlreadyExists(f"There is a set {new!r} already; choose another name.")
            query = "SELECT paths FROM file_sets WHERE identity = ? AND name = ?"
            (paths,) = db.execute(query, (identity, name)).fetchone()
            _put(db, identity, new, str(paths))
            db.execute(_DROP, (identity, name))

        await self._database.run(write)

    async def delete(self, identity: Identity, name: str) -> None:
        """Forget a set; the files stay.

        Raises:
            NotFound: there is no such set.
        """

        def write(db: sqlite3.Connection) -> None:
            _require(db, identity, name)
            db.execute(_DROP, (identity, name))

        await self._database.run(write)


def _put(db: sqlite3.Connection, identity: Identity, name: str, paths: str) -> None:
    db.execute(_WRITE, (identity, name, paths))
    db.execute(row_signatures.sql(_MARK), (identity, name))


def _require(db: sqlite3.Connection, identity: Identity, name: str) -> None:
    if not any(known["name"] == name for known in _read(db, identity)):
        raise NotFound(f"There is no set {name!r}.")


def _read(db: sqlite3.Connection, identity: Identity) -> list[FileSet]:
    rows = db.execute(row_signatures.sql(_READ), (identity, MAX_SETS)).fetchall()
    return [{"name": str(name), "paths": _paths(paths)} for name, paths in rows]


def _paths(stored: object) -> list[str]:
    """Rebuild the paths: hexadecimal, since a name that isn't UTF-8 is no SQLite text."""
    try:
        found = orjson.loads(str(stored))
        return [bytes.fromhex(path).decode("utf-8", "surrogateescape") for path in found]
    except (ValueError, TypeError):
        return []
