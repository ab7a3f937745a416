import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.agent.definitions import MAX_ARGUMENT_CHARS, ArgumentsCheck, tools_array
from jupyter_ac.agent.tool import Right, ToolDefinition
from jupyter_ac.errors import AlreadyExists, InvalidParams, Unsupported

ROOT = Path(__file__).resolve().parents[2]


def definition(
    properties: dict[str, object], *required: str, name: str = "read_file"
) -> ToolDefinition:
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return ToolDefinition(name, "Reads a file.", schema, Right.READ)


READ = definition(
    {
        "path": {"type": "string", "minLength": 1, "maxLength": 10},
        "first_line": {"type": "integer", "minimum": 1},
        "mode": {"enum": ["text", "bytes"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "part": {"type": "object", "properties": {"at": {"type": "number"}}, "required": ["at"]},
    },
    "path",
)
CHECK = ArgumentsCheck(READ)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ('{"path": "a.py"}', {"path": "a.py"}),
        ('{"path": "é", "first_line": 3.0}', {"path": "é", "first_line": 3}),
        ('{"path": "a", "part": {"at": 1.5}}', {"path": "a", "part": {"at": 1.5}}),
        (' {"path": "a", "tags": []}\n', {"path": "a", "tags": []}),
    ],
)
def test_arguments_are_decoded(text: str, arguments: dict[str, object]) -> None:
    found = CHECK.decoded(text)
    assert found == arguments
    assert type(found.get("first_line", 1)) is int


def test_an_empty_text_is_no_arguments() -> None:
    for text in ("", "  ", "{}"):
        assert ArgumentsCheck(definition({})).decoded(text) == {}


@pytest.mark.parametrize(
    ("text", "message", "path"),
    [
        ("{}", "read_file needs 'path'.", "$"),
        ('{"path": 3}', "read_file: path must be string.", "$.path"),
        ('{"path": ""}', "read_file: path must be longer than or equal to 1 characters.", "$.path"),
        (
            '{"path": "a", "first_line": 0}',
            "read_file: first_line must be bigger than or equal to 1.",
            "$.first_line",
        ),
        ('{"path": "a", "first_line": 1.5}', "read_file: first_line must be integer.", None),
        ('{"path": "a", "first_line": true}', "read_file: first_line must be integer.", None),
        (
            '{"path": "a", "mode": "x"}',
            "read_file: mode must be one of ['text', 'bytes'].",
            "$.mode",
        ),
        ('{"path": "a", "tags": ["b", 1]}', "read_file: tags[1] must be string.", "$.tags[1]"),
        ('{"path": "a", "part": {}}', "read_file: part needs 'at'.", "$.part"),
        (
            '{"path": "a", "z": 1, "b": 2}',
            "read_file has no argument 'b', 'z'; it has first_line, mode, part, path, tags.",
            "$",
        ),
        ("[]", "read_file: the arguments must be a JSON object.", "$"),
        ("3", "read_file: the arguments must be a JSON object.", "$"),
        ('{"path": "a"', "read_file: the arguments aren't valid JSON (Expecting ',' delim", "$"),
        (
            '{"path": "a", "path": "b"}',
            "read_file: the arguments aren't valid JSON ('path' is",
            "$",
        ),
        ('{"path": NaN}', "read_file: the arguments aren't valid JSON (NaN is no", "$"),
        ('{"path": 1e999}', "read_file: the arguments aren't valid JSON (a number is too", "$"),
        (
            '{"path": ' + "1" * 5000 + "}",
            "read_file: the arguments aren't valid JSON (Exceeds",
            "$",
        ),
        ("[" * 100_000, "read_file: the arguments aren't valid JSON (they are nested", "$"),
        (" " * (MAX_ARGUMENT_CHARS + 1), "read_file: the arguments are longer than 1,000,000", "$"),
    ],
)
def test_wrong_arguments_are_told_to_the_model(text: str, message: str, path: str | None) -> None:
    with pytest.raises(InvalidParams) as caught:
        CHECK.decoded(text)
    assert caught.value.message.startswith(message)
    assert path is None or caught.value.details["path"] == path


