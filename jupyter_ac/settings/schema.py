"""Parses a JSON settings text and validates it against a dataclass.

Unknown keys are ignored, so that a file written by another version is readable. A value of the
wrong type is an error that names the line, the key and the expected type, never the value.
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
from jupyter_ac.workers.redaction import redact

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MAX_FILE_BYTES: Final = 1024 * 1024

_NOT_A_FILE: Final = "it is not a regular file; replace it with one."

_SLIPS: Final[Mapping[str, str]] = {
    "/": "JSON has no comments; remove it.",
    "#": "JSON has no comments; remove it.",
    "'": 'JSON needs double quotes ("…"); replace them.',
    "}": "there is a comma before this }; remove it.",
    "]": "there is a comma before this ]; remove it.",
}
"""Hints for common mistakes, by the character at which the parser stops."""

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
    """A settings file is invalid.

    Args:
        file: its name.
        reason: a sentence or two.
        line: from 1; None if the problem has no line.
    """

    def __init__(self, file: str, reason: str, line: int | None = None) -> None:
        where = file if line is None else f"{file}, line {line}"
        super().__init__(f"{where}: {redact(reason)}", {} if line is None else {"line": line})
        self.line = line


@dataclass(frozen=True, slots=True)
class Rule:
    """A constraint on a value beyond its type; the metadata of its field.

    Attributes:
        least: the minimum of a number.
        most: the maximum of a number, or the maximum number of characters or items.
        words: the allowed texts; empty allows all.
        alias: another key for the same value.
        inline: the members of this value are at the level of the surrounding object.
        title: its name in forms.
        about: what it does, in sentences for the user; `form_schema` publishes both.
        is_shown: False keeps it out of forms.
        is_secret: the value may contain keys.
    """

    least: float | None = None
    most: float | None = None
    words: tuple[str, ...] = ()
    alias: str = ""
    inline: bool = False
    title: str = ""
    about: str = ""
    is_shown: bool = True
    is_secret: bool = False


def described(title: str, about: str = "", **constraints: object) -> Mapping[str, object]:
    """Return the metadata of a field with its texts in forms.

    Args:
        title: its name there.
        about: what it does, in sentences for the user.
        constraints: further members of its `Rule`.
    """
    return {"title": title, "about": about, **constraints}


@dataclass(frozen=True, slots=True)
class SettingsText:
    """A parsed settings text.

    Attributes:
        file: its name, for messages.
        text: the source.
        values: the object in it.
    """

    file: str
    text: str = field(repr=False)
    values: Mapping[str, object] = field(repr=False)

    def error_at(self, keys: Keys, reason: str) -> BrokenSettings:
        """Return the error about the value at a path."""
        known = lines_of(self.text)
        steps = (keys[:count] for count in range(len(keys), 0, -1))
        line = next((known[step] for step in steps if step in known), None)
        return BrokenSettings(self.file, f"{_dotted(keys)} {reason}".lstrip(), line)


def read_bytes(path: Path) -> bytes:
    """Read a file; a missing one is empty.

    Raises:
        BrokenSettings: it isn't readable, or too long.
    """
    try:
        with BufferedReader(FileIO(path, opener=_open_nonblocking)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise BrokenSettings(path.name, _NOT_A_FILE)
            data = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        return b""
    except IsADirectoryError as error:
        raise BrokenSettings(path.name, _NOT_A_FILE) from error
    except OSError as error:
        reason = (error.strerror or "it refuses").lower()
        remedy = "check its permissions and the target of links"
        raise BrokenSettings(path.name, f"it can't be read ({reason}); {remedy}.") from error
    require_short(path.name, data)
    return data


def require_short(file: str, data: bytes) -> None:
    """Validate the length of a file.

    Raises:
        BrokenSettings: it is too long.
    """
    if len(data) > MAX_FILE_BYTES:
        raise BrokenSettings(file, f"it is longer than {MAX_FILE_BYTES >> 20} MiB; shorten it.")


def decode(file: str, data: bytes) -> str:
    """Decode a file's text.

    Raises:
        BrokenSettings: it isn't UTF-8; the message names the line.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BrokenSettings(file, "not UTF-8; save it as UTF-8.", line) from error


