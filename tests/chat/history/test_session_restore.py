import sqlite3
from contextlib import closing

from jupyter_ac.chat.history import session_restore
from jupyter_ac.chat.records import SessionRecord, TurnRecord, TurnState
from jupyter_ac.ids import RequestId, SessionId
from tests.chat.history.test_search import SESSION, opened, say
from tests.chat.memory import ADA

FRESH = SessionId("sess_2_b")


def listed(db: sqlite3.Connection) -> list[tuple[object, ...]]:
    return db.execute(
        "SELECT session_id, parent, parent_turns, parent_messages FROM sessions ORDER BY rowid"
    ).fetchall()


def test_the_new_session_remembers_how_far_the_earlier_one_was() -> None:
    with closing(opened()) as db:
        say(db, "one", "two")
        assert session_restore.has_turns(db, SESSION)
        session_restore.begin_after(db, SESSION, FRESH)
        say(db, "three")
        assert listed(db) == [(SESSION, None, 0, 0), (FRESH, SESSION, 2, 4)]
        assert not session_restore.has_turns(db, FRESH)
        assert session_restore.count_messages(db, FRESH) == 4
        assert session_restore.count_messages(db, SESSION) == 6


def test_the_new_session_is_the_one_used_last() -> None:
    with closing(opened()) as db:
        assert session_restore.latest(db, ADA, "") is None
        say(db, "one")
        session_restore.begin_after(db, SESSION, FRESH)
        assert session_restore.latest(db, ADA, "") == FRESH
        assert session_restore.latest(db, ADA, "other worktree") is None


def test_without_a_disk_only_what_was_said_has_another_name() -> None:
    turn = TurnRecord("t", RequestId("1-a"), "Why?", 1, TurnState.DONE, "So.")
    kept = SessionRecord(SESSION, 4, (turn,))
    found = session_restore.continued_unkept(kept, FRESH)
    assert found is not None
    assert (found.session_id, found.revision, found.turns) == (FRESH, 0, (turn,))
    empty = SessionRecord(SESSION, 4)
    assert session_restore.continued_unkept(empty, FRESH) == empty
    assert session_restore.continued_unkept(None, FRESH) is None
