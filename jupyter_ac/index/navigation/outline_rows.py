"""Lists the symbols of a file, or the sections of a document, as nested ranges of lines."""

from collections.abc import Sequence

from jupyter_ac.index.navigation.rows import OutlineRow
from jupyter_ac.index.records import NOBODY, Outline, Symbol


def symbol_rows(symbols: Sequence[Symbol]) -> list[OutlineRow]:
    """Return a row for each symbol, in the order of the source."""
    return [
        {
            "name": symbol.name,
            "kind": symbol.kind,
            "line": symbol.first_line,
            "last_line": symbol.last_line,
            "parent": symbol.parent,
        }
        for symbol in symbols
    ]


def section_rows(outline: Outline) -> list[OutlineRow]:
    """Return a row for each heading; a section ends where its last sub-section does."""
    rows: list[OutlineRow] = []
    above: list[int] = []
    for at, heading in enumerate(outline.headings):
        while above and outline.headings[above[-1]].level >= heading.level:
            above.pop()
        rows.append(
            {
                "name": heading.text,
                "kind": "section",
                "line": heading.line,
                "last_line": heading.last_line,
                "parent": above[-1] if above else NOBODY,
            }
        )
        for one in above:
            rows[one]["last_line"] = max(rows[one]["last_line"], heading.last_line)
        above.append(at)
    return rows
