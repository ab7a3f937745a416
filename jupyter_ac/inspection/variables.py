"""The variables of a namespace: a list of them, and the description of one."""

import logging
import time
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypedDict, TypeVar

from jupyter_ac.errors import NotFound
from jupyter_ac.inspection.explicit_repr import ReprResult
from jupyter_ac.inspection.known_types import KnownTypes
from jupyter_ac.inspection.raw_access import class_name, inherits, items_of, sizeof
from jupyter_ac.inspection.summaries.summary import Brief, Details, Summarizer, no_details
from jupyter_ac.inspection.value_text import (
    LINE_CHARS,
    builtin_length,
    has_builtin_base,
    is_builtin,
    value_text,
)

logger = logging.getLogger(__name__)

MOST_VARIABLES: Final = 10_000
"""Variables in a list."""

LIST_CHARS: Final = 4_000_000
"""Characters of a list: a message of more than 10 MB would close the kernel's socket."""

LISTING_S: Final = 0.05
"""Time after which the rest of a list has names and classes only."""

DESCRIPTION_CHARS: Final = 4000
"""Length of a description's text."""

OWN_NAMES: Final = frozenset({"In", "Out", "exit", "quit", "get_ipython"})
"""Names that IPython puts into every namespace; so are those that begin with `_`."""

_LATE: Final = "not looked at: the list has too many variables that take long"
_FAILED: Final = "its library could not summarise it"
_VALUE_CHARS: Final = 1000
_DIMENSIONS: Final = 64
_FACT_CHARS: Final = 1000

_Read = TypeVar("_Read", Brief, Details)


class VariableRow(TypedDict):
    """A variable in a list.

    Attributes:
        name: of the variable.
        kind: `value`, `module`, `function` or `class`.
        type: name of the class with its module; what the class says, not an identity.
        is_known: whether the class is a builtin or a known library's, and so its content is read.
        shape: lengths of the dimensions; null where there are none, or where they are unknown.
        length: number of items or characters; null where it has none.
        dtype: type of the elements; "" where there is none.
        size_bytes: memory of the data, as far as the library counts it; for others of the object
            itself, without what it refers to.
        line: at most 80 characters; "" for an unknown class.
    """

    name: str
    kind: str
    type: str
    is_known: bool
    shape: list[int] | None
    length: int | None
    dtype: str
    size_bytes: int
    line: str


class VariableList(TypedDict):
    """The variables of a namespace in the order of their creation.

    Attributes:
        variables: `MOST_VARIABLES` at most.
        left_out: number of the others.
    """

    variables: list[VariableRow]
    left_out: int


class ColumnRow(TypedDict):
    """A column of a table."""

    name: str
    dtype: str


class VariableDescription(VariableRow):
    """What a row says of a variable, and more.

    Attributes:
        facts: pairs of a label and a text.
        columns: the first 40 columns of a table.
        columns_left_out: number of the others.
        head: texts of the first 5 rows, in the order of `columns`; "" for what is not shown.
        note: what is not shown, and why.
        text: all of this as text, for a model; at most `DESCRIPTION_CHARS` characters.
        repr: the value's own representation, if it was asked for.
    """

    facts: list[list[str]]
    columns: list[ColumnRow]
    columns_left_out: int
    head: list[list[str]]
    note: str
    text: str
    repr: ReprResult | None


def list_variables(
    namespace: dict[object, object], hidden: dict[object, object] | None = None
) -> VariableList:
    """List the variables of a namespace; nothing of their values runs.

    Args:
        namespace: of an IPython shell, or another.
        hidden: variables that were there before the user's, by name; hidden while they are the
            same objects.
    """
    reader = _Reader()
    shown = _shown_variables(namespace, hidden or {})
    until = time.monotonic() + LISTING_S
    rows: list[VariableRow] = []
    chars = 0
    for name, value in shown[:MOST_VARIABLES]:
        row = reader.row(name, value, is_late=time.monotonic() > until)
        chars += len(name) + len(row["type"]) + len(row["line"])
        if chars > LIST_CHARS:
            break
        rows.append(row)
    return {"variables": rows, "left_out": len(shown) - len(rows)}


def variable_names(
    namespace: dict[object, object], hidden: dict[object, object] | None = None
) -> list[str]:
    """Return the names that `list_variables` lists, without looking at their values."""
    return [name for name, _ in _shown_variables(namespace, hidden or {})]


def describe_variable(
    namespace: dict[object, object], name: str, represent: Callable[[object], ReprResult] | None
) -> VariableDescription:
    """Describe a variable; nothing of its value runs but for `represent`.

    Args:
        namespace: as for `list_variables`; also names that the list hides.
        name: of the variable.
        represent: makes the value's own representation; None: it is not asked for.

    Raises:
        NotFound: there is no variable of this name.
    """
    value = find_variable(namespace, name)
    reader = _Reader()
    row = reader.row(name, value, is_late=False)
    details = reader.details(value)
    is_written = is_builtin(type(value))
    line = value_text(value, _VALUE_CHARS, reader.scalars) if is_written else row["line"]
    text = _text(row, details, line)
    return {
        **row,
        "facts": [[label, text[:_FACT_CHARS]] for label, text in details.facts],
        "columns": [{"name": each.name, "dtype": each.dtype} for each in details.columns],
        "columns_left_out": details.columns_left_out,
        "head": [list(cells) for cells in details.head],
        "note": details.note,
        "text": text[:DESCRIPTION_CHARS],
        "repr": None if represent is None else represent(value),
    }


