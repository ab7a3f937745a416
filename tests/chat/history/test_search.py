import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.chat.history import index, rows, search, session_rows
from jupyter_ac.chat.history.search import MessageQuery
from jupyter_ac.chat.records import SystemEvent, TurnPosition, TurnRecord, TurnState
from jupyter_ac.ids import ConversationKey, RequestId, SessionId
from tests.chat.memory import ADA
from tests.support.examples import examples
from tests.support.histories import history_in_memory

SESSION = SessionId("sess_1_a")
OWNER = (ADA, "")


def opened() -> sqlite3.Connection:
    return history_in_memory()


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(opened()) as connection:
        yield connection


def say(db: sqlite3.Connection, *texts: str) -> None:
    """Keep turns with these questions and the answer \"ok\"."""
    for text in texts:
        number = session_rows.read_revision(db, SESSION) or 0
        session_rows.touch_session(db, TurnPosition(ConversationKey(ADA), SESSION, number), "")
        turn = TurnRecord(
            f"t{number}", RequestId(f"{number}-a"), text, number, TurnState.DONE, "ok"
        )
        rows.add_turn(db, SESSION, turn, "host/1/x")
        rows.end_turn(db, turn)


def found(db: sqlite3.Connection, text: str, role: str = "", limit: int = 50) -> list[str]:
    hits = search.find(db, OWNER, MessageQuery(text, role, limit))
    return [
        hit.said.text if isinstance(hit.said, SystemEvent) else hit.said.question or hit.said.answer
        for hit in hits
    ]


def test_what_looks_like_a_pattern_is_taken_literally(db: sqlite3.Connection) -> None:
    say(db, "100 %", "100 x", "a_b", "axb", "c\\d", "c\\\\d", "'; DROP TABLE turns; --")
    assert found(db, "0 %") == ["100 %"]
    assert found(db, "a_b") == ["a_b"]
    assert found(db, "\\\\") == ["c\\\\d"]
    assert found(db, "'; drop") == ["'; DROP TABLE turns; --"]


def test_upper_and_lower_case_are_one_also_beyond_ascii(db: sqlite3.Connection) -> None:
    say(db, "ÄRGER im GARTEN", "Straße 7", "ΣΊΣΥΦΟΣ")
    assert found(db, "ärger IM") == ["ÄRGER im GARTEN"]
    assert found(db, "straße 7") == found(db, "ße") == ["Straße 7"]
    assert found(db, "σίσυφοσ") == ["ΣΊΣΥΦΟΣ"]
    assert found(db, "😀") == []
    assert found(db, "\ud800") == []


def test_role_and_limit_narrow_the_search(db: sqlite3.Connection) -> None:
    say(db, "ok 1", "ok 2", "no")
    assert found(db, "ok", "user") == ["ok 2", "ok 1"]
    assert found(db, "ok", "assistant") == ["ok"] * 3
    assert found(db, "ok", "system") == []
    assert len(found(db, "ok", limit=2)) == 2


def test_an_answer_that_is_being_made_is_not_found(db: sqlite3.Connection) -> None:
    session_rows.touch_session(db, TurnPosition(ConversationKey(ADA), SESSION, 0), "")
    rows.add_turn(db, SESSION, TurnRecord("t", RequestId("1-a"), "asked", 1), "host/1/x")
    rows.write_answer(db, "t", "half of it")
    assert found(db, "half") == []
    assert found(db, "asked") == ["asked"]


def test_a_search_that_takes_too_long_ends_with_what_it_has(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(db, *(f"text {number}" for number in range(200)))
    assert len(found(db, "text", limit=500)) == 200
    monkeypatch.setattr("jupyter_ac.chat.history.search.TIME_S", -1.0)
    monkeypatch.setattr("jupyter_ac.chat.history.search._STEPS_BETWEEN_LOOKS", 400)
    some = found(db, "text", limit=500)
    assert some == [f"text {number}" for number in range(199, 199 - len(some), -1)]
    assert len(some) < 200
    monkeypatch.undo()
    assert len(found(db, "text", limit=500)) == 200


def test_a_fault_of_the_database_is_not_hidden(db: sqlite3.Connection) -> None:
    db.execute("DROP TABLE turns")
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        found(db, "x")


letters = st.text(st.sampled_from("aAbB%_\\äÄ ß'k\n"), max_size=8)


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(letters.filter(str.strip), max_size=6), letters.filter(bool))
def test_it_finds_what_a_plain_comparison_finds(texts: list[str], query: str) -> None:
    with closing(opened()) as db:
        say(db, *texts)
        expected = [text for text in texts[::-1] if query.casefold() in text.casefold()]
        assert found(db, query, "user") == expected
        while index.catch_up(db):
            pass
        assert found(db, query, "user") == expected
