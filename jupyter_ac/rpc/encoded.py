"""A value whose JSON is there already."""

import functools
import operator
import types
import typing
from collections.abc import Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class Encoded(Generic[T]):
    """A result that was spelt beforehand: the encoder puts it in as it is.

    The parameter says what a client reads: `Encoded[list[str]]` is a `list[str]` on the wire. No
    dataclass, of which orjson would spell the attributes.

    Args:
        pieces: JSON when joined, ASCII only; may be shared by many answers.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self._pieces = pieces

    @property
    def text(self) -> str:
        """The pieces, joined anew for each answer."""
        return "".join(self._pieces)

    @property
    def size_bytes(self) -> int:
        """How long it is."""
        return sum(map(len, self._pieces))


def decoded(hint: object) -> object:
    """Return the type that a client reads where a method gives this one."""
    if typing.get_origin(hint) is Encoded:
        return typing.get_args(hint)[0]
    if typing.get_origin(hint) in {typing.Union, types.UnionType}:
        return functools.reduce(operator.or_, map(decoded, typing.get_args(hint)))
    return hint
