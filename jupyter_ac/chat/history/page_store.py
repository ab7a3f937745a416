"""Stores the web pages of a person in a worktree, with their texts."""

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

import orjson

from jupyter_ac.chat.history import row_signatures
from jupyter_ac.chat.web_pages import MAX_PAGES, WebPage
from jupyter_ac.ids import Identity
from jupyter_ac.store.sqlite import Database
from jupyter_ac.web.url_content import content_of

_READ: Final = """
    SELECT included, content FROM pages WHERE identity = ? AND worktree = ? AND mark IS {page}
    ORDER BY position LIMIT ?
"""
_WRITE: Final = "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?, x'')"
_MARK: Final = "UPDATE pages SET mark = {page} WHERE identity = ? AND worktree = ? AND position = ?"


class PageStore:
    """The web pages of one worktree.

    Args:
        database: as of `HistoryStore`; the caller closes it.
        worktree: the worktree's name, "" for the main one.
    """

    def __init__(self, database: Database, worktree: str) -> None:
        self._database = database
        self._worktree = worktree

    async def read(self, identity: Identity) -> tuple[WebPage, ...]:
        """Return the pages of this person, without rows that aren't the user's own."""
        key = (identity, self._worktree, MAX_PAGES)
        rows = await self._database.run(
            lambda db: db.execute(row_signatures.sql(_READ), key).fetchall()
        )
        pages = (_page(included, content) for included, content in rows)
        return tuple(page for page in pages if page is not None)

    async def keep(self, identity: Identity, pages: Sequence[WebPage]) -> None:
        """Replace them; rows that are as before aren't written."""
        key = (identity, self._worktree)
        wanted = {
            at: (int(page.is_included), orjson.dumps(asdict(page.content)).decode())
            for at, page in enumerate(pages)
        }

        def write(db: sqlite3.Connection) -> None:
            stored = {
                at: (included, content)
                for at, included, content in db.execute(
                    row_signatures.sql(
                        "SELECT position, included, content FROM pages"
                        " WHERE identity = ? AND worktree = ? AND mark IS {page}"
                    ),
                    key,
                )
            }
            db.execute(
                "DELETE FROM pages WHERE identity = ? AND worktree = ? AND position >= ?",
                (*key, len(wanted)),
            )
            for at, row in wanted.items():
                if stored.get(at) == row:
                    continue
                db.execute(_WRITE, (*key, at, *row))
                db.execute(row_signatures.sql(_MARK), (*key, at))

        await self._database.run(write)


def _page(included: object, content: object) -> WebPage | None:
    """Rebuild a page; None if the row is damaged or of another version."""
    try:
        return WebPage(content_of(orjson.loads(str(content))), bool(included))
    except (ValueError, TypeError):
        return None
