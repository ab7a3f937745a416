"""Objects on the wire as members with types and meanings, found through what refers to them."""

import ast
import inspect
import re
import sys
import textwrap
import typing
from collections.abc import Iterable
from dataclasses import dataclass, is_dataclass
from typing import Final, TypeGuard

_ATTRIBUTE: Final = re.compile(r"(\w+): (.+)")


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object: its type in Python, whether it may be absent, what it means."""

    name: str
    hint: object
    is_optional: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Shape:
    """An object on the wire.

    Attributes:
        name: unique on the wire.
        doc: what it is.
        members: in order, inherited ones first.
    """

    name: str
    doc: str
    members: tuple[Member, ...]


def is_object(hint: object) -> TypeGuard[type]:
    """Return whether a type is an object on the wire: a typed dictionary or a data class."""
    return isinstance(hint, type) and (typing.is_typeddict(hint) or is_dataclass(hint))


def shapes(hints: Iterable[object]) -> list[Shape]:
    """Describe every object within the hints and within one another, by name.

    Raises:
        ValueError: two have the same name.
    """
    found: dict[str, type] = {}
    waiting = list(hints)
    while waiting:
        hint = waiting.pop()
        if not is_object(hint):
            waiting += typing.get_args(hint)
        elif hint.__name__ not in found:
            found[hint.__name__] = hint
            waiting += typing.get_type_hints(hint).values()
        elif found[hint.__name__] is not hint:
            raise ValueError(f"two shapes are called {hint.__name__}")
    return [_shape(found[name]) for name in sorted(found)]


def _shape(cls: type) -> Shape:
    optional: frozenset[str] = getattr(cls, "__optional_keys__", frozenset())
    meanings = _meanings(cls)
    members = tuple(
        Member(name, hint, name in optional, meanings.get(name, ""))
        for name, hint in typing.get_type_hints(cls).items()
    )
    doc, _ = _sections(cls)
    return Shape(cls.__name__, doc, members)


def _meanings(cls: type) -> dict[str, str]:
    """Read the section "Attributes" of a class and of those that it inherits from."""
    found: dict[str, str] = {}
    for base in _bases(cls):
        found |= _meanings(base)
    _, attributes = _sections(cls)
    for line in attributes:
        match = _ATTRIBUTE.match(line)
        if match:
            found[match[1]] = match[2][:1].upper() + match[2][1:]
    return found


def _bases(cls: type) -> list[type]:
    """Read the bases off the source: a typed dictionary keeps none at run time."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    names = [base.id for base in getattr(node, "bases", []) if isinstance(base, ast.Name)]
    candidates = [getattr(sys.modules[cls.__module__], name, None) for name in names]
    return [base for base in candidates if isinstance(base, type) and typing.is_typeddict(base)]


def _sections(cls: type) -> tuple[str, list[str]]:
    """Return the text before "Attributes:" as one line, and one line for each attribute."""
    text, _, attributes = (inspect.getdoc(cls) or "").partition("Attributes:\n")
    joined = re.sub(r"\n\s{8,}", " ", textwrap.indent(textwrap.dedent(attributes), "    "))
    return " ".join(text.split()), [line.strip() for line in joined.splitlines()]
