"""The checks of parameters, derived from their annotations."""

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NewType, TypedDict

import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.arguments import Expected, expectations, with_whole_numbers
from jupyter_ac.rpc.dialect import JRPC_OO, JSONRPC2
from jupyter_ac.rpc.methods import Access, Method

if TYPE_CHECKING:
    from decimal import Decimal

Path = NewType("Path", str)


class Options(TypedDict):
    depth: int


def read(path: str, count: int = 1, deep: bool = False) -> None: ...


def unclear(amount: "Decimal") -> None: ...


def spread(first: int, *rest: str, last: int = 0) -> None: ...


def as_method(function: object) -> Method:
    assert callable(function)
    return Method.of("T.f", function, Access.READ)


def expected_of(annotation: object) -> Expected:
    def function(value: object) -> None: ...

    function.__annotations__["value"] = annotation
    (expected,) = expectations(function, inspect.signature(function))
    return expected


@pytest.mark.parametrize(
    ("annotation", "good", "bad", "phrase"),
    [
        (str, ["", "x"], [1, None, []], "a string"),
        (int, [0, -1, 2**70], [True, 1.5, "1", None], "a whole number"),
        (float, [0, 1.5], [False, "1"], "a number"),
        (bool, [True, False], [0, 1, "true", None], "true or false"),
        (Path, ["a/b"], [1], "a string"),
        (str | None, ["x", None], [1], "a string or null"),
        (list[str], [[], ["a"]], ["a", [1], None, {}], "an array, each item a string"),
        (Sequence[int], [[1]], [["1"], "12"], "an array, each item a whole number"),
        (list[object], [[1, "a"]], ["a"], "an array"),
        (list, [[1]], [{}], "an array"),
        (dict[str, object], [{}], [[]], "an object"),
        (Mapping[str, int], [{"a": 1}], ["a"], "an object"),
        (Options, [{"depth": 1}], [[]], "an object"),
        (Literal["a", 1], ["a", 1], ["b", True, None], "one of a, 1"),
    ],
)
def test_an_annotation_says_what_is_accepted(
    annotation: object, good: list[object], bad: list[object], phrase: str
) -> None:
    expected = expected_of(annotation)
    assert expected.phrase == phrase
    assert [expected.accepts(value) for value in good] == [True] * len(good)
    assert [expected.accepts(value) for value in bad] == [False] * len(bad)


@pytest.mark.parametrize("annotation", [object, str | object, complex, type])
def test_other_annotations_accept_everything(annotation: object) -> None:
    expected = expected_of(annotation)
    values: tuple[object, ...] = (1, "a", None, [], {})
    assert all(map(expected.accepts, values))


def test_a_handler_whose_annotations_cannot_be_read_accepts_everything() -> None:
    for function in (unclear, len):
        (expected,) = as_method(function).expected
        assert expected.accepts(object())


def test_a_wrong_type_is_refused_with_the_name_and_what_it_must_be() -> None:
    for profile in (JRPC_OO, JSONRPC2):
        with pytest.raises(InvalidParams, match=r"T\.f: path must be a string"):
            profile.bind(as_method(read), [5])
        with pytest.raises(InvalidParams, match="count must be a whole number"):
            profile.bind(as_method(read), ["a", "many"])
    with pytest.raises(InvalidParams, match="deep must be true or false"):
        JSONRPC2.bind(as_method(read), {"path": "a", "deep": 1})


def test_further_arguments_are_not_held_against_keyword_only_ones() -> None:
    assert JRPC_OO.bind(as_method(spread), [1, "a", "b"]) == ([1, "a", "b"], {})
    with pytest.raises(InvalidParams, match="last must be a whole number"):
        JSONRPC2.bind(as_method(spread), {"first": 1, "last": "x"})


def test_null_for_an_optional_argument_means_left_out_in_jrpc_oo() -> None:
    args = [["a", None, None], {}]
    assert JRPC_OO.bind(as_method(read), {"args": args[0]}) == (["a", 1, False], {})
    assert args[0] == ["a", None, None]
    with pytest.raises(InvalidParams):
        JSONRPC2.bind(as_method(read), ["a", None])
    with pytest.raises(InvalidParams):
        JRPC_OO.bind(as_method(read), [None])


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        ([2.0, [3.0, "4.0"], 1.5], "[2, [3, '4.0'], 1.5]"),
        (1.5, "1.5"),
        (float("inf"), "inf"),
        (True, "True"),
        ("1.0", "'1.0'"),
        (None, "None"),
    ],
)
def test_whole_numbers_lose_their_point(value: object, meant: str) -> None:
    assert repr(with_whole_numbers(value)) == meant