def parse(file: str, text: str) -> SettingsText:
    """Parse a text to an object; an empty text is an empty object.

    Raises:
        BrokenSettings: it isn't JSON or isn't an object; the message names the line.
    """
    try:
        value = json.loads(text, parse_constant=_reject_constant) if text.strip() else {}
    except json.JSONDecodeError as error:
        reason = _SLIPS.get(_sign_at(text, error.pos), f"{error.msg}; correct it.")
        raise BrokenSettings(file, reason, error.lineno) from error
    except RecursionError as error:
        raise BrokenSettings(file, "it is nested too deep; make it flatter.") from error
    except ValueError as error:
        line = next((token.line for token in tokens(text) if _is_odd(token)), None)
        raise BrokenSettings(file, "not a valid JSON number; correct it.", line) from error
    if not isinstance(value, dict):
        raise BrokenSettings(file, "it must contain an object: {…} with a name before each value.")
    return SettingsText(file, text, value)


def build(kind: type[D], source: SettingsText) -> D:
    """Create a dataclass from a text; missing values get their defaults.

    Raises:
        BrokenSettings: a value has the wrong type or violates a rule.
    """
    return _build(kind, source.values, source, ())


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
            _check_rule(rule, value, source, (*keys, key))
            values[one.name] = value
        elif one.default is MISSING and one.default_factory is MISSING:
            raise source.error_at((*keys, key), "is missing.")
    return kind(**values)


def _value(hint: object, value: object, source: SettingsText, keys: Keys) -> object:
    """Convert a value to the type of its field, or raise."""
    if isinstance(hint, type) and is_dataclass(hint):
        return _build(hint, _mapping(value, source, keys), source, keys)
    origin = get_origin(hint)
    if origin is Mapping:
        inner = get_args(hint)[1]
        pairs = _mapping(value, source, keys).items()
        return {key: _value(inner, item, source, (*keys, key)) for key, item in pairs}
    if origin is tuple:
        if not isinstance(value, list):
            raise source.error_at(keys, "must be a list: […].")
        inner = get_args(hint)[0]
        return tuple(_value(inner, item, source, (*keys, at)) for at, item in enumerate(value))
    allowed = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if float in allowed and isinstance(value, int) and not isinstance(value, bool):
        return _float(value, source, keys)
    if type(value) in allowed:
        return value
    raise source.error_at(
        keys, f"must be {' or '.join(_WORDS.get(one, str(one)) for one in allowed)}."
    )


def _float(value: int, source: SettingsText, keys: Keys) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise source.error_at(keys, "must be a number that isn't too large.") from error


def _mapping(value: object, source: SettingsText, keys: Keys) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise source.error_at(keys, "must be an object: {…}.")
    return value


def _check_rule(rule: Rule, value: object, source: SettingsText, keys: Keys) -> None:
    if rule.words and value not in rule.words:
        raise source.error_at(keys, f"must be one of {', '.join(rule.words)}.")
    if isinstance(value, int | float):
        if rule.least is not None and value < rule.least:
            raise source.error_at(keys, f"must be at least {rule.least:g}.")
        if rule.most is not None and value > rule.most:
            raise source.error_at(keys, f"must be at most {rule.most:g}.")
    elif rule.most is not None and isinstance(value, str | tuple) and len(value) > rule.most:
        raise source.error_at(keys, f"is too long; {rule.most:g} are allowed.")


def _dotted(keys: Keys) -> str:
    """Format a path with dots and indexes: `edits.retries`, `code[0].message`."""
    parts = (f"[{key}]" if isinstance(key, int) else f".{key[:_LONGEST_KEY]}" for key in keys)
    return "".join(parts).removeprefix(".")


def _open_nonblocking(path: str, flags: int) -> int:
    """Open a file; doesn't block on a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def _sign_at(text: str, at: int) -> str:
    """Return the character at which the text stopped being JSON, if there is a hint for it."""
    sign = text[at : at + 1]
    if sign == ",":
        sign = text[at + 1 :].lstrip()[:1]
        return sign if sign in {"}", "]"} else ""
    before = text[:at].rstrip()[-1:]
    return "" if sign in {"}", "]"} and before != "," else sign


def _is_odd(token: Token) -> bool:
    """Return whether a value is not a JSON number, or absurdly long."""
    literal = token.literal
    return literal in {"NaN", "Infinity", "-Infinity"} or (
        len(literal) > _MOST_DIGITS and not token.is_text
    )


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(name)
