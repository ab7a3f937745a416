"""Reads and writes the journals of edits in a history, and the status of a finished turn's edits.

SQL inside a transaction, and the JSON.
"""

import json
import logging
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final

from jupyter_ac.chat.edit_blocks.file_changes import FOREIGN, Act, Change
from jupyter_ac.chat.history import row_signatures
from jupyter_ac.chat.history.rows import write_edits
from jupyter_ac.chat.history.stored_values import MOST_BYTES, UNREADABLE, json_value
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.git.paths import is_stored_path
from jupyter_ac.ids import RepoPath, SessionId
from jupyter_ac.store.sqlite import Database

log = logging.getLogger(__name__)

_ABOUT_OTHERS: Final = frozenset({Act.UNDO, Act.DROP})
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


def to_json(changes: Iterable[Change]) -> str:
    """Write a journal."""
    return json.dumps([_row(change) for change in changes], separators=(",", ":"))


def from_json(text: object) -> tuple[Change, ...]:
    """Read what `to_json` wrote; undo writes by it, so nothing in it is taken on trust.

    Raises:
        ValueError: it is something else.
        TypeError: likewise.
        KeyError: likewise.
    """
    rows = json_value(text)
    if not isinstance(rows, list):
        raise TypeError("no journal")
    changes = tuple(map(_change, rows))
    for number, change in enumerate(changes):
        if any(not 0 <= undone < number for undone in change.undone):
            raise ValueError("no entry before this one")
    return changes


def _row(change: Change) -> dict[str, object]:
    return {
        "act": change.act.value,
        "path": change.path,
        "block": change.block,
        "new_path": change.new_path,
        "start": change.start,
        "gone": change.gone,
        "put": [line.decode("utf-8", "surrogateescape") for line in change.put],
        "undone": list(change.undone),
    }


def _change(row: object) -> Change:
    if not isinstance(row, dict):
        raise TypeError("no change")
    act = Act(row["act"])
    return Change(
        act=act,
        path=_path(row["path"], is_needed=act not in _ABOUT_OTHERS),
        block=_count(row["block"], FOREIGN),
        new_path=_path(row["new_path"], is_needed=act is Act.MOVE),
        start=_count(row["start"]),
        gone=_count(row["gone"]),
        put=tuple(_line(line) for line in _listed(row["put"])),
        undone=tuple(_count(number) for number in _listed(row["undone"])),
    )


def _path(path: object, *, is_needed: bool) -> RepoPath:
    if not isinstance(path, str) or (is_needed and not is_stored_path(path)):
        raise ValueError("no path of a file in the repository")
    return RepoPath(path)


def _count(value: object, least: int = 0) -> int:
    if type(value) is not int or value < least:
        raise ValueError("no count")
    return value


def _line(value: object) -> bytes:
    if not isinstance(value, str):
        raise TypeError("no line")
    return value.encode("utf-8", "surrogateescape")


def _listed(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


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
