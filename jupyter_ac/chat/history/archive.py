"""Looking into the history: lists of sessions, their messages, searching, what was spent."""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from jupyter_ac.chat.history import rows, search
from jupyter_ac.chat.ports import MessageQuery
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.chat.shapes import KeptMessage, SessionSummary, Spend
from jupyter_ac.ids import Identity, SessionId
from jupyter_ac.store.sqlite import Database

PREVIEW_CHARS: Final = 100

_SESSIONS: Final = """
    SELECT s.session_id, s.aside, s.updated_ms, t.created_ms,
        COALESCE(substr(m.content, 1, ?), ''),
        (SELECT SUM(1 + (each.state <> 'running')) FROM turns each
            WHERE each.session_id = s.session_id)
    FROM sessions s
        JOIN turns t ON t.session_id = s.session_id AND t.number = 1
        LEFT JOIN messages m ON m.turn_id = t.turn_id AND m.role = 'user'
    WHERE s.identity = ? AND s.worktree = ?
    ORDER BY s.updated_ms DESC, s.rowid DESC LIMIT ?
"""
_COSTS: Final = """
    SELECT json_extract(t.usage, '$.cost_usd'), t.session_id = ?, t.created_ms >= ?
    FROM sessions s JOIN turns t USING (session_id)
    WHERE s.identity = ? AND t.usage IS NOT NULL
"""


class HistoryArchive:
    """The history of one worktree, to look at.

    Args:
        database: as of `HistoryStore`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
    """

    def __init__(self, database: Database, worktree: str) -> None:
        self._database = database
        self._worktree = worktree

    async def sessions(self, identity: Identity, limit: int) -> list[SessionSummary]:
        """List the sessions in which something was asked, the one used last first."""
        values = (4 * PREVIEW_CHARS, identity, self._worktree, limit)
        found = await self._database.read(lambda db: db.execute(_SESSIONS, values).fetchall())
        return [
            {
                "session_id": session_id,
                "timestamp": timestamp(created_ms),
                "updated": timestamp(updated_ms),
                "message_count": count,
                "preview": " ".join(text.split())[:PREVIEW_CHARS],
                "first_role": "user",
                "aside": bool(aside),
            }
            for session_id, aside, updated_ms, created_ms, text, count in found
        ]

    async def messages(self, identity: Identity, session_id: SessionId) -> list[KeptMessage]:
        """Give the messages of a session, oldest first; none when there is no such session."""

        def read(db: sqlite3.Connection) -> list[KeptMessage]:
            mine = db.execute(
                "SELECT 1 FROM sessions WHERE session_id = ? AND identity = ? AND worktree = ?",
                (session_id, identity, self._worktree),
            ).fetchone()
            if not mine:
                return []
            began = dict(
                db.execute(
                    "SELECT message_id, created_ms FROM messages WHERE session_id = ?",
                    (session_id,),
                ).fetchall()
            )
            return [
                message
                for turn in rows.read_turns(db, session_id)
                for message in kept_messages(session_id, turn, began)
            ]

        return await self._database.read(read)

    async def search(self, identity: Identity, wanted: MessageQuery) -> list[KeptMessage]:
        """Find messages, newest first; a search that takes too long ends with what it found."""

        def read(db: sqlite3.Connection) -> list[KeptMessage]:
            found = search.find(db, (identity, self._worktree), wanted)
            return [
                message
                for hit in found
                for message in kept_messages(hit.session_id, hit.turn, hit.began)
                if message["role"] == hit.role
            ]

        return await self._database.read(read)

    async def spend(self, identity: Identity, session_id: SessionId, since_ms: int) -> Spend:
        """Add up what a person's answers have cost in all worktrees of the repository."""
        values = (session_id, since_ms, identity)
        found = await self._database.read(lambda db: db.execute(_COSTS, values).fetchall())
        return {
            "session_usd": _sum(cost for cost, in_session, _ in found if in_session),
            "today_usd": _sum(cost for cost, _, is_recent in found if is_recent),
            "repo_usd": _sum(cost for cost, _, _ in found),
            "unpriced_turns": sum(cost is None for cost, _, _ in found),
        }


def kept_messages(session_id: str, turn: TurnRecord, began: dict[str, int]) -> list[KeptMessage]:
    """Give a turn's messages as the history has them.

    Args:
        session_id: of the turn.
        turn: with its texts.
        began: when messages began, by their id; the turn's own time counts for others.
    """
    return [
        {
            **message,
            "id": name,
            "session_id": session_id,
            "timestamp": timestamp(began.get(name, turn.created_ms)),
        }
        for message in turn.messages()
        for name in (f"{turn.turn_id}-{message['role']}",)
    ]


def timestamp(at_ms: int) -> str:
    """Write a moment in ISO 8601, UTC."""
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _sum(costs: Iterable[float | None]) -> float | None:
    """Add what is known; None when nothing of something is."""
    each = list(costs)
    known = [cost for cost in each if cost is not None]
    return sum(known) if known or not each else None
