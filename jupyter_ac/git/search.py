"""Searching the text of the files by `git grep`.

Tracked files and the ones that git neither tracks nor ignores; binary ones are left out. Time,
output, matches and line length are bounded, and a bound that was met is said in the result.
"""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NotRequired, TypedDict

from jupyter_ac.errors import GitError, InvalidParams, TimedOut
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import Options, Output, read_git
from jupyter_ac.git.together import together
from jupyter_ac.git.tree import LIST_UNTRACKED

MAX_MATCHES: Final = 2000
MAX_LINE_CHARS: Final = 2000
MAX_QUERY_CHARS: Final = 4096
MAX_CONTEXT_LINES: Final = 20
MAX_OUTPUT_BYTES: Final = 16 * 1024 * 1024
TIMEOUT_S: Final = 20.0

_MAX_ARGUMENT_BYTES: Final = 64 * 1024
_NOTHING_FOUND: Final = 1
_ROW: Final = re.compile(rb"([^\0]+)\0(\d+)\0(?:(\d+)\0)?([^\n]*)\n?")


@dataclass(frozen=True, slots=True)
class Query:
    """What to search.

    Attributes:
        text: one line; a POSIX extended regular expression when `use_regex`.
        whole_word: only where no letter, digit or `_` stands before or after.
        use_regex: read `text` as an expression instead of literally.
        ignore_case: take upper and lower case for the same.
        context_lines: how many lines to show before and after a match.
    """

    text: str
    whole_word: bool = False
    use_regex: bool = False
    ignore_case: bool = True
    context_lines: int = 1


class Line(TypedDict):
    """A line and its number, counted from 1."""

    line_num: int
    line: str


class Match(Line):
    """A line that matches; the lines around it end at the next match."""

    context_before: list[Line]
    context_after: list[Line]


class FileMatches(TypedDict):
    """The matches in one file.

    Attributes:
        file: its path.
        truncated: true on the last file when there was more to find.
    """

    file: str
    matches: list[Match]
    truncated: NotRequired[bool]


@dataclass(frozen=True, slots=True)
class _Row:
    number: int
    matches: bool
    text: str


async def search(repository: Repository, query: Query) -> list[FileMatches]:
    """Return the files that match, by path, each with its matching lines.

    Raises:
        InvalidParams: the query is too long, has several lines, or is no valid expression.
        TimedOut: it took longer than `TIMEOUT_S`.
        GitError: git can't read the repository.
    """
    if not query.text.strip():
        return []
    _check(query)
    command = _command(query)
    # `--untracked` alone would pass over tracked files that are ignored as well.
    outputs = await together(_grep(repository, command), _grep_untracked(repository, command))
    return await asyncio.to_thread(_collect, outputs, max(0, query.context_lines))


def _check(query: Query) -> None:
    if len(query.text) > MAX_QUERY_CHARS:
        raise InvalidParams(f"The query is longer than {MAX_QUERY_CHARS} characters; shorten it.")
    if "\n" in query.text or "\0" in query.text:
        raise InvalidParams("The query has several lines; search for one line at a time.")


def _command(query: Query) -> list[str]:
    context = min(max(0, query.context_lines), MAX_CONTEXT_LINES)
    switches = {
        "--ignore-case": query.ignore_case,
        "--word-regexp": query.whole_word,
        f"--context={context}": context > 0,
    }
    return [
        "grep",
        *("-n", "-z", "-I", "-H", "--full-name", "--no-color", "--column", "--no-textconv"),
        *("--no-heading", "--no-break", "--no-recurse-submodules"),
        *(switch for switch, wanted in switches.items() if wanted),
        "--extended-regexp" if query.use_regex else "--fixed-strings",
        *("-e", query.text),
    ]


async def _grep_untracked(repository: Repository, command: list[str]) -> Output:
    """Search the untracked files: by their names, or all files when these are too many."""
    listed = await read_git(repository.root, LIST_UNTRACKED, Options(timeout_s=TIMEOUT_S))
    if listed.exit_code != 0:
        raise GitError(f"git can't list the files: {listed.complaint}")
    names = [name for name in listed.data.split(b"\0") if name and not name.endswith(b"/")]
    if not names:
        return Output(b"", _NOTHING_FOUND, truncated=False, complaint="")
    wider = [command[0], "--untracked", *command[1:]]
    if sum(len(name) + 1 for name in names) <= _MAX_ARGUMENT_BYTES:
        wider += ["--", *(name.decode("utf-8", "surrogateescape") for name in names)]
    return await _grep(repository, wider)


async def _grep(repository: Repository, command: list[str]) -> Output:
    options = Options(timeout_s=TIMEOUT_S, max_bytes=MAX_OUTPUT_BYTES)
    try:
        output = await read_git(repository.root, command, options)
    except TimedOut:
        raise TimedOut(
            f"The search took longer than {TIMEOUT_S:g} s; make the query more specific."
        ) from None
    if output.truncated or output.exit_code in {0, _NOTHING_FOUND}:
        return output
    if "--extended-regexp" in command:
        raise InvalidParams(f"The expression is not valid: {output.complaint}")
    raise GitError(f"git can't search: {output.complaint}")


def _collect(outputs: list[Output], context: int) -> list[FileMatches]:
    """Merge the outputs by file, up to `MAX_MATCHES`."""
    rows: dict[str, list[_Row]] = {}
    truncated = False
    for output in outputs:
        by_file, complete = _by_file(output)
        rows = by_file | rows
        truncated = truncated or not complete
    files: list[FileMatches] = []
    room = MAX_MATCHES
    for name in sorted(rows):
        matches = _matches(rows[name], context)
        if len(matches) > room:
            matches, truncated = matches[:room], True
        room -= len(matches)
        if matches:
            files.append(FileMatches(file=name, matches=matches))
    if truncated and files:
        files[-1]["truncated"] = True
    return files


def _by_file(output: Output) -> tuple[dict[str, list[_Row]], bool]:
    """Return the rows of each file up to one match too many, and whether these are all."""
    found: dict[str, list[_Row]] = {}
    matches = 0
    for name, row in _rows(output.data):
        found.setdefault(name, []).append(row)
        matches += row.matches
        if matches > MAX_MATCHES:
            return found, False
    return found, not output.truncated


def _rows(data: bytes) -> Iterator[tuple[str, _Row]]:
    """Give each line of the output: `name NUL number NUL text LF`, matches with `column NUL`.

    The column is the one thing that tells a match from its context here. A name may hold line
    ends, so the output can't be split into lines beforehand.
    """
    at = 0
    while at < len(data):
        if data.startswith(b"--\n", at):
            at += 3
            continue
        row = _ROW.match(data, at)
        if row is None:
            return  # cut off by the limit
        name, number, column, text = row.groups()
        yield (
            name.decode("utf-8", "surrogateescape"),
            _Row(int(number), column is not None, _shown(text)),
        )
        at = row.end()


def _shown(text: bytes) -> str:
    """Return a line as text, cut; a character takes at most four bytes."""
    return text[: 4 * MAX_LINE_CHARS].decode("utf-8", "replace")[:MAX_LINE_CHARS].removesuffix("\r")


def _matches(rows: list[_Row], context: int) -> list[Match]:
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


def _around(rows: list[_Row], at: int, step: int, context: int) -> list[Line]:
    """Return the context rows beside a match in one direction, nearest first."""
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
