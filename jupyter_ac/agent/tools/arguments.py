"""Schemas of tools' arguments, and the values of arguments by their types."""

from collections.abc import Mapping, Sequence
from typing import Final

from jupyter_ac.agent.tool import Arguments
from jupyter_ac.errors import InvalidParams

TEXT: Final[Mapping[str, object]] = {"type": "string"}
FLAG: Final[Mapping[str, object]] = {"type": "boolean"}
COUNT: Final[Mapping[str, object]] = {"type": "integer", "minimum": 1}


def described(schema: Mapping[str, object], description: str) -> Mapping[str, object]:
    """Return the schema of an argument with words about it, which each request of a run has."""
    return {**schema, "description": description}


def parameters(required: Sequence[str], **properties: Mapping[str, object]) -> Mapping[str, object]:
    """Return the schema of a tool's arguments: an object without further members.

    Args:
        required: names of arguments that must be given.
        properties: schemas by name.
    """
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def text_in(arguments: Arguments, name: str, default: str | None = None) -> str:
    """Return a text.

    Raises:
        InvalidParams: it is missing and has no default, or is no text.
    """
    value = arguments.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise InvalidParams(f"{name} must be a text.")
    return value


def number_in(arguments: Arguments, name: str, default: int) -> int:
    """Return a whole number above 0, or the default.

    Raises:
        InvalidParams: it is something else.
    """
    value = arguments.get(name)
    if value is None:
        return default
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidParams(f"{name} must be a whole number, from 1.")
    return value


def flag_in(arguments: Arguments, name: str) -> bool:
    """Return a truth value; False when it is missing.

    Raises:
        InvalidParams: it is something else.
    """
    value = arguments.get(name)
    if not isinstance(value, bool | None):
        raise InvalidParams(f"{name} must be true or false.")
    return value is True
