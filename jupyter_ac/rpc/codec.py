"""JSON codec: encodes and decodes frames, which may contain pre-serialized values.

Uses orjson; the standard library's `json` handles values that orjson rejects but the protocol
allows: lone surrogates (file names that are not UTF-8) and integers beyond 64 bits. Incoming NaN,
Infinity and numbers too large for a double are rejected; outgoing ones become null. Integers beyond
64 bits in a frame become doubles, as in a browser; a message's own `id` stays exact.
"""

import functools
import json
import math
import operator
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Final, Generic, NoReturn, TypeVar

import orjson

from jupyter_ac.errors import AcError, ParseError

T = TypeVar("T")


class Encoded(Generic[T]):
    """A pre-serialized result, inserted by the encoder unchanged.

    The type parameter is the client's type: `Encoded[list[str]]` is a `list[str]` on the wire. Not
    a dataclass, because orjson would serialize its attributes.

    Args:
        pieces: parts of JSON, of ASCII only if their size matters; may be shared by many answers.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self._pieces = pieces

    @property
    def text(self) -> str:
        """The joined pieces; not cached."""
        return "".join(self._pieces)

    @property
    def size_bytes(self) -> int:
        """Its length, if it is ASCII."""
        return sum(map(len, self._pieces))


def decoded(hint: object) -> object:
    """Return the client's type for a method's return type."""
    if typing.get_origin(hint) is Encoded:
        return typing.get_args(hint)[0]
    if typing.get_origin(hint) in {typing.Union, types.UnionType}:
        return functools.reduce(operator.or_, map(decoded, typing.get_args(hint)))
    return hint


_BOM: Final = "\ufeff"
_BOM_BYTES: Final = b"\xef\xbb\xbf"
_INT64: Final = 2.0**63

LARGE_BYTES: Final = 1 << 20
"""Frames of this size or more are worth encoding in a thread instead of on the event loop."""

_VISITS: Final = 16_384
_PIECE: Final = 256


class SerialisationError(AcError):
    """A value that is not JSON: a set, bytes, an unknown object, a cycle."""

    code = -32603
    type = "internal"


def decode(frame: str | bytes) -> object:
    """Parse one JSON value.

    One leading byte order mark is skipped. Of equal keys in an object the last one is used.

    Raises:
        ParseError: not JSON, not UTF-8, nested too deeply, or a number that is not finite.
    """
    try:
        value = orjson.loads(frame)
    except orjson.JSONDecodeError as error:
        return _decode_refused(frame, error)
    if type(value) is dict:
        call_id = value.get("id")
        if type(call_id) is float and abs(call_id) >= _INT64:
            return _decode_exactly(frame)
    return value


def _decode_refused(frame: str | bytes, error: orjson.JSONDecodeError) -> object:
    if isinstance(frame, str):
        if frame.startswith(_BOM) and not frame.startswith(_BOM, len(_BOM)):
            return decode(frame[1:])
        may_hold_surrogate = "\\u" in frame or not _is_utf8(frame)
    else:
        if frame.startswith(_BOM_BYTES) and not frame.startswith(_BOM_BYTES, len(_BOM_BYTES)):
            return decode(frame[len(_BOM_BYTES) :])
        may_hold_surrogate = b"\\u" in frame
    if may_hold_surrogate:
        return _decode_exactly(frame)
    raise ParseError(f"the frame is not JSON: {error.msg}") from error


def _decode_exactly(frame: str | bytes) -> object:
    try:
        text = frame if isinstance(frame, str) else frame.decode("utf-8")
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError as error:
        raise ParseError("the frame is nested too deeply") from error
    except ValueError as error:
        raise ParseError(f"the frame is not JSON: {error}") from error


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def encode(value: object) -> str:
    """Serialize a value to JSON on one line, always encodable as UTF-8.

    Raises:
        SerialisationError: it contains a value that is not JSON.
    """
    try:
        return orjson.dumps(value, default=_fragment).decode()
    except (TypeError, RecursionError):
        return _encode_refused(value)


def _fragment(value: object) -> orjson.Fragment:
    if isinstance(value, Encoded):
        return orjson.Fragment(value.text)
    raise TypeError(f"{type(value).__name__} is not JSON")


def _encode_refused(value: object) -> str:
    try:
        return json.dumps(
            _finite_only(value), ensure_ascii=True, allow_nan=False, separators=(",", ":")
        )
    except RecursionError as error:
        raise SerialisationError("the value is nested too deeply for JSON") from error
    except (TypeError, ValueError) as error:
        raise SerialisationError(f"the value cannot be sent as JSON: {error}") from error


def _finite_only(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite_only(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite_only(item) for item in value]
    if isinstance(value, Encoded):
        return json.loads(value.text)
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: _finite_only(getattr(value, one.name)) for one in fields(value)}
    return value


def encode_in_pieces(value: object, depth: int = 3) -> str:
    """Serialize a large value in pieces; for a worker thread.

    One call of the encoder holds the interpreter lock to its end and so blocks the event loop.
    Between pieces the lock can be passed to the loop's thread.

    Raises:
        SerialisationError: as `encode`.
    """
    if isinstance(value, Encoded):
        return value.text
    if depth and type(value) is dict and all(type(key) is str for key in value):
        parts = [f"{encode(key)}:{encode_in_pieces(value[key], depth - 1)}" for key in list(value)]
        return "{" + ",".join(parts) + "}"
    if depth and type(value) is list and len(value) > 1:
        if len(value) <= _PIECE:
            return "[" + ",".join([encode_in_pieces(item, depth - 1) for item in value]) + "]"
        slices = [value[at : at + _PIECE] for at in range(0, len(value), _PIECE)]
        return "[" + ",".join([encode(part)[1:-1] for part in slices]) + "]"
    return encode(value)


def least_bytes(value: object) -> tuple[int, bool]:
    """Return a lower bound for the size of a value's JSON, in bounded time.

    Returns:
        The bound in bytes, and whether the whole value was visited. If so, only escapes and
            non-ASCII characters can make the JSON longer.
    """
    if type(value) is str:
        return len(value) + 2, True
    size, left = 0, _VISITS
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            size += len(item) + 2
        elif isinstance(item, dict):
            size += 2
            waiting += islice(item, max(left, 0))
            waiting += islice(item.values(), max(left, 0))
            left -= len(item)
        elif isinstance(item, list | tuple):
            size += 2
            waiting += item[: max(left, 0)]
            left -= len(item)
        else:
            size += item.size_bytes if isinstance(item, Encoded) else 1
    return size, left >= 0


def utf8_bytes(text: str) -> int:
    """Return the length of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
