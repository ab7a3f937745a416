import sqlite3
from contextlib import closing

import pytest

from jupyter_ac.chat.history import row_signatures, session_restore, session_rows
from jupyter_ac.chat.history.schema import MIGRATIONS
from jupyter_ac.chat.history.session_rows import LineagePart, lineage
from jupyter_ac.chat.records import TurnPosition
from jupyter_ac.errors import AccessDenied, Conflict
from jupyter_ac.ids import ConversationKey, SessionId
from tests.chat.history.test_store import SESSION
from tests.chat.memory import ADA
from tests.support.histories import history_in_memory

OTHER = SessionId("sess_9_z")
PLACE = TurnPosition(ConversationKey(ADA), SESSION, 0)


def test_a_session_that_is_made_is_the_users_own_and_one_that_is_there_stays_as_it_is() -> None:
    with closing(history_in_memory()) as db:
        session_rows.make_session(db, PLACE, "", 7)
        assert row_signatures.is_own(db, SESSION)
        db.execute("UPDATE sessions SET mark = x''")
        session_rows.make_session(db, PLACE, "", 7)
        assert not row_signatures.is_session_marked(db, SESSION)
        with pytest.raises(AccessDenied):
            session_rows.touch_session(db, PLACE, "")


def test_a_session_is_touched_at_the_revision_that_is_known() -> None:
    with closing(history_in_memory()) as db:
        session_rows.touch_session(db, PLACE, "")
        assert session_rows.read_revision(db, SESSION) == 1
        with pytest.raises(Conflict):
            session_rows.touch_session(db, PLACE, "")
        assert session_rows.read_revision(db, "none") is None
        db.execute("UPDATE sessions SET revision = 'x'")
        assert session_rows.read_revision(db, SESSION) == 0


def test_a_time_that_nobody_has_used_makes_no_session_the_newest_for_ever() -> None:
    with closing(history_in_memory()) as db:
        session_rows.make_session(db, TurnPosition(ConversationKey(ADA), SESSION, 0), "", 1 << 62)
        session_rows.make_newest(db, SESSION)
        (updated_ms,) = db.execute("SELECT updated_ms FROM sessions").fetchone()
        assert updated_ms < session_rows.LATEST_MS


def test_the_last_moment_of_all_is_reached_and_never_passed() -> None:
    with closing(history_in_memory()) as db:
        session_rows.make_session(
            db, TurnPosition(ConversationKey(ADA), OTHER, 0), "", session_rows.LATEST_MS
        )
        session_rows.make_session(db, PLACE, "", 7)
        session_rows.make_newest(db, SESSION)
        assert session_restore.latest(db, ADA, "") == SESSION


@pytest.mark.parametrize(
    "revision", ["9223372036854775807", "-9223372036854775808", "'x'", "1e300"]
)
def test_a_session_whose_count_of_changes_was_changed_goes_on(revision: str) -> None:
    with closing(history_in_memory()) as db:
        session_rows.touch_session(db, TurnPosition(ConversationKey(ADA), SESSION, 0), "")
        db.execute(f"UPDATE sessions SET revision = {revision}")
        for _ in range(2):
            known = session_rows.read_revision(db, SESSION)
            assert known is not None
            session_rows.touch_session(db, TurnPosition(ConversationKey(ADA), SESSION, known), "")
            assert session_rows.read_revision(db, SESSION) == known + 1


def sessions(*rows: tuple[str, str, str | None, int]) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    for script in MIGRATIONS:
        db.executescript(script)
    for name, identity, parent, turns in rows:
        db.execute(
            "INSERT INTO sessions (session_id, identity, worktree, created_ms, updated_ms, parent,"
            " parent_turns) VALUES (?, ?, '', 7, 7, ?, ?)",
            (name, identity, parent, turns),
        )
    return db


def test_a_session_is_made_of_those_that_it_goes_on_from() -> None:
    with closing(sessions(("a", "ada", None, 0), ("b", "ada", "a", 3), ("c", "ada", "b", 1))) as db:
        assert lineage(db, "c") == [
            LineagePart("a", 3, 7),
            LineagePart("b", 1, 7),
            LineagePart("c"),
        ]
        assert lineage(db, "a") == [LineagePart("a")]
        assert lineage(db, "zzz") == [LineagePart("zzz")]


def test_a_ring_and_another_persons_session_end_it() -> None:
    with closing(sessions(("a", "ada", "b", 1), ("b", "ada", "a", 1), ("c", "bob", "a", 1))) as db:
        assert [part.session_id for part in lineage(db, "a")] == ["b", "a"]
        assert lineage(db, "c") == [LineagePart("c")]
