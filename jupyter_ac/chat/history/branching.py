"""Creates a session that continues another one from before one of its questions.

The earlier session doesn't change. The new one continues it, as after a restart
(`session_restore`), up to the turn before the question. System events and removals from the log
belong to it up to the moment of the question.
"""

import sqlite3

from jupyter_ac.chat.history import row_signatures, session_restore
from jupyter_ac.chat.history.session_rows import lineage
from jupyter_ac.chat.records import UNTRUSTED
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
    ) -> bool:
        """Make a session with the turns of another one that stand before a turn.

        Args:
            conversation_key: where it goes on.
            session_id: the other session.
            turn_id: the turn, of that session or of one that it goes on from.
            fresh: the name of the new session.

        Returns:
            Whether the turn was found there.

        Raises:
            AccessDenied: the other session isn't the user's own.
            AcError: the disk fails.
        """
        return await self._database.run(
            lambda db: begin_before(db, conversation_key, (session_id, turn_id), fresh)
        )


def begin_before(
    db: sqlite3.Connection,
    conversation_key: ConversationKey,
    place: tuple[SessionId, str],
    fresh: SessionId,
) -> bool:
    """Make the session; runs inside one transaction.

    Args:
        db: the database.
        conversation_key: where it goes on.
        place: another session, and the turn before which it goes on from that one.
        fresh: the name of the new session.
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
    db.execute(
        "INSERT INTO sessions (session_id, identity, worktree, created_ms, updated_ms, aside,"
        " parent, parent_turns) SELECT ?, s.identity, s.worktree, t.created_ms - 1, t.created_ms,"
        " ?, s.session_id, t.number - 1 FROM turns t JOIN sessions s USING (session_id)"
        " WHERE t.turn_id = ?",
        (fresh, conversation_key.aside, turn_id),
    )
    count = session_restore.count_messages(db, fresh)
    db.execute("UPDATE sessions SET parent_messages = ? WHERE session_id = ?", (count, fresh))
    row_signatures.mark_session(db, fresh)
    return True
