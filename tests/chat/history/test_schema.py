import sqlite3
from contextlib import closing

from jupyter_ac.chat.history.schema import MIGRATIONS

TABLES = {"sessions", "turns", "messages", "blocks", "sent_blocks", "head_blocks", "selections"}


def test_the_migrations_make_the_tables() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        for script in MIGRATIONS:
            db.executescript(script)
        found = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    assert {name for (name,) in found} == TABLES
