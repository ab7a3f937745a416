"""Encoding and binding of arguments."""

import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.dialect import JRPC_OO, JSONRPC2, WireDialect
from jupyter_ac.rpc.messages import Params
from jupyter_ac.rpc.methods import Access, Method


def subtract(minuend: int, subtrahend: int = 0) -> int:
    return minuend - subtrahend


def gather(*numbers: int) -> list[int]:
    return list(numbers)


def keyed(first: int, *, second: int = 0) -> int:
    return first + second


def only_positional(first: int, /, second: int = 2) -> int:
    return first + second


def as_method(function: object) -> Method:
    assert callable(function)
    return Method.of("T.f", function, Access.READ)


def test_our_arguments_stand_in_args_or_in_an_array() -> None:
    assert JRPC_OO.pack((1, "a")) == {"args": [1, "a"]}
    assert JRPC_OO.pack(()) == {"args": []}
    assert JSONRPC2.pack((1, "a")) == [1, "a"]


@pytest.mark.parametrize(
    "params", [{"args": [5, 3]}, [5, 3], {"args": [5, 3, "surplus", None]}, [5, 3, 9]]
)
def test_jrpc_oo_takes_args_and_arrays_and_drops_what_is_too_much(params: Params) -> None:
    assert JRPC_OO.bind(as_method(subtract), params) == ([5, 3], {})


@pytest.mark.parametrize("params", [None, {}, {"args": []}, []])
def test_jrpc_oo_takes_missing_params_as_no_arguments(params: Params) -> None:
    assert JRPC_OO.bind(as_method(gather), params) == ([], {})


@pytest.mark.parametrize(
    "params", [{"args": "zz"}, {"args": None}, {"args": {"0": 1}}, {"minuend": 1}]
)
def test_jrpc_oo_refuses_other_shapes(params: Params) -> None:
    with pytest.raises(InvalidParams, match="must be an array"):
        JRPC_OO.bind(as_method(gather), params)


@pytest.mark.parametrize("profile", [JRPC_OO, JSONRPC2])
def test_a_missing_argument_is_named(profile: object) -> None:
    assert profile in {JRPC_OO, JSONRPC2}
    with pytest.raises(InvalidParams, match=r"T\.f also needs minuend"):
        (JRPC_OO if profile is JRPC_OO else JSONRPC2).bind(as_method(subtract), [])


PLACES: list[tuple[WireDialect, object, Params, str]] = [
    (JSONRPC2, subtract, [], "$"),
    (JSONRPC2, subtract, {}, "$"),
    (JSONRPC2, subtract, [1, 2, 3, 4], "$[2]"),
    (JSONRPC2, subtract, {"minuend": 1, "extra": 2}, "$.extra"),
    (JSONRPC2, subtract, ["1"], "$.minuend"),
    (JSONRPC2, keyed, [1, 2], "$[1]"),
    (JSONRPC2, only_positional, {"first": 1}, "$"),
    (JRPC_OO, subtract, {"args": []}, "$"),
    (JRPC_OO, subtract, {"args": "zz"}, "$.args"),
    (JRPC_OO, subtract, {"minuend": 1}, "$"),
    (JRPC_OO, subtract, {"args": ["1"]}, "$.minuend"),
]


@pytest.mark.parametrize(("profile", "function", "params", "path"), PLACES)
def test_each_refusal_says_where(
    profile: WireDialect, function: object, params: Params, path: str
) -> None:
    """A missing argument has no place: it belongs to the whole."""
    with pytest.raises(InvalidParams) as caught:
        profile.bind(as_method(function), params)
    assert caught.value.details == {"path": path}


def test_all_further_arguments_go_to_a_method_that_takes_any_number() -> None:
    assert JSONRPC2.bind(as_method(gather), [1, 2, 3]) == ([1, 2, 3], {})


def test_too_many_arguments_are_refused_by_the_book() -> None:
    with pytest.raises(InvalidParams, match="at most 2 arguments, 3 were given"):
        JSONRPC2.bind(as_method(subtract), [1, 2, 3])


def test_arguments_may_be_named_by_the_book() -> None:
    args, named = JSONRPC2.bind(as_method(subtract), {"subtrahend": 1, "minuend": 3})
    assert subtract(*args, **named) == 2  # type: ignore[arg-type]  # values come from the wire


@pytest.mark.parametrize(
    ("function", "params"),
    [
        (subtract, {"minuend": 1, "extra": 2}),
        (subtract, {"subtrahend": 1}),
        (gather, {"numbers": [1]}),
        (keyed, {"second": 1}),
        (only_positional, {"first": 1}),
    ],
)
def test_names_that_do_not_fit_are_refused(function: object, params: Params) -> None:
    with pytest.raises(InvalidParams):
        JSONRPC2.bind(as_method(function), params)


def test_a_keyword_only_argument_can_be_given_by_name_alone() -> None:
    bound = JSONRPC2.bind(as_method(keyed), {"first": 1, "second": 2})
    assert bound == ([], {"first": 1, "second": 2})
    assert JSONRPC2.bind(as_method(keyed), [1]) == ([1], {})
    with pytest.raises(InvalidParams, match="at most 1"):
        JSONRPC2.bind(as_method(keyed), [1, 2])


def test_an_empty_object_is_no_arguments_in_both() -> None:
    for profile in (JSONRPC2, JRPC_OO):
        assert profile.bind(as_method(gather), {}) == ([], {})


def several(counts: list[int], ratio: float = 0.5, most: int | None = None) -> None:
    del counts, ratio, most


def test_a_whole_number_may_be_spelt_with_a_point_where_an_integer_belongs() -> None:
    args: list[object] = [[1.0, 2], 3.0, 4.0]
    for profile in (JSONRPC2, JRPC_OO):
        bound, _ = profile.bind(as_method(several), args)
        assert repr(bound) == "[[1, 2], 3.0, 4]"
    _, named = JSONRPC2.bind(as_method(subtract), {"minuend": 5.0, "subtrahend": 3})
    assert repr(named) == "{'minuend': 5, 'subtrahend': 3}"
    assert repr(args) == "[[1.0, 2], 3.0, 4.0]"
    with pytest.raises(InvalidParams, match="minuend must be a whole number"):
        JSONRPC2.bind(as_method(subtract), [1.5])
    with pytest.raises(InvalidParams, match=r"counts\[0\] must be a whole number"):
        JRPC_OO.bind(as_method(several), [[1.5]])
