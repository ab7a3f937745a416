"""What may be a prop, and that it is a copy."""

import enum
import json
import math
from types import MappingProxyType

import pytest
from hypothesis import given

from jupyter_ac.errors import PanelError, TooLarge
from jupyter_ac.panels.json_values import MAX_INTEGER, json_copy
from jupyter_ac.panels.wire import MAX_DEPTH, JsonValue
from tests.panels.trees import JSON


class Colour(enum.StrEnum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


@given(JSON)
def test_a_copy_is_equal_and_shares_nothing(value: JsonValue) -> None:
    copied = json_copy(value, "value")
    assert json.dumps(copied) == json.dumps(value)
    if isinstance(value, list | dict):
        assert copied is not value


def test_inner_containers_are_copied_too() -> None:
    inner = [1]
    value = {"a": {"b": inner}}
    copied = json_copy(value, "value")
    inner.append(2)
    assert copied == {"a": {"b": [1]}}


@pytest.mark.parametrize(
    ("value", "becomes"),
    [
        ((1, (2,)), [1, [2]]),
        (MappingProxyType({"a": 1}), {"a": 1}),
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        ({Colour.RED: None}, {"red": None}),
        (MAX_INTEGER, MAX_INTEGER),
    ],
)
def test_values_of_other_types_become_those_of_json(value: object, becomes: object) -> None:
    copied = json_copy(value, "value")
    assert copied == becomes
    assert type(copied) is type(becomes)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (math.nan, "value is nan"),
        ({"a": [1, math.inf]}, r"value\.a\[1\] is inf"),
        (2**53, "beyond 2"),
        ({"a": {1: 2}}, r"value\.a has a key of the type int"),
        ([print], r"value\[0\] is a function; only props such as on_click"),
        ({"a": object()}, r"value\.a is of the type object"),
        ({1, 2}, "of the type set"),
        (b"bytes", "of the type bytes"),
    ],
)
def test_what_is_not_json_is_refused_with_its_place(value: object, words: str) -> None:
    with pytest.raises(PanelError, match=words):
        json_copy(value, "value")


def test_cycles_are_refused_at_once() -> None:
    value: list[object] = []
    value += [value, value]
    other: dict[str, object] = {"list": [value]}
    with pytest.raises(PanelError, match=r"props\.list\[0\]\[0\] contains itself"):
        json_copy(other, "props")


def test_a_list_may_be_there_twice() -> None:
    shared = [1]
    assert json_copy([shared, shared], "value") == [[1], [1]]


def test_the_depth_is_limited() -> None:
    assert json_copy(nested(MAX_DEPTH), "value") == nested(MAX_DEPTH)
    with pytest.raises(TooLarge, match="nested more than 64 deep"):
        json_copy(nested(MAX_DEPTH + 1), "value")


def test_a_small_object_that_stands_for_many_values_is_refused() -> None:
    value: object = "x"
    for _ in range(40):
        value = [value, value]
    with pytest.raises(TooLarge, match="more than 200,000 values"):
        json_copy(value, "value")
