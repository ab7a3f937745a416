"""Checks received arguments against the JSON schema of a method's parameters.

The schema is derived from the annotations and compiled by fastjsonschema when the method is first
called: at most a few milliseconds, once. By position the arguments are checked as an array of the
same parts, which is several times as fast as an object. Nothing else in a host checks types.

An error names the method, the argument and what it must be; `details` has `path`, the JSON path of
the value within the parameters by name, such as `$.files[3]`.
"""

import inspect
import re
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Final, TypeAlias

from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.json_schema import (
    DRAFT,
    JsonSchema,
    kinds_of,
    parameters_schema,
    parts_of,
    type_hints,
)

if TYPE_CHECKING:
    from fastjsonschema import JsonSchemaValueException

Check: TypeAlias = Callable[[object], object]

_PHRASES: Final[Mapping[str, str]] = {
    "string": "a string",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "null": "null",
    "array": "an array",
    "object": "an object",
}
_PLACE: Final = re.compile(r"data\[(\d+)\]")
_SHOWN: Final = 100
"""Length of what an error quotes of names that the caller has made up."""

_ABSENT: Final = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class _Positions:
    """What is needed for arguments by position.

    Attributes:
        check: the compiled check of the whole array.
        names: of the parameters.
        defaults: what null stands for where the schema refuses it; `_ABSENT` elsewhere.
        whole: places where a whole number may stand, with their schemas.
    """

    check: Check
    names: Sequence[str]
    defaults: Sequence[object]
    whole: Sequence[tuple[int, JsonSchema]]


class Parameters:
    """The parameters of one method.

    Args:
        method: its name, for messages.
        handler: has the annotations; one without, or that can't be read, accepts everything.
        signature: of the handler, without `self`.
    """

    def __init__(
        self, method: str, handler: Callable[..., object], signature: inspect.Signature
    ) -> None:
        self._method = method
        self._handler = handler
        self._signature = signature
        self._positions: _Positions | None = None

    @cached_property
    def schema(self) -> JsonSchema:
        """The schema of the parameters by name, as it is published."""
        return parameters_schema(type_hints(self._handler), self._signature)

    def by_position(self, args: list[object], *, lenient: bool) -> list[object]:
        """Check arguments, whose number is right, and return them as they are meant.

        Whole numbers that are written `1.0` become `int`, also in lists: some JSON encoders write
        them so.

        Args:
            args: not changed.
            lenient: null for an optional argument means that it is left out.

        Raises:
            InvalidParams: one has the wrong type.
        """
        if not args:
            return args
        positions = self._positions or self._compiled_positions()
        if lenient and None in args:  # JavaScript sends null for an omitted argument.
            args = _with_defaults(args, positions.defaults)
        try:
            positions.check(args)
        except ValueError as error:
            raise self._refusal(error, positions.names) from error
        for at, schema in positions.whole:
            if at < len(args) and type(args[at]) is not int:
                args = [*args[:at], with_whole_numbers(args[at], schema), *args[at + 1 :]]
        return args

    def by_name(self, named: dict[str, object]) -> dict[str, object]:
        """Check named arguments, and return them as they are meant; see `by_position`.

        Raises:
            InvalidParams: one is missing, unknown or has the wrong type.
        """
        if not named and not self.schema["required"]:
            return named
        check = self._named_check
        try:
            check(named)
        except ValueError as error:
            raise self._refusal(error, ()) from error
        for name, schema in self._whole_names.items():
            if name in named and type(named[name]) is not int:
                named = {**named, name: with_whole_numbers(named[name], schema)}
        return named

    @property
    def _schemas(self) -> Mapping[str, JsonSchema]:
        return typing.cast("Mapping[str, JsonSchema]", self.schema["properties"])

    @cached_property
    def _whole_names(self) -> Mapping[str, JsonSchema]:
        return {name: schema for name, schema in self._schemas.items() if _holds_whole(schema)}

    @cached_property
    def _named_check(self) -> Check:
        parameters = self._signature.parameters.values()
        hidden = {found.name for found in parameters if found.kind is found.POSITIONAL_ONLY}
        required = set(typing.cast("list[str]", self.schema["required"]))
        if hidden & required:
            return self._refuse_names
        named = {name: schema for name, schema in self._schemas.items() if name not in hidden}
        kept = ("$schema", "type", "required", "additionalProperties")
        return _compiled({**{name: self.schema[name] for name in kept}, "properties": named})

    def _refuse_names(self, _named: object) -> object:
        raise InvalidParams(f"{self._method} takes its arguments by position only", {"path": "$"})

    def _compiled_positions(self) -> _Positions:
        names = typing.cast("list[str]", self.schema["x-positions"])
        schemas = [self._schemas[name] for name in names]
        found = self._signature.parameters
        self._positions = _Positions(
            _compiled({"$schema": DRAFT, "items": schemas}),
            names,
            [
                _ABSENT if _takes_null(schema) else found[name].default
                for name, schema in zip(names, schemas, strict=True)
            ],
            [(at, schema) for at, schema in enumerate(schemas) if _holds_whole(schema)],
        )
        return self._positions

    def _refusal(self, caught: ValueError, names: Sequence[str]) -> InvalidParams:
        """Say in plain English what fastjsonschema has found."""
        error = typing.cast("JsonSchemaValueException", caught)
        where = error.name or "data"
        if where == "data":
            return self._wrong_names(error)
        where = _PLACE.sub(lambda found: f"data.{names[int(found[1])]}", where, count=1)
        place = where.removeprefix("data.")[:_SHOWN]
        message = f"{self._method}: {place} must be {phrase(error.definition)}"
        return InvalidParams(message, {"path": f"$.{place}"})

    def _wrong_names(self, error: "JsonSchemaValueException") -> InvalidParams:
        given = typing.cast("dict[str, object]", error.value)
        if error.rule == "required":
            required = typing.cast("list[str]", self.schema["required"])
            missing = [name for name in required if name not in given]
            return InvalidParams(f"{self._method} also needs {', '.join(missing)}", {"path": "$"})
        unknown = next(name for name in given if name not in error.definition["properties"])
        unknown = unknown[:_SHOWN]
        message = f"{self._method} has no argument {unknown} that can be given by name"
        return InvalidParams(message, {"path": f"$.{unknown}"})


