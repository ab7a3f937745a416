"""Row signatures: which rows of a history this user has written, in this repository.

A mark is a message authentication code over all that a row says, made with the user's own key
(`store/row_signing`). Rows without a valid mark came with the repository, were stored by a version
without marks, or were changed since; they are only shown: nothing of them is sent, applied or
undone until the user trusts them (`trust`).

A turn's mark covers its row, its messages and the blocks that it sent, by their hashes; a session's
covers its owner, the session that it continues, and how many turns and removals it has. A row is
signed again only if its old mark was valid. Each function runs inside one transaction.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

from jupyter_ac.chat.history.stored_values import MOST_BLOCK_BYTES
from jupyter_ac.chat.records import UNTRUSTED
from jupyter_ac.errors import AccessDenied
from jupyter_ac.store.row_signing import DIGEST, MAC, SHA256, signed_columns


def _covered(alias: str, names: str) -> str:
    return signed_columns(f"{alias}.{name}" for name in names.split())


_TURN_COLUMNS: Final = (
    "turn_id session_id number request_id state created_ms model finish_reason usage failure"
    " notices reasoning images"
)
EDITS_RUN_AND_TICKED: Final = (
    "(CASE WHEN turns.ticked <> ''"
    " THEN 'ticked' || char(0) || turns.edits || char(0) || turns.run || char(0) || turns.ticked"
    " WHEN turns.run = '' THEN turns.edits ELSE turns.edits || char(0) || turns.run END)"
)
"""One value for all three, which is that of the edits, or of these and the run, where the others
are empty: turns that were signed before there were runs, or ticked files, keep their marks. None of
the texts has a NUL, and that of edits is JSON."""

_SESSION_COLUMNS: Final = (
    "session_id identity worktree aside created_ms parent parent_turns parent_messages"
)
_REMOVAL_COLUMNS: Final = (
    "session_id number kind through first_kept summary paths model usage created_ms"
)
_REMOVAL: Final = (
    "CASE WHEN removals.turns = '' THEN 'removal'"
    " ELSE 'removal' || typeof(removals.turns) || char(0) || removals.turns END"
)
"""The name of the record with its turns: those that were signed before there were turns keep their
marks."""

_HEAD_COLUMNS: Final = "session_id profile position sha256 category source"
_FILE_COLUMNS: Final = "worktree batch path data mode entries made signs entries_after is_foreign"

_PARTS: Final = {
    "mac": MAC,
    "digest": DIGEST,
    "sha256": SHA256,
    "bytes": str(MOST_BLOCK_BYTES),
    "turns": f"{_covered('turns', _TURN_COLUMNS)}, {signed_columns([EDITS_RUN_AND_TICKED])}",
    "messages": _covered("m", "message_id session_id role content"),
    "sent": _covered("s", "position category path source sha256"),
    "sessions": _covered("sessions", _SESSION_COLUMNS),
    "removal": _REMOVAL,
    "removals": _covered("removals", _REMOVAL_COLUMNS),
    "heads": _covered("head_blocks", _HEAD_COLUMNS),
    "selections": _covered("selections", "identity worktree paths"),
    "focuses": _covered("focuses", "identity worktree mode cross_ref"),
    "pages": _covered("pages", "identity worktree position included content"),
    "notebook_views": _covered("notebook_views", "identity worktree path excluded outputs"),
    "file_sets": _covered("file_sets", "identity name paths"),
    "files": _covered("edited_files", _FILE_COLUMNS),
    "journals": _covered("edit_journals", "batch worktree changes"),
}
_MARKS: Final = {
    "turn": """{mac}('turn', {turns},
        (SELECT {digest}({messages}) FROM messages m WHERE m.turn_id = turns.turn_id),
        (SELECT {digest}({sent}) FROM sent_blocks s WHERE s.turn_id = turns.turn_id))""",
    "session": """{mac}('session', {sessions},
        (SELECT COUNT(*) FROM turns t WHERE t.session_id = sessions.session_id),
        (SELECT COUNT(*) FROM removals r WHERE r.session_id = sessions.session_id))""",
    "removal": "{mac}({removal}, {removals})",
    "head": "{mac}('head', {heads})",
    "selection": "{mac}('selection', {selections})",
    "focus": "{mac}('focus', {focuses})",
    "page": "{mac}('page', {pages})",
    "notebook_view": "{mac}('notebook_view', {notebook_views})",
    "file_set": "{mac}('file_set', {file_sets})",
    "edited_file": "{mac}('edited_file', {files})",
    "edit_journal": "{mac}('edit_journal', {journals})",
    "changed_blocks": """SELECT 1 FROM turns t JOIN sent_blocks s USING (turn_id)
        LEFT JOIN blocks b USING (sha256)
        WHERE t.session_id = ? AND (typeof(b.text) <> 'text'
            OR length(CAST(b.text AS BLOB)) > {bytes}
            OR {sha256}(CAST(b.text AS BLOB)) IS NOT s.sha256) LIMIT 1""",
}


@cache
def sql(statement: str) -> str:
    """Insert the expressions of valid marks into a statement.

    Args:
        statement: with `{turn}`, `{session}`, `{removal}`, `{head}`, `{selection}`, `{focus}`,
            `{page}`, `{notebook_view}`, `{file_set}`, `{edited_file}` or `{edit_journal}`, for the
            present row of `turns`, `sessions` and so on, which must go by that name; or with
            `{changed_blocks}`, a query that finds a block that a session has sent and that isn't
            what its hash says.
    """
    return statement.format_map({name: each.format_map(_PARTS) for name, each in _MARKS.items()})


def is_session_marked(db: sqlite3.Connection, session_id: str) -> bool:
    """Say whether the row of a session is the user's own."""
    query = sql("SELECT mark IS {session} FROM sessions WHERE session_id = ?")
    row = db.execute(query, (session_id,)).fetchone()
    return row is not None and bool(row[0])


