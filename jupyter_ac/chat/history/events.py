"""Stores system events: what happened outside the talk, and the turn after which it is shown."""

import secrets
import sqlite3
from typing import Final

from jupyter_ac.chat.history import index, row_signatures, session_rows
from jupyter_ac.chat.history.session_rows import LineagePart
from jupyter_ac.chat.history.stored_values import bounded
from jupyter_ac.chat.records import SystemEvent, TurnPosition, now_ms
from jupyter_ac.ids import ConversationKey, SessionId
from jupyter_ac.store.sqlite import Database

MOST_CHARS: Final = 2000

_EVENTS: Final = (
    "SELECT message_id, kind, {content}, created_ms, after_turn FROM messages"
    " WHERE session_id = ? AND turn_id IS NULL AND role = 'system' AND created_ms <= ?"
    " ORDER BY created_ms, rowid"
).replace("{content}", bounded("content"))


class HistoryEvents:
    """The system events of one worktree's sessions.

    Args:
        database: as of `HistoryStore`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
    """

    def __init__(self, database: Database, worktree: str) -> None:
        self._database = database
        self._worktree = worktree

    async def add(
        self, conversation_key: ConversationKey, session_id: SessionId, event: SystemEvent
    ) -> int | None:
        """Keep an event; return the session's revision after it.

        A session that is not on disk yet is made; None for one of another person, and for one that
        isn't the user's own.
        """
        now = event.created_ms
        place = TurnPosition(conversation_key, session_id, 0)
        kept = (event.event_id, session_id, event.text, now, event.kind, event.after_turn)

        def write(db: sqlite3.Connection) -> int | None:
            session_rows.make_session(db, place, self._worktree, now)
            row = db.execute(
                "SELECT revision + 1 FROM sessions"
                " WHERE session_id = ? AND identity = ? AND worktree = ?",
                (session_id, conversation_key.identity, self._worktree),
            ).fetchone()
            if row is None or not row_signatures.is_session_marked(db, session_id):
                return None
            db.execute("UPDATE sessions SET revision = ? WHERE session_id = ?", (*row, session_id))
            db.execute(
                "INSERT INTO messages"
                " (message_id, session_id, role, content, created_ms, kind, after_turn)"
                " VALUES (?, ?, 'system', ?, ?, ?, ?)",
                kept,
            )
            index.await_indexing(db, event.event_id)
            return int(row[0])

        return await self._database.run(write)


def new_event(kind: str, text: str, after_turn: str) -> SystemEvent:
    """Make an event that happens now.

    Args:
        kind: one word.
        text: for the user; cut when it is very long.
        after_turn: the turn behind which it is shown.
    """
    moment = now_ms()
    name = f"event_{moment}_{secrets.token_hex(4)}"
    return SystemEvent(name, kind, text[:MOST_CHARS], moment, after_turn)


def read_events(db: sqlite3.Connection, part: LineagePart) -> list[SystemEvent]:
    """Read the events of a session's part in order; runs inside a transaction."""
    found = db.execute(_EVENTS, (part.session_id, part.until_ms))
    return [
        SystemEvent(str(name), str(kind), str(text), created_ms, str(after))
        for name, kind, text, created_ms, after in found
        if isinstance(created_ms, int)
    ]
