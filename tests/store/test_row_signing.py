import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.store.row_signing import RowSigner, signed_columns

KEY = b"k" * 32
VALUES = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.text(max_size=6), st.binary(max_size=6)
)
ROW = signed_columns(("a", "b"))


def connection(key: bytes = KEY, place: str = "/repo/.git") -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    RowSigner(key, Path(place)).install(made)
    made.execute("CREATE TABLE t (a, b)")
    return made


def mac(db: sqlite3.Connection, *row: object) -> object:
    db.execute("DELETE FROM t")
    db.execute("INSERT INTO t VALUES (?, ?)", row)
    return db.execute(f"SELECT row_mac('t', {ROW}) FROM t").fetchone()[0]


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(connection()) as made:
        yield made


@given(st.tuples(VALUES, VALUES), st.tuples(VALUES, VALUES))
def test_two_rows_have_one_code_only_when_they_are_the_same(
    one: tuple[object, object], two: tuple[object, object]
) -> None:
    with closing(connection()) as db:
        is_same = [(type(x), x) for x in one] == [(type(x), x) for x in two]
        assert (mac(db, *one) == mac(db, *two)) == is_same


def test_another_key_and_another_place_give_another_code(db: sqlite3.Connection) -> None:
    with closing(connection(b"l" * 32)) as other, closing(connection(place="/copy")) as copy:
        assert len({mac(each, "a", "b") for each in (db, other, copy)}) == 3


def test_a_digest_of_rows_is_of_all_of_them_in_any_order(db: sqlite3.Connection) -> None:
    def digest(*rows: tuple[object, object]) -> object:
        db.execute("DELETE FROM t")
        db.executemany("INSERT INTO t VALUES (?, ?)", rows)
        return db.execute(f"SELECT rows_digest({ROW}) FROM t").fetchone()[0]

    assert digest((1, "x"), (2, "y")) == digest((2, "y"), (1, "x"))
    assert len({digest(), digest((1, "x")), digest((1, "x"), (1, "x")), digest((1, None))}) == 4


def test_text_that_is_no_text_is_covered_by_its_bytes(db: sqlite3.Connection) -> None:
    db.execute("INSERT INTO t VALUES (CAST(x'ff' AS TEXT), 1)")
    assert db.execute(f"SELECT row_mac('t', {ROW}) FROM t").fetchone()[0]


def test_no_trigger_of_a_file_can_sign(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA trusted_schema=OFF")
    db.execute("CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET b = row_mac(a); END")
    with pytest.raises(sqlite3.OperationalError, match="unsafe use"):
        db.execute("INSERT INTO t VALUES (1, 2)")