def test_a_tool_without_arguments_says_so() -> None:
    with pytest.raises(InvalidParams, match="has no argument 'a'; it has none"):
        ArgumentsCheck(definition({})).decoded('{"a": 1}')


def test_what_the_model_made_up_is_quoted_in_part() -> None:
    for text in ('{"path": "a", "%s": 1}', '{"path": "a", "%s": 1, "%s": 2}', '{"path": "a" %s'):
        with pytest.raises(InvalidParams) as caught:
            CHECK.decoded(text.replace("%s", "x" * 100_000))
        assert len(caught.value.message) < 1000


@pytest.mark.parametrize("address", ["file:///etc/hostname", "http://127.0.0.1:9/x", "other.json"])
def test_a_schema_is_not_fetched(address: str) -> None:
    with pytest.raises(Unsupported, match="read_file isn't valid"):
        ArgumentsCheck(definition({"a": {"$ref": address}})).decoded("{}")


@pytest.mark.parametrize("part", [{"type": "strin"}, {"pattern": "("}, {"$ref": "#/none"}, 3])
def test_a_schema_that_is_not_valid_is_said(part: object) -> None:
    with pytest.raises(Unsupported, match="disable the tool"):
        ArgumentsCheck(definition({"a": part})).decoded('{"a": "b"}')


def test_the_check_changes_no_definition() -> None:
    parameters = {
        "$id": "http://a.org/s",
        "definitions": {"x": {"type": "string"}},
        "properties": {"a": {"$ref": "#/definitions/x"}},
    }
    before = json.dumps(parameters)
    check = ArgumentsCheck(ToolDefinition("x", "", parameters, Right.READ))
    assert check.decoded('{"a": "b"}') == {"a": "b"}
    assert json.dumps(parameters) == before


def refused(text: str) -> str:
    """The message of a refusal; "" if there is none."""
    try:
        CHECK.decoded(text)
    except InvalidParams as error:
        return error.message
    return ""


@given(st.dictionaries(st.sampled_from(["path", "first_line", "x"]), st.integers() | st.text()))
def test_each_object_is_taken_as_it_is_or_refused(arguments: dict[str, object]) -> None:
    text = json.dumps(arguments)
    path, first = arguments.get("path"), arguments.get("first_line", 1)
    fits = (
        "x" not in arguments
        and isinstance(path, str)
        and 1 <= len(path) <= 10
        and isinstance(first, int)
        and first >= 1
    )
    assert bool(refused(text)) != fits
    if fits:
        assert CHECK.decoded(text) == arguments


@given(st.text())
def test_no_text_raises_anything_else(text: str) -> None:
    assert refused(text).startswith("read_file")


def test_the_array_is_in_openais_form_and_sorted() -> None:
    other = definition({"b": {"type": "string"}, "a": {"type": "string"}}, name="done")
    found = tools_array([READ, other])
    assert found == tools_array(iter([other, READ]))
    assert json.dumps(found[0]) == (
        '{"function": {"description": "Reads a file.", "name": "done", "parameters": '
        '{"additionalProperties": false, "properties": {"a": {"type": "string"}, '
        '"b": {"type": "string"}}, "required": [], "type": "object"}}, "type": "function"}'
    )
    assert found[1]["type"] == "function"


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(AlreadyExists, match="the name read_file"):
        tools_array([READ, READ])


_PROGRAM = """
import json, sys
from jupyter_ac.agent.definitions import tools_array
from jupyter_ac.agent.tool import Right, ToolDefinition
names = {"read", "list", "search", "find", "diff", "log", "run", "stop", "ask", "done"}
schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
array = tools_array(ToolDefinition(name, "Do.", schema, Right.READ) for name in names)
sys.stdout.write(json.dumps(array) + "\\n" + " ".join(names))
"""


def test_two_processes_give_equal_bytes() -> None:
    """The order of a set differs from process to process."""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            cwd=ROOT,
            env={"PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
            timeout=120,
        ).stdout.split(b"\n")
        for seed in range(3)
    ]
    assert len({names for _, names in outputs}) > 1
    assert len({array for array, _ in outputs}) == 1
