"""Stores a person's mode in a worktree: code or documents, and whether both maps are sent."""

import sqlite3
from typing import get_args

from jupyter_ac.chat.history import row_signatures
from jupyter_ac.chat.records import Focus
from jupyter_ac.events import Mode
from jupyter_ac.ids import Identity
from jupyter_ac.store.sqlite import Database


class FocusStore:
    """The focuses of one worktree.

    Args:
        database: as of `HistoryStore`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
    """

    def __init__(self, database: Database, worktree: str) -> None:
        self._database = database
        self._worktree = worktree

    async def read(self, identity: Identity) -> Focus:
        """Return the stored mode of this person; the default if the row isn't the user's own."""

        def find(db: sqlite3.Connection) -> Focus:
            row = db.execute(
                row_signatures.sql(
                    "SELECT mode, cross_ref FROM focuses"
                    " WHERE identity = ? AND worktree = ? AND mark IS {focus}"
                ),
                (identity, self._worktree),
            ).fetchone()
            known = {str(mode): mode for mode in get_args(Mode)}
            if row is None or row[0] not in known:
                return Focus()
            return Focus(known[row[0]], bool(row[1]))

        return await self._database.run(find)

    async def keep(self, identity: Identity, focus: Focus) -> None:
        """Replace it."""
        key = (identity, self._worktree)

        def write(db: sqlite3.Connection) -> None:
            db.execute(
                "INSERT OR REPLACE INTO focuses (identity, worktree, mode, cross_ref)"
                " VALUES (?, ?, ?, ?)",
                (*key, focus.mode, int(focus.cross_ref)),
            )
            db.execute(
                row_signatures.sql(
                    "UPDATE focuses SET mark = {focus} WHERE identity = ? AND worktree = ?"
                ),
                key,
            )

        await self._database.run(write)
