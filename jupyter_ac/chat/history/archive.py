"""Queries over the history: lists of sessions, their messages, search, costs."""

import asyncio
import logging
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import chain, islice
from typing import Final

from jupyter_ac.chat.history import index, row_signatures, rows, search
from jupyter_ac.chat.history.daily_spend import spend_by_day
from jupyter_ac.chat.history.events import read_events
from jupyter_ac.chat.history.search import MessageQuery
from jupyter_ac.chat.history.session_rows import LATEST_MS, LineagePart, lineage
from jupyter_ac.chat.records import SystemEvent, TurnRecord
from jupyter_ac.chat.shapes import KeptMessage, SessionSummary, Spend
from jupyter_ac.errors import AcError
from jupyter_ac.ids import OPENED, Identity, SessionId
from jupyter_ac.store.sqlite import Database
from jupyter_ac.usage_rows import DaySpend

PREVIEW_CHARS: Final = 100
MOST_TITLE_CHARS: Final = 200

log = logging.getLogger(__name__)

_INDEXING_BEFORE_SEARCH_S: Final = 0.1
_INDEXING_S: Final = 600.0
_PAUSE_S: Final = 0.02
"""Between two pieces of it, so that a turn never waits for more than one."""

_SESSIONS: Final = """
    SELECT sessions.session_id, aside, updated_ms, t.created_ms,
        CASE WHEN typeof(m.content) = 'text' THEN substr(m.content, 1, ?) ELSE '' END,
        (SELECT SUM(1 + (each.state <> 'running')) FROM turns each
            WHERE each.session_id = sessions.session_id)
            + (SELECT COUNT(*) FROM messages event
                WHERE event.session_id = sessions.session_id AND event.turn_id IS NULL)
            + parent_messages,
        parent, parent_messages, substr(title, 1, ?), sessions.mark IS {session}
    FROM sessions
        JOIN turns t ON t.session_id = sessions.session_id AND t.number = (
            SELECT MIN(each.number) FROM turns each WHERE each.session_id = sessions.session_id)
        LEFT JOIN messages m ON m.turn_id = t.turn_id AND m.role = 'user'
    WHERE identity = ? AND worktree = ? AND NOT is_deleted
        AND typeof(sessions.session_id) = 'text' AND typeof(title) = 'text'
        AND typeof(COALESCE(parent, '')) = 'text' AND typeof(parent_messages) = 'integer'
        AND updated_ms {among} ORDER BY updated_ms DESC, sessions.rowid DESC LIMIT ?
"""
# Times that nobody has used put no session before those that were used.
_SESSIONS_BY_USE: Final = tuple(
    row_signatures.sql(_SESSIONS.replace("{among}", among))
    for among in (f"BETWEEN 0 AND {LATEST_MS}", f"> {LATEST_MS}", "< 0")
)
_COSTS: Final = """
    SELECT CASE WHEN json_type(used.usage, '$.cost_usd') IN ('integer', 'real')
            THEN json_extract(used.usage, '$.cost_usd') END,
        session_id, used.number, used.created_ms
    FROM sessions s JOIN (
        SELECT session_id, number, created_ms, usage FROM turns
        UNION ALL SELECT session_id, 0, created_ms, usage FROM removals
        UNION ALL SELECT session_id, 0, created_ms, usage FROM side_costs
    ) used USING (session_id)
    WHERE s.identity = :identity AND json_valid(used.usage)
        AND typeof(used.number) = 'integer' AND typeof(used.created_ms) = 'integer'
    UNION ALL SELECT CASE WHEN json_type(usage, '$.cost_usd') IN ('integer', 'real')
            THEN json_extract(usage, '$.cost_usd') END,
        '', 0, created_ms
    FROM costs_of_deleted
    WHERE identity = :identity AND json_valid(usage) AND typeof(created_ms) = 'integer'
"""


