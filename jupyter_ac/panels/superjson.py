"""Reads the JSON of the npm package superjson, which notes beside a value what JSON can't say.

Panels exchange JSON only. So what was `undefined` is left out, a number that isn't finite becomes
null, as with `JSON.stringify`, and any other value (a date, a map, an error) stays the JSON that
superjson has made of it.
"""

from typing import Final

from jupyter_ac.errors import InvalidParams

_UNDEFINED: Final = "undefined"
_NUMBER: Final = "number"
_MINUS_ZERO: Final = "-0"
_INDEX_CHARS: Final = 10
_WRONG: Final = "the meta data of superjson doesn't fit its value"


def plain_value(envelope: dict[str, object]) -> object:
    """Return the value of a decoded `{json, meta}`; changes what it was given.

    Raises:
        InvalidParams: the meta data doesn't fit.
    """
    holder: list[object] = [envelope.get("json")]
    meta = envelope.get("meta")
    if meta is None:
        return holder[0]
    if not isinstance(meta, dict):
        raise InvalidParams(_WRONG)
    is_legacy = not isinstance(meta.get("v"), int)
    waiting: list[tuple[object, object, str]] = [(meta.get("values") or {}, holder, "0")]
    while waiting:
        annotation, container, key = waiting.pop()
        children = annotation
        if isinstance(annotation, list):
            if not annotation:
                raise InvalidParams(_WRONG)
            children = annotation[1] if len(annotation) > 1 else {}
            _apply(annotation[0], container, key)
        if not isinstance(children, dict):
            raise InvalidParams(_WRONG)
        for path, below in children.items():
            *parents, last = split_path(path, is_legacy=is_legacy)
            node = _member(container, key)
            for each in parents:
                node = _member(node, each)
            waiting.append((below, node, last))
    return holder[0]


def split_path(path: str, *, is_legacy: bool) -> list[str]:
    r"""Split `a.b\.c` into `a` and `b.c`.

    Args:
        path: as in the meta data.
        is_legacy: written before superjson marked its version: a backslash stands for itself unless
            it is before a dot.

    Raises:
        InvalidParams: a backslash before anything else, if it isn't legacy.
    """
    if "\\" not in path:
        return path.split(".")
    parts = [""]
    at = 0
    while at < len(path):
        char, following = path[at], path[at + 1 : at + 2]
        is_escape = char == "\\" and (following == "." or not is_legacy)
        if is_escape:
            if following not in {".", "\\"}:
                raise InvalidParams(_WRONG)
            parts[-1] += following
        elif char == ".":
            parts.append("")
        else:
            parts[-1] += char
        at += 2 if is_escape else 1
    return parts


def _apply(kind: object, container: object, key: str) -> None:
    value = _member(container, key)
    if kind == _UNDEFINED:
        if isinstance(container, dict):
            del container[key]
    elif kind == _NUMBER:
        number = 0 if value == _MINUS_ZERO else None
        if isinstance(container, dict):
            container[key] = number
        elif isinstance(container, list):
            container[int(key)] = number


def _member(container: object, key: str) -> object:
    if isinstance(container, dict) and key in container:
        return container[key]
    if isinstance(container, list) and key.isascii() and key.isdigit():
        index = int(key) if len(key) <= _INDEX_CHARS else len(container)
        if index < len(container):
            return container[index]
    raise InvalidParams(_WRONG)
