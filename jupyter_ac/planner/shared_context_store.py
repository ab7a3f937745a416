"""Keeps the shared contexts in `plans.sqlite`, one for each person and worktree."""

import sqlite3
from typing import Final

from jupyter_ac.errors import InvalidParams, NotFound, RefusedPath
from jupyter_ac.git.files import file_hash
from jupyter_ac.git.path_lookup import find
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import Identity
from jupyter_ac.planner.plan_database import CONTEXT_MAC
from jupyter_ac.planner.shared_context import (
    ContextUpdate,
    SharedContext,
    read_context,
    updated,
)
from jupyter_ac.store.sqlite import Database

_READ: Final = """
    SELECT version, content FROM planner_contexts
    WHERE identity = ? AND worktree = ? AND mark IS {mac}
""".replace("{mac}", CONTEXT_MAC)
_WRITE: Final = (
    "INSERT OR REPLACE INTO planner_contexts (identity, worktree, version, content, mark)"
    " VALUES (?, ?, ?, ?, x'')"
)
_MARK: Final = (
    "UPDATE planner_contexts SET mark = {mac} WHERE identity = ? AND worktree = ?".replace(
        "{mac}", CONTEXT_MAC
    )
)


class SharedContextStore:
    """The contexts of one worktree.

    Args:
        database: as of `plan_database`; the caller closes it.
        repository: whose files are named.
    """

    def __init__(self, database: Database, repository: Repository) -> None:
        self._database = database
        self._repository = repository

    async def get(self, identity: Identity) -> SharedContext:
        """Return a person's context; an empty one of version 0 before the first change."""
        key = identity, self._repository.worktree
        return await self._database.read(lambda db: _read(db, key))

    async def update(
        self, identity: Identity, update: ContextUpdate
    ) -> tuple[SharedContext, SharedContext]:
        """Change a person's context. Durable when it returns.

        Of a file that is added or modified the hash is that of the file on disk.

        Returns:
            it before and after the change; the same object twice if nothing differs.

        Raises:
            InvalidParams: the change doesn't fit the context; the path isn't one of a file of the
                repository; the given hash isn't the file's.
            TooLarge: there would be too much in it.
        """
        key = identity, self._repository.worktree
        change = await self._with_hashes(update) if update.context_type == "file" else update

        def work(db: sqlite3.Connection) -> tuple[SharedContext, SharedContext]:
            before = _read(db, key)
            after = updated(before, change)
            if after is not before:
                db.execute(_WRITE, (*key, after.version, after.content()))
                db.execute(_MARK, key)
            return before, after

        return await self._database.run(work)

    async def _with_hashes(self, update: ContextUpdate) -> ContextUpdate:
        entries: dict[str, object] = {}
        for path, given in update.entries.items():
            if update.action == "remove":  # the file may be gone
                entries[path] = ""
                continue
            try:
                name = (await find(self._repository, path)).path
                found = await file_hash(self._repository, path)
            except (RefusedPath, NotFound) as error:
                raise InvalidParams(error.message, {"path": "$.data.path"}) from error
            if found is None:
                raise InvalidParams(
                    f"There is no file {path[:200]!r} in the repository.", {"path": "$.data.path"}
                )
            if given not in {"", found}:
                raise InvalidParams(
                    f"{path[:200]!r} has another content: its hash is {found}.",
                    {"path": "$.data.hash", "hash": found},
                )
            entries[name] = found
        return ContextUpdate(update.action, update.context_type, entries, update.upsert)


def _read(db: sqlite3.Connection, key: tuple[str, str]) -> SharedContext:
    row = db.execute(_READ, key).fetchone()
    if row is None:
        return SharedContext()
    try:
        return read_context(int(row[0]), str(row[1]))
    except ValueError:
        return SharedContext(int(row[0]))
