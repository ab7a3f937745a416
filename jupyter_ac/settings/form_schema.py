"""JSON schemas of the settings files, with the texts that a form shows.

Made of the dataclasses by which the files are read (`schema.build`), so that a form and a file obey
the same rules. Keywords that begin with `x-` are ours: `x-secret` marks a value that may contain
keys, and is shown masked; `x-alias` is another name for the same value.
"""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Final, get_args, get_origin, get_type_hints

from jupyter_ac.settings.app import AppSettings
from jupyter_ac.settings.files import APP, FILES, LITELLM
from jupyter_ac.settings.llm import LlmSettings
from jupyter_ac.settings.schema import Rule

JsonSchema = dict[str, object]
"""A schema, or a part of one."""

DRAFT: Final = "http://json-schema.org/draft-07/schema#"

_RECORDS: Final[Mapping[str, type]] = {LITELLM: LlmSettings, APP: AppSettings}

_TYPES: Final[Mapping[object, str]] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    NoneType: "null",
}


def form_schemas() -> dict[str, JsonSchema]:
    """Return the schema of each settings file that has one, by type."""
    return {
        name: {"$schema": DRAFT, "title": FILES[name], **_object(record)}
        for name, record in _RECORDS.items()
    }


def _object(record: type) -> JsonSchema:
    properties, required = _members(record)
    return {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
    }


def _members(record: type) -> tuple[JsonSchema, list[str]]:
    """Return the schemas of a record's values, and the names of those without a default."""
    properties: JsonSchema = {}
    required: list[str] = []
    hints = get_type_hints(record)
    for one in fields(record):
        rule = Rule(**one.metadata)
        if rule.inline:
            properties |= _members(hints[one.name])[0]
        elif rule.is_shown:
            properties[one.name] = {**_schema(hints[one.name], rule), **_default(one)}
            if one.default is MISSING and one.default_factory is MISSING:
                required.append(one.name)
    return properties, required


def _schema(hint: object, rule: Rule) -> JsonSchema:
    texts = {"title": rule.title, "description": rule.about}
    return {
        **{name: text for name, text in texts.items() if text},
        **_type(hint),
        **_limits(hint, rule),
        **({"x-secret": True} if rule.is_secret else {}),
        **({"x-alias": rule.alias} if rule.alias else {}),
    }


def _type(hint: object) -> JsonSchema:
    if isinstance(hint, type) and is_dataclass(hint):
        return _object(hint)
    origin = get_origin(hint)
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _type(get_args(hint)[1])}
    if origin is tuple:
        return {"type": "array", "items": _type(get_args(hint)[0])}
    if isinstance(hint, UnionType):
        return {"type": [_TYPES[one] for one in get_args(hint)]}
    return {"type": _TYPES[hint]}


def _limits(hint: object, rule: Rule) -> JsonSchema:
    if rule.words:
        return {"enum": list(rule.words)}
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if get_origin(hint) is tuple:
        names = ("minItems", "maxItems")
    elif str in kinds:
        names = ("minLength", "maxLength")
    else:
        names = ("minimum", "maximum")
    limits = zip(names, (rule.least, rule.most), strict=True)
    return {name: limit for name, limit in limits if limit is not None}


def _default(one: "Field[object]") -> JsonSchema:
    """Return the default of a value; objects with members of their own have theirs."""
    if one.default is not MISSING:
        value = one.default
    elif one.default_factory is not MISSING:
        value = one.default_factory()
    else:
        return {}
    if is_dataclass(value) and not isinstance(value, type):
        return {}
    return {"default": list(value) if isinstance(value, tuple) else value}
