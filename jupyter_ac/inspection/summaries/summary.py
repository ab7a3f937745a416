"""The two parts of a summary: what a listing needs of a value, and what its description adds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

HEAD_ROWS: Final = 5
"""Rows that a description shows."""

COLUMNS: Final = 40
"""Columns that a description names."""

CELL_CHARS: Final = 60
"""Characters of a value inside of a table."""

LAZY: Final = "lazy: it is not evaluated, so there are no values"
MAPPED: Final = "mapped from a file: its values are not read"


@dataclass(frozen=True, slots=True)
class Brief:
    """What a listing says of a value.

    Attributes:
        line: one line; "" for none.
        shape: lengths of the dimensions; None where there are none.
        length: number of items; None where it has none.
        dtype: type of the elements; "" where there is none.
        size_bytes: of the data, as far as the library counts it; None: of the object itself.
    """

    line: str = ""
    shape: tuple[int, ...] | None = None
    length: int | None = None
    dtype: str = ""
    size_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its name and the type of its values."""

    name: str
    dtype: str


@dataclass(frozen=True, slots=True)
class Details:
    """What a description adds.

    Attributes:
        facts: labels and texts, such as a range.
        columns: the first columns of a table.
        columns_left_out: number of the others.
        head: texts of the first rows, in the order of `columns`; "" for what can't be shown.
        note: a sentence about what is not shown, and why.
    """

    facts: tuple[tuple[str, str], ...] = ()
    columns: tuple[Column, ...] = ()
    columns_left_out: int = 0
    head: tuple[tuple[str, ...], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Summarizer:
    """The functions for the values of one class.

    Attributes:
        brief: must take microseconds, whatever the size of the value.
        details: may read a bounded number of elements.
    """

    brief: Callable[[object], Brief]
    details: Callable[[object], Details]


def lazy_summary(_value: object) -> Brief:
    """Say of a lazy value that it is one."""
    return Brief(LAZY)


def no_details(_value: object) -> Details:
    """Add nothing."""
    return Details()


def by_columns(
    columns: list[Column], cells: list[list[str]], total: int, note: str = ""
) -> Details:
    """Make the details of a table whose head was read column by column.

    Args:
        columns: the first ones.
        cells: the texts of each of these columns, from the first row on; [] for one without.
        total: number of all columns.
        note: see `Details`.
    """
    rows = max((len(column) for column in cells), default=0)
    head = tuple(
        tuple(column[at] if at < len(column) else "" for column in cells) for at in range(rows)
    )
    return Details((), tuple(columns), total - len(columns), head, note)
