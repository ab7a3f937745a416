import json
import sqlite3
from contextlib import closing
from dataclasses import asdict

import pytest

from jupyter_ac.chat.history import stored_values
from jupyter_ac.models.client import Usage

HOSTILE = ("[" * 100_000, "NaN", "[Infinity]", "{", "", "x" * 17_000_000, b"[]", 7, None)


@pytest.mark.parametrize("written", HOSTILE, ids=lambda value: repr(value)[:12])
def test_what_is_no_json_of_ours_is_a_value_error(written: object) -> None:
    with pytest.raises(ValueError, match=r"too|JSON|Expecting"):
        stored_values.json_value(written)


def test_lists_and_objects_are_of_what_they_should_be() -> None:
    assert stored_values.strings('["a", "b"]') == ("a", "b")
    assert stored_values.mapping('{"a": 1}') == {"a": 1}
    for written in ("{}", "[1]", '"a"'):
        with pytest.raises(ValueError, match="list"):
            stored_values.strings(written)
    with pytest.raises(TypeError):
        stored_values.mapping("[]")


def test_counts_are_as_many_as_they_should_be() -> None:
    assert stored_values.counts("[3, 0]", 2) == (3, 0)
    for written in ("[1]", "[1, 2, 3]", "{}", "[1, -2]", "[1, true]", "[1, 2.0]", '["1", "2"]'):
        with pytest.raises(ValueError, match="counts"):
            stored_values.counts(written, 2)


def test_what_was_used_comes_back_and_nothing_else_does() -> None:
    used = Usage(1, 2, 3, 4, 0.25, 5, estimated=True)
    assert stored_values.usage_of(json.dumps(asdict(used))) == used
    assert stored_values.usage_of("{}") == Usage()
    assert stored_values.usage_of(None) is None
    for written in ('{"input_tokens": "9"}', '{"cost_usd": "9"}', '{"output_tokens": true}'):
        with pytest.raises(ValueError, match="usage"):
            stored_values.usage_of(written)


def test_a_text_that_is_too_long_or_none_is_not_read() -> None:
    query = "SELECT {content} FROM (SELECT ? AS content)".replace(
        "{content}", stored_values.bounded("content")
    )
    with closing(sqlite3.connect(":memory:")) as db:
        assert db.execute(query, ("short",)).fetchone() == ("short",)
        for value in ("x" * (stored_values.MOST_BYTES + 1), "\0" * 20_000_000, b"x", None):
            assert "not shown" in db.execute(query, (value,)).fetchone()[0]
