import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from jupyter_ac.chat.history import session_leases
from jupyter_ac.chat.history.owners import Owner
from jupyter_ac.chat.history.schema import MIGRATIONS
from tests.chat.memory import ADA

ME = Owner("here", os.getpid(), "me")
PERSON = (ADA, "")


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for script in MIGRATIONS:
            connection.executescript(script)
        yield connection


def test_only_another_living_process_holds_a_session(db: sqlite3.Connection) -> None:
    session_leases.hold(db, ME, PERSON, "s")
    assert not session_leases.is_held(db, ME, "s")
    session_leases.hold(db, Owner("here", os.getppid(), "x"), PERSON, "s")
    assert session_leases.is_held(db, ME, "s")
    assert not session_leases.is_held(db, ME, "other")


def test_a_process_has_one_session_of_a_person_at_a_time(db: sqlite3.Connection) -> None:
    parent = Owner("here", os.getppid(), "x")
    session_leases.hold(db, parent, PERSON, "s")
    session_leases.hold(db, parent, PERSON, "other")
    assert not session_leases.is_held(db, ME, "s")
    assert session_leases.is_held(db, ME, "other")


def test_a_process_that_has_ended_holds_nothing(db: sqlite3.Connection) -> None:
    session_leases.hold(db, Owner("here", 1 << 22, "x"), PERSON, "s")
    session_leases.hold(
        db, Owner("here", os.getpid(), "an earlier one of this number"), PERSON, "s"
    )
    assert not session_leases.is_held(db, ME, "s")
    assert db.execute("SELECT COUNT(*) FROM holders").fetchone() == (0,)


def test_one_on_another_machine_holds_until_it_is_silent_for_long(db: sqlite3.Connection) -> None:
    session_leases.hold(db, Owner("elsewhere", 1, "x"), PERSON, "s")
    db.execute("UPDATE holders SET alive_ms = alive_ms - ?", (session_leases.SILENT_MS // 2,))
    assert session_leases.is_held(db, ME, "s")
    db.execute("UPDATE holders SET alive_ms = alive_ms - ?", (session_leases.SILENT_MS,))
    assert not session_leases.is_held(db, ME, "s")
