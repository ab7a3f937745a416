"""Short texts of values."""

import collections
import datetime as dt
import decimal
import enum
import json
import math
import pathlib
import zoneinfo
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.inspection.value_text import (
    LINE_CHARS,
    builtin_length,
    has_builtin_base,
    is_builtin,
    is_known_zone,
    value_text,
)
from tests.inspection.hostile import hostile_values, nothing_may_run


class Point(NamedTuple):
    x: int
    y: int


class Colour(enum.IntEnum):
    RED = 1


class OwnZone(dt.tzinfo):
    def utcoffset(self, _moment: dt.datetime | None) -> dt.timedelta:
        raise AssertionError

    dst = utcoffset

    def tzname(self, _moment: dt.datetime | None) -> str:
        raise AssertionError


class OwnMoment(dt.datetime):
    def __str__(self) -> str:
        raise AssertionError


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
    max_leaves=30,
)


@given(VALUES, st.integers(1, 200))
def test_a_text_is_bounded_and_printable(value: object, limit: int) -> None:
    text = value_text(value, limit)
    assert len(text) <= limit
    assert text.isprintable()
    assert json.loads(json.dumps(text)) == text


@given(SCALARS)
def test_a_short_scalar_is_written_as_python_writes_it(value: object) -> None:
    if len(repr(value)) < LINE_CHARS:
        assert value_text(value) == repr(value)


@given(st.lists(st.integers(-99, 99), max_size=8))
def test_a_short_list_is_written_whole(value: list[int]) -> None:
    assert value_text(value) == repr(value)
    assert value_text(tuple(value)) == repr(tuple(value))


def test_nothing_of_a_hostile_value_runs() -> None:
    values = list(hostile_values())
    with nothing_may_run():
        for _, value in values:
            assert len(value_text(value)) <= LINE_CHARS
            builtin_length(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1, [2, [3, [4]]]], "[1, [2, [3, …]]]"),
        ("a" * 500, "'" + "a" * 78 + "…"),
        (1 << 9000, "<int of 9001 bits>"),
        (Point(1, 2), f"{__name__}.Point((1, 2))"),
        (Colour.RED, f"{__name__}.Colour(1)"),
        (range(3), "range(0, 3, 1)"),
        (bytearray(b"ab"), "bytearray(b'ab')"),
        (object(), "<object>"),
        (object, "<class object>"),
        (math, "<module math>"),
        (len, "<builtin function len>"),
        (is_builtin, "def is_builtin(cls)"),
        (decimal.Decimal("1.5"), "Decimal('1.5')"),
        (pathlib.PurePosixPath("/a/b"), "Path('/a/b')"),
        (dt.timedelta(days=1), "1 day, 0:00:00"),
        (dt.datetime(2020, 1, 2, tzinfo=dt.UTC), "2020-01-02 00:00:00+00:00"),
        (
            dt.datetime(2020, 1, 2, tzinfo=OwnZone()),
            "<datetime.datetime in a time zone of its own>",
        ),
        (OwnMoment(2020, 1, 2), f"<{__name__}.OwnMoment>"),
        (collections.OrderedDict(a=1), "collections.OrderedDict({'a': 1})"),
        (frozenset([1]), "{1}"),
        ({1: "x"}, "{1: 'x'}"),
        ((1,), "(1,)"),
    ],
)
def test_values_of_known_types(value: object, text: str) -> None:
    assert value_text(value) == text


def test_a_circular_value_ends() -> None:
    value: list[object] = [1]
    value.append(value)
    assert value_text(value) == "[1, [1, [1, …]]]"


def test_of_a_long_value_only_the_beginning_is_read() -> None:
    assert value_text(list(range(10**6)), 30) == "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9…"
    assert value_text("x" * 10**8, 10) == "'xxxxxxxx…"
    assert value_text({number: number for number in range(10**5)}, 10).startswith("{0: 0")
    assert value_text(set(range(10**5)), 10).startswith("{")
    assert value_text(decimal.Decimal(10) ** 5000 + 1, 40)


def test_further_scalars_are_converted() -> None:
    class Tagged:
        pass

    scalars = {id(Tagged): lambda _value: "tag"}
    assert value_text([Tagged()], 40, scalars) == "['tag']"


def test_lengths() -> None:
    assert builtin_length(Point(1, 2)) == 2
    assert builtin_length("abc") == 3
    assert builtin_length(range(10**30)) is None
    assert builtin_length(7) is None
    assert builtin_length(object()) is None


def test_zones_and_classes() -> None:
    assert is_known_zone(None)
    assert is_known_zone(zoneinfo.ZoneInfo("UTC"))
    assert not is_known_zone(OwnZone())
    assert is_builtin(dict)
    assert not is_builtin(Point)
    assert has_builtin_base(Point)
    assert not has_builtin_base(OwnMoment)
