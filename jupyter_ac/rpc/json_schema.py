"""Derives JSON schemas (draft-07) from annotations: of a method's parameters and of any result.

Supported: `str`, `int`, `float`, `bool`, `None`, lists and sequences, dicts and mappings, unions,
`Literal`, string enumerations, `NewType`, typed dictionaries, data classes and `Encoded`. Any other
annotation becomes the schema `{}`, which accepts everything.

The same functions make the published files (`jupyter_ac/schemas`) and the check of received
parameters (`parameters`). Draft-07 is the newest that fastjsonschema compiles. Only keywords that
change nothing in a validator are ours: they begin with `x-`.

In parameters, a typed dictionary is only an object (`x-shape` points to its members): the method
itself checks the members, because its errors say more than "must be a string", and some are
answered as results. In results it is a `$ref` to its members.
"""

import inspect
import math
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from jupyter_ac.rpc.codec import decoded

JsonSchema: TypeAlias = dict[str, object]
"""A schema, or a part of one."""

DRAFT: Final = "http://json-schema.org/draft-07/schema#"

_PLAIN: Final[Mapping[object, str]] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    None: "null",
    types.NoneType: "null",
}
_DEFINITIONS: Final = "#/definitions/"
_LISTS: Final = frozenset({list, Sequence})
_MAPPINGS: Final = frozenset({dict, Mapping})
_ARRAY: Final = ("array", "items")
_OBJECT: Final = ("object", "additionalProperties")
_OF_ONE_TYPE: Final = {"items", "additionalProperties", "x-shape"}
"""Keywords that say nothing about values of other types than the one beside them."""

_VARIABLE: Final = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}


def type_schema(hint: object, *, closed: bool = False) -> JsonSchema:
    """Return the schema of the JSON that a type stands for.

    Args:
        hint: from `typing.get_type_hints`.
        closed: objects may have no members but those of their types. The published schemas are
            open, so that a newer host may add members.
    """
    reader = _Reader(closed=closed)
    return {"$schema": DRAFT, **reader.read(decoded(hint)), **reader.definitions()}


def parameters_schema(
    hints: Mapping[str, object], signature: inspect.Signature, *, opened: bool = True
) -> JsonSchema:
    """Return the schema of a method's named parameters, as an object.

    `x-positions` lists the names that may be passed by position instead, in order;
    `x-further` is true if any number of further positional arguments is accepted.

    Args:
        hints: types of the parameters by name; one without accepts everything.
        signature: of the handler, without `self`.
        opened: members of typed dictionaries are left to the method.
    """
    reader = _Reader(closed=False)
    properties: JsonSchema = {}
    required: list[str] = []
    positions: list[str] = []
    kinds = {found.kind for found in signature.parameters.values()}
    for name, found in signature.parameters.items():
        if found.kind in _VARIABLE:
            continue
        if found.kind is not found.KEYWORD_ONLY:
            positions.append(name)
        if found.default is found.empty:
            required.append(name)
        schema = reader.read(hints.get(name, object))
        schema = _opened(schema) if opened else schema
        properties[name] = {**schema, **_default(found.default)}
    return {
        "$schema": DRAFT,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": inspect.Parameter.VAR_KEYWORD in kinds,
        "x-positions": positions,
        **({"x-further": True} if inspect.Parameter.VAR_POSITIONAL in kinds else {}),
        **reader.definitions(),
    }


def type_hints(owner: Callable[..., object]) -> Mapping[str, object]:
    """Return the annotations of a function or class; empty if they can't be evaluated.

    That is so for names that only type checkers see, and for callables without annotations.
    """
    try:
        return typing.get_type_hints(owner)
    except (NameError, TypeError, AttributeError, SyntaxError):
        return {}


def kinds_of(schema: Mapping[str, object]) -> Sequence[str]:
    """Return the JSON types that a schema names, as a list; empty if it names none."""
    found = schema.get("type", [])
    return [found] if isinstance(found, str) else typing.cast("list[str]", found)


def parts_of(schema: JsonSchema) -> Sequence[JsonSchema]:
    """Return the schemas of a choice; of any other schema, itself."""
    return typing.cast("Sequence[JsonSchema]", schema.get("anyOf", (schema,)))


def _default(value: object) -> JsonSchema:
    """Describe a default if it is plain JSON."""
    if isinstance(value, float) and not math.isfinite(value):
        return {}
    return {"default": value} if type(value) in _PLAIN else {}


