"""Completion of names and attributes from a namespace, without running code of its values.

Attributes are those that instances, classes and modules hold. What `__dir__` or `__getattr__` would
add is not asked for, so some dynamic attributes are missing.
"""

import builtins
import keyword
import types
from typing import Final, TypedDict

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.inspection.raw_access import (
    NAME_CHARS,
    attribute,
    bases_of,
    class_members,
    instance_members,
    is_class,
    items_of,
)
from jupyter_ac.inspection.variables import find_variable

MOST_MATCHES: Final = 200
CODE_CHARS: Final = 1_000_000

_STEPS: Final = 10


class Completions(TypedDict):
    """What may stand at the cursor.

    Attributes:
        matches: names, sorted; those that begin with `_` only after a `_`.
        cursor_start: where the text to be replaced begins, in characters.
        cursor_end: where it ends: at the cursor.
    """

    matches: list[str]
    cursor_start: int
    cursor_end: int


def complete(namespace: dict[object, object], code: str, cursor_pos: int) -> Completions:
    """Complete the name or attribute before the cursor.

    Args:
        namespace: of the session.
        code: of the cell.
        cursor_pos: in characters (code points), as in Jupyter's messages.

    Raises:
        InvalidParams: the cursor is outside of the code, or the code is too long.
    """
    if len(code) > CODE_CHARS:
        raise InvalidParams(f"code may have {CODE_CHARS:,} characters, not {len(code):,}")
    if not 0 <= cursor_pos <= len(code):
        raise InvalidParams(f"cursor_pos must be from 0 to {len(code)}, not {cursor_pos}")
    start = cursor_pos
    while start and (code[start - 1] == "." or _may_name(code[start - 1])):
        start -= 1
    *path, prefix = code[start:cursor_pos].split(".")
    names = _attributes(namespace, path) if path else _names(namespace)
    matches = sorted(
        name
        for name in names
        if name.startswith(prefix) and name.isidentifier() and len(name) <= NAME_CHARS
        if prefix.startswith("_") or not name.startswith("_")
    )
    begin = cursor_pos - len(prefix)
    is_number = prefix[:1].isdigit()
    return {
        "matches": [] if is_number else matches[:MOST_MATCHES],
        "cursor_start": begin,
        "cursor_end": cursor_pos,
    }


def _may_name(character: str) -> bool:
    return character == "_" or character.isalnum()


def _names(namespace: dict[object, object]) -> set[str]:
    own = {key for key, _ in items_of(namespace) if type(key) is str}
    return own | set(vars(builtins)) | set(keyword.kwlist)


def _attributes(namespace: dict[object, object], path: list[str]) -> set[str]:
    """Return the attributes of what a dotted path leads to, if it can be followed."""
    if len(path) > _STEPS or not all(path):
        return set()
    try:
        value = find_variable(namespace, path[0])
    except NotFound:
        return set()
    for name in path[1:]:
        found = _member(value, name)
        if found is None:
            return set()
        value = found
    return _members(value)


def _member(value: object, name: str) -> object:
    if is_class(value):
        members = (dict(class_members(base)).get(name) for base in bases_of(value))
        return next((each for each in members if each is not None), None)
    return attribute(value, name)


def _members(value: object) -> set[str]:
    found = {key for key, _ in items_of(instance_members(value) or {}) if type(key) is str}
    if type(value) is types.ModuleType:
        return found
    for base in (*bases_of(type(value)), *(bases_of(value) if is_class(value) else ())):
        found.update(key for key, _ in class_members(base))
    return found
