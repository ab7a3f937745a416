"""Writes a value of builtin types as a short text; of other values only the name of their class.

Reads with the methods of the builtin classes themselves, so that a subclass can't answer instead.
"""

import datetime as dt
import decimal
import pathlib
import types
import zoneinfo
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, cast

from jupyter_ac.inspection.raw_access import (
    attribute,
    bases_of,
    class_name,
    exact_text,
    is_class,
)

LINE_CHARS: Final = 80
"""Length of the text of a value, unless another limit is given."""

CUT: Final = "…"

_DEPTH: Final = 3
_INT_BITS: Final = 512
_DECIMAL_BYTES: Final = 512
_ZONES: Final = (types.NoneType, dt.timezone, zoneinfo.ZoneInfo)
_PATHS: Final = (pathlib.PosixPath, pathlib.PurePosixPath)
_NO_SCALARS: Final[Mapping[int, Callable[[object], object]]] = {}
_SINGLES: Final = (types.NoneType, bool, types.EllipsisType, types.NotImplementedType)


def value_text(
    value: object,
    limit: int = LINE_CHARS,
    scalars: Mapping[int, Callable[[object], object]] = _NO_SCALARS,
) -> str:
    """Write a value in a line of bounded length.

    Builtin scalars and containers are written as Python writes them, cut with `…`; circular ones
    end at a depth. Anything else is `<name of its class>`.

    Args:
        value: anything.
        limit: characters at most.
        scalars: for further scalar types, by `id` of the class: returns a builtin value that is
            written instead.
    """
    writer = _Writer(limit, scalars)
    writer.write(value, _DEPTH)
    return writer.text()


class _Writer:
    """Collects pieces until the limit is reached."""

    def __init__(self, limit: int, scalars: Mapping[int, Callable[[object], object]]) -> None:
        self._left = limit
        self._limit = limit
        self._scalars = scalars
        self._pieces: list[str] = []

    def text(self) -> str:
        """Return the text; control characters can't be in it."""
        text = "".join(self._pieces)
        return text if len(text) <= self._limit else text[: self._limit - 1] + CUT

    def write(self, value: object, depth: int) -> None:
        cls = type(value)
        scalar = _SCALARS.get(id(cls))
        if scalar is not None:
            self._put(scalar(value, self._left))
        elif (container := _CONTAINERS.get(id(cls))) is not None:
            if depth:
                container(self, value, depth - 1)
            else:
                self._put(CUT)
        elif (convert := self._scalars.get(id(cls))) is not None:
            self.write(convert(value), depth)
        elif is_class(value):
            self._put(f"<class {class_name(value)}>")
        else:
            self._write_other(value, cls, depth)

    def _write_other(self, value: object, cls: type, depth: int) -> None:
        """Write a subclass of a builtin by the builtin's methods, anything else by its name."""
        name = class_name(cls)
        for base in bases_of(cls):
            scalar = _SCALARS.get(id(base)) if id(base) in _READ_BY_BASE else None
            container = _CONTAINERS.get(id(base))
            if scalar is not None:
                self._put(f"{name}({scalar(value, self._left)})")
                return
            if container is not None and depth:
                self._put(f"{name}(")
                container(self, value, depth - 1)
                self._put(")")
                return
        self._put(f"<{name}>")

    def _put(self, piece: str) -> None:
        self._pieces.append(piece)
        self._left -= len(piece)

    def _write_items(self, items: Iterable[object], ends: str, depth: int, *, more: bool) -> None:
        self._put(ends[0])
        comma = ""
        for item in items:
            if self._left <= 0:
                break
            scalar = _SCALARS.get(id(type(item)))  # most items are: saves calls
            if scalar is not None:
                self._put(comma + scalar(item, self._left))
            else:
                self._put(comma)
                self.write(item, depth)
            comma = ", "
        if more:
            self._put(CUT if self._pieces[-1] == ends[0] else ", " + CUT)
        self._put(ends[1])

    def write_list(self, value: object, depth: int) -> None:
        held = cast("list[object]", value)
        count = self._most()
        items = list.__getitem__(held, slice(0, count))
        self._write_items(items, "[]", depth, more=list.__len__(held) > count)

    def write_tuple(self, value: object, depth: int) -> None:
        held = cast("tuple[object, ...]", value)
        length, count = tuple.__len__(held), self._most()
        items = tuple.__getitem__(held, slice(0, count))
        self._write_items(items, "()", depth, more=length > count)
        if length == 1:
            self._pieces[-1] = ",)"

    def write_set(self, value: object, depth: int) -> None:
        held = cast("set[object]", value)
        self._write_unordered(set.__iter__(held), set.__len__(held), depth)

    def write_frozenset(self, value: object, depth: int) -> None:
        held = cast("frozenset[object]", value)
        self._write_unordered(frozenset.__iter__(held), frozenset.__len__(held), depth)

    def _write_unordered(self, held: Iterator[object], length: int, depth: int) -> None:
        try:
            items = list(islice(held, self._most()))
        except RuntimeError:  # another thread changes it
            items = []
        self._write_items(items, "{}", depth, more=length > len(items))

    def write_dict(self, value: object, depth: int) -> None:
        held = cast("dict[object, object]", value)
        count = self._most()
        try:
            items = list(islice(dict.items(held), count))
        except RuntimeError:  # another thread changes it
            items = []
        self._put("{")
        comma = ""
        for key, item in items:
            if self._left <= 0:
                break
            self._put(comma)
            self.write(key, depth)
            self._put(": ")
            self.write(item, depth)
            comma = ", "
        if dict.__len__(held) > len(items):
            self._put(", " + CUT if items else CUT)
        self._put("}")

    def _most(self) -> int:
        """Count the items that have room: each takes three characters at least."""
        return max(self._left, 0) // 3 + 1


