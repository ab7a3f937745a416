"""Finds the versions of a conversation's questions: how other sessions go on from the same place.

A session that was branched shares its first turns with others. Where it parts from them, each
other session has a version of the question that stands there.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, TypeAlias, TypedDict

from jupyter_ac.chat.history.archive import PREVIEW_CHARS
from jupyter_ac.chat.history.session_rows import LATEST_MS
from jupyter_ac.ids import Identity, SessionId
from jupyter_ac.store.sqlite import Database

MOST_SESSIONS: Final = 2000
"""Sessions that are compared, those used last."""

MOST_VERSIONS: Final = 100
"""Of one question that are listed."""

_LONGEST: Final = 1000

_SESSIONS: Final = """
    SELECT session_id, parent, parent_turns,
        (SELECT MAX(number) FROM turns t WHERE t.session_id = s.session_id), is_deleted
    FROM sessions s WHERE identity = ? AND worktree = ? AND updated_ms BETWEEN 0 AND ?
        AND typeof(session_id) = 'text' AND typeof(COALESCE(parent, '')) = 'text'
        AND typeof(parent_turns) = 'integer'
    ORDER BY updated_ms DESC, rowid DESC LIMIT ?
"""

_TURN: Final = """
    SELECT t.request_id, t.created_ms, substr(m.content, 1, ?)
    FROM turns t JOIN messages m ON m.turn_id = t.turn_id AND m.role = 'user'
    WHERE t.session_id = ? AND t.number = ?
        AND typeof(t.request_id) = 'text' AND typeof(t.created_ms) = 'integer'
        AND typeof(m.content) = 'text'
"""


class VersionRow(TypedDict):
    """A version of a question.

    Attributes:
        session_id: the session to load for it: of those that have it, the one used last.
        request_id: its name in that session.
        preview: its beginning, on one line.
        current: it is the one that the current session has.
    """

    session_id: str
    request_id: str
    preview: str
    current: bool


class QuestionVersions(TypedDict):
    """The versions of a question.

    Attributes:
        request_id: of the current session's version; "" for the place behind its last answer, where
            only other sessions go on.
        versions: all of them, the oldest first.
    """

    request_id: str
    versions: list[VersionRow]


Place: TypeAlias = tuple[str, int]
"""A turn by its session and its number there."""


@dataclass(frozen=True, slots=True)
class _Row:
    session_id: str
    parent: str | None
    parent_turns: int
    turns: int
    is_deleted: bool


class VersionArchive:
    """The versions of questions in one worktree's history.

    Args:
        database: as of `HistoryStore`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
    """

    def __init__(self, database: Database, worktree: str) -> None:
        self._database = database
        self._worktree = worktree

    async def of(self, identity: Identity, session_id: SessionId) -> list[QuestionVersions]:
        """List the questions of a session that have versions in other sessions, in their order.

        Raises:
            AcError: the disk fails.
        """
        return await self._database.read(
            lambda db: versions_in(db, identity, self._worktree, session_id)
        )


def versions_in(
    db: sqlite3.Connection, identity: str, worktree: str, session_id: str
) -> list[QuestionVersions]:
    """List the versions of a session's questions; runs inside one transaction."""
    values = (identity, worktree, LATEST_MS, MOST_SESSIONS)
    rows = {
        row[0]: _Row(row[0], row[1], row[2], row[3] or 0, bool(row[4]))
        for row in db.execute(_SESSIONS, values)
    }
    if session_id not in rows:
        return []
    own = _chain(rows, session_id)
    others: dict[Place | None, dict[Place, str]] = {}
    for name, row in rows.items():
        other = _chain(rows, name)
        if row.is_deleted or name == session_id or own[0][0] != other[0][0]:
            continue
        parting = _parting(own, other)
        if parting is not None:
            here, there = parting
            others.setdefault(here, {}).setdefault(there, name)
    found: list[tuple[Place, QuestionVersions]] = []
    for here, known in others.items():
        listed = _rows_of(db, {**known, here: session_id} if here else known, session_id)
        if len(listed) > (here is not None):
            name = next((row["request_id"] for row in listed if row["current"]), "")
            found.append((_order(own, here), {"request_id": name, "versions": listed}))
    return [versions for _, versions in sorted(found, key=lambda each: each[0])]


def _chain(rows: Mapping[str, _Row], session_id: str) -> list[Place]:
    """Give the sessions that a session goes on from, and itself, each with its last turn there."""
    chain: list[Place] = []
    row: _Row | None = rows[session_id]
    last = rows[session_id].turns
    while row is not None and len(chain) < _LONGEST:
        chain.append((row.session_id, min(last, row.turns)))
        last = row.parent_turns
        row = rows.get(row.parent) if row.parent is not None else None
    return chain[::-1]


def _parting(own: list[Place], other: list[Place]) -> tuple[Place | None, Place] | None:
    """Return the first turn of each that the other hasn't; None when the other one has no more.

    The first is None when the session ends where the other one goes on.
    """
    mine, theirs = ([part for part in chain if part[1] > 0] for chain in (own, other))
    same = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(mine, theirs, strict=False))
    )
    is_one = same < min(len(mine), len(theirs)) and mine[same][0] == theirs[same][0]
    shared = min(mine[same][1], theirs[same][1]) if is_one else 0
    here, there = (_behind(parts, same, shared) for parts in (mine, theirs))
    return (here, there) if there is not None else None


def _behind(parts: list[Place], number: int, shared: int) -> Place | None:
    """Return the turn behind the first `shared` ones of a part, which may be in the next part."""
    if number < len(parts) and parts[number][1] > shared:
        return parts[number][0], shared + 1
    return (parts[number + 1][0], 1) if number + 1 < len(parts) else None


def _order(own: list[Place], here: Place | None) -> Place:
    names = [name for name, _ in own]
    return ("~", 0) if here is None else (f"{names.index(here[0]):06}", here[1])


def _rows_of(
    db: sqlite3.Connection, known: Mapping[Place, str], session_id: str
) -> list[VersionRow]:
    """Describe versions, the oldest first; turns that are not there are left out."""
    found: list[tuple[int, VersionRow]] = []
    for (owner, number), name in known.items():
        row = db.execute(_TURN, (4 * PREVIEW_CHARS, owner, number)).fetchone()
        if row is None:
            continue
        request_id, created_ms, text = row
        preview = " ".join(text.split())[:PREVIEW_CHARS]
        found.append(
            (
                created_ms,
                {
                    "session_id": name,
                    "request_id": request_id,
                    "preview": preview,
                    "current": name == session_id,
                },
            )
        )
    found.sort(key=lambda each: each[0])
    return [row for _, row in found[-MOST_VERSIONS:]]
