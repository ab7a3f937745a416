"""Pre-serialized JSON values."""

import functools
import operator
import types
import typing
from collections.abc import Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class Encoded(Generic[T]):
    """A pre-serialized result, inserted by the encoder unchanged.

    The type parameter is the client's type: `Encoded[list[str]]` is a `list[str]` on the wire. Not
    a dataclass, because orjson would serialize its attributes.

    Args:
        pieces: parts of ASCII-only JSON; may be shared by many answers.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self._pieces = pieces

    @property
    def text(self) -> str:
        """The joined pieces; not cached."""
        return "".join(self._pieces)

    @property
    def size_bytes(self) -> int:
        """Its length."""
        return sum(map(len, self._pieces))


def decoded(hint: object) -> object:
    """Return the client's type for a method's return type."""
    if typing.get_origin(hint) is Encoded:
        return typing.get_args(hint)[0]
    if typing.get_origin(hint) in {typing.Union, types.UnionType}:
        return functools.reduce(operator.or_, map(decoded, typing.get_args(hint)))
    return hint
