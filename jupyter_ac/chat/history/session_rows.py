"""Creates, updates and orders the rows of sessions, and finds the sessions that one continues.

Each function runs inside one transaction.
"""

import sqlite3
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.history import row_signatures
from jupyter_ac.chat.records import TurnPosition, now_ms
from jupyter_ac.errors import Conflict

LATEST_MS: Final = 253_402_300_799_000
"""The end of the year 9999; later times are nobody's."""

_MOST_CHANGES: Final = 1 << 53


def make_session(db: sqlite3.Connection, place: TurnPosition, worktree: str, at_ms: int) -> None:
    """Make a session, marked as the user's own; one that is there already stays as it is."""
    made = db.execute(
        "INSERT OR IGNORE INTO sessions"
        " (session_id, identity, worktree, created_ms, updated_ms, aside)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            place.session_id,
            place.conversation_key.identity,
            worktree,
            at_ms,
            at_ms,
            place.conversation_key.column,
        ),
    )
    if made.rowcount > 0:
        row_signatures.mark_session(db, place.session_id)


def touch_session(db: sqlite3.Connection, place: TurnPosition, worktree: str) -> None:
    """Make the session exist at the next revision.

    Raises:
        Conflict: it isn't at `place.revision`.
        AccessDenied: it isn't the user's own.
    """
    if (read_revision(db, place.session_id) or 0) != place.revision:
        raise Conflict("The conversation was changed by another Jupyter server.")
    make_session(db, place, worktree, now_ms())
    row_signatures.require_marked(db, place.session_id)
    with row_signatures.changing_session(db, place.session_id):
        db.execute(
            "UPDATE sessions SET aside = CASE aside WHEN '' THEN '' ELSE ? END"
            " WHERE session_id = ?",
            (place.conversation_key.column, place.session_id),
        )
    raise_revision(db, place.session_id)


def raise_revision(db: sqlite3.Connection, session_id: str) -> None:
    """Note that the session has changed, which makes it the one used last."""
    revision = read_revision(db, session_id)
    if revision is not None:
        values = (revision + 1, session_id)
        db.execute("UPDATE sessions SET revision = ? WHERE session_id = ?", values)
    make_newest(db, session_id)


def make_newest(db: sqlite3.Connection, session_id: str) -> None:
    """Make a session the one used last of its owner's, also after the clock was put back."""
    db.execute(
        "UPDATE sessions SET updated_ms = MIN(:last, MAX(:now, COALESCE(("
        " SELECT MAX(other.updated_ms) + 1"
        " FROM sessions other WHERE other.identity = sessions.identity"
        " AND other.worktree = sessions.worktree AND other.updated_ms BETWEEN 0 AND :last), 0)))"
        " WHERE session_id = :session",
        {"last": LATEST_MS, "now": now_ms(), "session": session_id},
    )


def read_revision(db: sqlite3.Connection, session_id: str) -> int | None:
    """Read how often a session has changed; None when there is none of this name."""
    row = db.execute("SELECT revision FROM sessions WHERE session_id = ?", (session_id,)).fetchone()
    if row is None:
        return None
    # As no program of ours writes it, where it is anything else.
    return row[0] if isinstance(row[0], int) and abs(row[0]) < _MOST_CHANGES else 0


_LONGEST: Final = 1000
"""So many restarts in a row are followed back; also a ring in a damaged file ends there."""

_NO_END: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class LineagePart:
    """The part of a lineage that comes from one session.

    Attributes:
        session_id: that session.
        turns: its turns up to this number belong to it.
        until_ms: its events and removals up to this moment belong to it.
    """

    session_id: str
    turns: int = _NO_END
    until_ms: int = _NO_END


def lineage(db: sqlite3.Connection, session_id: str) -> list[LineagePart]:
    """Give the parts of a session, the oldest first; the last one is the session itself."""
    parts = [LineagePart(session_id)]
    seen = {session_id}
    while len(parts) < _LONGEST:
        row = db.execute(
            "SELECT s.parent, s.parent_turns, s.created_ms FROM sessions s"
            " JOIN sessions p ON p.session_id = s.parent"
            " AND p.identity = s.identity AND p.worktree = s.worktree"  # nobody else's
            " WHERE s.session_id = ?",
            (parts[-1].session_id,),
        ).fetchone()
        if row is None or row[0] in seen or not all(isinstance(each, int) for each in row[1:]):
            break
        seen.add(row[0])
        parts.append(LineagePart(*row))
    return parts[::-1]
