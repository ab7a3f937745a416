"""Journals of edits in a real database."""

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.chat.edits.undoing.changes import Act, Change
from jupyter_ac.chat.history import edit_journals
from jupyter_ac.ids import RepoPath
from jupyter_ac.store.sqlite import Database
from tests.support.histories import history_in

CHANGE = Change(Act.REMOVE, RepoPath("a"), 0)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = history_in(tmp_path)
    yield database
    asyncio.run(database.aclose())


async def extended(database: Database, *changes: Change, is_new: bool = False) -> int:
    return await database.run(lambda db: edit_journals.extend(db, "", "b", changes, is_new=is_new))


async def journal(database: Database, worktree: str = "") -> tuple[Change, ...]:
    return await database.read(lambda db: edit_journals.read(db, worktree, "b"))


async def test_a_journal_grows(database: Database) -> None:
    assert await extended(database, CHANGE, is_new=True) == 0
    assert await extended(database, CHANGE, CHANGE) == 1
    assert await journal(database) == (CHANGE,) * 3
    assert await journal(database, "linked") == ()
    await database.run(lambda db: edit_journals.forget(db, "b"))
    assert await journal(database) == ()


async def test_one_that_has_no_beginning_or_is_too_long_stays_empty(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await extended(database, CHANGE)
    assert await journal(database) == ()
    monkeypatch.setattr(edit_journals, "MOST_BYTES", 200)
    await extended(database, CHANGE, is_new=True)
    await extended(database, CHANGE, CHANGE)
    assert await journal(database) == ()
    await extended(database, CHANGE)
    assert await journal(database) == ()


async def test_what_others_wrote_is_not_read(database: Database) -> None:
    await extended(database, CHANGE, is_new=True)

    def change(db: sqlite3.Connection) -> None:
        db.execute("UPDATE edit_journals SET changes = '[]'")

    await database.run(change)
    assert await journal(database) == ()
