"""Derives parameter checks from annotations once, so that methods needn't check types.

Supported: `str`, `int`, `float`, `bool`, `None`, lists and sequences, dicts and mappings, unions,
`Literal`, `NewType` and typed dictionaries (as objects, without their members). Any other
annotation accepts everything: then the method itself must check.
"""

import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Accepts: TypeAlias = Callable[[object], bool]
_LISTS: Final = 8

_Reading: TypeAlias = tuple[str, Accepts]


@dataclass(frozen=True, slots=True)
class Expected:
    """The check for one parameter.

    Attributes:
        name: of the parameter.
        phrase: the expected type for the message: `a string or null`.
        accepts: the predicate.
        default: its default, or `inspect.Parameter.empty`.
        is_positional: whether it may be passed by position.
    """

    name: str
    phrase: str
    accepts: Accepts
    default: object
    is_positional: bool

    @property
    def is_optional(self) -> bool:
        """Whether it may be omitted."""
        return self.default is not inspect.Parameter.empty


def expectations(
    handler: Callable[..., object], signature: inspect.Signature
) -> tuple[Expected, ...]:
    """Return the checks for a handler's parameters in order, without `*args` and `**kwargs`."""
    try:
        hints = typing.get_type_hints(handler)
    except (NameError, TypeError):
        # Names only for type checkers, or a callable without annotations.
        hints = {}
    skipped = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    return tuple(
        _expected(parameter, hints.get(parameter.name, object))
        for parameter in signature.parameters.values()
        if parameter.kind not in skipped
    )


def with_whole_numbers(value: object, depth: int = _LISTS) -> object:
    """Convert floats with integral values to `int`, also in lists: some JSON encoders write `1.0`.

    Args:
        value: any JSON value.
        depth: maximum nesting of lists; no parameter has more.
    """
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if depth and isinstance(value, list):
        return [with_whole_numbers(each, depth - 1) for each in value]
    return value


def _expected(parameter: inspect.Parameter, annotation: object) -> Expected:
    phrase, accepts = _read(annotation)
    is_positional = parameter.kind is not parameter.KEYWORD_ONLY
    return Expected(parameter.name, phrase, accepts, parameter.default, is_positional)


def _anything(_value: object) -> bool:
    return True


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_PLAIN: Final[Mapping[object, _Reading]] = {
    str: ("a string", lambda value: isinstance(value, str)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    int: ("a whole number", _is_int),
    float: ("a number", _is_number),
    types.NoneType: ("null", lambda value: value is None),
}
_ANY: Final[_Reading] = ("anything", _anything)


def _read(annotation: object) -> _Reading:
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if isinstance(annotation, typing.NewType):
        return _read(annotation.__supertype__)
    if typing.is_typeddict(annotation):
        return _read_object(())
    reader = _SHAPES.get(typing.get_origin(annotation) or annotation)
    return _ANY if reader is None else reader(typing.get_args(annotation))


def _read_union(members: tuple[object, ...]) -> _Reading:
    phrases, tests = zip(*map(_read, members), strict=True)
    if _anything in tests:
        return _ANY
    return " or ".join(phrases), lambda value: any(test(value) for test in tests)


def _read_literal(values: tuple[object, ...]) -> _Reading:
    phrase = "one of " + ", ".join(str(value) for value in values)
    return phrase, lambda value: any(value == one and type(value) is type(one) for one in values)


def _read_list(members: tuple[object, ...]) -> _Reading:
    phrase, test = _read(members[0]) if members else _ANY
    if test is _anything:
        return "an array", lambda value: isinstance(value, list)
    return (
        f"an array, each item {phrase}",
        lambda value: isinstance(value, list) and all(map(test, value)),
    )


def _read_object(_members: tuple[object, ...]) -> _Reading:
    return "an object", lambda value: isinstance(value, dict)


_SHAPES: Final[Mapping[object, Callable[[tuple[object, ...]], _Reading]]] = {
    typing.Union: _read_union,
    types.UnionType: _read_union,
    Literal: _read_literal,
    list: _read_list,
    Sequence: _read_list,
    dict: _read_object,
    Mapping: _read_object,
}
