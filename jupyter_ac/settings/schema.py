"""A JSON file of settings, checked against a dataclass.

Unknown keys are passed over, so that a file written by another version is readable. A value of the
wrong type is an error that names the key and what belongs there.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Final, TypeVar, get_args, get_origin, get_type_hints

from jupyter_ac.errors import NotReady

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MAX_FILE_BYTES: Final = 1024 * 1024

_WORDS: Final[Mapping[object, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text in quotes",
    NoneType: "null",
}


D = TypeVar("D", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class Rule:
    """What a value must fulfil beyond its type; goes into a field's metadata as `rule`.

    Attributes:
        least: the smallest number allowed.
        words: the texts allowed; empty allows all.
        alias: another key under which the value may stand.
    """

    least: float | None = None
    words: tuple[str, ...] = ()
    alias: str = ""


def load_object(path: Path) -> Mapping[str, object]:
    """Return the JSON object in a file; an absent or empty file is an empty object.

    Raises:
        NotReady: it isn't readable, isn't JSON, or isn't an object; names the file and the line.
    """
    name = path.name
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise NotReady(f"{name} can't be read: {error.strerror}.") from error
    if len(data) > MAX_FILE_BYTES:
        raise NotReady(f"{name} is longer than {MAX_FILE_BYTES >> 20} MiB; shorten it.")
    try:
        text = data.decode("utf-8-sig")
        value = json.loads(text) if text.strip() else {}
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotReady(f"{name}, line {line}: not UTF-8; save it as UTF-8.") from error
    except json.JSONDecodeError as error:
        raise NotReady(f"{name}, line {error.lineno}: {error.msg}; correct it.") from error
    except (RecursionError, ValueError) as error:
        raise NotReady(f"{name} is nested too deep or holds a number too long.") from error
    if not isinstance(value, dict):
        raise NotReady(f"{name} must hold an object: {{…}} with a name before each value.")
    return value


def build(kind: type[D], raw: Mapping[str, object], where: str) -> D:
    """Return a dataclass filled from an object; what the object lacks keeps its default.

    Args:
        kind: a dataclass whose fields all have defaults.
        raw: the object.
        where: the file's name and the keys above, for messages.

    Raises:
        NotReady: a value has the wrong type or is out of bounds.
    """
    hints = get_type_hints(kind)
    values: dict[str, object] = {}
    for field in fields(kind):
        rule = field.metadata.get("rule", Rule())
        key = field.name if field.name in raw or not rule.alias else rule.alias
        if key in raw:
            value = _value(hints[field.name], raw[key], f"{where}: {key}")
            _obey(rule, value, f"{where}: {key}")
            values[field.name] = value
        elif field.default is MISSING and field.default_factory is MISSING:
            raise NotReady(f"{where}: {key} is missing.")
    return kind(**values)


def _value(hint: object, value: object, where: str) -> object:
    """Return the value as its field holds it, or raise."""
    if isinstance(hint, type) and is_dataclass(hint):
        return build(hint, _mapping(value, where), where)
    origin = get_origin(hint)
    if origin is Mapping:
        inner = get_args(hint)[1]
        pairs = _mapping(value, where).items()
        return {key: _value(inner, item, f"{where}.{key}") for key, item in pairs}
    if origin is tuple:
        if not isinstance(value, list):
            raise NotReady(f"{where} must be a list: […].")
        return tuple(_value(get_args(hint)[0], item, f"{where}[]") for item in value)
    allowed = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if float in allowed and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) in allowed:
        return value
    raise NotReady(f"{where} must be {' or '.join(_WORDS.get(one, str(one)) for one in allowed)}.")


def _mapping(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise NotReady(f"{where} must be an object: {{…}}.")
    return value


def _obey(rule: Rule, value: object, where: str) -> None:
    if rule.words and value not in rule.words:
        raise NotReady(f"{where} must be one of {', '.join(rule.words)}.")
    if rule.least is not None and isinstance(value, int | float) and value < rule.least:
        raise NotReady(f"{where} must be at least {rule.least:g}.")
