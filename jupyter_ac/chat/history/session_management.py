"""Names sessions and deletes them.

A session that others go on from (each restart of a host makes such a one) is hidden, and stays as
far as these need it; with the last of them it is deleted, too. What deleted sessions have cost is
kept, so that the sums of a day and of a repository stay right.
"""

import sqlite3
from contextlib import suppress
from typing import Final

from jupyter_ac.chat.history import owners, row_signatures, rows
from jupyter_ac.chat.history.archive import MOST_TITLE_CHARS
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.history.owners import Owner
from jupyter_ac.chat.history.stored_values import strings
from jupyter_ac.chat.records import now_ms
from jupyter_ac.errors import Busy, InvalidParams, NotFound
from jupyter_ac.ids import Identity, SessionId, context_name
from jupyter_ac.store.sqlite import Database

_KEEP_COSTS: Final = """
    INSERT INTO costs_of_deleted
    SELECT s.identity, used.created_ms, used.usage
    FROM sessions s JOIN (
        SELECT session_id, number, created_ms, usage FROM turns
        UNION ALL SELECT session_id, :number + 1, created_ms, usage FROM removals WHERE :is_whole
        UNION ALL SELECT session_id, :number + 1, created_ms, usage FROM side_costs WHERE :is_whole
    ) used USING (session_id)
    WHERE session_id = :session AND used.usage IS NOT NULL AND used.number > :number
"""
_DROP_INDEXED: Final = tuple(
    """
    DELETE FROM {table} WHERE message_id IN (
        SELECT m.message_id FROM messages m LEFT JOIN turns t USING (turn_id)
        WHERE m.session_id = :session AND (:is_whole OR t.number > :number))
    """.replace("{table}", table)
    for table in ("indexed_messages", "unindexed_messages")
)
_DROP_CONTEXT: Final = (
    "DELETE FROM selections WHERE identity = ? AND worktree = ?",
    "DELETE FROM focuses WHERE identity = ? AND worktree = ?",
    "DELETE FROM pages WHERE identity = ? AND worktree = ?",
    "DELETE FROM notebook_views WHERE identity = ? AND worktree = ?",
)
_NOTE_BLOCKS: Final = """
    INSERT OR IGNORE INTO temp.dropped_blocks
    SELECT sha256 FROM sent_blocks JOIN turns USING (turn_id)
    WHERE session_id = :session AND number > :number
    UNION SELECT sha256 FROM head_blocks WHERE session_id = :session AND :is_whole
"""
_DROP_BLOCKS: Final = """
    DELETE FROM blocks WHERE sha256 IN (SELECT sha256 FROM temp.dropped_blocks)
        AND sha256 NOT IN (SELECT sha256 FROM sent_blocks)
        AND sha256 NOT IN (SELECT sha256 FROM head_blocks)
"""
_ONLY_BY: Final = """
    WITH RECURSIVE chain (session_id, above) AS (
        SELECT session_id, session_id FROM sessions
        WHERE identity = ? AND worktree = ? AND NOT is_deleted
        UNION SELECT chain.session_id, s.parent FROM chain
        JOIN sessions s ON s.session_id = chain.above WHERE s.parent IS NOT NULL
    )
    SELECT chain.session_id FROM chain JOIN turns ON turns.session_id = chain.above
    GROUP BY chain.session_id HAVING COUNT(*) = SUM(turns.model = ?)
"""
"""Sessions with turns, of which all, those of the sessions that they go on from included, are by
one model."""


