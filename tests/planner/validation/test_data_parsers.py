"""The parsers of data say no exactly where the language's own reader does, and never raise."""

import json
import tomllib

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.planner.validation.data_parsers import (
    PARSERS,
    json_error,
    python_error,
    toml_error,
    yaml_error,
)

PIECES = (
    *('"', "'", "{", "}", "[", "]", ":", ",", "=", "&a", "*a", "1", "NaN", "\\", "true", "é"),
    *("#", "|", "a"),
)
SCRAPS = st.lists(st.sampled_from([*PIECES, "\n", "\t", " ", "- ", "!!x "]), max_size=14).map(
    "".join
)


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@given(SCRAPS | st.text())
def test_json_is_what_its_reader_reads_without_constants(text: str) -> None:
    found = json_error(text)
    if found is None:
        assert is_json(text)
    elif "no value of JSON" not in found["message"]:
        assert not is_json(text)
    if found is not None:
        assert found["line"] <= text.count("\n") + 1


@given(SCRAPS)
def test_toml_is_what_its_reader_reads(text: str) -> None:
    found = toml_error(text)
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assert found is not None
    else:
        assert found is None


@given(SCRAPS)
def test_what_yaml_can_compose_has_no_error(text: str) -> None:
    found = yaml_error(text)
    try:
        list(yaml.compose_all(text, Loader=yaml.SafeLoader))
    except yaml.YAMLError:
        return  # the two implementations differ in what they refuse
    assert found is None or found["message"]


@given(SCRAPS | st.text())
def test_no_text_makes_a_parser_raise(text: str) -> None:
    for parser in PARSERS.values():
        found = parser.find(text)
        assert found is None or found["line"] >= 1


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"NaN": "\\" NaN",\n  "b": NaN}', (2, 8)),
        ("[-Infinity]", (1, 2)),
        ("[1,]", (1, 4)),
    ],
)
def test_places_in_json(text: str, place: tuple[int, int]) -> None:
    found = json_error(text)
    assert found is not None
    assert (found["line"], found["column"]) == place


def test_places_in_the_others() -> None:
    found = toml_error("a = 1\nb = [")
    assert found is not None
    assert (found["line"], found["column"]) == (2, 6)
    found = yaml_error("a: 1\nb: *unknown\n")
    assert found is not None
    assert (found["line"], found["column"]) == (2, 4)
    found = python_error("x = 1\ny = = 2\n")
    assert found is not None
    assert (found["line"], found["column"]) == (2, 5)
    assert python_error("await x\n") is None
