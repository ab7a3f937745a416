"""The meta data of superjson, also when it is hostile."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidParams
from jupyter_ac.panels.superjson import plain_value, split_path

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def test_a_value_without_meta_data_is_itself() -> None:
    assert plain_value({"json": {"a": [1, None]}}) == {"a": [1, None]}
    assert plain_value({"json": [1], "meta": {"v": 1}}) == [1]


def test_undefined_is_left_out_of_objects_and_null_in_arrays() -> None:
    envelope: dict[str, object] = {
        "json": {"gone": None, "kept": None, "list": [None, 1]},
        "meta": {"values": {"gone": ["undefined"], "list.0": ["undefined"]}, "v": 1},
    }
    assert plain_value(envelope) == {"kept": None, "list": [None, 1]}


def test_numbers_that_json_has_not_become_what_json_makes_of_them() -> None:
    envelope: dict[str, object] = {
        "json": {"nan": "NaN", "minus": "-0", "list": ["Infinity", "-0"]},
        "meta": {
            "values": {
                "nan": ["number"],
                "minus": ["number"],
                "list": {"0": ["number"], "1": ["number"]},
            },
            "v": 1,
        },
    }
    assert plain_value(envelope) == {"nan": None, "minus": 0, "list": [None, 0]}


def test_what_is_below_a_map_or_a_custom_value_is_found() -> None:
    envelope: dict[str, object] = {
        "json": {"map": [["a", {"gone": None}]], "bytes": [1, 2]},
        "meta": {
            "values": {
                "map": ["map", {"0.1.gone": ["undefined"]}],
                "bytes": [["typed-array", "Uint8Array"]],
            },
            "v": 1,
        },
    }
    assert plain_value(envelope) == {"map": [["a", {}]], "bytes": [1, 2]}


@pytest.mark.parametrize(
    "meta",
    [
        [],
        "x",
        {"values": "x"},
        {"values": {"a": []}},
        {"values": {"b": ["undefined"]}},
        {"values": {"list.2": ["undefined"]}},
        {"values": {"list.-1": ["undefined"]}},
        {"values": {"list.99999999999999999999": ["undefined"]}},
        {"values": {"list.\u0660": ["undefined"]}},
        {"values": {"list.a": ["undefined"]}},
        {"values": {"a.b.c": ["undefined"]}},
        {"values": {"__proto__.polluted": ["undefined"]}},
        {"values": {"constructor": {"prototype": ["undefined"]}}},
        {"values": {"a": ["undefined", "x"]}},
        {"values": {"a\\b": ["undefined"]}, "v": 1},
        {"values": {"a\\": ["undefined"]}, "v": 1},
    ],
)
def test_meta_data_that_does_not_fit_is_refused(meta: object) -> None:
    with pytest.raises(InvalidParams, match="doesn't fit"):
        plain_value({"json": {"a": 1, "list": [1, 2]}, "meta": meta})


def test_deep_meta_data_needs_no_recursion() -> None:
    below: object = ["undefined"]
    value: object = None
    for _ in range(10_000):
        below, value = {"a": below}, {"a": value}
    found = plain_value({"json": value, "meta": {"values": below, "v": 1}})
    for _ in range(9_999):
        assert isinstance(found, dict)
        found = found["a"]
    assert found == {}


@given(st.lists(st.text(), min_size=1))
def test_a_path_that_superjson_has_joined_comes_apart_again(keys: list[str]) -> None:
    joined = ".".join(key.replace("\\", "\\\\").replace(".", "\\.") for key in keys)
    assert split_path(joined, is_legacy=False) == keys


def test_in_old_paths_a_backslash_stands_for_itself() -> None:
    assert split_path(r"a\b.c\.d", is_legacy=True) == [r"a\b", "c.d"]


@given(JSON, JSON)
def test_any_meta_data_gives_a_value_or_a_refusal(value: object, values: object) -> None:
    with suppress(InvalidParams):
        plain_value({"json": value, "meta": {"values": values, "v": 1}})
