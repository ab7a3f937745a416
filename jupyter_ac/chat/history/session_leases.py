"""Which process has which session on its screens; each function runs inside one transaction.

A person's panels go on in the session that another process of theirs is in, and begin one of
their own when there is none.
"""

import sqlite3
from typing import Final

from jupyter_ac.chat.history.owners import Owner
from jupyter_ac.chat.records import now_ms
from jupyter_ac.ids import Identity

SILENT_MS: Final = 900_000
"""A process on another machine, which can't be looked at, is taken for gone after this."""


def hold(
    db: sqlite3.Connection, owner: Owner, person: tuple[Identity, str], session_id: str
) -> None:
    """Note that this process has a session on its screens, and is alive.

    Args:
        db: inside a transaction.
        owner: this process.
        person: whose panels, and the name of the worktree.
        session_id: which session.
    """
    db.execute(
        "INSERT OR REPLACE INTO holders (owner, identity, worktree, session_id, alive_ms)"
        " VALUES (?, ?, ?, ?, ?)",
        (str(owner), *person, session_id, now_ms()),
    )


def is_held(db: sqlite3.Connection, owner: Owner, session_id: str) -> bool:
    """Say whether another living process has a session on its screens."""
    _forget_lost(db, owner)
    found = db.execute(
        "SELECT 1 FROM holders WHERE session_id = ? AND owner <> ?", (session_id, str(owner))
    )
    return found.fetchone() is not None


def _forget_lost(db: sqlite3.Connection, owner: Owner) -> None:
    now = now_ms()
    for signature, alive_ms in db.execute("SELECT owner, alive_ms FROM holders").fetchall():
        silent_ms = now - alive_ms if isinstance(alive_ms, int) else SILENT_MS + 1
        # A clock that is ahead by more than that is wrong, and nobody's who could be asked.
        if silent_ms < -SILENT_MS or owner.is_gone(str(signature), silent_ms, SILENT_MS):
            db.execute("DELETE FROM holders WHERE owner = ?", (signature,))
