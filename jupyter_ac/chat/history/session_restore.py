"""Restores sessions after a restart; each function but the last runs inside one transaction.

The conversation is restored under a new name, so that each sitting is a session of its own in the
list; the earlier one can still be loaded and then continues under its own name.
"""

import sqlite3
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.history import row_signatures, rows, session_rows
from jupyter_ac.chat.history.events import read_events
from jupyter_ac.chat.history.session_rows import lineage
from jupyter_ac.chat.records import SessionRecord, now_ms
from jupyter_ac.ids import Identity, SessionId

MOST_LOOKED_AT: Final = 1000
"""Most sessions that are checked for one that can be continued."""


def latest(db: sqlite3.Connection, identity: Identity, worktree: str) -> SessionId | None:
    """Find the session that this person's panels used last, of those marked as the user's own.

    Looked for among the `MOST_LOOKED_AT` used last: checking a mark takes time, and a history of
    somebody else's may hold any number of sessions. A time that nobody has used counts for none.
    """
    found = db.execute(
        "SELECT session_id FROM sessions WHERE identity = ? AND worktree = ? AND aside = ''"
        " AND NOT is_deleted"
        " AND updated_ms BETWEEN 0 AND ? ORDER BY updated_ms DESC, rowid DESC LIMIT ?",
        (identity, worktree, session_rows.LATEST_MS, MOST_LOOKED_AT),
    )
    own = (name for (name,) in found if row_signatures.is_session_marked(db, name))
    name = next(own, None)
    return SessionId(name) if name is not None else None


def is_own(db: sqlite3.Connection, session_id: str) -> bool:
    """Say whether a session, with all that it goes on from, is the user's own."""
    return all(row_signatures.is_own(db, part.session_id) for part in lineage(db, session_id))


def has_turns(db: sqlite3.Connection, session_id: str) -> bool:
    """Say whether something was asked in a session itself."""
    found = db.execute("SELECT 1 FROM turns WHERE session_id = ? LIMIT 1", (session_id,))
    return found.fetchone() is not None


def begin_after(db: sqlite3.Connection, earlier: SessionId, fresh: SessionId) -> None:
    """Make a session that goes on from an earlier one, as that one is now; it is the latest."""
    db.execute(
        "INSERT INTO sessions (session_id, identity, worktree, created_ms, updated_ms, parent,"
        " parent_turns, parent_messages) SELECT ?, identity, worktree, ?, updated_ms, session_id,"
        " (SELECT MAX(number) FROM turns t WHERE t.session_id = s.session_id), ?"
        " FROM sessions s WHERE session_id = ?",
        (fresh, now_ms(), count_messages(db, earlier), earlier),
    )
    row_signatures.mark_session(db, fresh)
    session_rows.make_newest(db, fresh)


def count_messages(db: sqlite3.Connection, session_id: str) -> int:
    """Count what a page shows of a session, with what it goes on from."""
    return sum(
        sum(turn.message_count for turn in rows.read_turns(db, part)) + len(read_events(db, part))
        for part in lineage(db, session_id)
    )


def continued_unkept(earlier: SessionRecord | None, fresh: SessionId) -> SessionRecord | None:
    """Give a session that goes on from an earlier one where nothing can be written."""
    if earlier is None or not earlier.turns:
        return earlier
    return replace(earlier, session_id=fresh, revision=0)
