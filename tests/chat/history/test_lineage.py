import sqlite3
from contextlib import closing

from jupyter_ac.chat.history.lineage import LineagePart, lineage
from jupyter_ac.chat.history.schema import MIGRATIONS


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
