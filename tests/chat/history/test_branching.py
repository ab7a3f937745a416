import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_ac.chat.history import row_signatures, rows, sent_rows, session_restore
from jupyter_ac.chat.history.branching import HistoryBranches, begin_before
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.prompt.turn_marks import marked, marks_of
from jupyter_ac.errors import AccessDenied
from jupyter_ac.ids import ConversationKey, SessionId
from tests.chat.history.test_row_signatures import fill
from tests.chat.history.test_search import SESSION, opened, say
from tests.chat.memory import ADA
from tests.support.histories import history_in

BRANCH = SessionId("sess_2_b")
LATER = SessionId("sess_3_c")


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(opened()) as connection:
        say(connection, "one", "two", "three")
        yield connection


def branch(db: sqlite3.Connection, before: str, fresh: SessionId = BRANCH) -> bool:
    return begin_before(db, ConversationKey(ADA), (SESSION, before), fresh)


def questions(db: sqlite3.Connection, session_id: SessionId) -> list[str]:
    kept = rows.read_session(db, session_id)
    assert kept is not None
    assert kept.is_own
    return [turn.question for turn in kept.turns]


def turn_ids(db: sqlite3.Connection) -> list[str]:
    return [name for (name,) in db.execute("SELECT turn_id FROM turns ORDER BY number")]


def test_it_has_the_turns_before_the_question_and_the_other_one_has_all(
    db: sqlite3.Connection,
) -> None:
    assert branch(db, turn_ids(db)[2])
    assert questions(db, BRANCH) == ["one", "two"]
    assert questions(db, SESSION) == ["one", "two", "three"]
    say(db, "four")
    assert questions(db, BRANCH) == ["one", "two"]
    count = "SELECT parent_messages FROM sessions WHERE session_id = ?"
    assert db.execute(count, (BRANCH,)).fetchone() == (4,)


def test_a_turn_of_a_session_that_it_goes_on_from_is_found_there(db: sqlite3.Connection) -> None:
    first, *_, last = turn_ids(db)
    session_restore.begin_after(db, SESSION, LATER)
    assert begin_before(db, ConversationKey(ADA), (LATER, last), BRANCH)
    assert questions(db, BRANCH) == ["one", "two"]
    again = SessionId("sess_4_d")
    assert begin_before(db, ConversationKey(ADA), (BRANCH, first), again)
    assert questions(db, again) == []


def test_a_turn_that_is_not_in_the_session_is_not_found(db: sqlite3.Connection) -> None:
    *_, last = turn_ids(db)
    assert not branch(db, "unknown")
    assert branch(db, last)
    assert not begin_before(db, ConversationKey(ADA), (BRANCH, last), LATER)
    assert db.execute("SELECT COUNT(*) FROM sessions").fetchone() == (2,)


def test_what_came_after_the_question_is_not_in_it(db: sqlite3.Connection) -> None:
    one, two, three = turn_ids(db)
    db.executemany(
        "UPDATE turns SET created_ms = ? WHERE turn_id = ?", [(100, one), (200, two), (300, three)]
    )
    row_signatures.mark_all(db, SESSION)
    for at_ms, words in ((150, "before"), (250, "after")):
        db.execute(
            "INSERT INTO messages"
            " (message_id, session_id, role, content, created_ms, kind, after_turn)"
            " VALUES (?, ?, 'system', ?, ?, 'commit', ?)",
            (f"event_{at_ms}", SESSION, words, at_ms, one),
        )
        sent_rows.add(db, SESSION, Removal("summarize", one, summary=words, created_ms=at_ms))
    assert branch(db, two)
    kept = rows.read_session(db, BRANCH)
    assert kept is not None
    assert [event.text for event in kept.events] == ["before"]
    assert [removal.summary for removal in kept.removals] == ["before"]


def test_it_has_the_turn_itself_and_its_marks_as_they_are_now(db: sqlite3.Connection) -> None:
    one, two, three = turn_ids(db)
    sent_rows.add(db, SESSION, marked("exclude", (one, three), three, 10_000))
    sent_rows.add(db, SESSION, marked("pin", (two,), three, 10_000))
    assert begin_before(db, ConversationKey(ADA), (SESSION, two), BRANCH, after=True)
    assert questions(db, BRANCH) == ["one", "two"]
    kept = rows.read_session(db, BRANCH)
    assert kept is not None
    assert marks_of(kept.removals) == {one: "exclude", two: "pin"}
    assert all(removal.through == two for removal in kept.removals)
    assert begin_before(db, ConversationKey(ADA), (BRANCH, two), LATER, after=True)
    later = rows.read_session(db, LATER)
    assert later is not None
    assert marks_of(later.removals) == {one: "exclude", two: "pin"}


def test_a_mark_that_was_taken_back_since_is_not_in_it(db: sqlite3.Connection) -> None:
    one, two, three = turn_ids(db)
    db.executemany(
        "UPDATE turns SET created_ms = ? WHERE turn_id = ?", [(100, one), (200, two), (300, three)]
    )
    row_signatures.mark_all(db, SESSION)
    sent_rows.add(db, SESSION, marked("exclude", (one,), one, 150))
    sent_rows.add(db, SESSION, marked(None, (one,), three, 400))
    assert branch(db, two)
    kept = rows.read_session(db, BRANCH)
    assert kept is not None
    assert marks_of(kept.removals) == {}


def test_behind_the_last_answer_all_of_it_goes_on(db: sqlite3.Connection) -> None:
    assert begin_before(db, ConversationKey(ADA), (SESSION, turn_ids(db)[2]), BRANCH, after=True)
    assert questions(db, BRANCH) == ["one", "two", "three"]
    say(db, "four")
    assert questions(db, BRANCH) == ["one", "two", "three"]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE turns SET finish_reason = 'other'",
        "UPDATE sessions SET created_ms = 7",
        "UPDATE messages SET content = 'planted'",
    ],
)
def test_what_is_not_ones_own_is_not_branched(db: sqlite3.Connection, change: str) -> None:
    db.execute(change)
    with pytest.raises(AccessDenied, match="Trust the history"):
        branch(db, turn_ids(db)[1])


@pytest.mark.parametrize("column", ["parent", "parent_turns", "created_ms"])
def test_a_branch_that_was_changed_is_not_ones_own(db: sqlite3.Connection, column: str) -> None:
    assert branch(db, turn_ids(db)[1])
    db.execute(f"UPDATE sessions SET {column} = 2 WHERE session_id = ?", (BRANCH,))
    kept = rows.read_session(db, BRANCH)
    assert kept is not None
    assert not kept.is_own


async def test_it_is_on_disk_and_goes_on_where_panels_are(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    await fill(database)
    branches = HistoryBranches(database)
    assert await branches.begin(ConversationKey(ADA), SESSION, "t3", BRANCH)
    kept = await database.read(lambda db: rows.read_session(db, BRANCH))
    assert kept is not None
    assert kept.is_own
    assert [turn.turn_id for turn in kept.turns] == ["t1", "t2"]
    assert all(turn.sent for turn in kept.turns)
    assert kept.heads
    await database.aclose()
