"""The lineage of a session: itself, and before it the sessions that it continues."""

import sqlite3
from dataclasses import dataclass
from typing import Final

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
