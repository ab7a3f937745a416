import re
import sqlite3
from contextlib import closing
from pathlib import Path

from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.schema import HISTORY_FILE, MIGRATIONS, REPAIR
from tests.chat.history.test_row_signatures import fill
from tests.support.histories import history_in


def test_the_migrations_make_the_tables() -> None:
    named = re.findall(r"CREATE TABLE (\w+)", "".join(MIGRATIONS))
    with closing(sqlite3.connect(":memory:")) as db:
        for script in MIGRATIONS:
            db.executescript(script)
        found = db.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        ).fetchall()
    assert {name for (name,) in found} == set(named)
    assert len(named) > 8


def test_messages_of_an_old_history_wait_for_the_index() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        for script in MIGRATIONS[:3]:
            db.executescript(script)
        db.execute("INSERT INTO sessions VALUES ('s', 'ada', '', 1, 1, 0, '')")
        db.execute(
            "INSERT INTO messages (message_id, session_id, role, content, created_ms)"
            " VALUES ('m', 's', 'user', 'Why?', 7)"
        )
        for script in MIGRATIONS[3:]:
            db.executescript(script)
        assert db.execute("SELECT * FROM unindexed_messages").fetchall() == [(7, "m")]


def test_the_repair_gives_a_plain_turn_and_session_to_messages_that_lost_theirs() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        for script in MIGRATIONS:
            db.executescript(script)
        db.execute("INSERT INTO selections VALUES ('ada', '', '[]', x'')")
        for role in ("user", "assistant"):
            db.execute(
                "INSERT INTO messages (message_id, session_id, turn_id, role, content, created_ms)"
                " VALUES (?, 's', 't', ?, 'text', 7)",
                (f"t-{role}", role),
            )
        db.executescript(REPAIR)
        assert db.execute("SELECT session_id, identity FROM sessions").fetchall() == [("s", "ada")]
        assert db.execute("SELECT turn_id, state FROM turns").fetchall() == [("t", "done")]
        assert db.execute("SELECT COUNT(*) FROM unindexed_messages").fetchone() == (2,)


def test_the_repair_gives_nobody_a_session_that_may_be_anothers() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        for script in MIGRATIONS:
            db.executescript(script)
        db.executemany("INSERT INTO selections VALUES (?, '', '[]', x'')", [("ada",), ("bob",)])
        db.execute(
            "INSERT INTO messages (message_id, session_id, turn_id, role, content, created_ms)"
            " VALUES ('m', 's', 't', 'user', 'text', 7)"
        )
        db.executescript(REPAIR)
        assert db.execute("SELECT * FROM sessions").fetchall() == []


async def test_a_history_with_its_index_is_opened_again_as_it_is(tmp_path: Path) -> None:
    for _ in range(2):
        database = history_in(tmp_path)
        if not (tmp_path / HISTORY_FILE).exists():
            await fill(database)
        await HistoryArchive(database, "").prepare_search()
        assert database.notice is None
        await database.aclose()
