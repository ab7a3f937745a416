"""The journals of edits in a history; each function runs inside one transaction."""

import logging
import sqlite3
from collections.abc import Sequence
from typing import Final

from jupyter_ac.chat.edits.undoing.changes import Change, from_json, to_json
from jupyter_ac.chat.history import row_signatures
from jupyter_ac.chat.history.stored_values import MOST_BYTES, UNREADABLE

log = logging.getLogger(__name__)

_NONE: Final = "[]"
_READ: Final = row_signatures.sql(
    "SELECT changes FROM edit_journals WHERE batch = ? AND worktree = ? AND mark IS {edit_journal}"
)
_MARK: Final = row_signatures.sql("UPDATE edit_journals SET mark = {edit_journal} WHERE batch = ?")


def read(db: sqlite3.Connection, worktree: str, batch: str) -> tuple[Change, ...]:
    """Return a journal; () when there is none, or none of the user's own."""
    row = db.execute(_READ, (batch, worktree)).fetchone()
    try:
        return from_json(row[0]) if row is not None else ()
    except UNREADABLE as error:
        log.warning("the single edits of %r can't be taken back: %s", batch, error)
        return ()


def extend(
    db: sqlite3.Connection, worktree: str, batch: str, changes: Sequence[Change], *, is_new: bool
) -> int:
    """Add changes to a journal; one that is not from the beginning, or too long, stays empty.

    Returns:
        the number of the first of them.
    """
    known = () if is_new else read(db, worktree, batch)
    text = to_json([*known, *changes]) if is_new or known else _NONE
    if len(text) > MOST_BYTES:
        text = _NONE
    db.execute(
        "INSERT OR REPLACE INTO edit_journals (batch, worktree, changes) VALUES (?, ?, ?)",
        (batch, worktree, text),
    )
    db.execute(_MARK, (batch,))
    return len(known)


def forget(db: sqlite3.Connection, batch: str) -> None:
    """Forget a journal."""
    db.execute("DELETE FROM edit_journals WHERE batch = ?", (batch,))
