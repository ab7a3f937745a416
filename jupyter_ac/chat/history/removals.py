"""The rows of what was taken out of the prompts' logs.

`through` and `first_kept` name turns of the session, or of one that it goes on from.
"""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict
from typing import Final, get_args

from jupyter_ac.chat.compaction.record import Case, Removal
from jupyter_ac.chat.history.lineage import Part
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import Usage

_CASES: Final[Mapping[str, Case]] = {case: case for case in get_args(Case)}


def add(db: sqlite3.Connection, session_id: str, removal: Removal) -> None:
    """Write one more removal."""
    db.execute(
        "INSERT INTO removals SELECT ?, COALESCE(MAX(number), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?"
        " FROM removals WHERE session_id = ?",
        (
            *(session_id, removal.case, removal.through, removal.first_kept, removal.summary),
            *(json.dumps(removal.paths), removal.model),
            json.dumps(asdict(removal.usage)) if removal.usage is not None else None,
            *(removal.created_ms, session_id),
        ),
    )


def read(db: sqlite3.Connection, part: Part) -> tuple[Removal, ...]:
    """Read the removals of a session's part in order; one of an unknown kind is left out."""
    found = db.execute(
        "SELECT kind, through, first_kept, summary, paths, model, usage, created_ms"
        " FROM removals WHERE session_id = ? AND created_ms <= ? ORDER BY number",
        (part.session_id, part.until_ms),
    )
    return tuple(
        Removal(
            case=_CASES[kind],
            through=through,
            first_kept=first_kept,
            summary=summary,
            paths=tuple(RepoPath(path) for path in json.loads(paths)),
            model=model,
            usage=Usage(**json.loads(usage)) if usage is not None else None,
            created_ms=created_ms,
        )
        for kind, through, first_kept, summary, paths, model, usage, created_ms in found
        if kind in _CASES
    )
