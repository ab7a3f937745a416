"""Stores the costs of a session's side tasks, apart from its turns."""

import json
import logging
import sqlite3
from dataclasses import asdict

from jupyter_ac.chat.history import session_rows
from jupyter_ac.chat.model_gateway import SideTaskResult
from jupyter_ac.chat.records import TurnPosition, now_ms
from jupyter_ac.errors import AcError
from jupyter_ac.ids import ConversationKey, SessionId
from jupyter_ac.store.sqlite import Database

log = logging.getLogger(__name__)


class SideCosts:
    """Keeps them for one worktree.

    Args:
        database: as of `HistoryStore`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
    """

    def __init__(self, database: Database, worktree: str) -> None:
        self._database = database
        self._worktree = worktree

    async def spent(
        self,
        conversation_key: ConversationKey,
        session_id: SessionId,
        purpose: str,
        answer: SideTaskResult,
    ) -> None:
        """Keep what an answer has used; a disk that fails costs the figure only.

        Args:
            conversation_key: whose session.
            session_id: made when it isn't on disk yet.
            purpose: one word, such as `commit`.
            answer: of the model for side tasks.
        """
        now = now_ms()
        place = TurnPosition(conversation_key, session_id, 0)
        usage = json.dumps(asdict(answer.usage))

        def write(db: sqlite3.Connection) -> None:
            session_rows.make_session(db, place, self._worktree, now)
            db.execute(
                "INSERT INTO side_costs VALUES (?, ?, ?, ?, ?)",
                (session_id, now, purpose, answer.model, usage),
            )

        try:
            await self._database.run(write)
        except AcError as error:
            log.warning("what a side task has cost is not kept: %s", error)