def phrase(schema: JsonSchema) -> str:
    """Say what a schema expects: `a string or null`."""
    parts = parts_of(schema)
    if len(parts) > 1:
        return " or ".join(map(phrase, parts))
    kinds = kinds_of(schema)
    if "enum" in schema:
        words = typing.cast("list[object]", schema["enum"])
        shown = [str(word) for word in words if word is not None]
        kinds = [kind for kind in kinds if kind == "null"]
        return " or ".join(["one of " + ", ".join(shown), *kinds])
    return " or ".join(_kind_phrase(kind, schema) for kind in kinds) or "anything"


def with_whole_numbers(value: object, schema: JsonSchema) -> object:
    """Convert floats, all of them integral, to `int` where a schema expects whole numbers.

    Args:
        value: that the schema accepts.
        schema: of a parameter.
    """
    if type(value) is float:
        return int(value) if _is_whole(schema) else value
    items = _items(schema)
    if type(value) is not list or not _holds_whole(items):
        return value
    if _items(items):
        return [with_whole_numbers(each, items) for each in value]
    if float not in map(type, value):
        return value
    return [int(each) if type(each) is float else each for each in value]


def _kind_phrase(kind: str, schema: JsonSchema) -> str:
    items = _items(schema)
    within = f", each item {phrase(items)}" if kind == "array" and items else ""
    return _PHRASES[kind] + within


def _with_defaults(args: list[object], defaults: Sequence[object]) -> list[object]:
    return [
        defaults[at]
        if value is None and at < len(defaults) and defaults[at] is not _ABSENT
        else value
        for at, value in enumerate(args)
    ]


def _takes_null(schema: JsonSchema) -> bool:
    return any("null" in kinds_of(part) or not kinds_of(part) for part in parts_of(schema))


def _is_whole(schema: JsonSchema) -> bool:
    kinds = {kind for part in parts_of(schema) for kind in kinds_of(part)}
    return "integer" in kinds and "number" not in kinds


def _holds_whole(schema: JsonSchema) -> bool:
    return bool(schema) and (_is_whole(schema) or _holds_whole(_items(schema)))


def _items(schema: JsonSchema) -> JsonSchema:
    """Return the schema of the items of a list, `{}` if there is none."""
    found = [part["items"] for part in parts_of(schema) if "items" in part]
    only = found[0] if len(found) == 1 else {"anyOf": found} if found else {}
    return typing.cast("JsonSchema", only)


def _compiled(schema: JsonSchema) -> Check:
    """Compile a schema; neither defaults nor formats change or refuse a value."""
    # It is imported when the first method is called: 20 to 40 ms.
    library = import_module("fastjsonschema")
    check: Check = library.compile(schema, use_default=False)
    return check