@dataclass(frozen=True, slots=True)
class _Cost:
    """The cost of an answer; the number of its turn, 0 for a side task's."""

    usd: float | None
    session_id: str
    number: int
    created_ms: int

    def is_in(self, parts: Mapping[str, LineagePart]) -> bool:
        part = parts.get(self.session_id)
        if part is None:
            return False
        return self.number <= part.turns if self.number else self.created_ms <= part.until_ms


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
        values = (4 * PREVIEW_CHARS, MOST_TITLE_CHARS, identity, self._worktree, limit)

        def read(db: sqlite3.Connection) -> list[SessionSummary]:
            parts = (db.execute(query, values) for query in _SESSIONS_BY_USE)
            return [
                {
                    "session_id": session_id,
                    "timestamp": timestamp(created_ms),
                    "updated": timestamp(updated_ms),
                    "message_count": count,
                    "preview": " ".join(text.split())[:PREVIEW_CHARS],
                    "title": " ".join(title.split()),
                    "first_role": "user",
                    "aside": aside not in {"", OPENED},
                    "continues": parent,
                    "inherited": inherited,
                    "trusted": bool(is_own),
                }
                for (
                    *(session_id, aside, updated_ms, created_ms, text, count, parent, inherited),
                    title,
                    is_own,
                ) in islice(chain.from_iterable(parts), limit)
            ]

        return await self._database.read(read)

    async def messages(self, identity: Identity, session_id: SessionId) -> list[KeptMessage]:
        """Give the messages of a session, oldest first; none when there is no such session."""

        def read(db: sqlite3.Connection) -> list[KeptMessage]:
            mine = db.execute(
                "SELECT 1 FROM sessions WHERE session_id = ? AND identity = ? AND worktree = ?"
                " AND NOT is_deleted",
                (session_id, identity, self._worktree),
            ).fetchone()
            if not mine:
                return []
            return _messages_of(db, session_id)

        return await self._database.read(read)

    async def search(self, identity: Identity, wanted: MessageQuery) -> list[KeptMessage]:
        """Find messages, newest first; a search that takes too long ends with what it found."""

        def read(db: sqlite3.Connection, *, by_index: bool) -> list[KeptMessage]:
            owner = (identity, self._worktree)
            return [
                message
                for hit in search.find(db, owner, wanted, by_index=by_index)
                for message in _found(hit)
            ]

        await self._index(_INDEXING_BEFORE_SEARCH_S, pause_s=0)
        try:
            return await self._database.read(partial(read, by_index=True))
        except AcError as error:
            if self._database.read_only is not None:
                log.warning("the index for searching is not used: %s", error)
                return await self._database.read(partial(read, by_index=False))
            log.warning("the index for searching is made anew: %s", error)
            await self._database.run(index.discard)
            return await self._database.read(partial(read, by_index=True))

    async def prepare_search(self) -> None:
        """Take all messages into the index, leaving others to write in between."""
        await self._index(_INDEXING_S, pause_s=_PAUSE_S)

    async def _index(self, limit_s: float, pause_s: float) -> None:
        """Take messages into the index for some time; what is left is searched without it."""
        loop = asyncio.get_running_loop()
        end = loop.time() + limit_s
        try:
            if not await self._database.read(index.is_behind):
                return
            while self._database.read_only is None and await self._database.run(index.catch_up):
                if loop.time() > end:
                    return
                await asyncio.sleep(pause_s)
        except sqlite3.IntegrityError as error:  # it contradicts itself
            log.warning("the index for searching is made anew: %s", error)
            await self._database.run(index.discard)
        except AcError as error:
            log.warning("the index for searching is not complete: %s", error)

    async def spend(self, identity: Identity, session_id: SessionId, since_ms: int) -> Spend:
        """Add up what a person's answers have cost in all worktrees of the repository.

        What a session goes on from counts as its own, as in the breakdown's totals.
        """

        def read(db: sqlite3.Connection) -> tuple[list[_Cost], dict[str, LineagePart]]:
            parts = {part.session_id: part for part in lineage(db, session_id)}
            return [_Cost(*row) for row in db.execute(_COSTS, {"identity": identity})], parts

        found, parts = await self._database.read(read)
        return {
            "session_usd": _sum(each.usd for each in found if each.is_in(parts)),
            "today_usd": _sum(each.usd for each in found if each.created_ms >= since_ms),
            "repo_usd": _sum(each.usd for each in found),
            "unpriced_turns": sum(each.usd is None for each in found),
        }

    async def spend_by_day(self, identity: Identity, since_ms: int) -> list[DaySpend]:
        """Add up what a person's answers have used by day, oldest first; see `daily_spend`."""
        return await spend_by_day(self._database, identity, since_ms)


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


def _messages_of(db: sqlite3.Connection, session_id: str) -> list[KeptMessage]:
    """Read a session's messages, with what has happened beside the talk in its place."""
    behind: dict[str, list[KeptMessage]] = {}
    turns: list[tuple[str, list[KeptMessage]]] = []
    for part in lineage(db, session_id):
        names = db.execute(
            "SELECT message_id, created_ms FROM messages WHERE session_id = ?", (part.session_id,)
        )
        began = dict(names.fetchall())
        for event in read_events(db, part):
            behind.setdefault(event.after_turn, []).append(kept_event(part.session_id, event))
        turns += [
            (turn.turn_id, kept_messages(part.session_id, turn, began))
            for turn in rows.read_turns(db, part)
        ]
    found = behind.pop("", [])
    for turn_id, messages in turns:
        found += (*messages, *behind.pop(turn_id, ()))
    return found


def _found(hit: search.Hit) -> list[KeptMessage]:
    if isinstance(hit.said, SystemEvent):
        return [kept_event(hit.session_id, hit.said)]
    messages = kept_messages(hit.session_id, hit.said, hit.began)
    return [message for message in messages if message["role"] == hit.role]


def kept_event(session_id: str, event: SystemEvent) -> KeptMessage:
    """Give a system event as the history has it."""
    return {
        **event.message(),
        "id": event.event_id,
        "session_id": session_id,
        "timestamp": timestamp(event.created_ms),
    }


def timestamp(at_ms: object) -> str:
    """Write a moment in ISO 8601, UTC."""
    # A damaged file may hold a time that no calendar has, or none at all.
    known_ms = min(max(at_ms, 0), LATEST_MS) if isinstance(at_ms, int) else 0
    moment = datetime.fromtimestamp(known_ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _sum(costs: Iterable[float | None]) -> float | None:
    """Add what is known; None when nothing of something is."""
    each = list(costs)
    known = [cost for cost in each if cost is not None]
    return sum(known) if known or not each else None
