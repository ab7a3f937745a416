"""A JSON text of settings, checked against a dataclass.

Unknown keys are passed over, so that a file written by another version is readable. A value of the
wrong type is an error that names the line, the key and what belongs there, never the value.
"""

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from io import BufferedReader, FileIO
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar, get_args, get_origin, get_type_hints

from jupyter_ac.errors import NotReady
from jupyter_ac.settings.scan import Path as Keys
from jupyter_ac.settings.scan import Token, lines_of, tokens
from jupyter_ac.workers.masking import mask

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MAX_FILE_BYTES: Final = 1024 * 1024

_NO_FILE: Final = "it is no plain file; put one in its place."

_SLIPS: Final[Mapping[str, str]] = {
    "/": "JSON knows no comments; take it out.",
    "#": "JSON knows no comments; take it out.",
    "'": 'JSON wants double quotes ("…"); exchange them.',
    "}": "a comma stands before this }; take it out.",
    "]": "a comma stands before this ]; take it out.",
}
"""What people write that JSON doesn't have, by the sign at which it is noticed."""

_MOST_DIGITS: Final = 400

_LONGEST_KEY: Final = 64

_WORDS: Final[Mapping[object, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text in quotes",
    NoneType: "null",
}


D = TypeVar("D", bound="DataclassInstance")


class BrokenSettings(NotReady):
    """A file of settings can't be used.

    Args:
        file: its name.
        reason: a sentence or two.
        line: where, from 1; None when it is about no line in particular.
    """

    def __init__(self, file: str, reason: str, line: int | None = None) -> None:
        where = file if line is None else f"{file}, line {line}"
        super().__init__(f"{where}: {mask(reason)}", {} if line is None else {"line": line})
        self.line = line


@dataclass(frozen=True, slots=True)
class Rule:
    """What a value must fulfil beyond its type: the metadata of its field.

    Attributes:
        least: the smallest number allowed.
        most: the largest number, or the most characters or items.
        words: the texts allowed; empty allows all.
        alias: another key under which the value may stand.
        inline: the members of this value stand among those of the object around it.
    """

    least: float | None = None
    most: float | None = None
    words: tuple[str, ...] = ()
    alias: str = ""
    inline: bool = False


@dataclass(frozen=True, slots=True)
class SettingsText:
    """A text of settings and what it says.

    Attributes:
        file: its name, for messages.
        text: as it is written.
        said: the object in it.
    """

    file: str
    text: str = field(repr=False)
    said: Mapping[str, object] = field(repr=False)

    def misfit(self, keys: Keys, reason: str) -> BrokenSettings:
        """Return the error that says what is wrong with a value."""
        known = lines_of(self.text)
        steps = (keys[:count] for count in range(len(keys), 0, -1))
        line = next((known[step] for step in steps if step in known), None)
        return BrokenSettings(self.file, f"{_spelled(keys)} {reason}".lstrip(), line)


def read_bytes(path: Path) -> bytes:
    """Return what a file holds; an absent one holds nothing.

    Raises:
        BrokenSettings: it isn't readable, or too long.
    """
    try:
        with BufferedReader(FileIO(path, opener=_open_at_once)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise BrokenSettings(path.name, _NO_FILE)
            data = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        return b""
    except IsADirectoryError as error:
        raise BrokenSettings(path.name, _NO_FILE) from error
    except OSError as error:
        reason = (error.strerror or "it refuses").lower()
        remedy = "look at its permissions and at where it leads"
        raise BrokenSettings(path.name, f"it can't be read ({reason}); {remedy}.") from error
    require_short(path.name, data)
    return data


def require_short(file: str, data: bytes) -> None:
    """Refuse what is longer than settings ever need to be.

    Raises:
        BrokenSettings: it is.
    """
    if len(data) > MAX_FILE_BYTES:
        raise BrokenSettings(file, f"it is longer than {MAX_FILE_BYTES >> 20} MiB; shorten it.")


def decode(file: str, data: bytes) -> str:
    """Return the text in a file.

    Raises:
        BrokenSettings: it isn't UTF-8; names the line.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BrokenSettings(file, "not UTF-8; save it as UTF-8.", line) from error


def parse(file: str, text: str) -> SettingsText:
    """Return the object in a text; an empty text is an empty object.

    Raises:
        BrokenSettings: it isn't JSON or isn't an object; names the line.
    """
    try:
        value = json.loads(text, parse_constant=_no_number) if text.strip() else {}
    except json.JSONDecodeError as error:
        reason = _SLIPS.get(_sign_at(text, error.pos), f"{error.msg}; correct it.")
        raise BrokenSettings(file, reason, error.lineno) from error
    except RecursionError as error:
        raise BrokenSettings(file, "it is nested too deep; make it flatter.") from error
    except ValueError as error:
        line = next((token.line for token in tokens(text) if _is_odd(token)), None)
        raise BrokenSettings(file, "a number that JSON doesn't have; correct it.", line) from error
    if not isinstance(value, dict):
        raise BrokenSettings(file, "it must hold an object: {…} with a name before each value.")
    return SettingsText(file, text, value)


def build(kind: type[D], source: SettingsText) -> D:
    """Return a dataclass filled from a text; what that lacks keeps its default.

    Raises:
        BrokenSettings: a value has the wrong type or is out of bounds.
    """
    return _build(kind, source.said, source, ())


def _build(kind: type[D], raw: Mapping[str, object], source: SettingsText, keys: Keys) -> D:
    hints = get_type_hints(kind)
    values: dict[str, object] = {}
    for one in fields(kind):
        rule = Rule(**one.metadata)
        if rule.inline:
            values[one.name] = _build(hints[one.name], raw, source, keys)
            continue
        key = one.name if one.name in raw or not rule.alias else rule.alias
        if key in raw:
            value = _value(hints[one.name], raw[key], source, (*keys, key))
            _obey(rule, value, source, (*keys, key))
            values[one.name] = value
        elif one.default is MISSING and one.default_factory is MISSING:
            raise source.misfit((*keys, key), "is missing.")
    return kind(**values)


def _value(hint: object, value: object, source: SettingsText, keys: Keys) -> object:
    """Return the value as its field holds it, or raise."""
    if isinstance(hint, type) and is_dataclass(hint):
        return _build(hint, _mapping(value, source, keys), source, keys)
    origin = get_origin(hint)
    if origin is Mapping:
        inner = get_args(hint)[1]
        pairs = _mapping(value, source, keys).items()
        return {key: _value(inner, item, source, (*keys, key)) for key, item in pairs}
    if origin is tuple:
        if not isinstance(value, list):
            raise source.misfit(keys, "must be a list: […].")
        inner = get_args(hint)[0]
        return tuple(_value(inner, item, source, (*keys, at)) for at, item in enumerate(value))
    allowed = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if float in allowed and isinstance(value, int) and not isinstance(value, bool):
        return _float(value, source, keys)
    if type(value) in allowed:
        return value
    raise source.misfit(
        keys, f"must be {' or '.join(_WORDS.get(one, str(one)) for one in allowed)}."
    )


def _float(value: int, source: SettingsText, keys: Keys) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise source.misfit(keys, "must be a number that isn't too large.") from error


def _mapping(value: object, source: SettingsText, keys: Keys) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise source.misfit(keys, "must be an object: {…}.")
    return value


def _obey(rule: Rule, value: object, source: SettingsText, keys: Keys) -> None:
    if rule.words and value not in rule.words:
        raise source.misfit(keys, f"must be one of {', '.join(rule.words)}.")
    if isinstance(value, int | float):
        if rule.least is not None and value < rule.least:
            raise source.misfit(keys, f"must be at least {rule.least:g}.")
        if rule.most is not None and value > rule.most:
            raise source.misfit(keys, f"must be at most {rule.most:g}.")
    elif rule.most is not None and isinstance(value, str | tuple) and len(value) > rule.most:
        raise source.misfit(keys, f"is too long; {rule.most:g} are allowed.")


def _spelled(keys: Keys) -> str:
    """Write a path as a person would: `edits.retries`, `code[0].message`."""
    parts = (f"[{key}]" if isinstance(key, int) else f".{key[:_LONGEST_KEY]}" for key in keys)
    return "".join(parts).removeprefix(".")


def _open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe is not waited for."""
    return os.open(path, flags | os.O_NONBLOCK)


def _sign_at(text: str, at: int) -> str:
    """Return the sign at which a text stopped being JSON, where that says what was meant."""
    sign = text[at : at + 1]
    if sign == ",":
        sign = text[at + 1 :].lstrip()[:1]
        return sign if sign in {"}", "]"} else ""
    before = text[:at].rstrip()[-1:]
    return "" if sign in {"}", "]"} and before != "," else sign


def _is_odd(token: Token) -> bool:
    """Tell whether a value is no number that JSON has, or one that nobody needs."""
    literal = token.literal
    return literal in {"NaN", "Infinity", "-Infinity"} or (
        len(literal) > _MOST_DIGITS and not token.is_text
    )


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)
