"""The JSON that a type stands for, member by member, whatever the type is called in Python.

What a class is called is no part of the wire; which members its JSON has, and which of them may be
absent, is.
"""

import types
import typing
from collections.abc import Sequence

from tools.api.shapes import is_object
from tools.api.typescript import notation


def structure(hint: object, within: Sequence[object] = ()) -> object:
    """Describe a type by the members of its JSON.

    Args:
        hint: from `typing.get_type_hints`.
        within: the objects that this one is a member of, for those that hold themselves.

    Returns:
        An object as a mapping from a member's name, with `?` where it may be absent, to its type;
        a list as `[type]`; a choice of which one is an object or a list as `{"one of": [types]}`;
        everything else in TypeScript's notation.

    Raises:
        TypeError: it has no counterpart on the wire.
    """
    if hint in within:
        return "as above"
    if is_object(hint):
        optional: frozenset[str] = getattr(hint, "__optional_keys__", frozenset())
        return {
            f"{name}?" if name in optional else name: structure(member, (*within, hint))
            for name, member in sorted(typing.get_type_hints(hint).items())
        }
    return _compound(hint, within)


def _compound(hint: object, within: Sequence[object]) -> object:
    origin = typing.get_origin(hint)
    if origin is None or origin is typing.Literal:
        return notation(hint)
    members = [structure(member, within) for member in typing.get_args(hint)]
    if all(isinstance(member, str) for member in members):
        return notation(hint) if "as above" not in members else [*members]
    if origin in {typing.Union, types.UnionType}:
        return {"one of": members}
    return members if origin in {list, Sequence} else {"by name": members[-1]}
