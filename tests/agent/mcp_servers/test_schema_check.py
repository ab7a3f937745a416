import pytest

from jupyter_ac.agent.mcp_servers.schema_check import MAX_DEPTH, is_usable

TEXT = {"type": "string", "description": "A text.", "minLength": 1, "pattern": "a+"}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {"a": TEXT}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": ["string", "null"]}}},
        {"type": "object", "properties": {"a": {"enum": [1, None]}, "b": True}},
        {"type": "object", "additionalProperties": False, "$schema": "https://json-schema.org/x"},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": TEXT}},
        {"type": "object", "properties": {"a": {"type": "array", "items": {"anyOf": [TEXT]}}}},
    ],
)
def test_usual_schemas_are_usable(schema: object) -> None:
    assert is_usable(schema)


@pytest.mark.parametrize(
    "schema",
    [
        None,
        True,
        [],
        {},
        {"type": "string"},
        {"type": ["object"]},
        {"type": "object", "properties": []},
        {"type": "object", "properties": {"a": 3}},
        {"type": "object", "properties": {"a": {"type": "strin"}}},
        {"type": "object", "properties": {"a": {"type": []}}},
        {"type": "object", "required": "a"},
        {"type": "object", "required": [1]},
        {"type": "object", "properties": {"a": {"enum": []}}},
        {"type": "object", "properties": {"a": {"$ref": "https://example.org/a"}}},
        {"type": "object", "properties": {"a": {"anyOf": []}}},
        {"type": "object", "properties": {"a": {"minLength": True}}},
        {"type": "object", "properties": {"a": {"description": 1}}},
    ],
)
def test_what_a_provider_would_refuse_is_not(schema: object) -> None:
    assert not is_usable(schema)


def test_depth_is_bounded() -> None:
    schema: dict[str, object] = {"type": "object"}
    for _ in range(MAX_DEPTH + 1):
        schema = {"type": "object", "properties": {"a": schema}}
    assert not is_usable(schema)
