"""pandas' tables, series and indexes: schema and head, read from pandas' own blocks.

A table may hold columns of an array class of the user's, indexes over such, and objects as values.
So a table is not asked for its columns: its blocks are read, and of these only those whose arrays
are numpy's or of a class that pandas defines.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast

from jupyter_ac.inspection.raw_access import (
    attribute,
    bare_name,
    exact_text,
    inherits,
    library_attribute,
    loaded_class,
)
from jupyter_ac.inspection.summaries.arrow_tables import arrow_bytes, arrow_type, arrow_values
from jupyter_ac.inspection.summaries.numpy_arrays import (
    Array,
    array_facts,
    dtype_text,
    first_values,
    is_array,
    is_mapped,
    numpy_scalars,
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
)
from jupyter_ac.inspection.value_text import is_builtin, is_known_zone, value_text

_INTERNALS: Final = "pandas.core.internals"
_INDEXES: Final = (
    *("Index", "RangeIndex", "MultiIndex", "DatetimeIndex", "TimedeltaIndex", "PeriodIndex"),
    *("CategoricalIndex", "IntervalIndex"),
)
_MASKED: Final = ("IntegerArray", "FloatingArray", "BooleanArray")
_OVER_NUMPY: Final = (
    *("DatetimeArray", "TimedeltaArray", "PeriodArray", "StringArray", "NumpyExtensionArray"),
    *("StringArrayNumpySemantics", "Categorical"),
)
_OVER_ARROW: Final = ("ArrowExtensionArray", "ArrowStringArray", "ArrowStringArrayNumpySemantics")
_COUNTED_BLOCKS: Final = 200
"""Blocks whose bytes are counted; a table that was made column by column may have thousands."""

_TYPE_ONLY: Final = {"IntervalArray": "interval", "SparseArray": "sparse"}
_ARRAYS: Final = frozenset((*_TYPE_ONLY, *_MASKED, *_OVER_NUMPY, *_OVER_ARROW))
_HOMES: Final = ("pandas.arrays", "pandas.core.arrays.string_", "pandas.core.arrays.string_arrow")
_UNREADABLE: Final = "This table is built in a way that can't be read without running its code."
_HIDDEN_COLUMNS: Final = "columns of unknown array classes have no type and no values here"


def pandas_summarizers() -> Iterator[tuple[type | None, Summarizer]]:
    """Yield the classes that are loaded, with their summarizers."""
    yield loaded_class("pandas", "DataFrame"), Summarizer(_table_brief, _table_details)
    yield loaded_class("pandas", "Series"), Summarizer(_series_brief, _series_details)
    for name in _INDEXES:
        yield loaded_class("pandas", name), Summarizer(_index_brief, _index_details)


def pandas_scalars() -> Iterator[tuple[type | None, Callable[[object], object]]]:
    """Yield pandas' scalar classes, with functions that convert to a builtin value."""
    yield loaded_class("pandas", "Timestamp"), _moment
    yield loaded_class("pandas", "Timedelta"), str
    for name in ("NaTType", "NAType"):
        module = "pandas._libs.missing" if name == "NAType" else "pandas._libs.tslibs.nattype"
        yield loaded_class(module, name), lambda _value: None


def _moment(value: object) -> object:
    return str(value) if is_known_zone(library_attribute(value, "tzinfo")) else "…"


def table_scalars() -> Mapping[int, Callable[[object], object]]:
    """Return the converters of the scalars that tables hold, by `id` of the class."""
    found = (*numpy_scalars(), *pandas_scalars())
    return {id(cls): convert for cls, convert in found if cls is not None}


def _text(value: object) -> str:
    if value is None:
        return ""
    if type(value) is str:
        return value[:CELL_CHARS]
    return value_text(value, CELL_CHARS, {} if is_builtin(type(value)) else table_scalars())


def _kind(array: object) -> str:
    """Return which of pandas' own array classes an array is of; "" for none."""
    cls = type(array)
    name = bare_name(cls)
    if name in _ARRAYS and any(cls is loaded_class(home, name) for home in _HOMES):
        return name
    return ""


def _is_index(value: object) -> bool:
    return any(type(value) is loaded_class("pandas", name) for name in _INDEXES)


