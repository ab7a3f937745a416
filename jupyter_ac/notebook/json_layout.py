"""Where the cells of a notebook stand in its file, and how the file is formatted.

With this an edit replaces the bytes of some values, and leaves all others as they are.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import Unsupported

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_ESCAPED: Final = re.compile(r"\\u(?!00[01])[0-9a-fA-F]{4}")
_COLON: Final = re.compile(r'"(:[ ]?)')
_CELLS_DEPTH: Final = 2
_DECODER: Final = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class JsonStyle:
    """How a file writes JSON.

    Attributes:
        indent: of one level; "" if everything is on one line.
        newline: what ends a line.
        comma: between values on one line.
        colon: between a name and its value.
        is_ascii: other characters are written as escapes.
    """

    indent: str
    newline: str
    comma: str
    colon: str
    is_ascii: bool

    def dumped(self, value: object, depth: int, *, is_inline: bool = False) -> str:
        """Serialize a value.

        Args:
            value: JSON.
            depth: levels of indentation at which it begins.
            is_inline: write it on one line, whatever the file does.
        """
        if not self.indent or is_inline:
            return json.dumps(
                value, ensure_ascii=self.is_ascii, separators=(self.comma, self.colon)
            )
        written = json.dumps(
            value, ensure_ascii=self.is_ascii, indent=self.indent, separators=(",", self.colon)
        )
        return written.replace("\n", self.newline + self.indent * depth)


@dataclass(frozen=True, slots=True)
class NotebookLayout:
    """Where the cells stand.

    Attributes:
        array: the characters of the list of cells, with its brackets.
        cells: those of each cell.
        style: how the file is written.
    """

    array: range
    cells: Sequence[range]
    style: JsonStyle


def layout_of(text: str) -> NotebookLayout:
    """Find the cells in the text of a notebook file of version 4.

    Raises:
        Unsupported: it is no JSON, or has no list of cells.
    """
    try:
        begin = 1 if text.startswith("\ufeff") else 0
        array = dict(members(text, _after_blank(text, begin))).get("cells")
        if array is None or text[array.start] != "[":
            raise Unsupported("The file has no list of cells.")
        cells = list(items(text, array.start))
    except (ValueError, RecursionError, IndexError, StopIteration) as error:
        raise Unsupported("The notebook is not JSON, or nested too deep.") from error
    return NotebookLayout(array, cells, _style(text, array, cells))


def members(text: str, start: int) -> Iterator[tuple[str, range]]:
    """Yield the names of an object and the places of their values.

    Raises:
        ValueError, IndexError, StopIteration: it is no JSON.
    """
    at = _after_blank(text, _expected(text, start, "{"))
    while text[at] != "}":
        _expected(text, at, '"')
        name, at = _DECODER.raw_decode(text, at)
        at = _after_blank(text, _expected(text, _after_blank(text, at), ":"))
        end = _DECODER.raw_decode(text, at)[1]
        yield name, range(at, end)
        at = _after_comma(text, end, "}")


def items(text: str, start: int) -> Iterator[range]:
    """Yield the places of the values in a list.

    Raises:
        ValueError, IndexError, StopIteration: it is no JSON.
    """
    at = _after_blank(text, _expected(text, start, "["))
    while text[at] != "]":
        end = _DECODER.raw_decode(text, at)[1]
        yield range(at, end)
        at = _after_comma(text, end, "]")


def _after_comma(text: str, at: int, last: str) -> int:
    at = _after_blank(text, at)
    return at if text[at] == last else _after_blank(text, _expected(text, at, ","))


def _after_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _expected(text: str, at: int, sign: str) -> int:
    if text[at] != sign:
        raise ValueError(f"{sign} is expected")
    return at + 1


def _style(text: str, array: range, cells: Sequence[range]) -> JsonStyle:
    lead = text[array.start + 1 : cells[0].start] if cells else ""
    _, newline, margin = lead.rpartition("\n")
    if not cells:
        newline, margin = ("\n", "  ") if "\n" in text.strip() else ("", "")
    unit = margin[: len(margin) // _CELLS_DEPTH] or (" " if newline else "")
    colon = _COLON.search(text)
    is_wide = colon is None or colon[1] == ": "
    return JsonStyle(
        indent=unit,
        newline="\r\n" if "\r\n" in text else "\n",
        comma=", " if is_wide else ",",
        colon=": " if is_wide else ":",
        is_ascii=text.isascii() and _ESCAPED.search(text) is not None,
    )
