"""Values compared with what they were."""

import json
from collections import OrderedDict
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
from hypothesis import given

from jupyter_ac.panels.snapshots import is_plain, is_unchanged, snapshot
from jupyter_ac.panels.wire import JsonValue
from tests.panels.trees import JSON

if TYPE_CHECKING:
    from collections.abc import Callable


class Point(NamedTuple):
    x: int
    y: int


@given(JSON, JSON)
def test_json_values_are_compared_as_json(one: JsonValue, other: JsonValue) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert is_unchanged(snapshot(one), other) is same


def test_a_change_in_place_is_seen() -> None:
    inner = [1]
    changes: list[tuple[object, Callable[[], object]]] = [
        ((inner,), lambda: inner.append(2)),
        (mapping := {"a": {"b": 1}}, lambda: mapping["a"].update(b=2)),
        (members := {1}, lambda: members.add(2)),
    ]
    for value, make in changes:
        before = snapshot(value)
        assert is_unchanged(before, value)
        make()
        assert not is_unchanged(before, value)


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (1, 1.0), ([1], (1,)), ("1", 1), (None, False), ({}, [])]
)
def test_equal_values_of_other_types_are_changes(one: object, other: object) -> None:
    assert not is_unchanged(snapshot(one), other)


@pytest.mark.parametrize("value", [date(2026, 1, 1), Fraction(1, 3), Point(1, 2), frozenset({1})])
def test_objects_that_can_be_hashed_are_compared_by_their_value(value: object) -> None:
    equal = type(value)(value) if isinstance(value, frozenset) else eval(repr(value), NAMES)
    assert is_unchanged(snapshot(value), equal)


NAMES = {"datetime": __import__("datetime"), "Fraction": Fraction, "Point": Point}


def test_others_are_compared_by_identity() -> None:
    array = np.arange(3)
    assert is_unchanged(snapshot(array), array)
    assert not is_unchanged(snapshot(array), np.arange(3))


def test_subclasses_of_containers_count_as_changed() -> None:
    value = OrderedDict(a=1)
    assert not is_unchanged(snapshot(value), value)


def test_plain_values() -> None:
    assert all(map(is_plain, [None, True, 1, 1.5, "a", b"a"]))
    assert not any(map(is_plain, [[], {}, (), object()]))