def find_variable(namespace: dict[object, object], name: str) -> object:
    """Return the value of a variable.

    Raises:
        NotFound: there is no variable of this name.
    """
    for key, value in items_of(namespace):
        if type(key) is str and key == name:
            return value
    raise NotFound(
        f"There is no variable {name[:100]!r} in the kernel; run the cell that makes it."
    )


def _shown_variables(
    namespace: dict[object, object], hidden: dict[object, object]
) -> list[tuple[str, object]]:
    own = {key: id(value) for key, value in items_of(hidden) if type(key) is str}
    return [
        (key, value)
        for key, value in items_of(namespace)
        if type(key) is str
        if key.isidentifier() and not key.startswith("_") and key not in OWN_NAMES
        if own.get(key) != id(value)
    ]


@dataclass(frozen=True, slots=True)
class _TypeReading:
    """How values of a class are read, found once for each request."""

    name: str
    kind: str
    summarizer: Summarizer
    is_known: bool


class _Reader:
    """Reads values for one request."""

    def __init__(self) -> None:
        self._known = KnownTypes()
        self._types: dict[int, tuple[type, _TypeReading]] = {}
        self.scalars = self._known.scalars

    def row(self, name: str, value: object, *, is_late: bool) -> VariableRow:
        reading = self._reading(type(value))
        if is_late and id(type(value)) not in _QUICK:
            brief = Brief(_LATE)
        else:
            brief = _tried(reading.summarizer.brief, value, Brief(_FAILED))
        size = brief.size_bytes
        return {
            "name": name,
            "kind": reading.kind,
            "type": reading.name,
            "is_known": reading.is_known,
            "shape": None if brief.shape is None else list(brief.shape[:_DIMENSIONS]),
            "length": brief.length,
            "dtype": brief.dtype[:LINE_CHARS],
            "size_bytes": sizeof(value) if size is None else size,
            "line": brief.line[:LINE_CHARS],
        }

    def details(self, value: object) -> Details:
        return _tried(self._reading(type(value)).summarizer.details, value, Details(note=_FAILED))

    def _reading(self, cls: type) -> _TypeReading:
        found = self._types.get(id(cls))
        if found is None:
            found = self._types[id(cls)] = (cls, self._read_type(cls))  # it keeps the id in use
        return found[1]

    def _read_type(self, cls: type) -> _TypeReading:
        name = class_name(cls)
        kind = "class" if inherits(cls, type) else _KINDS.get(id(cls), "value")
        summarizer = self._known.summarizer(cls)
        if summarizer is not None:
            return _TypeReading(name, kind, summarizer, is_known=True)
        is_known = is_builtin(cls)
        has_text = is_known or kind == "class" or has_builtin_base(cls)
        brief = self._builtin_brief if has_text else _no_brief
        return _TypeReading(name, kind, Summarizer(brief, no_details), is_known=is_known)

    def _builtin_brief(self, value: object) -> Brief:
        cls = type(value)
        size = cls.__sizeof__(value) if id(cls) in _SIZED else None
        line = value_text(value, LINE_CHARS, self.scalars)
        return Brief(line, None, builtin_length(value), "", size)


def _no_brief(_value: object) -> Brief:
    return Brief()


_KINDS: Final = {
    id(types.ModuleType): "module",
    id(types.FunctionType): "function",
    id(types.BuiltinFunctionType): "function",
    id(types.MethodType): "function",
}
_QUICK: Final = frozenset(map(id, (int, float, bool, complex, type(None), str, bytes)))
"""Classes whose values are written in microseconds, however late it is."""

_SIZED: Final = frozenset(map(id, (str, bytes, bytearray, list, tuple, dict, set, frozenset, int)))


def _text(row: VariableRow, details: Details, line: str) -> str:
    """Write a description as text, the most telling first."""
    size = f"{row['size_bytes']:,} bytes"
    lines = [f"{row['name']}: {row['type']}, {size}"]
    lines.append(line)
    lines += [f"{label}: {text}" for label, text in details.facts if text]
    if details.columns:
        names = [f"{column.name} ({column.dtype or 'unknown'})" for column in details.columns]
        lines.append("columns: " + ", ".join(names))
    if details.columns_left_out:
        lines.append(f"… and {details.columns_left_out} columns more")
    if details.head:
        lines.append("first rows:")
        lines += [" | ".join(cells) for cells in details.head]
    if details.note:
        lines.append(details.note)
    return "\n".join(filter(None, lines))


def _tried(read: Callable[[object], _Read], value: object, failed: _Read) -> _Read:
    """Read by a library's code; a version that works otherwise is no reason to fail."""
    try:
        return read(value)
    except Exception:
        logger.debug("a summary failed", exc_info=True)
        return failed
