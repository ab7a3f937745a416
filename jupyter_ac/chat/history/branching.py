"""Creates a session that continues another one from before one of its questions, or behind it.

The earlier session doesn't change. The new one continues it, as after a restart
(`session_restore`), up to the turn before the question, or up to that turn. System events and
removals from the log belong to it up to the moment of the next question. Marks of its turns are
taken over as they are now: what the user has excluded since stays excluded.
"""

import sqlite3
from collections.abc import Sequence

from jupyter_ac.chat.history import row_signatures, sent_rows, session_restore
from jupyter_ac.chat.history.session_rows import LineagePart, lineage
from jupyter_ac.chat.prompt.turn_marks import marked, marks_of
from jupyter_ac.chat.records import UNTRUSTED, now_ms
from jupyter_ac.errors import AccessDenied
from jupyter_ac.ids import ConversationKey, SessionId
from jupyter_ac.store.sqlite import Database


class HistoryBranches:
    """Makes sessions that go on from the middle of others.

    Args:
        database: as of `HistoryStore`; the caller closes it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(
        self,
        conversation_key: ConversationKey,
        session_id: SessionId,
        turn_id: str,
        fresh: SessionId,
        *,
        after: bool = False,
    ) -> bool:
        """Make a session with the turns of another one that stand before a turn.

        Args:
            conversation_key: where it goes on.
            session_id: the other session.
            turn_id: the turn, of that session or of one that it goes on from.
            fresh: the name of the new session.
            after: it has the turn, too.

        Returns:
            Whether the turn was found there.

        Raises:
            AccessDenied: the other session isn't the user's own.
            AcError: the disk fails.
        """
        return await self._database.run(
            lambda db: begin_before(db, conversation_key, (session_id, turn_id), fresh, after=after)
        )


def begin_before(
    db: sqlite3.Connection,
    conversation_key: ConversationKey,
    place: tuple[SessionId, str],
    fresh: SessionId,
    *,
    after: bool = False,
) -> bool:
    """Make the session; runs inside one transaction.

    Args:
        db: the database.
        conversation_key: where it goes on.
        place: another session, and the turn before which it goes on from that one.
        fresh: the name of the new session.
        after: it has the turn, too.
    """
    session_id, turn_id = place
    found = db.execute(
        "SELECT session_id, number FROM turns WHERE turn_id = ?", (turn_id,)
    ).fetchone()
    parts = {part.session_id: part for part in lineage(db, session_id)}
    if found is None or found[0] not in parts or found[1] > parts[found[0]].turns:
        return False
    if not session_restore.is_own(db, session_id):
        raise AccessDenied(UNTRUSTED)
    last = int(found[1]) if after else int(found[1]) - 1
    until_ms = _until_ms(db, found[0], last)
    db.execute(
        "INSERT INTO sessions (session_id, identity, worktree, created_ms, updated_ms, aside,"
        " parent, parent_turns) SELECT ?, identity, worktree, ?, ?, ?, session_id, ?"
        " FROM sessions WHERE session_id = ?",
        (fresh, until_ms, until_ms + 1, conversation_key.column, last, found[0]),
    )
    count = session_restore.count_messages(db, fresh)
    db.execute("UPDATE sessions SET parent_messages = ? WHERE session_id = ?", (count, fresh))
    row_signatures.mark_session(db, fresh)
    _take_marks(db, list(parts.values()), fresh)
    return True


def _until_ms(db: sqlite3.Connection, session_id: str, last: int) -> int:
    """Return the moment before the question behind a turn; now, when there is none."""
    row = db.execute(
        "SELECT created_ms FROM turns WHERE session_id = ? AND number > ? ORDER BY number LIMIT 1",
        (session_id, last),
    ).fetchone()
    return int(row[0]) - 1 if row is not None else now_ms()


def _take_marks(db: sqlite3.Connection, parts: Sequence[LineagePart], fresh: SessionId) -> None:
    """Give the turns of a new session the marks that they have in the one that it goes on from."""
    own = lineage(db, fresh)
    turns = [
        str(turn_id)
        for part in own
        for (turn_id,) in db.execute(
            "SELECT turn_id FROM turns WHERE session_id = ? AND number <= ? ORDER BY number",
            (part.session_id, part.turns),
        )
    ]
    wanted = marks_of(each for part in parts for each in sent_rows.read(db, part))
    known = marks_of(each for part in own for each in sent_rows.read(db, part))
    for mark in ("exclude", "pin", None):
        changed = [turn for turn in turns if wanted.get(turn) == mark and known.get(turn) != mark]
        if changed:
            sent_rows.add(db, fresh, marked(mark, changed, turns[-1], now_ms()))
