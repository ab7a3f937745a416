import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from jupyter_ac.chat.history import owners
from jupyter_ac.chat.history.owners import SILENT_MS, Heartbeats, Owner
from jupyter_ac.chat.history.schema import MIGRATIONS
from tests.chat.memory import ADA
from tests.support.processes import is_running

NOW = 10**12


def lost(owner: Owner, signature: str, silent_ms: int) -> bool:
    """Say whether a process is lost that said last so long ago that it is alive."""
    return owner.is_lost(signature, NOW - silent_ms, NOW)


def ended_process() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait(30)
    return process.pid


def test_a_process_never_takes_itself_for_lost() -> None:
    owner = Owner()
    assert not lost(owner, str(owner), SILENT_MS * 10)


def test_a_process_that_has_ended_is_lost_at_once() -> None:
    assert lost(Owner(), str(Owner(pid=ended_process())), 0)


def test_a_process_that_has_ended_and_was_not_waited_for_is_lost_too() -> None:
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read()  # it ends its output when it ends
        while is_running(process.pid):
            time.sleep(0.01)
        assert lost(Owner(), str(Owner(pid=process.pid)), 0)


def test_another_process_that_runs_is_lost_only_after_a_long_silence() -> None:
    other = str(Owner(pid=os.getppid()))
    assert not lost(Owner(), other, SILENT_MS)
    assert lost(Owner(), other, SILENT_MS + 1)


def test_an_earlier_process_with_our_number_is_lost() -> None:
    assert lost(Owner(), str(Owner()), 0)


def test_a_process_on_another_machine_is_lost_only_after_a_long_silence() -> None:
    other = str(Owner(host="elsewhere", pid=ended_process()))
    assert not lost(Owner(), other, 0)
    assert lost(Owner(), other, SILENT_MS + 1)


def test_a_signature_that_makes_no_sense_is_judged_by_its_silence() -> None:
    for signature in ("", "x", "a/b/c", f"{Owner().host}/²/x"):
        assert not lost(Owner(), signature, 0)
        assert lost(Owner(), signature, SILENT_MS + 1)


def test_a_clock_that_is_ahead_holds_nobody_for_longer_than_a_silence() -> None:
    moments = iter([0, SILENT_MS, SILENT_MS + 1])
    owner = Owner(heartbeats=Heartbeats(lambda: next(moments)))
    ahead = NOW + 10**9
    assert [owner.is_lost("elsewhere/1/x", ahead, NOW) for _ in range(3)] == [False, False, True]


def test_a_process_whose_clock_is_ahead_is_alive_while_it_says_so() -> None:
    moments = iter(range(0, 10 * SILENT_MS, SILENT_MS))
    owner = Owner(heartbeats=Heartbeats(lambda: next(moments)))
    assert not any(owner.is_lost("elsewhere/1/x", NOW + 10**9 + at, NOW) for at in range(9))


ME = Owner("here", os.getpid(), "me")
PERSON = (ADA, "")


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for script in MIGRATIONS:
            connection.executescript(script)
        yield connection


def test_only_another_living_process_holds_a_session(db: sqlite3.Connection) -> None:
    owners.hold(db, ME, PERSON, "s")
    assert not owners.is_held(db, ME, "s")
    owners.hold(db, Owner("here", os.getppid(), "x"), PERSON, "s")
    assert owners.is_held(db, ME, "s")
    assert not owners.is_held(db, ME, "other")


def test_a_process_has_one_session_of_a_person_at_a_time(db: sqlite3.Connection) -> None:
    parent = Owner("here", os.getppid(), "x")
    owners.hold(db, parent, PERSON, "s")
    owners.hold(db, parent, PERSON, "other")
    assert not owners.is_held(db, ME, "s")
    assert owners.is_held(db, ME, "other")


def test_a_process_that_has_ended_holds_nothing(db: sqlite3.Connection) -> None:
    owners.hold(db, Owner("here", 1 << 22, "x"), PERSON, "s")
    owners.hold(db, Owner("here", os.getpid(), "an earlier one of this number"), PERSON, "s")
    assert not owners.is_held(db, ME, "s")
    assert db.execute("SELECT COUNT(*) FROM holders").fetchone() == (0,)


def test_one_on_another_machine_holds_until_it_is_silent_for_long(db: sqlite3.Connection) -> None:
    owners.hold(db, Owner("elsewhere", 1, "x"), PERSON, "s")
    db.execute("UPDATE holders SET alive_ms = alive_ms - ?", (owners.LEASE_MS // 2,))
    assert owners.is_held(db, ME, "s")
    db.execute("UPDATE holders SET alive_ms = alive_ms - ?", (owners.LEASE_MS,))
    assert not owners.is_held(db, ME, "s")
