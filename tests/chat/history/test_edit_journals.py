"""Journals of edits in a real database."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.chat.edit_blocks.file_changes import Act, Change
from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits
from jupyter_ac.chat.history import edit_journals
from jupyter_ac.chat.history.edit_journals import EditedTurns, from_json, to_json
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.records import TurnPosition, TurnRecord, TurnState, new_session_id
from jupyter_ac.errors import NotFound
from jupyter_ac.ids import ConversationKey, RepoPath, RequestId
from jupyter_ac.store.sqlite import Database
from tests.chat.memory import ADA
from tests.support.histories import history_in

PATH = RepoPath("a.py")
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


def test_a_journal_comes_back_as_it_was_kept() -> None:
    journal = (
        Change(Act.CREATE, PATH, 0, put=(b"\xff\n", b"x")),
        Change(Act.WRITE, PATH, 1, start=1, gone=1, put=("é\n".encode(),)),
        Change(Act.MOVE, PATH, 2, new_path=RepoPath("d/\udcff")),
        Change(Act.REMOVE, RepoPath("b"), -1),
        Change(Act.DROP, undone=(3,)),
        Change(Act.UNDO, undone=(0, 2)),
    )
    assert from_json(to_json(journal)) == journal


@pytest.mark.parametrize(
    "row",
    [
        {"act": "burn"},
        {"path": "../x"},
        {"path": ".git/hooks/pre-commit"},
        {"path": 3},
        {"act": "move", "new_path": "/etc/passwd"},
        {"start": -1},
        {"start": True},
        {"gone": "1"},
        {"put": "x"},
        {"put": [1]},
        {"act": "undo", "undone": [1]},
        {"act": "undo", "undone": [-1]},
        {"undone": None},
    ],
)
def test_an_entry_that_others_wrote_is_refused(row: dict[str, object]) -> None:
    (fine,) = json.loads(to_json([Change(Act.WRITE, PATH, 1)]))
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_json(json.dumps([{**fine, **row}]))
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_json(json.dumps([row]))


@pytest.mark.parametrize("text", ["", "{}", "3", "[3]", "[[]]", "[" * 100_000])
def test_no_journal_is_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_json(text)


TURN = TurnRecord("turn_1", RequestId("1-a"), "Why?", 1)


async def test_edits_are_kept_and_raise_the_revision(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    try:
        store, session_id = HistoryStore(database, ""), new_session_id()
        await store.begin(TurnPosition(ConversationKey(ADA), session_id, 0), TURN)
        done = replace(TURN, state=TurnState.DONE, edits=TurnEdits(modified=("a",)))
        await store.finish(done)
        before = await store.session(session_id)
        assert before is not None
        assert before.turns[0].edits == TurnEdits(modified=("a",))
        undone = replace(done, edits=TurnEdits(commands=("ls",)))
        await EditedTurns(database).keep(session_id, undone)
        after = await store.session(session_id, unless=before.revision)
        assert after is not None
        assert (after.revision, after.turns) == (before.revision + 1, (undone,))
        with pytest.raises(NotFound):
            await EditedTurns(database).keep(session_id, replace(TURN, turn_id="turn_9"))
    finally:
        await database.aclose()
