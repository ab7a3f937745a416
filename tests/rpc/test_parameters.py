"""The check of received arguments by the schema of their method."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.dialect import JRPC_OO, JSONRPC2
from jupyter_ac.rpc.messages import Params
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.parameters import Parameters, phrase, with_whole_numbers

if TYPE_CHECKING:
    from decimal import Decimal

    from jupyter_ac.rpc.json_schema import JsonSchema


class Options(TypedDict):
    depth: int


def read(path: str, count: int = 1, deep: bool = False) -> None: ...


def select(files: Sequence[str], places: list[list[int]] | None = None) -> None: ...


def mapped(sizes: Mapping[str, int], options: Options | None = None) -> None: ...


def spread(first: int, *rest: str, last: int = 0) -> None: ...


def keyed(**named: int) -> None: ...


def several(kind: Literal["a", "b"] | None = None, what: str | list[int] = "") -> None: ...


def unclear(amount: "Decimal") -> None: ...


def as_method(function: object) -> Method:
    assert callable(function)
    return Method.of("T.f", function, Access.READ)


def parameters_of(annotation: object) -> Parameters:
    def function(value: object) -> None: ...

    function.__annotations__["value"] = annotation
    return as_method(function).parameters


def refusal(function: object, params: Params) -> tuple[str, object]:
    with pytest.raises(InvalidParams) as caught:
        JSONRPC2.bind(as_method(function), params)
    return caught.value.message, caught.value.details.get("path")


@pytest.mark.parametrize(
    ("annotation", "good", "bad", "expected"),
    [
        (str, ["", "x"], [1, None, []], "a string"),
        (int, [0, -1, 2**70], [True, 1.5, "1", None], "a whole number"),
        (float, [0, 1.5], [False, "1"], "a number"),
        (bool, [True, False], [0, 1, "true", None], "true or false"),
        (str | None, ["x", None], [1], "a string or null"),
        (list[str], [[], ["a"]], ["a", None, {}], "an array, each item a string"),
        (list[object], [[1, "a"]], ["a"], "an array"),
        (list, [[1]], [{}], "an array"),
        (dict[str, object], [{}], [[]], "an object"),
        (Options, [{"depth": 1}, {}, {"depth": "x"}], [[]], "an object"),
        (Literal["a", 1], ["a", 1], ["b", True, None], "one of a, 1"),
        (Literal["a"] | None, ["a", None], ["b", 1], "one of a or null"),
        (Literal["a"] | int, ["a", 1], ["b", None], "one of a or a whole number"),
    ],
)
def test_an_annotation_says_what_is_accepted(
    annotation: object, good: list[object], bad: list[object], expected: str
) -> None:
    parameters = parameters_of(annotation)
    for value in good:
        assert parameters.by_position([value], lenient=False) == [value]
        assert parameters.by_name({"value": value}) == {"value": value}
    for value in bad:
        with pytest.raises(InvalidParams, match=f"^T.f: value must be {expected}$") as caught:
            parameters.by_position([value], lenient=False)
        assert caught.value.details == {"path": "$.value"}
        with pytest.raises(InvalidParams, match=f"^T.f: value must be {expected}$"):
            parameters.by_name({"value": value})


@pytest.mark.parametrize("annotation", [object, str | object, complex, type])
def test_other_annotations_accept_everything(annotation: object) -> None:
    values: tuple[object, ...] = (1, "a", None, [], {})
    for value in values:
        assert parameters_of(annotation).by_position([value], lenient=False) == [value]


def test_a_handler_whose_annotations_cannot_be_read_accepts_everything() -> None:
    for function in (unclear, len):
        assert JSONRPC2.bind(as_method(function), [{"a": 1}]) == ([{"a": 1}], {})


@pytest.mark.parametrize(
    ("function", "params", "message", "path"),
    [
        (read, [5], "T.f: path must be a string", "$.path"),
        (read, ["a", "many"], "T.f: count must be a whole number", "$.count"),
        (read, {"path": "a", "deep": 1}, "T.f: deep must be true or false", "$.deep"),
        (read, {"count": 1}, "T.f also needs path", "$"),
        (read, {"path": 1, "b": 2}, "T.f: path must be a string", "$.path"),
        (
            read,
            {"path": "a", "b": 2},
            "T.f has no argument b that can be given by name",
            "$.b",
        ),
        (select, [["a", "b", "c", 4]], "T.f: files[3] must be a string", "$.files[3]"),
        (
            select,
            {"files": [], "places": [[1], [2, "x"]]},
            "T.f: places[1][1] must be a whole number",
            "$.places[1][1]",
        ),
        (
            select,
            [[], [5]],
            "T.f: places[0] must be an array, each item a whole number",
            "$.places[0]",
        ),
        (mapped, [{"a": "b"}], "T.f: sizes.a must be a whole number", "$.sizes.a"),
        (several, ["c"], "T.f: kind must be one of a, b or null", "$.kind"),
        (several, [None, ["x"]], "T.f: what[0] must be a whole number", "$.what[0]"),
        (spread, {"first": 1, "last": "x"}, "T.f: last must be a whole number", "$.last"),
    ],
)
def test_an_error_names_the_method_the_place_and_what_it_must_be(
    function: object, params: Params, message: str, path: str
) -> None:
    assert refusal(function, params) == (message, path)


def test_names_that_a_caller_makes_up_are_cut() -> None:
    message, path = refusal(read, {"path": "a", "x" * 5000: 1})
    assert len(message) < 200
    assert len(str(path)) < 200
    message, path = refusal(mapped, [{"{x}" * 5000: "b"}])
    assert len(message) < 200
    assert len(str(path)) < 200


def test_further_arguments_are_not_held_against_keyword_only_ones() -> None:
    assert JRPC_OO.bind(as_method(spread), [1, "a", "b"]) == ([1, "a", "b"], {})


def test_any_names_are_passed_on() -> None:
    assert JSONRPC2.bind(as_method(keyed), {"a": 1, "b": "x"}) == ([], {"a": 1, "b": "x"})


def test_null_for_an_optional_argument_means_left_out_in_jrpc_oo() -> None:
    args: list[object] = ["a", None, None]
    assert JRPC_OO.bind(as_method(read), {"args": args}) == (["a", 1, False], {})
    assert args == ["a", None, None]
    assert JRPC_OO.bind(as_method(several), [None, None]) == ([None, ""], {})
    assert JRPC_OO.bind(as_method(spread), [1, None]) == ([1, None], {})
    with pytest.raises(InvalidParams):
        JSONRPC2.bind(as_method(read), ["a", None])
    with pytest.raises(InvalidParams):
        JRPC_OO.bind(as_method(read), [None])


@pytest.mark.parametrize(
    ("annotation", "value", "meant"),
    [
        (int, 1.0, "1"),
        (int, -0.0, "0"),
        (int | None, 2.0, "2"),
        (int | str, 2.0, "2"),
        (Literal["a"] | int, 2.0, "2"),
        (float, 1.0, "1.0"),
        (int | float, 1.0, "1.0"),
        (object, 1.0, "1.0"),
        (list[int], [1.0, 2], "[1, 2]"),
        (list[float], [1.0, 2], "[1.0, 2]"),
        (list[list[int]], [[1.0], [2]], "[[1], [2]]"),
        (list[int] | list[str], [1.0], "[1]"),
        (list[object], [1.0], "[1.0]"),
        (str | list[int], "1.0", "'1.0'"),
    ],
)
def test_whole_numbers_lose_their_point_where_one_is_expected(
    annotation: object, value: object, meant: str
) -> None:
    parameters, before = parameters_of(annotation), repr(value)
    assert repr(parameters.by_position([value], lenient=False)) == f"[{meant}]"
    assert repr(parameters.by_name({"value": value})) == f"{{'value': {meant}}}"
    assert repr(value) == before


def test_a_long_list_of_nested_values_is_checked_without_recursion() -> None:
    deep: list[object] = []
    for _ in range(500):
        deep = [deep]
    assert JSONRPC2.bind(as_method(select), [["a"] * 100_000]) == ([["a"] * 100_000], {})
    assert parameters_of(list[object]).by_position([deep], lenient=False) == [deep]
    assert refusal(select, [[deep]])[0] == "T.f: files[0] must be a string"
    assert refusal(select, [["a"] * 100_000 + [None]])[1] == "$.files[100000]"


def test_the_compiler_is_loaded_by_the_first_call_with_arguments() -> None:
    script = (
        "import sys; from jupyter_ac.rpc.dialect import JSONRPC2\n"
        "from jupyter_ac.rpc.methods import Access, Method\n"
        "def f(path: str = ''): ...\n"
        "method = Method.of('T.f', f, Access.READ)\n"
        "JSONRPC2.bind(method, []), JSONRPC2.bind(method, None), JSONRPC2.bind(method, {})\n"
        "assert 'fastjsonschema' not in sys.modules\n"
        "JSONRPC2.bind(method, ['a'])\n"
        "assert 'fastjsonschema' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=100)


def test_a_method_is_compiled_once() -> None:
    method = as_method(read)
    JSONRPC2.bind(method, ["a"])
    first = method.parameters._positions
    JSONRPC2.bind(method, ["b", 2])
    assert first is not None
    assert method.parameters._positions is first


@given(st.lists(st.integers() | st.integers(-(2**60), 2**60).map(float)))
def test_what_is_meant_is_equal_to_what_was_sent(numbers: list[int | float]) -> None:
    schema: JsonSchema = {"type": "array", "items": {"type": "integer"}}
    meant = with_whole_numbers(numbers, schema)
    assert meant == numbers
    assert isinstance(meant, list)
    assert {type(each) for each in meant} <= {int}


def test_a_schema_without_types_expects_anything() -> None:
    assert phrase({}) == "anything"