class _Reader:
    """Reads annotations; collects the members of the classes that it meets as definitions.

    Args:
        closed: see `type_schema`.
    """

    def __init__(self, *, closed: bool) -> None:
        self._closed = closed
        self._classes: dict[str, object] = {}
        self._definitions: JsonSchema = {}

    def definitions(self) -> JsonSchema:
        """Return `{"definitions": …}`, or nothing if there is no class."""
        return {"definitions": self._definitions} if self._definitions else {}

    def read(self, hint: object) -> JsonSchema:
        """Return the schema of an annotation."""
        if hint in _PLAIN:
            return {"type": _PLAIN[hint]}
        if isinstance(hint, typing.NewType):
            return self.read(hint.__supertype__)
        if isinstance(hint, type) and (typing.is_typeddict(hint) or is_dataclass(hint)):
            return self._reference(hint)
        if isinstance(hint, type) and issubclass(hint, StrEnum):
            return _enumeration([word.value for word in hint])
        return self._compound(hint)

    def _compound(self, hint: object) -> JsonSchema:
        origin, members = typing.get_origin(hint) or hint, typing.get_args(hint)
        if origin is Literal:
            return _enumeration(members)
        if origin in {typing.Union, types.UnionType}:
            return _union([self.read(member) for member in members])
        if origin in _LISTS | _MAPPINGS:
            held = self.read(members[-1]) if members else {}
            kind, keyword = _ARRAY if origin in _LISTS else _OBJECT
            return {"type": kind, **({keyword: held} if held else {})}
        return {}

    def _reference(self, cls: type) -> JsonSchema:
        name = cls.__name__
        while self._classes.setdefault(name, cls) is not cls:
            name += "_"
        if name not in self._definitions:
            # It is set before its members are read: it may hold itself.
            self._definitions[name] = members = JsonSchema()
            members |= self._members(cls)
        return {"$ref": f"{_DEFINITIONS}{name}"}

    def _members(self, cls: type) -> JsonSchema:
        optional: frozenset[str] = getattr(cls, "__optional_keys__", frozenset())
        hints = type_hints(cls) or dict.fromkeys(cls.__annotations__, object)
        return {
            "type": "object",
            "properties": {name: self.read(hint) for name, hint in hints.items()},
            "required": [name for name in hints if name not in optional],
            **({"additionalProperties": False} if self._closed else {}),
        }


def _enumeration(values: Sequence[object]) -> JsonSchema:
    """Describe a choice of words; the types keep `true` from being taken for 1."""
    kinds = sorted({_PLAIN.get(type(value), "") for value in values})
    return {"type": _one_or_more(kinds), "enum": list(values)} if "" not in kinds else {}


def _union(members: Sequence[JsonSchema]) -> JsonSchema:
    """Describe a choice; in one schema if the types differ, so that an error names the place."""
    different = [one for at, one in enumerate(members) if one not in members[:at]]
    if {} in different:
        return {}
    if len(different) == 1:
        return different[0]
    kinds = [kind for one in different for kind in kinds_of(one)]
    are_distinct = len(set(kinds)) == len(kinds) and all(map(kinds_of, different))
    if not are_distinct:
        return {"anyOf": different}
    merged: JsonSchema = {"type": kinds}
    words: list[object] = []
    for one in different:
        further = one.keys() - {"type", "enum"}
        is_null = one == {"type": "null"}
        if not further <= _OF_ONE_TYPE or further & merged.keys():
            return {"anyOf": different}
        merged |= {keyword: one[keyword] for keyword in further}
        words += [None] if is_null else typing.cast("list[object]", one.get("enum", []))
    if not any("enum" in one for one in different):
        return merged
    is_all_words = all("enum" in one or one == {"type": "null"} for one in different)
    return {**merged, "enum": words} if is_all_words else {"anyOf": different}


def _opened(schema: JsonSchema) -> JsonSchema:
    """Put a plain object into the place of each reference to a class."""
    if "$ref" in schema:
        return {"type": "object", "x-shape": schema["$ref"]}
    opened = dict(schema)
    for keyword in ("items", "additionalProperties"):
        if keyword in schema:
            opened[keyword] = _opened(typing.cast("JsonSchema", schema[keyword]))
    if "anyOf" in schema:
        return _union([_opened(part) for part in parts_of(schema)])
    return opened


def _one_or_more(kinds: Sequence[str]) -> str | list[str]:
    return kinds[0] if len(kinds) == 1 else list(kinds)
