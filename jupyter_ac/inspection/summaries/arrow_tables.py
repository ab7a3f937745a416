"""Tables of pyarrow and polars: schema and head; objects of Python and extension types aside."""

from collections.abc import Iterator
from typing import Final, Protocol, cast

from jupyter_ac.inspection.mapped_memory import is_file_mapped
from jupyter_ac.inspection.raw_access import (
    bare_name,
    inherits,
    is_own_class,
    library_attribute,
    loaded_class,
)
from jupyter_ac.inspection.summaries.summary import (
    CELL_CHARS,
    COLUMNS,
    HEAD_ROWS,
    MAPPED,
    Brief,
    Column,
    Details,
    Summarizer,
    by_columns,
    lazy_summary,
    no_details,
)
from jupyter_ac.inspection.value_text import value_text

_LIB: Final = "pyarrow.lib"
_NESTED: Final = 8
_STRANGE: Final = "columns of extension types and of objects have no values here"
_TYPE_CHARS: Final = 120
_BUFFERS: Final = 4
_POLARS_TYPES: Final = "polars.datatypes.classes"
_NOT_READ: Final = frozenset({"Object", "BaseExtension", "Extension"})


class ArrowTable(Protocol):
    """What is read of pyarrow's `Table` and `RecordBatch`."""

    num_rows: int
    num_columns: int
    column_names: list[str]

    def column(self, at: int) -> object:
        """Return a column."""

    def get_total_buffer_size(self) -> int:
        """Count the bytes of the memory that is held."""


class ArrowArray(Protocol):
    """What is read of pyarrow's `Array` and `ChunkedArray`."""

    type: object

    def __len__(self) -> int:
        """Count the values."""

    def slice(self, offset: int, length: int) -> "ArrowArray":
        """Select values without copying."""

    def to_pylist(self) -> list[object]:
        """Convert to builtin values."""

    def get_total_buffer_size(self) -> int:
        """Count the bytes of the memory that is held."""


class PolarsSeries(Protocol):
    """What is read of polars' `Series`."""

    name: str
    dtype: object

    def __len__(self) -> int:
        """Count the values."""

    def head(self, count: int) -> "PolarsSeries":
        """Select the first values."""

    def to_list(self) -> list[object]:
        """Convert to builtin values."""

    def estimated_size(self) -> int:
        """Estimate the bytes."""


class PolarsTable(Protocol):
    """What is read of polars' `DataFrame`."""

    shape: tuple[int, int]

    def to_series(self, at: int) -> PolarsSeries:
        """Return a column."""

    def estimated_size(self) -> int:
        """Estimate the bytes."""


def arrow_summarizers() -> Iterator[tuple[type | None, Summarizer]]:
    """Yield the classes that are loaded, with their summarizers."""
    for name in ("Table", "RecordBatch"):
        yield loaded_class("pyarrow", name), Summarizer(_arrow_brief, _arrow_details)
    yield loaded_class("pyarrow", "ChunkedArray"), Summarizer(_array_brief, _array_details)
    yield loaded_class("polars", "DataFrame"), Summarizer(_polars_brief, _polars_details)
    yield loaded_class("polars", "Series"), Summarizer(_series_brief, _series_details)
    yield loaded_class("polars", "LazyFrame"), Summarizer(lazy_summary, no_details)


def arrow_type(kind: object) -> str:
    """Write a type of pyarrow's; an extension type only by a word."""
    return str(kind)[:_TYPE_CHARS] if _is_plain(kind, _NESTED) else "extension"


def arrow_values(array: object, count: int) -> list[object]:
    """Return the first values of an array of pyarrow's; [] for a mapped or an extension one."""
    held = cast("ArrowArray", array)
    if not _is_plain(held.type, _NESTED) or arrow_is_mapped(array):
        return []
    return held.slice(0, count).to_pylist()


def arrow_is_mapped(array: object) -> bool:
    """Return whether the first part of an array of pyarrow's is known to be mapped from a file."""
    parts = library_attribute(array, "chunks")
    first = parts[0] if type(parts) is list and parts else array
    if type(first) is loaded_class("pyarrow", "ChunkedArray"):
        return False
    addresses = [
        cast("int", library_attribute(buffer, "address"))
        for buffer in cast("_Buffered", first).buffers()
        if buffer is not None
    ]
    return any(is_file_mapped(address) for address in addresses[:_BUFFERS])


def arrow_bytes(array: object) -> int:
    """Count the bytes that an array of pyarrow's holds."""
    return cast("ArrowArray", array).get_total_buffer_size()


