"""Keeps what is taken out of the prompts' logs."""

import sqlite3

from jupyter_ac.chat.history import removals, session_rows
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.ids import SessionId
from jupyter_ac.store.sqlite import Database


class CompactionStore:
    """Keeps what is taken out of the logs; safe for several processes at once.

    Args:
        database: as of `HistoryStore`; the caller closes it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, session_id: SessionId, removal: Removal, revision: int | None) -> None:
        """Keep one more removal; raises the session's revision by one.

        Args:
            session_id: of the log.
            removal: what is taken out.
            revision: what the caller takes to be the session's; None for whatever it is.

        Raises:
            NotFound: there is no such session.
            Conflict: somebody else has added to it.
            AccessDenied: it isn't the user's own.
        """

        def write(db: sqlite3.Connection) -> None:
            found = session_rows.read_revision(db, session_id)
            if found is None:
                raise NotFound("The conversation is not in the history any more.")
            if revision is not None and found != revision:
                raise Conflict("The conversation was changed by another Jupyter server.")
            removals.add(db, session_id, removal)
            session_rows.raise_revision(db, session_id)

        await self._database.run(write)
