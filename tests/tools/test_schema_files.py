"""The published schemas, and that the check of every method's parameters agrees with them."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.json_schema import JsonSchema, kinds_of, parts_of
from jupyter_ac.rpc.messages import Params
from jupyter_ac.rpc.methods import Method
from tests.meta.sources import ROOT
from tests.support.examples import examples
from tools.api import schema_files
from tools.api.surface import host_table, methods, pushed

TABLE: Final = host_table()
CALLED: Final = methods(TABLE)
NAMES: Final = [entry.name for entry in CALLED]

VALUES: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-10, 10)
    | st.sampled_from([1.0, 0.5, 2**70, "a", ""])
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=5,
)


def read(name: str) -> Mapping[str, JsonSchema]:
    """Read the file of a method or an event, as a client would."""
    path = ROOT / schema_files.FOLDER / f"{name}.json"
    found: Mapping[str, JsonSchema] = json.loads(path.read_text("utf-8"))
    return found


def fitting(schema: JsonSchema) -> st.SearchStrategy[object]:
    """Values that a schema of a parameter accepts, most of the time."""
    parts = parts_of(schema)
    if len(parts) > 1:
        return st.one_of(*map(fitting, parts))
    if "enum" in schema:
        words = schema["enum"]
        assert isinstance(words, list)
        return st.sampled_from(words)
    items = schema.get("items", {})
    assert isinstance(items, dict)
    by_kind: Mapping[str, st.SearchStrategy[object]] = {
        "string": st.text(max_size=3),
        "integer": st.integers(-5, 5) | st.integers(-5, 5).map(float),
        "number": st.floats(allow_nan=False, allow_infinity=False),
        "boolean": st.booleans(),
        "null": st.none(),
        "array": st.lists(fitting(items) if items else VALUES, max_size=3),
        "object": st.dictionaries(st.text(max_size=3), VALUES, max_size=2),
    }
    kinds = kinds_of(schema)
    return st.one_of(*(by_kind[kind] for kind in kinds)) if kinds else VALUES


def arguments(schema: JsonSchema) -> st.SearchStrategy[dict[str, object]]:
    """Named arguments: most fit, some don't; some are missing, others too many."""
    properties = schema["properties"]
    assert isinstance(properties, dict)
    return st.fixed_dictionaries(
        {},
        optional={
            **{name: fitting(one) | VALUES for name, one in properties.items()},
            "unknown": st.just(1),
        },
    )


def is_accepted(method: Method, params: Params) -> bool:
    """Say whether a call with these parameters would run."""
    try:
        JSONRPC2.bind(method, params)
    except InvalidParams:
        return False
    return True


def by_position(names: Sequence[str], named: Mapping[str, object]) -> list[object]:
    """Return those arguments that can be given by position without a gap."""
    values: list[object] = []
    for name in names:
        if name not in named:
            break
        values.append(named[name])
    return values


@pytest.mark.parametrize("name", NAMES)
def test_a_call_is_accepted_exactly_when_its_published_schema_accepts_it(name: str) -> None:
    schema = read(name)["params"]
    validator = jsonschema.Draft7Validator(schema)
    names = schema["x-positions"]
    assert isinstance(names, list)

    @settings(
        max_examples=examples(50), deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    @given(arguments(schema))
    def agree(named: dict[str, object]) -> None:
        assert is_accepted(TABLE[name], named) == validator.is_valid(named)
        values = by_position(names, named)
        same = dict(zip(names, values, strict=False))
        assert is_accepted(TABLE[name], values) == validator.is_valid(same)

    agree()


@pytest.mark.parametrize("name", NAMES)
def test_a_file_has_what_the_check_is_compiled_from(name: str) -> None:
    assert without_texts(read(name)["params"]) == TABLE[name].parameters.schema


def test_every_file_has_complete_schemas() -> None:
    names = [*NAMES, *(f"AcApp.{entry.name}" for entry in pushed())]
    files = {path.stem for path in (ROOT / schema_files.FOLDER).iterdir()}
    assert files == set(names)
    for name in names:
        file = read(name)
        for member in ("params", "result"):
            if member in file:
                jsonschema.Draft7Validator.check_schema(file[member])
                assert references(file[member]) <= definitions(file[member])
    assert "LiteLLM.get_mode" in read("LLMService.get_mode")["aliases"]


def test_the_meanings_of_members_are_told() -> None:
    text = json.dumps(definitions_of(read("LLMService.add_context")["params"]))
    assert '"description": "Argument of `add_context`."' in text
    assert '"description": "What it is."' in text


def test_an_events_members_are_references() -> None:
    file = read("AcApp.commitResult")
    assert "result" not in file
    assert references(file["params"]) != set()


def without_texts(schema: JsonSchema) -> JsonSchema:
    """Take the descriptions away; a member of this name is no text."""
    return {
        name: without_texts(part) if isinstance(part, dict) else part
        for name, part in schema.items()
        if not (name == "description" and isinstance(part, str))
    }


def definitions_of(schema: JsonSchema) -> Mapping[str, object]:
    found = schema.get("definitions", {})
    assert isinstance(found, dict)
    return found


def definitions(schema: JsonSchema) -> set[str]:
    return {f"#/definitions/{name}" for name in definitions_of(schema)}


def references(part: object) -> set[str]:
    """Collect all references, also those of `x-shape`."""
    if isinstance(part, list):
        return {each for one in part for each in references(one)}
    if not isinstance(part, dict):
        return set()
    own = {part[name] for name in ("$ref", "x-shape") if isinstance(part.get(name), str)}
    return own | {each for one in part.values() for each in references(one)}
