"""Checks the schemas of servers' tools: a provider refuses every request with a broken one."""

from collections.abc import Callable, Mapping
from typing import Final

MAX_DEPTH: Final = 12

_TYPES: Final = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})


def is_usable(schema: object) -> bool:
    """Return whether a schema is one of an object, of sound parts, that refers to nothing outside.

    Nothing of it is compiled or fetched.
    """
    return isinstance(schema, dict) and schema.get("type") == "object" and _is_sound(schema, 0)


def _is_sound(schema: object, depth: int) -> bool:
    if isinstance(schema, bool):
        return depth > 0
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return False
    return all(
        check(schema[keyword], depth + 1) for keyword, check in _CHECKS.items() if keyword in schema
    )


def _is_type(value: object, _depth: int) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) and name in _TYPES for name in names)


def _is_text(value: object, _depth: int) -> bool:
    return isinstance(value, str)


def _is_texts(value: object, _depth: int) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_list(value: object, _depth: int) -> bool:
    return isinstance(value, list) and bool(value)


def _is_local(value: object, _depth: int) -> bool:
    return isinstance(value, str) and value.startswith("#")


def _is_number(value: object, _depth: int) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_schemas(value: object, depth: int) -> bool:
    found = value if isinstance(value, list) else None
    return bool(found) and all(_is_sound(each, depth) for each in found or ())


def _by_name(value: object, depth: int) -> bool:
    return isinstance(value, dict) and all(_is_sound(each, depth) for each in value.values())


_CHECKS: Final[Mapping[str, Callable[[object, int], bool]]] = {
    "type": _is_type,
    "required": _is_texts,
    "enum": _is_list,
    "$ref": _is_local,
    "$dynamicRef": _is_local,
    **dict.fromkeys(("title", "description", "pattern", "format", "$id", "$schema"), _is_text),
    **dict.fromkeys(("properties", "patternProperties", "$defs", "definitions"), _by_name),
    **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), _are_schemas),
    **dict.fromkeys(("items", "additionalProperties", "not", "if", "then", "else"), _is_sound),
    **dict.fromkeys(
        ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"), _is_number
    ),
}
