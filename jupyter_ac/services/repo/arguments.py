"""Arguments from the wire, checked before they reach the domain."""

from typing import Final

from jupyter_ac.errors import InvalidParams

MAX_TEXTS: Final = 100_000


def text(value: object, name: str) -> str:
    """Return a text argument.

    Raises:
        InvalidParams: it is something else.
    """
    if not isinstance(value, str):
        raise InvalidParams(f"`{name}` must be a text, not {_kind(value)}.")
    return value


def optional_text(value: object, name: str) -> str | None:
    """Return a text argument that may be null."""
    return None if value is None else text(value, name)


def texts(value: object, name: str) -> list[str]:
    """Return a list of texts.

    Raises:
        InvalidParams: it is something else, or has too many.
    """
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InvalidParams(f"`{name}` must be a list of texts.")
    if len(value) > MAX_TEXTS:
        raise InvalidParams(f"`{name}` has more than {MAX_TEXTS} entries; send them in parts.")
    return value


def whole_number(value: object, name: str) -> int:
    """Return a whole number; `1.0`, which JavaScript can't tell from `1`, is one."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidParams(f"`{name}` must be a whole number, not {_kind(value)}.")
    return value


def switch(value: object, name: str, default: bool) -> bool:
    """Return true or false; null is the default."""
    if value is None:
        return default
    if not isinstance(value, bool):
        raise InvalidParams(f"`{name}` must be true or false, not {_kind(value)}.")
    return value


def _kind(value: object) -> str:
    words = {type(None): "null", bool: "true or false", dict: "an object", list: "a list"}
    return words.get(type(value), "a text" if isinstance(value, str) else "a number")
