"""Stores which cells of notebooks a person leaves out, and which outputs are sent."""

import sqlite3
from collections.abc import Mapping
from typing import Final

import orjson

from jupyter_ac.chat.history import row_signatures
from jupyter_ac.ids import Identity, RepoPath
from jupyter_ac.notebook.cell_selection import WHOLE, NotebookView
from jupyter_ac.store.sqlite import Database

MAX_VIEWS: Final = 1000
"""Notebooks of one person in one worktree."""

_READ: Final = """
    SELECT path, excluded, outputs FROM notebook_views
    WHERE identity = ? AND worktree = ? AND mark IS {notebook_view} LIMIT ?
"""
_DROP: Final = "DELETE FROM notebook_views WHERE identity = ? AND worktree = ? AND path = ?"
_WRITE: Final = "INSERT INTO notebook_views VALUES (?, ?, ?, ?, ?, x'')"
_MARK: Final = """
    UPDATE notebook_views SET mark = {notebook_view}
    WHERE identity = ? AND worktree = ? AND path = ?
"""

_IMAGES: Final = "images"
"""Stands behind the name of a cell whose images are sent with its outputs."""


class NotebookViewStore:
    """The views of one worktree.

    Args:
        database: as of `HistoryStore`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
    """

    def __init__(self, database: Database, worktree: str) -> None:
        self._database = database
        self._worktree = worktree

    async def read(self, identity: Identity) -> Mapping[RepoPath, NotebookView]:
        """Return those of a person, without rows that aren't the user's own."""
        key = (identity, self._worktree, MAX_VIEWS)
        rows = await self._database.run(
            lambda db: db.execute(row_signatures.sql(_READ), key).fetchall()
        )
        return {
            RepoPath(path): _view(_digests(excluded), _digests(outputs))
            for path, excluded, outputs in rows
        }

    async def keep(self, identity: Identity, path: RepoPath, view: NotebookView) -> None:
        """Replace that of one notebook."""
        key = (identity, self._worktree, path)
        outputs = {name: _IMAGES if name in view.images else "" for name in view.outputs}
        row = (*key, _stored(view.excluded), _stored(outputs))

        def write(db: sqlite3.Connection) -> None:
            db.execute(_DROP, key)
            if view != WHOLE:
                db.execute(_WRITE, row)
                db.execute(row_signatures.sql(_MARK), key)

        await self._database.run(write)


def _view(excluded: Mapping[str, str], outputs: Mapping[str, str]) -> NotebookView:
    images = frozenset(name for name, sent in outputs.items() if sent == _IMAGES)
    return NotebookView(excluded, frozenset(outputs), images)


def _stored(digests: Mapping[str, str]) -> str:
    return orjson.dumps(dict(digests), option=orjson.OPT_SORT_KEYS).decode()


def _digests(stored: object) -> Mapping[str, str]:
    try:
        found = orjson.loads(str(stored))
    except orjson.JSONDecodeError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(name): str(digest) for name, digest in found.items()}