def _parts(array: object) -> list[Array]:
    """Return the arrays of numpy's that hold a column; the first has its length."""
    if is_array(array):
        return [array]
    names: tuple[str, ...] = ()
    if _kind(array) in _OVER_NUMPY:
        names = ("_ndarray",)
    elif _kind(array) in _MASKED:
        names = ("_data", "_mask")
    held = [library_attribute(array, name) for name in names]
    return [part for part in held if is_array(part)]


def _length(array: object) -> int | None:
    if parts := _parts(array):
        return int(parts[0].shape[-1])
    if _kind(array) in _OVER_ARROW:
        return len(cast("list[object]", library_attribute(array, "_pa_array")))
    return None


def _bytes(array: object) -> int:
    if _kind(array) in _OVER_ARROW:
        return arrow_bytes(library_attribute(array, "_pa_array"))
    return sum(int(part.nbytes) for part in _parts(array))


def _dtype(array: object) -> str:
    """Write the type of a column; "" for an array of an unknown class."""
    kind = _kind(array)
    if is_array(array):
        found = dtype_text(array.dtype)
    elif kind in _OVER_ARROW:
        found = arrow_type(library_attribute(library_attribute(array, "_pa_array"), "type"))
    elif kind == "Categorical":
        found = "category"
    elif kind == "DatetimeArray":
        zone = library_attribute(library_attribute(array, "dtype"), "tz")
        name = exact_text(str(zone), CELL_CHARS) if is_known_zone(zone) else "a time zone"
        found = dtype_text(_parts(array)[0].dtype) + (
            f" UTC, for {name}" if zone is not None else ""
        )
    elif kind in _TYPE_ONLY:
        found = _TYPE_ONLY[kind]
    else:
        found = str(library_attribute(array, "dtype")) if kind else ""
    return found


def _values(array: object, count: int, row: int | None = None) -> list[object]:
    """Return the first values of a column; [] where they can't be read or are mapped.

    Args:
        array: the column's.
        count: how many.
        row: of an array of two dimensions, the one that is the column.
    """
    if _kind(array) in _OVER_ARROW:
        return arrow_values(library_attribute(array, "_pa_array"), count)
    parts = _parts(array)
    if not parts or is_mapped(parts[0]) or _kind(array) == "PeriodArray":
        return []
    first = parts[0] if row is None else parts[0][row]
    found = first_values(first, count)
    if _kind(array) == "Categorical":
        categories = library_attribute(library_attribute(array, "dtype"), "categories")
        return [_label(categories, int(cast("int", code))) for code in found]
    if len(parts) > 1:
        masked = first_values(parts[1], count)
        return [None if is_off else value for value, is_off in zip(found, masked, strict=True)]
    return found


def _label(index: object, at: int) -> object:
    """Return the label at a place of an index; None for none."""
    if at < 0 or not _is_index(index):
        return None
    ranged = attribute(index, "_range")
    if type(ranged) is range:
        return ranged[at]
    levels, codes = _listed(attribute(index, "_levels")), _listed(attribute(index, "_codes"))
    if levels:
        pairs = zip(levels, codes, strict=True)
        return tuple(_label(level, _code(code, at)) for level, code in pairs)
    array = attribute(index, "_data")
    parts = _parts(array)
    if parts and len(parts) == 1 and _kind(array) != "Categorical":
        found = first_values(parts[0][at:], 1)
    else:
        found = _values(array, at + 1)[at:]
    return found[0] if found else None


def _listed(held: object) -> list[object]:
    """Return the items of a list, also of pandas' own subclass; [] for anything else."""
    if not inherits(type(held), list):
        return []
    return list.__getitem__(cast("list[object]", held), slice(None))


def _code(codes: object, at: int) -> int:
    return int(cast("int", first_values(codes[at:], 1)[0])) if is_array(codes) else -1


def index_length(index: object) -> int | None:
    """Return the number of labels; None for an index of an unknown class, or over one."""
    if not _is_index(index):
        return None
    ranged, codes = attribute(index, "_range"), _listed(attribute(index, "_codes"))
    if type(ranged) is range:
        return len(ranged)
    if codes:
        first = codes[0]
        return int(first.shape[0]) if is_array(first) else None
    return _length(attribute(index, "_data"))


