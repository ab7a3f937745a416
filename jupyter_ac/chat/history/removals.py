"""Stores removals from the prompt logs; each function runs inside one transaction."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Final, get_args

from jupyter_ac.chat.history import row_signatures, session_rows
from jupyter_ac.chat.history.lineage import LineagePart
from jupyter_ac.chat.history.stored_values import UNREADABLE, strings, usage_of
from jupyter_ac.chat.prompt.log_removals import Case, Removal
from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.ids import RepoPath, SessionId
from jupyter_ac.store.sqlite import Database

_CASES: Final[Mapping[str, Case]] = {case: case for case in get_args(Case)}


def add(db: sqlite3.Connection, session_id: str, removal: Removal) -> None:
    """Write one more removal.

    Raises:
        AccessDenied: the session isn't the user's own.
    """
    row_signatures.require_marked(db, session_id)
    with row_signatures.changing_session(db, session_id):
        db.execute(
            "INSERT INTO removals (session_id, number, kind, through, first_kept, summary, paths,"
            " model, usage, created_ms) SELECT ?, COALESCE(MAX(number), 0) + 1, ?, ?, ?, ?, ?, ?,"
            " ?, ? FROM removals WHERE session_id = ?",
            (
                *(session_id, removal.case, removal.through, removal.first_kept, removal.summary),
                *(json.dumps(removal.paths), removal.model),
                json.dumps(asdict(removal.usage)) if removal.usage is not None else None,
                *(removal.created_ms, session_id),
            ),
        )
    db.execute(
        row_signatures.sql(
            "UPDATE removals SET mark = {removal} WHERE session_id = ? AND number ="
            " (SELECT MAX(r.number) FROM removals r WHERE r.session_id = removals.session_id)"
        ),
        (session_id,),
    )


def read(db: sqlite3.Connection, part: LineagePart) -> tuple[Removal, ...]:
    """Read the removals of a session's part in order; one of an unknown kind is left out."""
    found = db.execute(
        "SELECT kind, through, first_kept, summary, paths, model, usage, created_ms"
        " FROM removals WHERE session_id = ? AND created_ms <= ? ORDER BY number",
        (part.session_id, part.until_ms),
    )
    read_ones: list[Removal] = []
    for row in found:
        with suppress(*UNREADABLE):
            read_ones.append(_removal(row))
    return tuple(read_ones)


def _removal(row: Sequence[object]) -> Removal:
    kind, through, first_kept, summary, paths, model, usage, created_ms = row
    return Removal(
        case=_CASES[str(kind)],
        through=str(through),
        first_kept=str(first_kept),
        summary=str(summary),
        paths=tuple(RepoPath(path) for path in strings(paths)),
        model=str(model),
        usage=usage_of(usage),
        created_ms=int(str(created_ms)),
    )


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
            add(db, session_id, removal)
            session_rows.raise_revision(db, session_id)

        await self._database.run(write)
