import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from jupyter_ac.chat.history import index
from tests.chat.history.test_search import found, opened, say


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(opened()) as connection:
        yield connection


def indexed(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT COUNT(*) FROM indexed_messages").fetchone()[0])


def catch_up(db: sqlite3.Connection) -> None:
    while index.catch_up(db):
        pass


def test_it_is_filled_a_batch_at_a_time_and_the_rest_is_found_without_it(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "_BATCH_MESSAGES", 5)
    say(db, *(f"garden {number}" for number in range(20)))
    expected = [f"garden {number}" for number in range(19, -1, -1)]
    for size in (0, 5, 10):
        assert indexed(db) == size
        assert found(db, "GARDEN", "user") == expected
        assert index.catch_up(db)
    catch_up(db)
    assert indexed(db) == 40
    assert not index.is_behind(db)
    assert found(db, "GARDEN", "user") == expected
    assert found(db, "rden 1", "user", 3) == ["garden 19", "garden 18", "garden 17"]


def test_parts_of_words_and_code_are_found_in_any_script(db: sqlite3.Connection) -> None:
    texts = (
        "foo(bar)[0] -> 'x'",
        "日本語のテキスト",
        'say "AND" OR NEAR(a b)',
        "nul\0l",
        "x" * 3000,
    )
    say(db, *texts)
    catch_up(db)
    for query, text in zip(
        ("BAR)[0]", "本語の", '"and" or near(', "\0l", "x" * 900), texts, strict=True
    ):
        assert found(db, query, "user") == [text]
    assert found(db, "dna", "user") == []


def test_a_query_without_triples_is_answered_without_the_index(db: sqlite3.Connection) -> None:
    say(db, "a b", "ab", "日本")
    catch_up(db)
    assert found(db, "ab", "user") == ["ab"]
    assert found(db, "本", "user") == ["日本"]


def test_a_build_without_fts5_searches_as_before(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(db, "a garden")
    catch_up(db)
    say(db, "another garden")
    monkeypatch.setattr(index, "is_possible", lambda _: False)
    assert not index.catch_up(db)
    assert found(db, "garden", "user") == ["another garden", "a garden"]


def test_an_old_sqlite_is_not_asked_for_triples(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert index.is_possible(db)
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 33, 0))
    assert not index.is_possible(db)


def test_an_answer_that_changes_after_it_was_indexed_is_found_once_by_what_it_says(
    db: sqlite3.Connection,
) -> None:
    from jupyter_ac.chat.history import rows

    say(db, "Why?")
    catch_up(db)
    rows.write_answer(db, "t0", "another answer")
    assert found(db, "another") == ["another answer"]
    catch_up(db)
    assert found(db, "another answ") == ["another answer"]
    assert indexed(db) == 2


def test_what_is_being_answered_waits(db: sqlite3.Connection) -> None:
    say(db, "Why?")
    db.execute("UPDATE turns SET state = 'running'")
    catch_up(db)
    assert indexed(db) == 0
    assert not index.is_behind(db)


def test_it_can_be_thrown_away_and_made_anew(db: sqlite3.Connection) -> None:
    say(db, "garden")
    catch_up(db)
    index.discard(db)
    assert not index.exists(db)
    assert found(db, "garden", "user") == ["garden"]
    catch_up(db)
    assert found(db, "garden", "user") == ["garden"]
