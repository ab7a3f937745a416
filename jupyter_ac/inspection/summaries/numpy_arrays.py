"""numpy's arrays: shape, type of the elements, range, missing values; nothing of mapped files."""

import mmap
from collections.abc import Callable, Iterator
from typing import Final, Protocol, TypeGuard, cast

from jupyter_ac.inspection.mapped_memory import is_file_mapped
from jupyter_ac.inspection.raw_access import library_attribute, loaded_class, loaded_module
from jupyter_ac.inspection.summaries.summary import MAPPED, Brief, Details, Summarizer, no_details
from jupyter_ac.inspection.value_text import value_text

MOST_VALUES: Final = 1_000_000
"""Elements that a range is taken from: it takes some milliseconds."""

_SHOWN_VALUES: Final = 10
_FIELDS: Final = 20
_ORDERED: Final = "biuf"
_WITHOUT_OBJECTS: Final = "biufcSUmM"
_BASES_SEEN: Final = 100
_SCALARS: Final = (
    *("bool", "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128", "str_", "bytes_"),
)


class DataType(Protocol):
    """What is read of numpy's `dtype`."""

    kind: str
    names: tuple[str, ...] | None


class Scalar(Protocol):
    """What is read of a scalar of numpy's."""

    dtype: DataType

    def item(self) -> object:
        """Convert to a builtin value."""


class Array(Protocol):
    """What is read of numpy's `ndarray`."""

    shape: tuple[int, ...]
    dtype: DataType
    nbytes: int
    size: int
    base: object
    flat: "Array"

    def __getitem__(self, key: object) -> "Array":
        """Select elements."""

    def __invert__(self) -> "Array":
        """Negate truth values."""

    def min(self) -> Scalar:
        """Return the smallest element."""

    def max(self) -> Scalar:
        """Return the largest element."""

    def sum(self) -> Scalar:
        """Add the elements."""

    def astype(self, kind: str) -> "Array":
        """Convert the elements."""

    def tolist(self) -> list[object]:
        """Convert to builtin values."""


def numpy_summarizers() -> Iterator[tuple[type | None, Summarizer]]:
    """Yield the classes that are loaded, with their summarizers."""
    yield loaded_class("numpy", "ndarray"), Summarizer(_brief, _details)
    yield loaded_class("numpy", "memmap"), Summarizer(_brief, lambda _value: Details(note=MAPPED))
    # Its mask decides what its values are: only its outside is described.
    yield loaded_class("numpy.ma", "MaskedArray"), Summarizer(_brief, no_details)
    for name in _SCALARS:
        yield loaded_class("numpy", name), Summarizer(_scalar_brief, no_details)


def numpy_scalars() -> Iterator[tuple[type | None, Callable[[object], object]]]:
    """Yield numpy's scalar classes, with functions that convert to a builtin value."""
    for name in _SCALARS:
        yield loaded_class("numpy", name), lambda value: cast("Scalar", value).item()
    for name in ("datetime64", "timedelta64"):
        yield loaded_class("numpy", name), str


def is_array(value: object) -> TypeGuard[Array]:
    """Return whether a value is an array of exactly numpy's class."""
    return type(value) is loaded_class("numpy", "ndarray")


def dtype_text(dtype: DataType) -> str:
    """Write the type of an array's elements."""
    if dtype.kind == "T":
        return "StringDType"  # its text has the repr of what stands for missing values
    if dtype.names is None:
        return str(dtype)
    fields = ", ".join(dtype.names[:_FIELDS])
    return f"fields ({fields}{', …' if len(dtype.names) > _FIELDS else ''})"


def is_mapped(array: Array) -> bool:
    """Return whether an array's memory is known to be mapped from a file."""
    return _is_mapped(array) is True


def array_facts(array: Array) -> tuple[tuple[str, str], ...]:
    """Return the range and the number of missing values of an array of exactly numpy's class.

    Nothing if the memory may be mapped: to read all of it takes long.
    """
    kind = array.dtype.kind
    if kind not in _WITHOUT_OBJECTS or _is_mapped(array) is not False:
        return ()
    facts, values = [], array.flat[:MOST_VALUES]
    if kind in "fc":
        is_missing = _is_nan(values)
        facts.append(("NaN", f"{is_missing.sum().item()}"))
        values = values[~is_missing]
    if kind in _ORDERED and values.size:
        facts.append(("range", f"{values.min().item()!r} to {values.max().item()!r}"))
    if array.size > MOST_VALUES:
        facts.append(("counted", f"the first {MOST_VALUES:,} of {array.size:,} values"))
    return tuple(facts)


def first_values(array: Array, count: int) -> list[object]:
    """Return the first elements of an array of one dimension; objects among them as they are."""
    first = array[:count]
    return (first.astype("U") if first.dtype.kind in "mM" else first).tolist()


def _details(value: object) -> Details:
    array = cast("Array", value)
    if is_mapped(array):
        return Details(note=MAPPED)
    if array.dtype.kind not in _WITHOUT_OBJECTS:
        return Details(note="elements that are objects or records are not shown")
    first = first_values(array.flat[:_SHOWN_VALUES], _SHOWN_VALUES)
    return Details((("first values", value_text(first)), *array_facts(array)))


def _is_mapped(array: Array) -> bool | None:
    """Return whether memory is mapped from a file; None if that of another owner may be."""
    owner = _owner_of(array)
    if owner is None or owner is mmap.mmap:
        return owner is not None
    interface = library_attribute(array, "__array_interface__")
    return is_file_mapped(cast("dict[str, tuple[int, bool]]", interface)["data"][0])


def _owner_of(array: Array) -> object:
    """Return the class that owns an array's memory: None for numpy itself and for bytes."""
    plain, mapped = loaded_class("numpy", "ndarray"), loaded_class("numpy", "memmap")
    owner: object = array
    for _ in range(_BASES_SEEN):
        kind = type(owner)
        if kind is mapped or kind is mmap.mmap:
            return mmap.mmap
        if owner is None or kind is bytes or kind is bytearray:
            return None
        if kind is plain:
            owner = cast("Array", owner).base
        elif kind is memoryview:
            owner = cast("memoryview", owner).obj
        else:
            return kind
    return object


def _is_nan(values: Array) -> Array:
    is_nan = cast("Callable[[Array], Array]", (loaded_module("numpy") or {})["isnan"])
    return is_nan(values)


def _brief(value: object) -> Brief:
    array = cast("Array", value)
    shape, dtype = tuple(array.shape), dtype_text(array.dtype)
    line = f"{dtype} {' x '.join(map(str, shape)) or 'scalar'}"
    return Brief(line, shape, shape[0] if shape else None, dtype, int(array.nbytes))


def _scalar_brief(value: object) -> Brief:
    scalar = cast("Scalar", value)
    return Brief(value_text(scalar.item()), dtype=str(scalar.dtype))
