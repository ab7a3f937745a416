"""Checks whether a value from the wire conforms to its declared type."""

import types
import typing
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from enum import Enum

import pytest

from jupyter_ac.errors import AcError
from jupyter_ac.rpc.methods import Access, Method
from tools.api.shapes import is_object


def problems(value: object, hint: object, where: str = "") -> list[str]:
    """Say where a decoded JSON value differs from a type; members too many count as well."""
    return list(_problems(value, hint, where))


async def refusal_of(handler: Callable[..., Awaitable[object]], *args: object) -> str:
    """Call a method that refuses, and return the sentence that its caller reads in the result."""
    found = Method.of("T.method", handler, Access.READ).refusals
    assert found is not None
    with pytest.raises(AcError) as caught:
        await handler(*args)
    answer = found.answer(caught.value)
    assert answer is not None
    assert problems(answer, found.shape) == []
    return str(answer["error"])


def _problems(value: object, hint: object, where: str) -> Iterator[str]:
    origin, members = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, typing.NewType):
        yield from _problems(value, hint.__supertype__, where)
    elif is_object(hint):
        yield from _in_object(value, hint, where)
    elif origin in {list, Sequence, dict, Mapping}:
        yield from _in_collection(value, list if origin in {list, Sequence} else dict, hint, where)
    elif origin in {typing.Union, types.UnionType}:
        if all(problems(value, member, where) for member in members):
            yield f"{where}: {value!r} is none of {members}"
    elif not (value in members if origin is typing.Literal else _is_plain(value, hint)):
        yield f"{where}: {value!r} is not {hint}"


def _in_collection(value: object, kind: type, hint: object, where: str) -> Iterator[str]:
    if not isinstance(value, kind):
        yield f"{where}: {value!r} is no {kind}"
        return
    item_hint = typing.get_args(hint)[-1]
    pairs = (
        value.items() if isinstance(value, dict) else enumerate(typing.cast("list[object]", value))
    )
    for at, item in pairs:
        yield from _problems(item, item_hint, f"{where}[{at}]")


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
    if isinstance(hint, type) and issubclass(hint, Enum):
        return any(value == member.value for member in hint)
    return isinstance(hint, type) and isinstance(value, hint)
