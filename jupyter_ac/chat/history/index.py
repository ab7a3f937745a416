"""A trigram index over the messages, with SQLite's FTS5 if available.

It holds the trigrams of each message, case folded, so that it finds any part of a word or of code.
It is filled a batch at a time, the newest messages first; messages that are not in it yet are
searched without it. So an old history needs no conversion, and a build of SQLite without FTS5 loses
only speed. The index finds candidates, which the caller must compare. Each function runs inside one
transaction.
"""

import sqlite3
from collections.abc import Iterable
from typing import Final, TypeAlias

from jupyter_ac.chat.history.stored_values import bounded
from jupyter_ac.store.damage import UnreadableTableError, primary_code

_Row: TypeAlias = tuple[int, str, str | None, int]

SHORTEST: Final = 3
"""Shorter texts have no triple, and are searched without the index."""

_FIRST_VERSION: Final = (3, 34)
"""Of SQLite, whose FTS5 can index triples."""

_BATCH_MESSAGES: Final = 100
_BATCH_CHARS: Final = 200_000
_MOST_TRIPLES: Final = 40
_WITHIN_MS: Final = 20
"""So many bits of a docid tell messages of one millisecond apart, in the order of their rows."""

_LATEST_MS: Final = 1 << 42
CREATE: Final = """
    CREATE VIRTUAL TABLE IF NOT EXISTS message_index USING fts5 (
        text, content = '', detail = 'none', tokenize = 'trigram case_sensitive 1'
    )
"""
"""Makes the index."""

_NEXT: Final = """
    SELECT u.created_ms, u.message_id, {content}, m.rowid
    FROM unindexed_messages u LEFT JOIN messages m USING (message_id)
    WHERE NOT EXISTS (
        SELECT 1 FROM turns t WHERE t.turn_id = m.turn_id AND t.state = 'running'
    )
    ORDER BY u.created_ms DESC, m.rowid DESC LIMIT ?
""".replace("{content}", bounded("m.content"))
_FREE_DOCID: Final = """
    SELECT CASE WHEN EXISTS (SELECT 1 FROM indexed_messages WHERE docid = :wanted)
        THEN (SELECT MAX(docid) + 1 FROM indexed_messages WHERE docid BETWEEN :wanted AND :last)
        ELSE :wanted END
"""


def is_possible(db: sqlite3.Connection) -> bool:
    """Say whether this build of SQLite can have the index."""
    if sqlite3.sqlite_version_info < _FIRST_VERSION:
        return False
    return any(name == "fts5" for (name,) in db.execute("PRAGMA module_list"))


def exists(db: sqlite3.Connection) -> bool:
    """Say whether the index was begun and can be read."""
    found = db.execute(
        "SELECT 1 FROM sqlite_master WHERE name = 'message_index' AND type = 'table'"
    ).fetchone()
    return found is not None and is_possible(db)


def is_behind(db: sqlite3.Connection) -> bool:
    """Say whether there are messages to take into the index."""
    return is_possible(db) and db.execute(_NEXT, (1,)).fetchone() is not None


def await_indexing(db: sqlite3.Connection, message_id: str) -> None:
    """Note that a message is new or has changed."""
    db.execute(
        "INSERT OR IGNORE INTO unindexed_messages"
        " SELECT created_ms, message_id FROM messages WHERE message_id = ?",
        (message_id,),
    )


def catch_up(db: sqlite3.Connection) -> bool:
    """Take a batch of messages into the index; False when there is nothing more to take."""
    if not is_possible(db):
        return False
    db.execute(CREATE)
    batch = _within(db.execute(_NEXT, (_BATCH_MESSAGES,)))
    for created_ms, message_id, content, number in reversed(batch):
        if number is not None:
            _add(db, _docid(db, created_ms, number), message_id, content or "")
        db.execute(
            "DELETE FROM unindexed_messages WHERE created_ms = ? AND message_id = ?",
            (created_ms, message_id),
        )
    return bool(batch)


def discard(db: sqlite3.Connection) -> None:
    """Drop the index, so that it is rebuilt.

    Raises:
        UnreadableTableError: SQLite can't read what it is, so the file is damaged.
    """
    try:
        db.execute("DROP TABLE IF EXISTS message_index")
    except sqlite3.OperationalError as error:
        if primary_code(error) != sqlite3.SQLITE_ERROR:
            raise
        raise UnreadableTableError(str(error)) from error
    db.execute("DELETE FROM indexed_messages")
    db.execute(
        "INSERT OR IGNORE INTO unindexed_messages SELECT created_ms, message_id FROM messages"
    )


def expression(needle: str) -> str:
    """Return the FTS5 query for a folded text of at least `SHORTEST` letters."""
    text = _readable(needle)
    triples = list(dict.fromkeys(text[at : at + 3] for at in range(len(text) - 2)))
    step = max(1, -(-len(triples) // _MOST_TRIPLES))
    return " AND ".join('"' + triple.replace('"', '""') + '"' for triple in triples[::step])


def fold(text: str) -> str:
    """Make upper and lower case one."""
    return text.casefold()


def _docid(db: sqlite3.Connection, created_ms: int, number: int) -> int:
    """Choose a number that goes up with the time of messages."""
    first = min(max(created_ms, 0), _LATEST_MS) << _WITHIN_MS
    most = (1 << _WITHIN_MS) - 1
    bounds = {"wanted": first | (number & most), "last": first | most}
    (docid,) = db.execute(_FREE_DOCID, bounds).fetchone()
    return int(docid)


def _add(db: sqlite3.Connection, docid: int, message_id: str, content: str) -> None:
    db.execute("INSERT OR REPLACE INTO indexed_messages VALUES (?, ?)", (docid, message_id))
    values = (docid, _readable(fold(content)))
    db.execute("INSERT INTO message_index (rowid, text) VALUES (?, ?)", values)


def _within(found: Iterable[_Row]) -> list[_Row]:
    """Take messages until there is enough work for one transaction."""
    batch: list[_Row] = []
    room = _BATCH_CHARS
    for row in found:
        batch.append(row)
        room -= len(row[2] or "")
        if room <= 0:
            break
    return batch


def _readable(text: str) -> str:
    """Replace the one character at which FTS5 would stop reading."""
    return text.replace("\0", "\ufffd")
