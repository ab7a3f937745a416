"""Builds the search result: matches by file, with context lines."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NotRequired, TypedDict

from jupyter_ac.git.file_types import is_link
from jupyter_ac.git.search.output import MAX_MATCHES, Row, SearchRows
from jupyter_ac.git.unlinked_files import open_unlinked

_CHUNK_BYTES: Final = 1024 * 1024


class Line(TypedDict):
    """A line and its number, counted from 1."""

    line_num: int
    line: str


class Match(Line):
    """A matching line; its context ends at the next match."""

    context_before: list[Line]
    context_after: list[Line]


class FileMatches(TypedDict):
    """The matches in one file.

    Attributes:
        file: its path.
        truncated: true on the last file if there are further matches.
        skipped: why the file was not searched; it has no matches then.
    """

    file: str
    matches: list[Match]
    truncated: NotRequired[bool]
    skipped: NotRequired[str]


def merge(root: Path, outputs: Sequence[SearchRows], context: int) -> list[FileMatches]:
    """Merge the results of several commands, up to `MAX_MATCHES`.

    Args:
        root: the top folder.
        outputs: if two contain the same file the first takes precedence.
        context: number of lines before and after a match.
    """
    rows: dict[bytes, list[Row]] = {}
    for found in outputs:
        rows = found.files | rows
    full = [found for found in outputs if found.is_full and found.files]
    # After the position where one stopped, results of the others alone would have gaps.
    last = min((max(found.files) for found in full), default=None)
    truncated = bool(full)
    files: list[FileMatches] = []
    left = MAX_MATCHES
    behind = {"": False}
    for name in sorted(rows):
        if last is not None and name > last:
            break
        path = name.decode("utf-8", "surrogateescape")
        if _is_behind_link(root, path.rpartition("/")[0], behind):
            continue
        matches = _matches(_without_phantom(root, path, rows[name]), max(0, context))
        if len(matches) > left:
            matches, truncated = matches[:left], True
        left -= len(matches)
        if matches:
            files.append(FileMatches(file=path, matches=matches))
    if truncated and files:
        files[-1]["truncated"] = True
    return files


def _is_behind_link(root: Path, folder: str, known: dict[str, bool]) -> bool:
    """Return whether a tracked folder was replaced by a link, which git follows."""
    unknown = []
    while (found := known.get(folder)) is None:
        unknown.append(folder)
        folder = folder.rpartition("/")[0]
    # A loop, outermost folder first: recursion would fail for thousands of nested folders.
    for each in reversed(unknown):
        found = known[each] = found or is_link(root / each)
    return found


def _without_phantom(root: Path, path: str, rows: list[Row]) -> list[Row]:
    """Remove the empty line that git matches after the last one, for example for `^$`."""
    last = rows[-1]
    if not last.matches or last.text or _has_line(root, path, last.number):
        return rows
    return rows[:-1]


def _has_line(root: Path, path: str, number: int) -> bool:
    lines = 0
    end = b"\n"
    try:
        with os.fdopen(open_unlinked(os.fspath(root), path), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return True
            while lines < number and (chunk := file.read(_CHUNK_BYTES)):
                lines += chunk.count(b"\n")
                end = chunk[-1:]
    except OSError:
        return True
    return lines + (end != b"\n") >= number


def _matches(rows: list[Row], context: int) -> list[Match]:
    return [
        Match(
            line_num=row.number,
            line=row.text,
            context_before=_around(rows, at, -1, context)[::-1],
            context_after=_around(rows, at, 1, context),
        )
        for at, row in enumerate(rows)
        if row.matches
    ]


def _around(rows: list[Row], at: int, step: int, context: int) -> list[Line]:
    """Return the context lines on one side of a match, nearest first."""
    found: list[Line] = []
    for distance in range(1, context + 1):
        near = at + step * distance
        if not 0 <= near < len(rows):
            break
        row = rows[near]
        if row.matches or row.number != rows[at].number + step * distance:
            break
        found.append(Line(line_num=row.number, line=row.text))
    return found
