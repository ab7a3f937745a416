import fastjsonschema
import pytest

from jupyter_ac.agent.tools.arguments import (
    COUNT,
    FLAG,
    TEXT,
    described,
    flag_in,
    number_in,
    parameters,
    text_in,
)
from jupyter_ac.errors import InvalidParams


def test_a_schema_is_of_an_object_without_further_members() -> None:
    schema = parameters(("a",), a=TEXT, b=described(COUNT, "how many"))
    check = fastjsonschema.compile(dict(schema))
    check({"a": "x", "b": 1})
    for wrong in ({}, {"a": 1}, {"a": "x", "b": 0}, {"a": "x", "c": 1}):
        with pytest.raises(fastjsonschema.JsonSchemaValueException):
            check(wrong)
    assert "description" not in COUNT


def test_values_by_their_types() -> None:
    given = {"text": "x", "number": 3, "flag": True, "nothing": None}
    assert text_in(given, "text") == "x"
    assert text_in(given, "missing", "d") == text_in(given, "nothing", "d") == "d"
    assert number_in(given, "number", 1) == 3
    assert number_in(given, "missing", 7) == 7
    assert flag_in(given, "flag") is True
    assert flag_in(given, "missing") is False
    assert FLAG == {"type": "boolean"}


@pytest.mark.parametrize("value", [1, True, [], {}, b"x"])
def test_a_text_that_is_none_is_named(value: object) -> None:
    with pytest.raises(InvalidParams, match=r"^path must be a text"):
        text_in({"path": value}, "path", "default")


@pytest.mark.parametrize("value", [0, -1, True, "1", 1.5])
def test_a_number_that_is_none_is_named(value: object) -> None:
    with pytest.raises(InvalidParams, match="count must be a whole number"):
        number_in({"count": value}, "count", 1)


@pytest.mark.parametrize("value", [0, "true", []])
def test_a_flag_that_is_none_is_named(value: object) -> None:
    with pytest.raises(InvalidParams, match="full must be true or false"):
        flag_in({"full": value}, "full")


def test_a_missing_text_without_a_default_is_refused() -> None:
    with pytest.raises(InvalidParams, match="url must be a text"):
        text_in({}, "url")