def _blocks(table: object, manager_class: str) -> list[object] | None:
    """Return pandas' blocks of a table; None if the table is not built of pandas' own."""
    manager = attribute(table, "_mgr")
    if type(manager) is not loaded_class(f"{_INTERNALS}.managers", manager_class):
        return None
    block = loaded_class("pandas._libs.internals", "Block")
    blocks = library_attribute(manager, "blocks")
    if (
        type(blocks) is not tuple
        or block is None
        or not all(inherits(type(each), block) for each in blocks)
    ):
        return None
    return list(blocks)


def _axes(table: object) -> tuple[object, object]:
    """Return the index of the rows and that of the columns."""
    manager = attribute(table, "_mgr")
    axes = library_attribute(manager, "axes")
    return (axes[1], axes[0]) if type(axes) is list and len(axes) > 1 else (None, None)


def _table_brief(value: object) -> Brief:
    blocks = _blocks(value, "BlockManager")
    if blocks is None:
        return Brief(_UNREADABLE)
    rows, columns = map(index_length, _axes(value))
    counted = blocks[:_COUNTED_BLOCKS]
    size = sum(_bytes(library_attribute(block, "values")) for block in counted)
    size = size * len(blocks) // max(len(counted), 1)
    if rows is None or columns is None:
        return Brief("a table with indexes of unknown classes", size_bytes=size)
    return Brief(f"{rows} rows x {columns} columns", (rows, columns), rows, "", size)


def _table_details(value: object) -> Details:
    blocks = _blocks(value, "BlockManager")
    if blocks is None:
        return Details(note=_UNREADABLE)
    _, labels = _axes(value)
    total = index_length(labels) or 0
    columns: list[Column] = [Column("", "")] * min(total, COLUMNS)
    cells: list[list[str]] = [[] for _ in columns]
    is_strange = any_mapped = False
    for block in blocks:
        places = cast("Array", library_attribute(library_attribute(block, "mgr_locs"), "as_array"))
        if not places.size or cast("int", places.min().item()) >= len(columns):
            continue
        array = library_attribute(block, "values")
        dtype = _dtype(array)
        is_strange |= not dtype
        any_mapped |= any(map(is_mapped, _parts(array)))
        is_flat = all(len(part.shape) == 1 for part in _parts(array))
        for row, place in enumerate(places.tolist()):
            at = cast("int", place)
            if at < len(columns):
                columns[at] = Column(_text(_label(labels, at)), dtype)
                found = _values(array, HEAD_ROWS, None if is_flat else row)
                cells[at] = [_text(each) for each in found]
    note = MAPPED if any_mapped else _HIDDEN_COLUMNS if is_strange else ""
    return by_columns(columns, cells, total, note)


def _series_array(value: object) -> object:
    blocks = _blocks(value, "SingleBlockManager")
    return library_attribute(blocks[0], "values") if blocks else None


def _series_brief(value: object) -> Brief:
    return _array_brief(_series_array(value))


def _array_brief(array: object) -> Brief:
    length, dtype = _length(array), _dtype(array)
    if length is None:
        return Brief(_HIDDEN_COLUMNS)
    return Brief(f"{dtype}, {length} values", (length,), length, dtype, _bytes(array))


def _series_details(value: object) -> Details:
    array = _series_array(value)
    parts = _parts(array)
    if any(map(is_mapped, parts)):
        return Details(note=MAPPED)
    column = Column(_text(attribute(value, "_name")), _dtype(array))
    details = by_columns([column], [[_text(each) for each in _values(array, HEAD_ROWS)]], 1)
    facts = array_facts(array) if is_array(array) else ()
    return Details(facts, details.columns, 0, details.head)


def _index_brief(value: object) -> Brief:
    length = index_length(value)
    if length is None:
        return Brief("an index over an unknown class")
    array = attribute(value, "_data")
    dtype = "int64" if attribute(value, "_range") is not None else _dtype(array)
    return Brief(f"{dtype}, {length} labels".lstrip(", "), (length,), length, dtype, _bytes(array))


def _index_details(value: object) -> Details:
    count = min(index_length(value) or 0, HEAD_ROWS)
    labels = [_text(_label(value, at)) for at in range(count)]
    return Details((("first labels", ", ".join(labels)),) if labels else ())
