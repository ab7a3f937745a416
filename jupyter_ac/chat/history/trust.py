"""Counts and trusts conversations that lack this user's signatures.

They came with the repository, were stored by a version without marks, or in another place, or were
changed since. These cases can't be distinguished, so the user is asked, once for all of them.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from jupyter_ac.chat.history import row_signatures
from jupyter_ac.ids import Identity
from jupyter_ac.store.sqlite import Database

MOST_LOOKED_AT: Final = 2000
"""So many sessions are looked at for those that aren't the person's own."""

_AT_ONCE: Final = 50
_COUNT: Final = row_signatures.sql("""
    SELECT COUNT(*) FROM sessions WHERE mark IS NOT {session} AND rowid IN (
        SELECT s.rowid FROM sessions s WHERE identity = ? AND worktree = ?
            AND EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.session_id)
        ORDER BY s.rowid LIMIT ?)
""")
_BESIDE: Final = (
    "UPDATE selections SET mark = {selection} WHERE identity = ?",
    "UPDATE focuses SET mark = {focus} WHERE identity = ?",
    "UPDATE pages SET mark = {page} WHERE identity = ?",
    """UPDATE edited_files SET mark = {edited_file} WHERE batch IN (
        SELECT turn_id FROM turns t JOIN sessions USING (session_id) WHERE identity = ?)""",
    """UPDATE edit_journals SET mark = {edit_journal} WHERE batch IN (
        SELECT turn_id FROM turns t JOIN sessions USING (session_id) WHERE identity = ?)""",
)


@dataclass(frozen=True, slots=True)
class TrustedSessions:
    """The result of trusting sessions.

    Attributes:
        trusted: how many sessions are the user's own now and weren't before.
        refused: how many can't be: what they have sent isn't what its hash says.
    """

    trusted: int
    refused: int


class HistoryTrust:
    """Whether the sessions of a history are their person's own.

    Args:
        database: as of `HistoryStore`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
    """

    def __init__(self, database: Database, worktree: str) -> None:
        self._database = database
        self._worktree = worktree

    async def foreign(self, identity: Identity) -> int:
        """Count the sessions of a person in this worktree that aren't marked as their own."""
        return await self._database.read(lambda db: count_foreign(db, identity, self._worktree))

    async def trust(self, identity: Identity) -> TrustedSessions:
        """Mark all sessions of a person as their own, with what was selected and edited in them.

        A piece at a time, so that nobody waits for long.

        Raises:
            AcError: the disk fails.
        """
        names = await self._database.read(lambda db: _sessions(db, identity))
        trusted = refused = 0
        for start in range(0, len(names), _AT_ONCE):
            part = names[start : start + _AT_ONCE]
            counts = await self._database.run(partial(_trust, names=part))
            trusted, refused = trusted + counts[0], refused + counts[1]
        await self._database.run(partial(_trust_beside, identity=identity))
        return TrustedSessions(trusted, refused)


def count_foreign(db: sqlite3.Connection, identity: Identity, worktree: str) -> int:
    """Count the sessions of a person that aren't marked as their own and hold a question.

    Among the `MOST_LOOKED_AT` that were made first: what came from elsewhere was there before.
    """
    (count,) = db.execute(_COUNT, (identity, worktree, MOST_LOOKED_AT)).fetchone()
    return int(count)


def _sessions(db: sqlite3.Connection, identity: Identity) -> list[str]:
    found = db.execute(
        "SELECT session_id FROM sessions WHERE identity = ? AND typeof(session_id) = 'text'",
        (identity,),
    )
    return [name for (name,) in found]


def _trust(db: sqlite3.Connection, names: Sequence[str]) -> tuple[int, int]:
    trusted = refused = 0
    for name in names:
        if row_signatures.is_own(db, name):
            continue
        if row_signatures.has_changed_blocks(db, name):
            refused += 1
            continue
        row_signatures.mark_all(db, name)
        trusted += 1
    return trusted, refused


def _trust_beside(db: sqlite3.Connection, identity: Identity) -> None:
    for statement in _BESIDE:
        db.execute(row_signatures.sql(statement), (identity,))
