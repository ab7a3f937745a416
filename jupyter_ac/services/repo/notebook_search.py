"""Searches text, and shows matches in notebooks as lines of their cells."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.git.files import read_text
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.search.grep import search
from jupyter_ac.git.search.output import MAX_LINE_CHARS, FileMatches, Line, Match
from jupyter_ac.git.search.query import Query
from jupyter_ac.notebook.source_lines import NotebookLines, SourceLine, notebook_lines

MAX_NOTEBOOKS: Final = 200
"""Further ones are shown as the text of their files."""

_SUFFIX: Final = ".ipynb"


async def search_with_cells(repository: Repository, query: Query) -> list[FileMatches]:
    """Search as `search`; matches in notebooks are those in the sources of their cells.

    Raises:
        InvalidParams, TimedOut, GitError: as `search`.
    """
    found = await search(repository, query)
    escaped = json.dumps(query.text, ensure_ascii=False)[1:-1]
    if not query.use_regex and escaped != query.text:
        # The file has quotes and backslashes as escapes.
        inside = await search(repository, replace(query, text=escaped))
        rows = {row["file"]: row for row in found if not row["file"].endswith(_SUFFIX)}
        rows |= {row["file"]: row for row in inside if row["file"].endswith(_SUFFIX)}
        found = [rows[name] for name in sorted(rows)]
    notebooks = [row for row in found if row["file"].endswith(_SUFFIX) and row["matches"]]
    for row in notebooks[:MAX_NOTEBOOKS]:
        await _show_cells(repository, row, query)
    return [row for row in found if row["matches"] or "skipped" in row or "elsewhere" in row]


async def _show_cells(repository: Repository, row: FileMatches, query: Query) -> None:
    """Replace the matches by those in cells; a file that can't be read so stays as it is."""
    try:
        ipynb = await read_text(repository, row["file"])
        lines = await asyncio.to_thread(notebook_lines, ipynb)
    except AcError:
        return
    accepts = _acceptance(query)
    matches: list[Match] = []
    elsewhere = 0
    for match in row["matches"]:
        inside = lines.by_file_line.get(match["line_num"], ())
        hits = [line for line in inside if accepts(line.text)]
        matches += [_match(lines, line, match["line_num"], query.context_lines) for line in hits]
        elsewhere += not inside
    row["matches"] = matches
    if elsewhere:
        row["elsewhere"] = elsewhere


def _acceptance(query: Query) -> Callable[[str], bool]:
    """Return whether a decoded line matches: the file's line has escapes, such as those of ends.

    What an expression matches was decided by git.
    """
    if query.use_regex:
        return lambda _line: True
    literal = re.escape(query.text)
    wanted = re.compile(
        rf"(?<!\w){literal}(?!\w)" if query.whole_word else literal,
        re.IGNORECASE if query.ignore_case else re.NOFLAG,
    )
    return lambda line: wanted.search(line) is not None


def _match(lines: NotebookLines, line: SourceLine, file_line: int, context: int) -> Match:
    before = range(max(1, line.number - context), line.number)
    after = range(line.number + 1, line.number + 1 + context)
    return {
        "line_num": file_line,
        "line": _cut(line.text),
        "context_before": list(_context(lines, line, before)),
        "context_after": list(_context(lines, line, after)),
        "cell": line.cell + 1,
        "cell_line": line.number,
        "text_line": lines.text_line(line),
    }


def _context(lines: NotebookLines, line: SourceLine, numbers: range) -> Iterator[Line]:
    source = lines.sources[line.cell]
    for number in numbers:
        if number <= len(source):
            yield {"line_num": number, "line": _cut(source[number - 1])}


def _cut(text: str) -> str:
    return text if len(text) <= MAX_LINE_CHARS else f"{text[:MAX_LINE_CHARS]}…"
