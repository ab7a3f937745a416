"""The schema of `plans.sqlite`: the journal of plans, and the contexts that planners share.

The journal is append-only: a plan is the sum of its rows. Rows that this user has not written, such
as those that come with a copied repository, have no valid mark and are left out.
"""

from typing import Final

from jupyter_ac.store.row_signing import MAC, signed_columns
from jupyter_ac.store.sqlite import Database

FILE: Final = "plans.sqlite"

MIGRATIONS: Final = (
    """
    CREATE TABLE plan_events (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        plan_id TEXT NOT NULL,
        revision INTEGER NOT NULL,
        identity TEXT NOT NULL,
        worktree TEXT NOT NULL,
        time_ms INTEGER NOT NULL,
        event TEXT NOT NULL,
        mark BLOB NOT NULL,
        UNIQUE (plan_id, revision)
    );
    CREATE INDEX plan_events_by_identity ON plan_events (identity, worktree, revision);
    CREATE TABLE planner_contexts (
        identity TEXT NOT NULL,
        worktree TEXT NOT NULL,
        version INTEGER NOT NULL,
        content TEXT NOT NULL,
        mark BLOB NOT NULL,
        PRIMARY KEY (identity, worktree)
    );
    """,
)

_EVENT_COLUMNS: Final = ("plan_id", "revision", "identity", "worktree", "time_ms", "event")
_CONTEXT_COLUMNS: Final = ("identity", "worktree", "version", "content")

EVENT_MAC: Final = f"{MAC}('plan_event', {signed_columns(_EVENT_COLUMNS)})"
CONTEXT_MAC: Final = f"{MAC}('planner_context', {signed_columns(_CONTEXT_COLUMNS)})"


def plan_database(history: Database) -> Database:
    """Return the database, which is opened on first use.

    Args:
        history: of the same repository, with a signer of rows.
    """
    return history.beside(FILE, MIGRATIONS)
