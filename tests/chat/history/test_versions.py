import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_ac.chat.history import rows, session_restore, session_rows
from jupyter_ac.chat.history.branching import begin_before
from jupyter_ac.chat.history.session_management import delete_session
from jupyter_ac.chat.history.versions import VersionArchive, versions_in
from jupyter_ac.chat.records import TurnPosition, TurnRecord, TurnState
from jupyter_ac.ids import ConversationKey, RequestId, SessionId
from tests.chat.history.test_search import opened
from tests.chat.memory import ADA
from tests.support.histories import history_in

A, B, C, D = (SessionId(f"sess_{number}") for number in range(4))


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(opened()) as connection:
        for question in ("one", "two", "three"):
            ask(connection, A, question)
        yield connection


def ask(db: sqlite3.Connection, session: SessionId, question: str) -> None:
    """Ask something that no other session asks, later than all before."""
    revision = session_rows.read_revision(db, session) or 0
    session_rows.touch_session(db, TurnPosition(ConversationKey(ADA), session, revision), "")
    (number,) = db.execute("SELECT COUNT(*) FROM turns").fetchone()
    turn = TurnRecord(question, RequestId(question), question, number, TurnState.DONE, "ok")
    rows.add_turn(db, session, turn, "host/1/x")
    rows.end_turn(db, turn)


def edit(db: sqlite3.Connection, of: SessionId, before: str, fresh: SessionId, new: str) -> None:
    assert begin_before(db, ConversationKey(ADA), (of, before), fresh)
    ask(db, fresh, new)


def shown(db: sqlite3.Connection, session: SessionId) -> list[tuple[str, list[str]]]:
    """The questions that have versions: each version's text and session, * for the current."""
    return [
        (
            row["request_id"],
            [
                f"{each['preview']} {each['session_id']}{'*' if each['current'] else ''}"
                for each in row["versions"]
            ],
        )
        for row in versions_in(db, ADA, "", session)
    ]


def test_a_conversation_that_was_never_branched_has_none(db: sqlite3.Connection) -> None:
    ask(db, D, "other")
    assert shown(db, A) == []
    assert shown(db, SessionId("unknown")) == []


def test_an_edited_question_is_a_version_on_both_sides(db: sqlite3.Connection) -> None:
    edit(db, A, "two", B, "two, better")
    assert shown(db, A) == [("two", [f"two {A}*", f"two, better {B}"])]
    assert shown(db, B) == [("two, better", [f"two {A}", f"two, better {B}*"])]


def test_a_version_that_is_edited_again_is_one_more_of_the_same(db: sqlite3.Connection) -> None:
    edit(db, A, "two", B, "two, better")
    edit(db, B, "two, better", C, "two, best")
    for session, request_id in ((A, "two"), (B, "two, better"), (C, "two, best")):
        ((name, versions),) = shown(db, session)
        assert name == request_id
        assert [each.rstrip("*") for each in versions] == [
            *(f"two {A}", f"two, better {B}", f"two, best {C}")
        ]


def test_the_first_question_has_versions_too(db: sqlite3.Connection) -> None:
    edit(db, A, "one", B, "first")
    edit(db, B, "first", C, "at first")
    assert [len(versions) for _, versions in shown(db, A)] == [3]
    assert shown(db, C)[0][0] == "at first"


def test_questions_at_different_places_are_listed_in_their_order(db: sqlite3.Connection) -> None:
    edit(db, A, "three", B, "three, better")
    edit(db, A, "two", C, "two, better")
    assert [name for name, _ in shown(db, A)] == ["two", "three"]
    assert [name for name, _ in shown(db, B)] == ["two", "three, better"]
    assert [name for name, _ in shown(db, C)] == ["two, better"]


def test_the_session_used_last_stands_for_a_version(db: sqlite3.Connection) -> None:
    edit(db, A, "two", B, "two, better")
    session_restore.begin_after(db, A, D)
    ask(db, D, "four")
    assert shown(db, B)[0][1][0] == f"two {D}"
    assert shown(db, D)[0][1] == [f"two {D}*", f"two, better {B}"]
    assert shown(db, A) == [
        ("two", [f"two {A}*", f"two, better {B}"]),
        ("", [f"four {D}"]),
    ]


def test_behind_the_last_answer_others_may_go_on(db: sqlite3.Connection) -> None:
    assert begin_before(db, ConversationKey(ADA), (A, "three"), B)
    assert shown(db, B) == [("", [f"three {A}"])]
    assert shown(db, A) == []


def test_a_deleted_session_is_no_version(db: sqlite3.Connection) -> None:
    edit(db, A, "two", B, "two, better")
    delete_session(db, B)
    assert shown(db, A) == []


def test_a_ring_of_sessions_ends(db: sqlite3.Connection) -> None:
    edit(db, A, "two", B, "two, better")
    db.execute("UPDATE sessions SET parent = ?, parent_turns = 1 WHERE session_id = ?", (B, A))
    assert isinstance(versions_in(db, ADA, "", A), list)


async def test_another_persons_sessions_are_not_looked_at(tmp_path: Path) -> None:
    database = history_in(tmp_path)

    def fill(db: sqlite3.Connection) -> None:
        ask(db, A, "one")
        edit(db, A, "one", B, "first")
        db.execute("UPDATE sessions SET identity = 'eve' WHERE session_id = ?", (B,))

    await database.run(fill)
    assert await VersionArchive(database, "").of(ADA, A) == []
    assert await VersionArchive(database, "other").of(ADA, A) == []
    await database.aclose()
