"""Completion from what objects hold."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidParams
from jupyter_ac.inspection.completion import MOST_MATCHES, complete
from tests.inspection.hostile import hostile_values, nothing_may_run


class Point:
    height = 0

    def __init__(self) -> None:
        self.wide = 1
        self.text = "x"

    @property
    def width(self) -> int:
        raise AssertionError

    def __getattr__(self, name: str) -> object:
        raise AssertionError(name)


NAMESPACE: dict[object, object] = {
    "point": Point(),
    "Point": Point,
    "json": json,
    "printer": 1,
    "_hidden": 2,
    3: 4,
}


@pytest.mark.parametrize(
    ("code", "matches"),
    [
        ("printe", ["printer"]),
        ("x = point.w", ["wide", "width"]),
        ("point.text.isi", ["isidentifier"]),
        ("Point.hei", ["height"]),
        ("json.decoder.JSOND", ["JSONDecodeError", "JSONDecoder"]),
        ("_hid", ["_hidden"]),
        ("whi", ["while"]),
        ("missing.x", []),
        ("point.missing.x", []),
        ("point.width.x", []),
        ("f().x", []),
        (".x", []),
        ("1.x", []),
        ("7p", []),
    ],
)
def test_matches(code: str, matches: list[str]) -> None:
    assert complete(NAMESPACE, code, len(code))["matches"] == matches


def test_the_text_to_be_replaced_is_the_last_name() -> None:
    found = complete(NAMESPACE, "é = point.wi + 1", 12)
    assert found == {"matches": ["wide", "width"], "cursor_start": 10, "cursor_end": 12}


def test_matches_are_bounded_and_private_names_wait_for_an_underscore() -> None:
    many: dict[object, object] = {f"name{at}": at for at in range(1000)}
    assert len(complete(many, "name", 4)["matches"]) == MOST_MATCHES
    assert not any(name.startswith("_") for name in complete(NAMESPACE, "point.", 6)["matches"])


def test_nothing_of_hostile_values_runs() -> None:
    namespace: dict[object, object] = dict(hostile_values())
    with nothing_may_run():
        for name in namespace:
            members = complete(namespace, f"{name}.", len(f"{name}."))
            deeper = complete(namespace, f"{name}.shape.x", len(f"{name}.shape.x"))
            assert members["cursor_start"] == members["cursor_end"] == len(f"{name}.")
            assert deeper["matches"] == []


@pytest.mark.parametrize("cursor_pos", [-1, 4])
def test_a_cursor_outside_is_refused(cursor_pos: int) -> None:
    with pytest.raises(InvalidParams, match="cursor_pos"):
        complete(NAMESPACE, "abc", cursor_pos)


def test_too_long_code_is_refused() -> None:
    with pytest.raises(InvalidParams, match="characters"):
        complete(NAMESPACE, "x" * 1_000_001, 0)


@given(st.text(max_size=50), st.data())
def test_any_text_can_be_completed(code: str, data: st.DataObject) -> None:
    cursor = data.draw(st.integers(0, len(code)))
    found = complete(NAMESPACE, code, cursor)
    assert 0 <= found["cursor_start"] <= found["cursor_end"] == cursor
    prefix = code[found["cursor_start"] : cursor]
    assert all(match.startswith(prefix) for match in found["matches"])
