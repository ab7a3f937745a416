"""Stores the status of the edits of a finished turn."""

import sqlite3

from jupyter_ac.chat.history.rows import write_edits
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.ids import SessionId
from jupyter_ac.store.sqlite import Database


class EditedTurns:
    """The edits in a history.

    Args:
        database: as of `HistoryStore`; the caller closes it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, session_id: SessionId, turn: TurnRecord) -> None:
        """Keep the edits of a turn that is over; raises the session's revision by one.

        Args:
            session_id: where something was decided on them; the turn may be one that it goes on
                from.
            turn: with its edits.

        Raises:
            NotFound: the turn was deleted.
        """

        def write(db: sqlite3.Connection) -> None:
            write_edits(db, session_id, turn)

        await self._database.run(write)
