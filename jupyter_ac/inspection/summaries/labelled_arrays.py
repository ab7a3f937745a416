"""xarray's datasets and arrays, and dask's: dimensions and types; values only from memory."""

from collections.abc import Iterator
from typing import Final, Protocol, cast

from jupyter_ac.inspection.raw_access import (
    attribute,
    is_dict,
    is_own_class,
    items_of,
    loaded_class,
)
from jupyter_ac.inspection.summaries.numpy_arrays import (
    array_facts,
    dtype_text,
    is_array,
    is_mapped,
)
from jupyter_ac.inspection.summaries.pandas_tables import index_length
from jupyter_ac.inspection.summaries.summary import (
    COLUMNS,
    LAZY,
    MAPPED,
    Brief,
    Details,
    Summarizer,
    lazy_summary,
    no_details,
)
from jupyter_ac.inspection.value_text import value_text

_WRAPPERS: Final = 10
_INDEXING: Final = "xarray.core.indexing"


class DaskArray(Protocol):
    """What is read of dask's `Array`: computed from its chunks."""

    shape: tuple[float, ...]
    dtype: object
    chunksize: tuple[float, ...]


def labelled_summarizers() -> Iterator[tuple[type | None, Summarizer]]:
    """Yield the classes that are loaded, with their summarizers."""
    yield loaded_class("xarray", "Dataset"), Summarizer(_dataset_brief, _dataset_details)
    yield loaded_class("xarray", "DataArray"), Summarizer(_array_brief, _array_details)
    yield loaded_class("xarray", "Variable"), Summarizer(_variable_brief, _variable_details)
    yield loaded_class("dask.array", "Array"), Summarizer(_dask_brief, _dask_details)
    for name in ("DataFrame", "Series", "Index"):
        yield loaded_class("dask.dataframe", name), Summarizer(lazy_summary, no_details)
    yield loaded_class("dask.delayed", "Delayed"), Summarizer(lazy_summary, no_details)
    yield loaded_class("dask.bag", "Bag"), Summarizer(lazy_summary, no_details)


def _dimensions(variable: object) -> tuple[str, ...]:
    dims = attribute(variable, "_dims")
    if type(dims) is not tuple:
        return ()
    return tuple(each if type(each) is str else "?" for each in dims)


def _stored(variable: object) -> object:
    """Return the innermost array that xarray's own wrappers stand around."""
    data = attribute(variable, "_data")
    for _ in range(_WRAPPERS):
        if not is_own_class(type(data), _INDEXING):
            break
        data = attribute(data, "array")
    return data


def _shape(stored: object) -> tuple[int, ...] | None:
    if is_array(stored):
        return tuple(stored.shape)
    if type(stored) is loaded_class("dask.array", "Array"):
        return _known_lengths(cast("DaskArray", stored).shape)
    length = index_length(stored)
    if length is not None:
        return (length,)
    shape = attribute(stored, "shape")
    return _known_lengths(shape) if type(shape) is tuple else None


def _known_lengths(shape: tuple[object, ...]) -> tuple[int, ...] | None:
    lengths = [each for each in shape if type(each) is int]
    return tuple(lengths) if len(lengths) == len(shape) else None


def _described(variable: object) -> tuple[str, tuple[int, ...] | None, str, int | None]:
    """Return a line, the shape, the type and the bytes in memory of a variable of xarray's."""
    stored, dims = _stored(variable), _dimensions(variable)
    shape = _shape(stored)
    lengths = ["?"] * len(dims) if shape is None else [str(each) for each in shape]
    sizes = ", ".join(f"{dim}: {length}" for dim, length in zip(dims, lengths, strict=False))
    if is_array(stored):
        return f"({sizes})", shape, dtype_text(stored.dtype), int(stored.nbytes)
    is_index = index_length(stored) is not None
    return f"({sizes})" + ("" if is_index else " lazy"), shape, "", None


def _variable_brief(value: object) -> Brief:
    line, shape, dtype, size = _described(value)
    return Brief(f"{dtype} {line}".strip(), shape, shape[0] if shape else None, dtype, size)


def _variable_details(value: object) -> Details:
    stored = _stored(value)
    if not is_array(stored):
        return Details(note="" if index_length(stored) is not None else LAZY)
    if is_mapped(stored):
        return Details(note=MAPPED)
    return Details(array_facts(stored))


def _array_brief(value: object) -> Brief:
    return _variable_brief(attribute(value, "_variable"))


def _array_details(value: object) -> Details:
    variable = attribute(value, "_variable")
    of_values = _variable_details(variable)
    facts = (
        ("name", value_text(attribute(value, "_name"))),
        ("coordinates", _variables_text(attribute(value, "_coords"))),
        ("attributes", _dictionary_text(attribute(variable, "_attrs"))),
    )
    return Details((*facts, *of_values.facts), note=of_values.note)


def _dataset_brief(value: object) -> Brief:
    variables = attribute(value, "_variables")
    sizes = attribute(value, "_dims")
    count = len(items_of(variables)) if is_dict(variables) else 0
    return Brief(f"{count} variables over {_dictionary_text(sizes)}", length=count)


def _dataset_details(value: object) -> Details:
    facts = (
        ("variables", _variables_text(attribute(value, "_variables"))),
        ("attributes", _dictionary_text(attribute(value, "_attrs"))),
    )
    return Details(facts)


def _dictionary_text(held: object) -> str:
    return "{}" if held is None else value_text(held)


def _variables_text(variables: object) -> str:
    if not is_dict(variables):
        return ""
    found = []
    for name, variable in items_of(variables)[:COLUMNS]:
        line, _, dtype, _ = _described(variable)
        found.append(f"{value_text(name, 40)} {dtype} {line}".replace("  ", " "))
    return "; ".join(found)


def _dask_brief(value: object) -> Brief:
    array = cast("DaskArray", value)
    shape = _known_lengths(array.shape)
    dtype = str(array.dtype)
    line = f"{dtype} {' x '.join(map(str, array.shape))}, {LAZY}"
    return Brief(line, shape, shape[0] if shape else None, dtype)


def _dask_details(value: object) -> Details:
    chunk = " x ".join(map(str, cast("DaskArray", value).chunksize))
    return Details((("chunk", chunk),), note=LAZY)
