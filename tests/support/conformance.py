"""Whether a value that came over the wire has the shape that its type promises."""

import types
import typing
from collections.abc import Iterator, Mapping, Sequence

from jupyter_ac.rpc.methods import Handler


def problems(value: object, hint: object, where: str = "") -> list[str]:
    """Say where a decoded JSON value differs from a type; members too many count as well."""
    return list(_problems(value, hint, where))


def result_of(handler: Handler) -> object:
    """Return the type of what a method answers."""
    return typing.get_type_hints(handler)["return"]


def _problems(value: object, hint: object, where: str) -> Iterator[str]:
    origin, members = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, typing.NewType):
        yield from _problems(value, hint.__supertype__, where)
    elif isinstance(hint, type) and typing.is_typeddict(hint):
        yield from _in_object(value, hint, where)
    elif origin in {typing.Union, types.UnionType}:
        if all(problems(value, member, where) for member in members):
            yield f"{where}: {value!r} is none of {members}"
    elif origin is typing.Literal:
        if value not in members:
            yield f"{where}: {value!r} is none of {members}"
    elif origin in {list, Sequence}:
        if not isinstance(value, list):
            yield f"{where}: {value!r} is no array"
            return
        for at, item in enumerate(value):
            yield from _problems(item, members[0], f"{where}[{at}]")
    elif origin in {dict, Mapping}:
        if not isinstance(value, dict):
            yield f"{where}: {value!r} is no object"
            return
        for name, item in value.items():
            yield from _problems(item, members[1], f"{where}.{name}")
    elif not _is_plain(value, hint):
        yield f"{where}: {value!r} is not {hint}"


def _in_object(value: object, cls: type, where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where}: {value!r} is no object"
        return
    hints = typing.get_type_hints(cls)
    optional: frozenset[str] = getattr(cls, "__optional_keys__", frozenset())
    for name in sorted(hints.keys() - value.keys() - optional):
        yield f"{where}.{name} is missing"
    for name in sorted(value.keys() - hints.keys()):
        yield f"{where}.{name} is not in {cls.__name__}"
    for name in sorted(value.keys() & hints.keys()):
        yield from _problems(value[name], hints[name], f"{where}.{name}")


def _is_plain(value: object, hint: object) -> bool:
    if hint is object:
        return True
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int and isinstance(value, bool):
        return False
    return isinstance(hint, type) and isinstance(value, hint)
