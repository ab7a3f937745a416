"""Searching the messages of a person: newest first, literally, within bounded time.

SQLite looks for the longest ASCII part of what is wanted, in which it takes upper and lower case
for one; what it lets pass is compared in full.
"""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.chat.history import rows
from jupyter_ac.chat.ports import MessageQuery
from jupyter_ac.chat.prompt.blocks import wellformed
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.ids import Identity

TIME_S: Final = 2.0
"""After this a search ends with what it has found."""

_STEPS_BETWEEN_LOOKS: Final = 20_000
_ASCII_RUN: Final = re.compile(r"[\x01-\x7f]+")
_WILD: Final = re.compile(r"[%_\\]")
# From the newest message back, so that it can stop as soon as there are enough.
_MESSAGES: Final = """
    SELECT m.message_id, m.created_ms, m.role, m.content, m.session_id,
        t.turn_id, t.request_id, t.created_ms, t.state, t.model, t.usage, t.finish_reason,
        t.failure, t.notices
    FROM messages m
        CROSS JOIN sessions s ON s.session_id = m.session_id
        CROSS JOIN turns t ON t.turn_id = m.turn_id
    WHERE s.identity = ? AND s.worktree = ? AND m.content LIKE ? ESCAPE '\\'
        AND (m.role = 'user' OR t.state <> 'running') AND (? = '' OR m.role = ?)
    ORDER BY m.created_ms DESC, m.rowid DESC
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that was found.

    Attributes:
        session_id: where.
        role: whose it is in its turn.
        turn: with the text of that message only.
        began: when the message began, by its id.
    """

    session_id: str
    role: str
    turn: TurnRecord
    began: dict[str, int]


def find(db: sqlite3.Connection, owner: tuple[Identity, str], wanted: MessageQuery) -> list[Hit]:
    """Find messages of a person, newest first.

    Args:
        db: inside a transaction.
        owner: the person, and the name of the worktree.
        wanted: what to look for.
    """
    text = wellformed(wanted.text)
    needle = text.casefold()
    values = (*owner, _pattern(text), wanted.role, wanted.role)
    hits: list[Hit] = []
    with _bounded(db):
        for name, began_ms, role, content, session_id, *row in db.execute(_MESSAGES, values):
            if needle not in content.casefold():
                continue
            said = {"question" if role == "user" else "answer": content}
            turn = replace(rows.turn_of(row), **said)
            hits.append(Hit(session_id, role, turn, {name: began_ms}))
            if len(hits) >= wanted.limit:
                break
    return hits


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
