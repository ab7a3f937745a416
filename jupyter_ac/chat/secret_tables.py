"""Finds the cells of tables that hold secrets: in columns of secrets, and behind their names.

A table is text: the rows of a variable's summary, rows between `|`, or columns that are printed
one above the other, as pandas does.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from jupyter_ac.chat.secret_names import is_secret_value_name
from jupyter_ac.chat.text_spans import Span

_COLUMNS: Final = "columns: "
_ROWS: Final = "first rows:"
_COLUMN_END: Final = re.compile(r"[ ]\([^()\n]{0,80}\)(?:,[ ]|\Z)")
_BAR: Final = re.compile(r"[|│┃┆]")
_RULE: Final = re.compile(r"[\s|│┃┆:+=╞╪╡├┼┤─═┌┬┐└┴┘-]*")
_DASHES: Final = ("--", "==", "──", "══")
_FRAME: Final = "|│┃ \t"
# No possessive repeat of the group: Python 3.11 before 3.11.5 takes a character too many with it.
_FIELD: Final = re.compile(r"\S++(?:[ ]\S++)*")
_FIELD_NAME: Final = re.compile(r"[\w .-]{1,60}")
_WORD: Final = re.compile(r"\S+")
_NAME: Final = re.compile(r"[\w-]{1,64}")
_NO_VALUES: Final = frozenset(
    ("", "…", "...", "None", "NaN", "NaT", "<NA>", "null", "True", "False")
)
_HAS_DIGIT_OR_SIGN: Final = re.compile(r"[A-Za-z_.:-]*+[^A-Za-z_.:-]")
_LEAST_CHARS: Final = 4
_LONGEST_LINE: Final = 4000
"""Longer lines are no rows that somebody reads."""


class _Line(NamedTuple):
    start: int
    text: str


def secret_cells(text: str) -> list[Span]:
    """Return the cells of tables that seem to hold secrets, in characters of the text."""
    lines, at = [], 0
    for line in text.split("\n"):
        lines.append(_Line(at, line if len(line) <= _LONGEST_LINE else ""))
        at += len(line) + 1
    found = (*_summary(lines), *_barred(lines), *_printed(lines))
    return [(start, end) for start, end in found if text[start:end] not in _NO_VALUES]


def _summary(lines: list[_Line]) -> Iterator[Span]:
    """Yield the cells of a variable's summary; they can't be told apart if one has a bar."""
    names: list[str] = []
    for number, line in enumerate(lines):
        if line.text.startswith(_COLUMNS):
            names = _COLUMN_END.split(line.text.removeprefix(_COLUMNS))
            names = [name.strip("'\"") for name in names if name]
        elif line.text == _ROWS and names:
            for row in lines[number + 1 :]:
                cells = _cells(row, " | ")
                if len(cells) == len(names):
                    yield from _row(names, cells)
                elif any(map(is_secret_value_name, names)):
                    yield row.start, row.start + len(row.text)
            return


def _barred(lines: list[_Line]) -> Iterator[Span]:
    """Yield the cells of tables with bars between the columns and a rule below their names."""
    names: list[str] = []
    for number, line in enumerate(lines):
        if _is_rule(line):
            if not names and number:
                names = [_read(lines[number - 1], cell) for cell in _framed(lines[number - 1])]
        elif not _BAR.search(line.text):
            names = []
        elif names:
            cells = [(_read(line, cell), cell) for cell in _framed(line)]
            yield from _row(names, cells)


def _printed(lines: list[_Line]) -> Iterator[Span]:
    """Yield the cells of tables whose columns end below the ends of their names."""
    header: list[re.Match[str]] = []
    for line in lines:
        words = list(_WORD.finditer(line.text)) if header else []
        width = header[-1].end() if header else 0
        if words and words[-1].end() == width:
            ends = {word.end(): word for word in words}
            pairs = [(name[0], ends[name.end()]) for name in header if name.end() in ends]
            cells = [(word[0], _moved(line, word)) for _, word in pairs]
            yield from _row([name for name, _ in pairs], cells)
        elif len(words) != 1 or words[0].end() > width:  # one word: the name of the index
            header = _header(line.text)


def _header(text: str) -> list[re.Match[str]]:
    """Return the names of columns; none if a line doesn't look like that, as prose doesn't."""
    fields = list(_FIELD.finditer(text))
    is_one = len(fields) == 1
    if is_one and (not text.startswith((" ", "\t")) or " " in text.strip()):
        return []
    return fields if all(_FIELD_NAME.fullmatch(field[0]) for field in fields) else []


def _row(names: list[str], cells: list[tuple[str, Span]]) -> Iterator[Span]:
    """Yield the secrets of a row: below the name of a secret, or behind one."""
    before = ""
    for name, (value, (start, end)) in zip(names, cells, strict=False):
        if is_secret_value_name(name):
            bare = value.removeprefix(f"{name} = ")
            quotes = int(len(bare) > 1 and bare[0] in "'\"" and bare[0] == bare[-1])
            yield end - len(bare) + quotes, end - quotes
        elif before and len(value) >= _LEAST_CHARS and _HAS_DIGIT_OR_SIGN.match(value):
            yield start, end
        before = value if _NAME.fullmatch(value) and is_secret_value_name(value) else ""


def _cells(line: _Line, bar: str) -> list[tuple[str, Span]]:
    cells, at = [], line.start
    for cell in line.text.split(bar):
        cells.append((cell, (at, at + len(cell))))
        at += len(cell) + len(bar)
    return cells


def _framed(line: _Line) -> list[Span]:
    """Return where the cells between bars stand, without blanks; bars at the ends are a frame."""
    inner = line.text.strip(_FRAME)
    at = line.start + line.text.find(inner)
    cells = []
    for cell in _BAR.split(inner):
        start = at + len(cell) - len(cell.lstrip())
        cells.append((start, start + len(cell.strip())))
        at += len(cell) + 1
    return cells


def _read(line: _Line, span: Span) -> str:
    return line.text[span[0] - line.start : span[1] - line.start]


def _is_rule(line: _Line) -> bool:
    return any(dash in line.text for dash in _DASHES) and bool(_RULE.fullmatch(line.text))


def _moved(line: _Line, word: re.Match[str]) -> Span:
    return line.start + word.start(), line.start + word.end()
