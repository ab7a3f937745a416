"""The definitions of tools: the array that every request carries, and the check of arguments."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias, cast

from jupyter_ac.agent.tool import Arguments, ToolDefinition
from jupyter_ac.errors import AlreadyExists, InvalidParams, Unsupported

if TYPE_CHECKING:
    from fastjsonschema import JsonSchemaValueException

MAX_ARGUMENT_CHARS: Final = 1_000_000

_Check: TypeAlias = Callable[[object], object]
_SHOWN: Final = 300
"""Length of what an error quotes of what the model has made up."""

_SCHEMA_ERRORS: Final = (
    *(ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError),
    *(SyntaxError, re.error),
)
"""What a schema of somebody else's makes the compiler raise."""

_ROOT: Final = re.compile(r"\bdata\b\.?")


def tools_array(definitions: Iterable[ToolDefinition]) -> tuple[Mapping[str, object], ...]:
    """Return the tools as providers want them, in OpenAI's form.

    Equal definitions give equal bytes in any process and whatever their order: the tools are
    sorted by name, the members of all objects too. A prompt cache holds only as long as this stays.

    Raises:
        AlreadyExists: two have one name.
    """
    ordered = sorted(definitions, key=lambda each: each.name)
    for one, other in pairwise(ordered):
        if one.name == other.name:
            raise AlreadyExists(f"Two tools have the name {one.name}; rename one of them.")
    return tuple(_function(each) for each in ordered)


class ArgumentsCheck:
    """Decodes and checks the arguments of calls of one tool.

    The schema is compiled at the first call, which takes a few milliseconds. One of somebody else's
    is not, since it becomes code: there only the JSON is checked.

    Args:
        definition: of the tool.
    """

    def __init__(self, definition: ToolDefinition) -> None:
        self._definition = definition

    def decoded(self, text: str) -> Arguments:
        """Return the arguments of a call.

        Whole numbers that are written `1.0` become `int`. An empty text is no arguments.

        Args:
            text: as the model wrote it.

        Raises:
            InvalidParams: it isn't JSON, or doesn't fit the schema; the message is for the model.
                `path` in its details is the JSON path of the value.
            Unsupported: the schema itself can't be used.
        """
        arguments = self._parsed(text)
        if self._definition.is_foreign:
            return arguments
        try:
            self._check(arguments)
        except ValueError as error:
            raise self._refusal(error) from error
        return arguments

    @cached_property
    def _check(self) -> _Check:
        # It is imported when the first tool is called: 20 to 40 ms.
        library = import_module("fastjsonschema")
        try:
            check: _Check = library.compile(
                deepcopy(dict(self._definition.parameters)),  # references in it are rewritten
                handlers=_NoFetching(),
                use_default=False,
                use_formats=False,
            )
        except _SCHEMA_ERRORS as error:
            raise Unsupported(
                f"The schema of the tool {self._definition.name} isn't valid; disable the tool."
            ) from error
        return check

    def _parsed(self, text: str) -> dict[str, object]:
        name = self._definition.name
        if len(text) > MAX_ARGUMENT_CHARS:
            raise InvalidParams(
                f"{name}: the arguments are longer than {MAX_ARGUMENT_CHARS:,} characters; "
                "shorten them.",
                {"path": "$"},
            )
        try:
            found = json.loads(
                text if text.strip() else "{}",
                object_pairs_hook=_object,
                parse_float=_number,
                parse_constant=_refuse_constant,
            )
        except RecursionError as error:
            raise self._not_json("they are nested too deep") from error
        except ValueError as error:
            raise self._not_json(str(error)[:_SHOWN]) from error
        if not isinstance(found, dict):
            raise InvalidParams(f"{name}: the arguments must be a JSON object.", {"path": "$"})
        return found

    def _not_json(self, reason: str) -> InvalidParams:
        return InvalidParams(
            f"{self._definition.name}: the arguments aren't valid JSON ({reason}); correct them.",
            {"path": "$"},
        )

    def _refusal(self, caught: ValueError) -> InvalidParams:
        """Say in plain English what fastjsonschema has found."""
        error = cast("JsonSchemaValueException", caught)
        place = _ROOT.sub("", error.name or "data", count=1)[:_SHOWN]
        subject = f"{self._definition.name}: {place}" if place else self._definition.name
        path = f"$.{place}" if place else "$"
        return InvalidParams(f"{subject} {_reason(error)}", {"path": path})


class _NoFetching(Mapping[str, Callable[[str], object]]):
    """Handlers of addresses in schemas, for every scheme: fastjsonschema would fetch them."""

    def __contains__(self, scheme: object) -> bool:
        return True

    def __getitem__(self, scheme: str) -> Callable[[str], object]:
        return _refuse_address

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _refuse_address(address: str) -> NoReturn:
    raise ValueError(f"{address[:_SHOWN]} isn't part of the schema")


def _function(definition: ToolDefinition) -> Mapping[str, object]:
    function = {
        "name": definition.name,
        "description": definition.description,
        "parameters": definition.parameters,
    }
    text = json.dumps({"type": "function", "function": function}, sort_keys=True, allow_nan=False)
    canonical: Mapping[str, object] = json.loads(text)
    return canonical


def _reason(error: "JsonSchemaValueException") -> str:
    """Return the rest of a sentence that begins with the place."""
    value = error.value
    if isinstance(value, dict) and error.rule == "required":
        required = cast("Sequence[str]", error.definition["required"])
        return f"needs {', '.join(repr(name) for name in required if name not in value)}."
    if isinstance(value, dict) and error.rule == "additionalProperties":
        known = sorted(error.definition.get("properties", ()))
        unknown = ", ".join(sorted(repr(name) for name in value.keys() - set(known)))
        has = f"it has {', '.join(known)}" if known else "it has none"
        return f"has no argument {unknown[:_SHOWN]}; {has}."
    return f"{error.message.removeprefix(error.name or 'data').strip()[:_SHOWN]}."


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Make an object; a name that is there twice could hide what is run from who allows it."""
    made = dict(pairs)
    if len(made) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"{twice[:_SHOWN]!r} is there twice")
    return made


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return int(number) if number.is_integer() else number


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
