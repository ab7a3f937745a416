"""Stores conversations in SQLite: questions, the blocks sent for them, and answers.

Safe for several processes at once: each method is one transaction, and a session's revision tells
a host that another one has written. An answer whose process has died is closed when it is read.
"""

import asyncio
import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Final

from jupyter_ac.chat.history import (
    owners,
    row_signatures,
    rows,
    sent_rows,
    session_restore,
    session_rows,
)
from jupyter_ac.chat.history.owners import Owner
from jupyter_ac.chat.history.stored_values import strings
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.records import (
    INTERRUPTED,
    SessionRecord,
    Ticks,
    TurnPosition,
    TurnRecord,
    TurnState,
    now_ms,
)
from jupyter_ac.chat.run_record import RunRecord
from jupyter_ac.git.paths import is_stored_path
from jupyter_ac.ids import ConversationKey, Identity, RepoPath, SessionId
from jupyter_ac.store.sqlite import Database

_NO_TICKS: Final = Ticks()
_BY_PROGRAM: Final = "\0"
"""Prefix of a stored path that the program has ticked: no path has it; older versions skip it."""


class HistoryStore:
    """The history of one worktree.

    Args:
        database: with the migrations of `jupyter_ac.chat.history.schema`; the caller closes it.
        worktree: the worktree's name, "" for the main one; it separates the histories.
        owner: how this process signs its turns.

    Attributes:
        owner: as given, or its own.
    """

    def __init__(self, database: Database, worktree: str, owner: Owner | None = None) -> None:
        self._database = database
        self._worktree = worktree
        self.owner = owner or Owner()

    async def resume(self, identity: Identity, fresh: SessionId) -> SessionRecord | None:
        """Return the session that this person's panels continue; None if there is none yet.

        A session that isn't the user's own is never continued (`row_signatures`).
        The result is a new session that continues the one used last, which doesn't change; or that
        one itself, if another living process shows it or it is empty.

        Args:
            identity: the person.
            fresh: the name of the new session.
        """

        def find(db: sqlite3.Connection) -> SessionRecord | None:
            found = session_restore.latest(db, identity, self._worktree)
            if found is None or not session_restore.is_own(db, found):
                return None
            if self._database.read_only is not None:
                return session_restore.continued_unkept(rows.read_session(db, found), fresh)
            self._close_lost_turns(db, found)
            if not owners.is_held(db, self.owner, found) and session_restore.has_turns(db, found):
                session_restore.begin_after(db, found, fresh)
                found = fresh
            owners.hold(db, self.owner, (identity, self._worktree), found)
            return rows.read_session(db, found)

        return await self._database.run(find)

    async def session(
        self, session_id: SessionId, unless: int | None = None
    ) -> SessionRecord | None:
        """Return a session as it is now.

        Args:
            session_id: its name.
            unless: a revision that the caller knows; None is returned while it is that one.
        """

        def is_known(db: sqlite3.Connection) -> bool:
            running = rows.running_turns(db, session_id)
            return not running and session_rows.read_revision(db, session_id) == unless

        def read(db: sqlite3.Connection) -> SessionRecord | None:
            if self._database.read_only is None and row_signatures.is_session_marked(
                db, session_id
            ):
                self._close_lost_turns(db, session_id)
            if unless is not None and session_rows.read_revision(db, session_id) == unless:
                return None
            return rows.read_session(db, session_id)

        # Mostly there is nothing new, and then no write lock is needed.
        if unless is not None and await self._database.read(is_known):
            return None
        return await self._database.run(read)

    async def claim(
        self, conversation_key: ConversationKey, session_id: SessionId
    ) -> SessionRecord | None:
        """Return a session of the person, and make it their panels' session used last.

        A conversation aside only reads it, and one that isn't the user's own is only read. In a
        conversation that was opened by its id it is that one's. None when the person has no
        session of this name here.
        """

        def take(db: sqlite3.Connection) -> bool:
            found = db.execute(
                "SELECT 1 FROM sessions WHERE session_id = ? AND identity = ? AND worktree = ?"
                " AND NOT is_deleted",
                (session_id, conversation_key.identity, self._worktree),
            ).fetchone()
            is_writable = self._database.read_only is None and not conversation_key.aside
            if found and is_writable and row_signatures.is_session_marked(db, session_id):
                with row_signatures.changing_session(db, session_id):
                    db.execute(
                        "UPDATE sessions SET aside = ? WHERE session_id = ?",
                        (conversation_key.column, session_id),
                    )
                session_rows.make_newest(db, session_id)
                owners.hold(db, self.owner, (conversation_key.holder, self._worktree), session_id)
            return found is not None

        return await self.session(session_id) if await self._database.run(take) else None

    async def start_session(self, conversation_key: ConversationKey, session_id: SessionId) -> None:
        """Make a new, empty session the one used last in a conversation."""

        def write(db: sqlite3.Connection) -> None:
            place = TurnPosition(conversation_key, session_id, 0)
            session_rows.make_session(db, place, self._worktree, now_ms())
            session_rows.make_newest(db, session_id)
            owners.hold(db, self.owner, (conversation_key.holder, self._worktree), session_id)

        await self._database.run(write)

    async def selection(self, identity: Identity, none_kept: Ticks = _NO_TICKS) -> Ticks:
        """Return the stored selection of this person.

        Args:
            identity: the person, or the name under which a conversation keeps its own.
            none_kept: what is returned when nothing is stored, or it isn't the user's own.
        """

        def read(db: sqlite3.Connection) -> Ticks:
            row = db.execute(
                row_signatures.sql(
                    "SELECT paths FROM selections"
                    " WHERE identity = ? AND worktree = ? AND mark IS {selection}"
                ),
                (identity, self._worktree),
            ).fetchone()
            try:
                return _ticks(strings(row[0])) if row else none_kept
            except ValueError:  # damaged
                return none_kept

        return await self._database.run(read)

    async def keep_selection(self, identity: Identity, ticks: Ticks) -> None:
        """Replace it."""
        key, written = (identity, self._worktree), json.dumps(_written(ticks))

        def write(db: sqlite3.Connection) -> None:
            db.execute(
                "INSERT OR REPLACE INTO selections (identity, worktree, paths) VALUES (?, ?, ?)",
                (*key, written),
            )
            db.execute(
                row_signatures.sql(
                    "UPDATE selections SET mark = {selection} WHERE identity = ? AND worktree = ?"
                ),
                key,
            )

        await self._database.run(write)

    async def begin(self, place: TurnPosition, turn: TurnRecord) -> None:
        """Add a turn with its question; the session is made when it isn't there.

        Raises:
            Conflict: the session is no longer at `place.revision`.
            AlreadyExists: the request id was used before.
            AccessDenied: the session isn't the user's own.
        """

        def write(db: sqlite3.Connection) -> None:
            session_rows.touch_session(db, place, self._worktree)
            if not place.conversation_key.aside:
                person = (place.conversation_key.holder, self._worktree)
                owners.hold(db, self.owner, person, place.session_id)
            rows.add_turn(db, place.session_id, turn, str(self.owner))

        await self._database.run(write)

    async def keep_sent(
        self, turn_id: str, profile: str, head: Sequence[Block], sent: Sequence[Block]
    ) -> None:
        """Store a request before it is sent; a head that is already stored stays.

        Raises:
            NotFound: the turn was deleted.
        """

        def write(db: sqlite3.Connection) -> None:
            sent_rows.add_head(db, turn_id, profile, head)
            sent_rows.add_blocks(db, turn_id, sent)

        await self._database.run(write)

    async def checkpoint(
        self, turn_id: str, text: str, reasoning: str = "", run: RunRecord | None = None
    ) -> None:
        """Keep the answer and the reasoning so far, and that this process is alive.

        With a run also how that stands; this raises the session's revision by one.

        Raises:
            NotFound: the turn of a run was deleted.
        """
        await self._database.run(lambda db: rows.write_answer(db, turn_id, text, reasoning))
        if run is not None:
            written = await asyncio.to_thread(run.to_json)
            await self._database.run(lambda db: rows.write_run(db, turn_id, written))

    async def finish(self, turn: TurnRecord) -> None:
        """Keep how the turn ended; raises the session's revision by one.

        Raises:
            NotFound: the turn was deleted.
        """
        await self._database.run(lambda db: rows.end_turn(db, turn))

    def _close_lost_turns(self, db: sqlite3.Connection, session_id: str) -> None:
        now = now_ms()
        for turn_id, owner, alive_ms in rows.running_turns(db, session_id):
            if self.owner.is_lost(str(owner), alive_ms if isinstance(alive_ms, int) else 0, now):
                with row_signatures.changing_turn(db, turn_id):
                    db.execute(
                        "UPDATE turns SET state = ?, failure = ? WHERE turn_id = ?",
                        (TurnState.ERROR.value, json.dumps(asdict(INTERRUPTED)), turn_id),
                    )
                session_rows.raise_revision(db, session_id)


def _written(ticks: Ticks) -> list[str]:
    marked = ticks.by_program
    return [f"{_BY_PROGRAM}{path}" if path in marked else path for path in ticks.paths]


def _ticks(written: Iterable[str]) -> Ticks:
    kept = {
        RepoPath(path): text != path
        for text in written
        if is_stored_path(path := text.removeprefix(_BY_PROGRAM))
    }
    return Ticks(tuple(kept), frozenset(path for path, is_marked in kept.items() if is_marked))
