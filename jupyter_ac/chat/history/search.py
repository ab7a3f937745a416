"""Searches the messages of a person: newest first, literally, within bounded time.

Most messages are found by the index. If there is none, or a message is not in it yet, SQLite
searches for the longest ASCII part of the wanted text, which it compares without regard to case.
The candidates of both are compared in full.
"""

import heapq
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from jupyter_ac.chat.history import index, rows
from jupyter_ac.chat.history.stored_values import bounded
from jupyter_ac.chat.prompt.blocks import wellformed
from jupyter_ac.chat.records import SystemEvent, TurnRecord
from jupyter_ac.ids import Identity

TIME_S: Final = 2.0
"""After this a search ends with what it has found."""


@dataclass(frozen=True, slots=True)
class MessageQuery:
    """A query over the messages of a person.

    Attributes:
        text: found anywhere, upper and lower case being one; not empty.
        role: whose messages; "" for all.
        limit: how many to find at most.
    """

    text: str
    role: str = ""
    limit: int = 50


_Row: TypeAlias = Sequence[object]

_STEPS_BETWEEN_LOOKS: Final = 20_000
_ASCII_RUN: Final = re.compile(r"[\x01-\x7f]+")
_WILD: Final = re.compile(r"[%_\\]")
_COLUMNS: Final = (
    "m.created_ms, m.rowid, {content}, m.message_id, m.role, m.session_id, m.kind, m.after_turn, "
    + rows.TURN_COLUMNS
).replace("{content}", bounded("m.content"))
_OWN: Final = """
        CROSS JOIN sessions s ON s.session_id = m.session_id
        LEFT JOIN turns t ON t.turn_id = m.turn_id
    WHERE s.identity = :identity AND s.worktree = :worktree AND NOT s.is_deleted
        AND typeof(m.created_ms) = 'integer'
        AND (:role = '' OR m.role = :role)
        AND CASE m.role WHEN 'user' THEN 1 WHEN 'system' THEN m.turn_id IS NULL
            ELSE t.state <> 'running' END
"""
# From the newest message back, so that it can stop as soon as there are enough.
_INDEXED: Final = """
    SELECT {columns} FROM message_index
        CROSS JOIN indexed_messages i ON i.docid = message_index.rowid
        CROSS JOIN messages m ON m.message_id = i.message_id {own}
        AND message_index MATCH :triples
    ORDER BY message_index.rowid DESC
"""
_UNINDEXED: Final = """
    SELECT {columns} FROM unindexed_messages u
        CROSS JOIN messages m ON m.message_id = u.message_id {own}
        AND m.content LIKE :pattern ESCAPE '\\'
    ORDER BY u.created_ms DESC, m.rowid DESC
"""
_ALL: Final = """
    SELECT {columns} FROM messages m {own}
        AND m.content LIKE :pattern ESCAPE '\\'
    ORDER BY m.created_ms DESC, m.rowid DESC
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that was found.

    Attributes:
        session_id: where.
        role: whose it is in its turn.
        said: the turn, with the text of that message only; or the system event.
        began: when the message began, by its id.
    """

    session_id: str
    role: str
    said: TurnRecord | SystemEvent
    began: dict[str, int]


def find(
    db: sqlite3.Connection,
    owner: tuple[Identity, str],
    wanted: MessageQuery,
    *,
    by_index: bool = True,
) -> list[Hit]:
    """Find messages of a person, newest first.

    Args:
        db: inside a transaction.
        owner: the person, and the name of the worktree.
        wanted: what to look for.
        by_index: use the index as far as there is one.

    Raises:
        sqlite3.DatabaseError: also when the index is damaged.
    """
    text = wellformed(wanted.text)
    needle = index.fold(text)
    values = {
        "identity": owner[0],
        "worktree": owner[1],
        "role": wanted.role,
        "pattern": _pattern(text),
        "triples": index.expression(needle),
    }
    hits: dict[object, Hit] = {}
    with _bounded(db):
        if by_index and len(needle) >= index.SHORTEST and index.exists(db):
            queries = [_INDEXED, _UNINDEXED]
        else:
            queries = [_ALL]
        found = (db.execute(_with_columns(query), values) for query in queries)
        for row in heapq.merge(*found, key=lambda row: tuple(row[:2]), reverse=True):
            if needle in index.fold(row[2]):
                hits[row[3]] = _hit(row)  # one that has changed may be found in both
                if len(hits) >= wanted.limit:
                    break
    return list(hits.values())


def _with_columns(query: str) -> str:
    return query.format(columns=_COLUMNS, own=_OWN)


def _hit(row: _Row) -> Hit:
    began_ms, _, content, message_id, role, session_id, kind, after_turn, *turn = row
    said: TurnRecord | SystemEvent
    if role == "system":
        said = SystemEvent(
            str(message_id), str(kind), str(content), int(str(began_ms)), str(after_turn)
        )
    else:
        found, text = rows.readable_turn(turn), str(content)
        is_question = role == "user"
        said = replace(found, question=text) if is_question else replace(found, answer=text)
    return Hit(str(session_id), str(role), said, {str(message_id): int(str(began_ms))})


def _pattern(text: str) -> str:
    longest = max(_ASCII_RUN.findall(text), key=len, default="")
    return f"%{_WILD.sub(lambda found: chr(92) + found[0], longest)}%"


@contextmanager
def _bounded(db: sqlite3.Connection) -> Iterator[None]:
    """End what takes longer than `TIME_S` quietly."""
    end = time.monotonic() + TIME_S
    db.set_progress_handler(lambda: time.monotonic() > end, _STEPS_BETWEEN_LOOKS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
    finally:
        db.set_progress_handler(None, 0)
