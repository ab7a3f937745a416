"""Renders the arguments of a console call as a browser's console does, in one line of text.

An object comes as a preview: some of its members, each of them cut by the browser. A circular
object shows as its class.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.cdp_values import items_of, number_of, object_of, text_of

MAX_TEXT: Final = 10_000
"""Longest rendered text."""
MAX_ARGUMENTS: Final = 50
MAX_MEMBERS: Final = 100
MAX_DEPTH: Final = 4

_DESCRIBED: Final = frozenset({"error", "date", "regexp", "node", "null"})
"""Kinds of objects whose description says all."""
_PLACEHOLDER: Final = re.compile(r"%([sdifoOc%])")


def rendered(arguments: Sequence[object]) -> str:
    """Join all arguments of a console call; placeholders in the first are filled.

    Args:
        arguments: RemoteObjects as the browser sends them.
    """
    objects = [object_of(argument) for argument in arguments[:MAX_ARGUMENTS]]
    parts = _formatted(objects) if objects and _is_format(objects[0]) else map(_shown, objects)
    text = " ".join(_within(parts))
    more = len(arguments) - MAX_ARGUMENTS
    return text_of(f"{text} … ({more:,} more arguments)" if more > 0 else text, MAX_TEXT)


def shown(argument: object) -> str:
    """Render one RemoteObject."""
    return _shown(object_of(argument))


def identity_of(arguments: Sequence[object]) -> str:
    """Render the arguments of a console call without previews; "" if none has any."""
    objects = [object_of(argument) for argument in arguments[:MAX_ARGUMENTS]]
    if not any("objectId" in remote or "preview" in remote for remote in objects):
        return ""
    return "\n".join(_within(_described(remote) for remote in objects))


def _described(remote: Json) -> str:
    described = remote.get("description")
    return text_of(described, MAX_TEXT) if isinstance(described, str) else _shown(remote)


def _within(parts: Iterable[str]) -> Iterable[str]:
    """Give parts until there are enough; the last one is cut by the caller."""
    room = MAX_TEXT
    for part in parts:
        yield part
        room -= len(part) + 1
        if room < 0:
            return


def _is_format(first: Json) -> bool:
    value = first.get("value")
    return first.get("type") == "string" and isinstance(value, str) and "%" in value[:MAX_TEXT]


def _formatted(objects: list[Json]) -> list[str]:
    rest = iter(objects[1:])

    def filled(found: re.Match[str]) -> str:
        kind = found.group(1)
        if kind == "%":
            return "%"
        argument = next(rest, None)
        if argument is None:
            return found.group(0)
        return "" if kind == "c" else _converted(kind, argument)

    template = text_of(objects[0].get("value"), MAX_TEXT)
    first = _PLACEHOLDER.sub(filled, template)
    return [first, *map(_shown, rest)]


def _converted(kind: str, argument: Json) -> str:
    number = number_of(argument.get("value"))
    if kind in "di" and number is not None:
        return str(int(number))
    return _shown(argument)


def _shown(remote: Json) -> str:
    kind = remote.get("type")
    if "unserializableValue" in remote and kind != "string":
        return text_of(remote.get("unserializableValue"))
    if remote.get("subtype") == "null":
        return "null"
    show = _SIMPLE.get(kind) if isinstance(kind, str) else None
    return _object(remote) if show is None else show(remote)


def _object(remote: Json) -> str:
    preview = remote.get("preview")
    if isinstance(preview, dict) and remote.get("subtype") not in _DESCRIBED:
        return _preview(preview, MAX_DEPTH)
    return text_of(remote.get("description"), MAX_TEXT) or text_of(remote.get("className"))


def _string(remote: Json) -> str:
    return text_of(remote.get("value"), MAX_TEXT)


def _boolean(remote: Json) -> str:
    return "true" if remote.get("value") is True else "false"


def _undefined(_remote: Json) -> str:
    return "undefined"


def _number(remote: Json) -> str:
    described = text_of(remote.get("description"))
    number = number_of(remote.get("value"))
    return described or ("NaN" if number is None else f"{number:g}")


def _function(remote: Json) -> str:
    """Show a function by its head only."""
    source = text_of(remote.get("description"), MAX_TEXT)
    head = source.partition("{")[0].partition("\n")[0].strip()
    return f"{head} {{…}}" if "{" in source else head or "function"


def _preview(preview: Json, depth: int) -> str:
    described = text_of(preview.get("description"), MAX_TEXT)
    subtype = preview.get("subtype")
    if preview.get("type") != "object" or subtype in _DESCRIBED:
        return f'"{described}"' if preview.get("type") == "string" else described
    if depth == 0:
        return described
    entries = items_of(preview.get("entries"))[:MAX_MEMBERS]
    members = items_of(preview.get("properties"))[:MAX_MEMBERS]
    shown = [_entry(object_of(item), depth) for item in entries] or [
        _member(object_of(item), depth, is_list=subtype in ("array", "typedarray"))
        for item in members
    ]
    if preview.get("overflow") is True:
        shown.append("…")
    return _bracketed(described, subtype, shown)


def _bracketed(described: str, subtype: object, shown: list[str]) -> str:
    inside = text_of(", ".join(shown), MAX_TEXT)
    if subtype in ("array", "typedarray"):
        return f"{described} [{inside}]"
    return f"{{{inside}}}" if described in ("Object", "") else f"{described} {{{inside}}}"


def _member(member: Json, depth: int, *, is_list: bool) -> str:
    inner = member.get("valuePreview")
    if isinstance(inner, dict):
        value = _preview(inner, depth - 1)
    elif member.get("type") == "string":
        value = f'"{text_of(member.get("value"), MAX_TEXT)}"'
    else:
        value = text_of(member.get("value"), MAX_TEXT) or text_of(member.get("type"))
    name = text_of(member.get("name"))
    return value if is_list and name.isdigit() else f"{name}: {value}"


def _entry(entry: Json, depth: int) -> str:
    value = _preview(object_of(entry.get("value")), depth - 1)
    key = entry.get("key")
    return f"{_preview(key, depth - 1)} => {value}" if isinstance(key, dict) else value


_SIMPLE: Final[Mapping[str, Callable[[Json], str]]] = {
    "string": _string,
    "undefined": _undefined,
    "boolean": _boolean,
    "number": _number,
    "function": _function,
}
