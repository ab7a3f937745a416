"""The TypeScript file: types in its notation, laid out as the formatter would."""

import textwrap
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, Literal

from tools.api.shapes import Member, Shape, is_object
from tools.api.surface import Entry, Parameter

WIDTH: Final = 110
READ_ONLY: Final = "readonly {}[]"
"""How an array is written that only goes in."""

_PLAIN: Final[Mapping[object, str]] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    object: "unknown",
    None: "null",
    types.NoneType: "null",
}
_HEAD: Final = """\
/** The wire as a host serves it. Made by `make docs` from its table of methods; not edited. */

/** What `get_current_state` and the health route say when both ends fit together. */
export const PROTOCOL = {protocol};
"""


def document(
    methods: Iterable[Entry], events: Iterable[Entry], shapes: Iterable[Shape], protocol: int
) -> str:
    """Write the whole file."""
    blocks = [_HEAD.format(protocol=protocol)]
    blocks += [_interface(shape.name, shape.doc, map(_member, shape.members)) for shape in shapes]
    blocks.append(_interface("Methods", "Every method by its name.", map(_method, methods)))
    blocks.append(
        _interface("Events", "The arguments of every `AcApp.<event>`.", map(_event, events))
    )
    return "\n".join(blocks)


def notation(hint: object, array: str = "{}[]") -> str:
    """Write a type of Python's in TypeScript.

    Args:
        hint: from `typing.get_type_hints`.
        array: how an array of `{}` is written.

    Raises:
        TypeError: it has no counterpart on the wire.
    """
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, typing.NewType):
        return notation(hint.__supertype__, array)
    if is_object(hint):
        return hint.__name__
    if _is_words(hint):
        return " | ".join(f"'{word}'" for word in typing.cast("type[StrEnum]", hint))
    return _compound(hint, array)


def _compound(hint: object, array: str) -> str:
    origin, members = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal and all(isinstance(member, str) for member in members):
        return " | ".join(f"'{member}'" for member in members)
    if origin in {typing.Union, types.UnionType}:
        return " | ".join(notation(member, array) for member in members)
    if origin in {list, Sequence}:
        item = notation(members[0], array)
        choices = {Literal, typing.Union, types.UnionType}
        is_choice = typing.get_origin(members[0]) in choices or _is_words(members[0])
        return array.format(f"({item})" if is_choice or item.startswith("readonly ") else item)
    if origin in {dict, Mapping} and members[0] is str:
        return f"Record<string, {notation(members[1], array)}>"
    raise TypeError(f"{hint!r} has no counterpart on the wire")


def _is_words(hint: object) -> bool:
    return isinstance(hint, type) and issubclass(hint, StrEnum)


def parameter(found: Parameter) -> str:
    """Write a parameter as a labelled member of a tuple."""
    kind = notation(found.hint, READ_ONLY)
    if found.is_rest:
        return f"...{found.name}: {READ_ONLY.format(kind).removeprefix('readonly ')}"
    return f"{found.name}{'' if found.is_required else '?'}: {kind}"


def _interface(name: str, doc: str, members: Iterable[str]) -> str:
    body = textwrap.indent("\n".join(members), "  ")
    return f"{_comment(doc, 0)}export interface {name} {{\n{body}\n}}\n"


def _member(member: Member) -> str:
    optional = "?" if member.is_optional else ""
    name = f"{member.name}{optional}:"
    return f"{_comment(member.meaning, 2)}{name}{_choice(notation(member.hint), len(name))};"


def _choice(kind: str, before: int) -> str:
    """Put words to choose from below each other where they don't fit on the member's line."""
    if " | " not in kind or before + len(kind) + len("   ;") <= WIDTH:
        return f" {kind}"
    return "".join(f"\n  | {word}" for word in kind.split(" | "))


def _method(entry: Entry) -> str:
    name = entry.name if entry.name.isidentifier() else f"'{entry.name}'"
    parameters = _tuple([parameter(found) for found in entry.parameters], "params: ", 4)
    result = notation(entry.result)
    return (
        f"{_comment(entry.summary, 2)}{name}: {{\n  params: {parameters};\n  result: {result};\n}};"
    )


def _event(entry: Entry) -> str:
    members = [f"{found.name}: {notation(found.hint)}" for found in entry.parameters]
    return f"{_comment(entry.summary, 2)}{entry.name}: {_tuple(members, f'{entry.name}: ', 2)};"


def _tuple(members: Sequence[str], before: str, indent: int) -> str:
    line = f"[{', '.join(members)}]"
    if indent + len(before) + len(line) + 1 <= WIDTH:
        return line
    inner = " " * (indent - 2)
    rows = ",\n".join(f"{inner}  {member}" for member in members)
    return f"[\n{rows},\n{inner}]"


def _comment(text: str, indent: int) -> str:
    if not text:
        return ""
    line = f"/** {text} */"
    if indent + len(line) <= WIDTH:
        return f"{line}\n"
    rows = textwrap.wrap(text, WIDTH - indent - len(" * "))
    return "/**\n" + "".join(f" * {row}\n" for row in rows) + " */\n"
