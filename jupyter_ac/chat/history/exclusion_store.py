"""Stores which files of a repository are never sent, the same for all persons and worktrees.

A list that isn't as long as it was written, since the database was damaged or deleted, is completed
from its copy (`exclusion_copy`).

Rows bear no mark of a user's: they only keep text back, so one that came with a repository, or
that another person has written, holds as well.
"""

import asyncio
import sqlite3
from collections.abc import Collection, Iterable
from typing import Final

from jupyter_ac.chat.history import exclusion_copy
from jupyter_ac.errors import TooLarge
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.git.paths import is_stored_path
from jupyter_ac.ids import RepoPath
from jupyter_ac.store.sqlite import Database

MAX_EXCLUDED: Final = 10_000
"""Files and folders of one repository."""

_READ: Final = "SELECT path, since FROM excluded_paths ORDER BY path LIMIT ?"
_CLEAR: Final = "DELETE FROM excluded_paths"
_WRITE: Final = "INSERT OR IGNORE INTO excluded_paths (path, since) VALUES (?, ?)"
_MAX_NUMBER: Final = 1 << 53
_NUMBER: Final = (
    "SELECT MAX(number) FROM (SELECT number FROM exclusions"
    " UNION ALL SELECT since FROM excluded_paths WHERE typeof(since) = 'integer')"
    " WHERE number BETWEEN 0 AND ?"
)
_FORGET_NUMBERS: Final = "DELETE FROM exclusions"
_COUNT: Final = "INSERT INTO exclusions (number, paths) VALUES (?, ?)"
_IS_WHOLE: Final = (
    "SELECT (SELECT paths FROM exclusions ORDER BY number DESC LIMIT 1)"
    " IS (SELECT COUNT(*) FROM excluded_paths)"
)


class ExcludedPathStore:
    """The excluded files and folders of a repository.

    Args:
        database: as of `HistoryStore`; the caller closes it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._folder = database.path.parent

    async def read(self) -> tuple[RepoPath, ...]:
        """Return them in the order of their bytes.

        Raises:
            AcError: as of `listed`.
        """
        return (await self.listed()).paths

    async def listed(self) -> ExcludedPaths:
        """Return them with the numbers of the changes that have excluded them.

        Raises:
            AcError: the disk fails, or what was excluded before a damage can't be known.
        """
        found, is_whole = await self._database.read(_listed)
        kept = () if is_whole else await asyncio.to_thread(exclusion_copy.read, self._folder)
        if not kept:
            return found
        if self._database.read_only is not None:
            return ExcludedPaths(tuple(sorted({*found.paths, *kept})))
        await self._database.run(lambda db: self._complete(db, kept))
        return (await self._database.read(_listed))[0]

    async def replace(self, paths: Iterable[RepoPath]) -> None:
        """Store these in place of all others.

        Raises:
            TooLarge: they are too many.
            AcError: the disk fails.
        """
        wanted = list(paths)
        await self._database.run(lambda db: self._replace(db, wanted))

    async def follow(
        self, old: RepoPath, new: RepoPath
    ) -> tuple[tuple[RepoPath, ...], tuple[RepoPath, ...]]:
        """Exclude a file or folder also under its new name, and what is in it.

        What leaves an excluded folder stays excluded.

        Returns:
            the entries that are about the old name alone, and those that came.

        Raises:
            TooLarge: they are too many.
            AcError: the disk fails.
        """

        def write(db: sqlite3.Connection) -> tuple[tuple[RepoPath, ...], tuple[RepoPath, ...]]:
            known = _read(db)
            left = tuple(path for path in known if path == old or path.startswith(f"{old}/"))
            wanted = [RepoPath(new + path[len(old) :]) for path in left]
            if any(old.startswith(f"{path}/") for path in known):
                wanted.append(new)
            added = tuple(path for path in dict.fromkeys(wanted) if path not in known)
            if added:
                self._replace(db, [*known, *added])
            return left, added

        return await self._database.run(write)

    async def forget(self, paths: Iterable[RepoPath]) -> None:
        """Exclude these entries no longer.

        Raises:
            AcError: the disk fails.
        """
        gone = set(paths)
        if gone:
            await self._database.run(
                lambda db: self._replace(db, [path for path in _read(db) if path not in gone])
            )

    def _complete(self, db: sqlite3.Connection, kept: Collection[RepoPath]) -> None:
        """Add what the copy has, unless another process has done so meanwhile."""
        if not _listed(db)[1]:
            self._replace(db, [*_read(db), *kept])

    def _replace(self, db: sqlite3.Connection, paths: Collection[RepoPath]) -> None:
        wanted = set(paths)
        if len(wanted) > MAX_EXCLUDED:
            raise TooLarge(
                f"At most {MAX_EXCLUDED:,} files and folders can be excluded; exclude a folder as "
                "a whole instead."
            )
        known = _rows(db)
        number = _number(db) + (not wanted.issubset(known))
        db.execute(_FORGET_NUMBERS)
        db.execute(_COUNT, (number, len(wanted)))
        db.execute(_CLEAR)
        rows = [
            (path.encode("utf-8", "surrogateescape"), known.get(path, number)) for path in wanted
        ]
        db.executemany(_WRITE, sorted(rows))
        exclusion_copy.write(self._folder, wanted)


def _listed(db: sqlite3.Connection) -> tuple[ExcludedPaths, bool]:
    """Return the list, and whether it is as long as it was written."""
    rows = _rows(db)
    (is_whole,) = db.execute(_IS_WHOLE).fetchone()
    found = ExcludedPaths(tuple(rows), since=tuple(rows.values()), number=_number(db))
    return found, bool(is_whole)


def _read(db: sqlite3.Connection) -> tuple[RepoPath, ...]:
    return tuple(_rows(db))


def _rows(db: sqlite3.Connection) -> dict[RepoPath, int]:
    """Return the paths, each with the number of the change that has excluded it."""
    found = db.execute(_READ, (MAX_EXCLUDED,)).fetchall()
    rows = [(bytes(path).decode("utf-8", "surrogateescape"), since) for path, since in found]
    return {
        RepoPath(path): since if isinstance(since, int) and 0 <= since <= _MAX_NUMBER else 0
        for path, since in rows
        if is_stored_path(path)
    }


def _number(db: sqlite3.Connection) -> int:
    """Return the number of the last change that has excluded something; 0 for none."""
    (number,) = db.execute(_NUMBER, (_MAX_NUMBER,)).fetchone()
    return int(number or 0)
