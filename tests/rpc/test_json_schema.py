"""Schemas from annotations."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NewType, NotRequired, TypedDict

import jsonschema
import pytest

from jupyter_ac.rpc.codec import Encoded
from jupyter_ac.rpc.json_schema import DRAFT, parameters_schema, type_hints, type_schema

if TYPE_CHECKING:
    from decimal import Decimal

Path = NewType("Path", str)


class Word(StrEnum):
    NONE = ""
    A = "a"


class Options(TypedDict):
    depth: int
    name: NotRequired[str]


class Tree(TypedDict):
    children: "list[Tree]"


class Loose(TypedDict, total=False):
    amount: int


class Unclear(TypedDict):
    amount: "Decimal"


@dataclass
class Point:
    x: float
    y: float = 0


def another() -> type:
    class Options(TypedDict):
        other: int

    return Options


OPTIONS = {
    "type": "object",
    "properties": {"depth": {"type": "integer"}, "name": {"type": "string"}},
    "required": ["depth"],
}
REFERENCE = {"$ref": "#/definitions/Options"}


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (str, {"type": "string"}),
        (bool, {"type": "boolean"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (None, {"type": "null"}),
        (Path, {"type": "string"}),
        (object, {}),
        (complex, {}),
        (set[str], {}),
        (str | object, {}),
        (list, {"type": "array"}),
        (list[object], {"type": "array"}),
        (list[str], {"type": "array", "items": {"type": "string"}}),
        (Sequence[Path], {"type": "array", "items": {"type": "string"}}),
        (dict, {"type": "object"}),
        (dict[str, object], {"type": "object"}),
        (Mapping[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Encoded[list[str]], {"type": "array", "items": {"type": "string"}}),
        (str | Encoded[str], {"type": "string"}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal["a", 1], {"type": ["integer", "string"], "enum": ["a", 1]}),
        (Literal[b"a"], {}),
        (Word, {"type": "string", "enum": ["", "a"]}),
        (str | None, {"type": ["string", "null"]}),
        (Literal["a"] | None, {"type": ["string", "null"], "enum": ["a", None]}),
        (
            Sequence[int] | None,
            {"type": ["array", "null"], "items": {"type": "integer"}},
        ),
        (
            Literal["a"] | int,
            {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer"}]},
        ),
        (
            list[str] | list[int],
            {
                "anyOf": [
                    {"type": "array", "items": {"type": "string"}},
                    {"type": "array", "items": {"type": "integer"}},
                ]
            },
        ),
        (Options, {**REFERENCE, "definitions": {"Options": OPTIONS}}),
        (
            Options | None,
            {"anyOf": [REFERENCE, {"type": "null"}], "definitions": {"Options": OPTIONS}},
        ),
    ],
)
def test_a_type_is_written_as_a_schema(hint: object, schema: Mapping[str, object]) -> None:
    assert type_schema(hint) == {"$schema": DRAFT, **schema}


def test_members_are_required_unless_they_may_be_absent() -> None:
    def required(hint: type) -> object:
        definitions = type_schema(hint)["definitions"]
        assert isinstance(definitions, dict)
        return definitions[hint.__name__]["required"]

    assert required(Loose) == []
    assert required(Point) == ["x", "y"]
    assert required(Options) == ["depth"]


def test_a_shape_may_hold_itself() -> None:
    check = jsonschema.Draft7Validator(type_schema(Tree))
    assert check.is_valid({"children": [{"children": []}]})
    assert not check.is_valid({"children": [{"children": [5]}]})


def test_a_closed_schema_has_no_room_for_further_members() -> None:
    value = [{"depth": 1, "more": 2}]
    assert jsonschema.Draft7Validator(type_schema(list[Options])).is_valid(value)
    closed = jsonschema.Draft7Validator(type_schema(list[Options], closed=True))
    assert not closed.is_valid(value)
    assert closed.is_valid([{"depth": 1}])


def test_two_shapes_of_one_name_stay_apart() -> None:
    check = jsonschema.Draft7Validator(type_schema(Options | another()))
    assert check.is_valid({"depth": 1})
    assert check.is_valid({"other": 1})
    assert not check.is_valid({"name": "a"})


def test_a_shape_whose_annotations_cannot_be_read_has_its_names() -> None:
    definitions = type_schema(Unclear)["definitions"]
    assert isinstance(definitions, dict)
    assert definitions["Unclear"]["properties"] == {"amount": {}}


def test_annotations_that_cannot_be_read_are_none() -> None:
    def unclear(amount: "Decimal") -> None: ...
    def broken(amount: object) -> None: ...

    broken.__annotations__["amount"] = "1 +"
    assert type_hints(unclear) == {}
    assert type_hints(broken) == {}
    assert type_hints(len) == {}


def schema_of(function: object, *, opened: bool = True) -> dict[str, object]:
    assert callable(function)
    return parameters_schema(type_hints(function), inspect.signature(function), opened=opened)


def test_parameters_are_an_object_with_an_order() -> None:
    def function(path: str, count: int = 1, *rest: str, deep: bool | None = None) -> None: ...

    assert schema_of(function) == {
        "$schema": DRAFT,
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "count": {"type": "integer", "default": 1},
            "deep": {"type": ["boolean", "null"], "default": None},
        },
        "required": ["path"],
        "additionalProperties": False,
        "x-positions": ["path", "count"],
        "x-further": True,
    }


def test_any_names_may_be_accepted() -> None:
    def function(**named: int) -> None: ...

    assert schema_of(function)["additionalProperties"] is True


def test_a_default_that_is_no_json_is_left_out() -> None:
    def function(limit: float = float("inf"), kind: object = Word.A) -> None: ...

    assert schema_of(function)["properties"] == {"limit": {"type": "number"}, "kind": {}}


def test_members_of_parameters_are_shown_and_left_to_the_method() -> None:
    def function(paths: Sequence[str | Options], more: Options | None = None) -> None: ...

    shape = "#/definitions/Options"
    assert schema_of(function)["properties"] == {
        "paths": {"type": "array", "items": {"type": ["string", "object"], "x-shape": shape}},
        "more": {"type": ["object", "null"], "x-shape": shape, "default": None},
    }
    assert schema_of(function)["definitions"] == {"Options": OPTIONS}
    strict = schema_of(function, opened=False)["properties"]
    assert isinstance(strict, dict)
    assert strict["paths"] == {"type": "array", "items": {"anyOf": [{"type": "string"}, REFERENCE]}}