def _single(value: object, _limit: int) -> str:
    return repr(value)


def _int(value: object, _limit: int) -> str:
    number = cast("int", value)
    bits = int.bit_length(number)
    return int.__repr__(number) if bits <= _INT_BITS else f"<int of {bits} bits>"


def _float(value: object, _limit: int) -> str:
    return float.__repr__(cast("float", value))


def _complex(value: object, _limit: int) -> str:
    return complex.__repr__(cast("complex", value))


def _str(value: object, limit: int) -> str:
    text = exact_text(cast("str", value), max(limit, 0) + 1)
    return repr(text)


def _bytes(value: object, limit: int) -> str:
    part = bytes.__getitem__(cast("bytes", value), slice(0, max(limit, 0) + 1))
    return repr(bytes(part))


def _bytearray(value: object, limit: int) -> str:
    part = bytearray.__getitem__(cast("bytearray", value), slice(0, max(limit, 0) + 1))
    return f"bytearray({bytes(part)!r})"


def _range(value: object, limit: int) -> str:
    held = cast("range", value)
    return f"range({', '.join(_int(each, limit) for each in (held.start, held.stop, held.step))})"


def _moment(value: object, _limit: int) -> str:
    """Write a date or a time; a strange time zone would run its own code."""
    zone = value.tzinfo if isinstance(value, dt.datetime | dt.time) else None
    if not is_known_zone(zone):
        return f"<{class_name(type(value))} in a time zone of its own>"
    return str(value)


def is_known_zone(zone: object) -> bool:
    """Return whether a time zone is none, or of a class of the standard library."""
    return any(type(zone) is known for known in _ZONES)


def _decimal(value: object, _limit: int) -> str:
    number = cast("decimal.Decimal", value)
    size = decimal.Decimal.__sizeof__(number)
    return f"<Decimal of {size} bytes>" if size > _DECIMAL_BYTES else f"Decimal('{number}')"