class SessionManagement:
    """The names of sessions, and their end.

    Args:
        database: as of `HistoryStore`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
        owner: this process; a session that another one shows isn't deleted.
        images: those of the sessions.
    """

    def __init__(
        self, database: Database, worktree: str, owner: Owner, images: ImageFolder
    ) -> None:
        self._database = database
        self._worktree = worktree
        self._owner = owner
        self._images = images

    async def rename(self, identity: Identity, session_id: SessionId, title: str) -> str:
        """Name a session; return the name as it is kept, on one line.

        Args:
            identity: whose session.
            session_id: which one.
            title: "" to have none.

        Raises:
            InvalidParams: it is longer than 200 characters.
            NotFound: the person has no such session here.
        """
        kept = " ".join(title.split())
        if len(kept) > MOST_TITLE_CHARS:
            raise InvalidParams(f"A title may have at most {MOST_TITLE_CHARS} characters.")

        def write(db: sqlite3.Connection) -> None:
            self._require(db, identity, session_id)
            db.execute("UPDATE sessions SET title = ? WHERE session_id = ?", (kept, session_id))

        await self._database.run(write)
        return kept

    async def delete(self, identity: Identity, session_id: SessionId) -> None:
        """Delete a session: its messages, what was sent for them, and what undoes their edits.

        Its ticks and web pages go, too, if it was a conversation beside that of all panels.

        Images go with the last session that has them. What sessions that go on from it need of it
        stays, hidden.

        Raises:
            Busy: an answer is made in it, or another process shows it.
            NotFound: the person has no such session here.
            AcError: the disk fails.
        """

        def write(db: sqlite3.Connection) -> set[str]:
            self._require(db, identity, session_id)
            if owners.is_held(db, self._owner, session_id):
                raise Busy(
                    "Another Jupyter server or kernel shows this conversation; begin a new one "
                    "there, or close it, first."
                )
            if self._is_running(db, session_id):
                raise Busy("An answer is still being made in this conversation; stop it first.")
            before = _images(db)
            delete_session(db, session_id)
            for statement in _DROP_CONTEXT:
                db.execute(statement, (context_name(identity, session_id), self._worktree))
            return before - _images(db)

        await self._images.remove(await self._database.run(write))

    async def only_by(self, identity: Identity, model: str) -> list[SessionId]:
        """Return a person's sessions here in which this model alone has answered.

        Args:
            identity: whose sessions.
            model: as it is stored.
        """

        def read(db: sqlite3.Connection) -> list[SessionId]:
            found = db.execute(_ONLY_BY, (identity, self._worktree, model))
            return [SessionId(name) for (name,) in found]

        return await self._database.read(read)

    def _is_running(self, db: sqlite3.Connection, session_id: SessionId) -> bool:
        return any(
            not self._owner.is_lost(str(owner), alive_ms, now_ms())
            for _turn, owner, alive_ms in rows.running_turns(db, session_id)
            if isinstance(alive_ms, int)
        )

    def _require(self, db: sqlite3.Connection, identity: Identity, session_id: SessionId) -> None:
        found = db.execute(
            "SELECT 1 FROM sessions WHERE session_id = ? AND identity = ? AND worktree = ?"
            " AND NOT is_deleted",
            (session_id, identity, self._worktree),
        )
        if found.fetchone() is None:
            raise NotFound(f"There is no session {session_id[:64]!r} in your history here.")


def delete_session(db: sqlite3.Connection, session_id: str) -> None:
    """Delete a session as far as no other one goes on from it; runs inside one transaction."""
    name: str | None = session_id
    seen: set[str] = set()
    while name is not None and name not in seen:
        seen.add(name)
        row = db.execute(
            "SELECT parent, (SELECT MAX(each.parent_turns) FROM sessions each"
            " WHERE each.parent = s.session_id) FROM sessions s WHERE session_id = ?",
            (name,),
        ).fetchone()
        if row is None:
            return
        parent, needed = row
        _delete_turns(db, name, needed)
        name = parent if needed is None and _is_hidden(db, parent) else None


def _delete_turns(db: sqlite3.Connection, session_id: str, needed: int | None) -> None:
    """Delete the turns above a number, or all with the session itself."""
    values = {"session": session_id, "number": needed or 0, "is_whole": needed is None}
    db.execute("CREATE TEMP TABLE IF NOT EXISTS dropped_blocks (sha256 TEXT PRIMARY KEY)")
    db.execute("DELETE FROM temp.dropped_blocks")
    db.execute(_NOTE_BLOCKS, values)
    db.execute(_KEEP_COSTS, values)
    for statement in _DROP_INDEXED:
        db.execute(statement, values)
    if needed is None:
        db.execute("DELETE FROM sessions WHERE session_id = ?", (session_id,))
    else:
        with row_signatures.changing_session(db, session_id):
            db.execute("DELETE FROM turns WHERE session_id = :session AND number > :number", values)
            db.execute("UPDATE sessions SET is_deleted = 1 WHERE session_id = ?", (session_id,))
    db.execute(_DROP_BLOCKS)


def _images(db: sqlite3.Connection) -> set[str]:
    found = db.execute("SELECT DISTINCT images FROM turns WHERE images <> '[]'")
    names: set[str] = set()
    for (written,) in found:
        with suppress(ValueError):  # of a damaged row nothing is known
            names.update(strings(written))
    return names


def _is_hidden(db: sqlite3.Connection, session_id: str | None) -> bool:
    found = db.execute("SELECT is_deleted FROM sessions WHERE session_id = ?", (session_id,))
    row = found.fetchone()
    return row is not None and bool(row[0])