def require_marked(db: sqlite3.Connection, session_id: str) -> None:
    """Refuse to write to a session that isn't the user's own; one that isn't there is fine.

    Raises:
        AccessDenied: it isn't.
    """
    known = db.execute("SELECT 1 FROM sessions WHERE session_id = ?", (session_id,)).fetchone()
    if known and not is_session_marked(db, session_id):
        raise AccessDenied(UNTRUSTED)


def is_own(db: sqlite3.Connection, session_id: str) -> bool:
    """Say whether a session is the user's own with its turns, their blocks, and its removals."""
    if not is_session_marked(db, session_id):
        return False
    foreign = (
        "SELECT 1 FROM turns WHERE session_id = ? AND mark IS NOT {turn} LIMIT 1",
        "SELECT 1 FROM removals WHERE session_id = ? AND mark IS NOT {removal} LIMIT 1",
    )
    if any(db.execute(sql(query), (session_id,)).fetchone() for query in foreign):
        return False
    return not has_changed_blocks(db, session_id)


def has_changed_blocks(db: sqlite3.Connection, session_id: str) -> bool:
    """Say whether a block that a session has sent isn't what its hash says."""
    return db.execute(sql("{changed_blocks}"), (session_id,)).fetchone() is not None


def mark_session(db: sqlite3.Connection, session_id: str) -> None:
    """Mark the row of a session as the user's own."""
    db.execute(sql("UPDATE sessions SET mark = {session} WHERE session_id = ?"), (session_id,))


def mark_turn(db: sqlite3.Connection, turn_id: str) -> None:
    """Mark a turn as the user's own."""
    db.execute(sql("UPDATE turns SET mark = {turn} WHERE turn_id = ?"), (turn_id,))


def mark_all(db: sqlite3.Connection, session_id: str) -> None:
    """Mark a session with its turns and removals, whoever wrote them."""
    db.execute(sql("UPDATE turns SET mark = {turn} WHERE session_id = ?"), (session_id,))
    db.execute(sql("UPDATE removals SET mark = {removal} WHERE session_id = ?"), (session_id,))
    mark_session(db, session_id)


@contextmanager
def changing_session(db: sqlite3.Connection, session_id: str) -> Iterator[None]:
    """Change what a session's mark covers in the body; what wasn't the user's own isn't after."""
    was_marked = is_session_marked(db, session_id)
    yield
    if was_marked:
        mark_session(db, session_id)


@contextmanager
def changing_turn(db: sqlite3.Connection, turn_id: str) -> Iterator[None]:
    """Change a turn in the body; what wasn't the user's own isn't after it."""
    query = sql("SELECT mark IS {turn} FROM turns WHERE turn_id = ?")
    row = db.execute(query, (turn_id,)).fetchone()
    yield
    if row is not None and row[0]:
        mark_turn(db, turn_id)