def _path(value: object, limit: int) -> str:
    """Write a path from the parts that it holds, if these are plain texts."""
    for name in ("_str", "_raw_paths", "_parts"):
        held = attribute(value, name)
        if type(held) is str:
            return f"Path({_str(held, limit)})"
        if type(held) is list and held and all(type(part) is str for part in held):
            joined = "/".join(part[:limit] for part in held[: limit + 1])
            return f"Path({_str(joined.replace('//', '/', 1), limit)})"
    return f"<{class_name(type(value))}>"


def _function(value: object, limit: int) -> str:
    if not isinstance(value, types.FunctionType):
        return f"<{class_name(type(value))}>"
    code = value.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return f"def {exact_text(value.__name__, limit)}({', '.join(names[:limit])})"


def _builtin_function(value: object, limit: int) -> str:
    name = value.__name__ if isinstance(value, types.BuiltinFunctionType) else ""
    return f"<builtin function {exact_text(name, limit)}>"


def _module(value: object, limit: int) -> str:
    name = attribute(value, "__name__")
    return f"<module {name[:limit]}>" if type(name) is str else "<module>"


_SCALARS: Final[Mapping[int, Callable[[object, int], str]]] = {
    **{id(cls): _single for cls in _SINGLES},
    **{id(cls): _moment for cls in (dt.date, dt.time, dt.datetime)},
    **{id(cls): _path for cls in _PATHS},
    id(int): _int,
    id(float): _float,
    id(complex): _complex,
    id(str): _str,
    id(bytes): _bytes,
    id(bytearray): _bytearray,
    id(range): _range,
    id(dt.timedelta): lambda value, _limit: str(value),
    id(decimal.Decimal): _decimal,
    id(types.FunctionType): _function,
    id(types.BuiltinFunctionType): _builtin_function,
    id(types.ModuleType): _module,
}
"""Writers by `id` of the class, since a class may have a hash and an equality of its own."""

_CONTAINERS: Final[Mapping[int, Callable[[_Writer, object, int], None]]] = {
    id(list): _Writer.write_list,
    id(tuple): _Writer.write_tuple,
    id(set): _Writer.write_set,
    id(frozenset): _Writer.write_frozenset,
    id(dict): _Writer.write_dict,
}

_READ_BY_BASE: Final = frozenset(map(id, (int, float, complex, str, bytes, bytearray)))
"""The scalars whose writers call nothing that a subclass can define."""

_LENGTHS: Final[Mapping[int, Callable[[object], int]]] = {
    id(str): lambda value: str.__len__(cast("str", value)),
    id(bytes): lambda value: bytes.__len__(cast("bytes", value)),
    id(bytearray): lambda value: bytearray.__len__(cast("bytearray", value)),
    id(list): lambda value: list.__len__(cast("list[object]", value)),
    id(tuple): lambda value: tuple.__len__(cast("tuple[object, ...]", value)),
    id(set): lambda value: set.__len__(cast("set[object]", value)),
    id(frozenset): lambda value: frozenset.__len__(cast("frozenset[object]", value)),
    id(dict): lambda value: dict.__len__(cast("dict[object, object]", value)),
    id(range): lambda value: range.__len__(cast("range", value)),
}


def builtin_length(value: object) -> int | None:
    """Return the length of a builtin container or text, also of a subclass; else None."""
    cls = type(value)
    length = _LENGTHS.get(id(cls))
    if length is None and id(cls) not in _SCALARS:
        found = (_LENGTHS.get(id(base)) for base in bases_of(cls))
        length = next((each for each in found if each is not None), None)
    if length is None:
        return None
    try:
        return length(value)
    except OverflowError:  # a range that is too long for `len`
        return None


def is_builtin(cls: type) -> bool:
    """Return whether values of exactly this class are written with their content."""
    return id(cls) in _SCALARS or id(cls) in _CONTAINERS


def has_builtin_base(cls: type) -> bool:
    """Return whether values of a class are written by the methods of a builtin base class."""
    return any(id(base) in _READ_BY_BASE or id(base) in _CONTAINERS for base in bases_of(cls))