def _is_plain(kind: object, depth: int) -> bool:
    """Return whether a type and those inside of it are pyarrow's own, not written in Python."""
    cls = type(kind)
    base, extension = loaded_class(_LIB, "DataType"), loaded_class(_LIB, "BaseExtensionType")
    if not depth or base is None or not (inherits(cls, base) and is_own_class(cls, _LIB)):
        return False
    if extension is not None and inherits(cls, extension):
        return False
    if cls is loaded_class(_LIB, "DictionaryType"):
        return _is_plain(library_attribute(kind, "value_type"), depth - 1)
    count = min(cast("int", library_attribute(kind, "num_fields")), COLUMNS)
    inner = [cast("_Nested", kind).field(at) for at in range(count)]
    return all(_is_plain(library_attribute(field, "type"), depth - 1) for field in inner)


class _Buffered(Protocol):
    def buffers(self) -> list[object]:
        """Return the memory of an array."""


class _Nested(Protocol):
    def field(self, at: int) -> object:
        """Return a field of a nested type."""


def _cells(values: list[object]) -> list[str]:
    return ["" if each is None else _text(each) for each in values]


def _text(value: object) -> str:
    return value[:CELL_CHARS] if type(value) is str else value_text(value, CELL_CHARS)


def _arrow_brief(value: object) -> Brief:
    table = cast("ArrowTable", value)
    rows, columns = table.num_rows, table.num_columns
    size = table.get_total_buffer_size()
    return Brief(f"{rows} rows x {columns} columns", (rows, columns), rows, "", size)


def _arrow_details(value: object) -> Details:
    table = cast("ArrowTable", value)
    names = table.column_names[:COLUMNS]
    arrays = [cast("ArrowArray", table.column(at)) for at in range(len(names))]
    columns = [
        Column(name[:CELL_CHARS], arrow_type(array.type))
        for name, array in zip(names, arrays, strict=True)
    ]
    cells = [_cells(arrow_values(array, HEAD_ROWS)) for array in arrays]
    is_strange = any(column.dtype == "extension" for column in columns)
    note = MAPPED if any(map(arrow_is_mapped, arrays)) else _STRANGE if is_strange else ""
    return by_columns(columns, cells, table.num_columns, note)


def _array_brief(value: object) -> Brief:
    array, dtype = cast("ArrowArray", value), arrow_type(cast("ArrowArray", value).type)
    length = len(array)
    return Brief(f"{dtype}, {length} values", (length,), length, dtype, arrow_bytes(value))


def _array_details(value: object) -> Details:
    if arrow_is_mapped(value):
        return Details(note=MAPPED)
    return Details((("first values", value_text(arrow_values(value, HEAD_ROWS))),))


def _polars_brief(value: object) -> Brief:
    table = cast("PolarsTable", value)
    rows, columns = table.shape
    return Brief(
        f"{rows} rows x {columns} columns", (rows, columns), rows, "", table.estimated_size()
    )


def _polars_details(value: object) -> Details:
    table = cast("PolarsTable", value)
    series = [table.to_series(at) for at in range(min(table.shape[1], COLUMNS))]
    columns = [Column(each.name[:CELL_CHARS], _polars_type(each.dtype)) for each in series]
    cells = [_cells(_polars_values(each)) for each in series]
    is_strange = not all(_is_polars_own(each.dtype, _NESTED) for each in series)
    return by_columns(columns, cells, table.shape[1], _STRANGE if is_strange else "")


def _polars_values(series: PolarsSeries) -> list[object]:
    """Return the first values; none of Python's objects, and none of types of the user's."""
    return series.head(HEAD_ROWS).to_list() if _is_polars_own(series.dtype, _NESTED) else []


def _polars_type(dtype: object) -> str:
    if _is_polars_own(dtype, _NESTED):
        return str(dtype)[:_TYPE_CHARS]
    return "Object" if type(dtype) is loaded_class(_POLARS_TYPES, "Object") else "extension"


def _is_polars_own(dtype: object, depth: int) -> bool:
    """Return whether values of a type, and of those inside of it, are read by polars alone."""
    cls = type(dtype)
    if not depth or not is_own_class(cls, _POLARS_TYPES) or bare_name(cls) in _NOT_READ:
        return False
    inner = [library_attribute(dtype, "inner")] if bare_name(cls) in {"List", "Array"} else []
    fields = cast("list[object]", library_attribute(dtype, "fields") or [])
    inner += [library_attribute(field, "dtype") for field in fields[:COLUMNS]]
    return all(_is_polars_own(each, depth - 1) for each in inner)


def _series_brief(value: object) -> Brief:
    series = cast("PolarsSeries", value)
    length, dtype = len(series), _polars_type(series.dtype)
    return Brief(f"{dtype}, {length} values", (length,), length, dtype, series.estimated_size())


def _series_details(value: object) -> Details:
    values = value_text(_polars_values(cast("PolarsSeries", value)))
    return Details((("first values", values),))
