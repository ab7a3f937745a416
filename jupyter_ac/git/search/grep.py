"""Full text search with `git grep`.

Searches all files on disk that git tracks or does not ignore, except binary ones and untracked ones
that are hidden elsewhere. Time, memory, output, matches and line length are limited; the result
reports a limit that was reached.
"""

import asyncio
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from jupyter_ac.errors import GitError, InvalidParams, NotFound, TimedOut
from jupyter_ac.git import descriptor_entries
from jupyter_ac.git.descriptor_entries import lstat
from jupyter_ac.git.folder_race_checks import UnchangedFolders
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.git.search.output import FileMatches, Row, SearchRows, merge
from jupyter_ac.git.search.query import Query, acceptance, check, is_bytewise, switches_of
from jupyter_ac.git.task_groups import grouped
from jupyter_ac.git.untracked_files import shown_untracked

MARGIN_S: Final = 60.0
"""Tolerance between a file system's clock and this one; later changed folders are verified."""

_PIECE_BYTES: Final = 1024 * 1024
_OVERLAP_BYTES: Final = 16 * 1024
"""More than the displayed part of a long line."""

_CUT: Final = "…"
MAX_NEW_FILE_BYTES: Final = 128 * 1024 * 1024
"""Larger untracked files are left out: git would read several into memory at once."""

MAX_MEMORY: Final = 512 * 1024 * 1024
"""Memory limit for an expression: `((a{1,255}){1,255}){1,255}` would use all memory."""

MAX_TEXT_MEMORY: Final = 3 * 1024 * 1024 * 1024
"""Memory limit for a literal search: git reads several whole files at once."""

TIMEOUT_S: Final = 30.0
REGEX_TIMEOUT_S: Final = 10.0
_MAX_ARGUMENT_BYTES: Final = 64 * 1024
_NOTHING_FOUND: Final = 1
# Without this `git grep` skips a file with the skip-worktree bit even if it exists.
_SEARCH_EXISTING: Final = {
    "core.sparseCheckout": "true",
    "sparse.expectFilesOutsideOfPatterns": "false",
}
_LIST: Final = ("ls-files", "-z", "-v", "--cached", "--others", "--exclude-standard")
_NEW_OR_ASSUMED: Final = re.compile(rb"(?:^|\0)([?a-z]) ([^\0]+)")


@dataclass(frozen=True, slots=True)
class _Others:
    """Files that a search of the tracked ones doesn't cover.

    Attributes:
        names: untracked ones, and those marked as assume-unchanged.
        left_out: whether some were too large.
    """

    names: list[bytes]
    left_out: bool


async def search(repository: Repository, query: Query) -> list[FileMatches]:
    """Return the matching files by path, each with its matching lines.

    Raises:
        InvalidParams: the query is too long, has several lines, or is not a valid expression.
        TimedOut: it took longer than `TIMEOUT_S`, or `REGEX_TIMEOUT_S` for an expression.
        GitError: git can't read the repository.
    """
    if not query.text.strip():
        return []
    check(query)
    begun_s = time.time()
    limit_s = REGEX_TIMEOUT_S if query.use_regex else TIMEOUT_S
    try:
        async with asyncio.timeout(limit_s), grouped() as tasks:
            # `--untracked` alone would skip tracked files that are ignored as well.
            searching = tasks.create_task(_search_tracked(repository, query))
            listing = tasks.create_task(_search_others(repository, query))
    except TimeoutError:
        raise TimedOut(
            f"The search took longer than {limit_s:g} s; make the query more specific."
        ) from None
    others, listed = listing.result()
    tracked, skipped = searching.result()
    for name in listed.names:
        tracked.files.pop(name, None)
    for one in (tracked, others):
        await asyncio.to_thread(verify_rows, repository, one, begun_s)
    found = await asyncio.to_thread(merge, repository.root, [tracked, others], query.context_lines)
    if listed.left_out and found:
        found[-1]["truncated"] = True
    return [*found, *(_skipped(name) for name in skipped)]


def _skipped(name: str) -> FileMatches:
    reason = f"longer than {MAX_NEW_FILE_BYTES >> 20} MiB, too long to search"
    return FileMatches(file=name, matches=[], skipped=reason)


async def _search_tracked(repository: Repository, query: Query) -> tuple[SearchRows, list[str]]:
    """Search tracked files; if memory is short, leave out the large ones."""
    found = SearchRows(acceptance(query))
    try:
        await _grep(repository, query, found)
    except _OutOfMemoryError as error:
        large = await _large_files(repository)
        if not large:
            raise GitError(f"git can't search: {error}") from None
    else:
        return found, []
    found = SearchRows(acceptance(query))
    names = tuple(f":(top,literal,exclude){name}" for name in large)
    # With one thread only one file at a time is in memory.
    await _grep(repository, query, found, "--threads=1", names=(":(top)", *names), literal=False)
    return found, large


async def _large_files(repository: Repository) -> list[str]:
    """Return the tracked files that are too large if memory is short."""
    listed = await read_git(repository.root, ("ls-files", "-z", "--cached"))
    names = dict.fromkeys(names_in(listed.data))

    def is_large(name: str) -> bool:
        found = lstat(repository, name)
        return found is not None and found.st_size > MAX_NEW_FILE_BYTES

    large = await asyncio.to_thread(lambda: [name for name in names if is_large(name)])
    if sum(len(os.fsencode(name)) for name in large) > _MAX_ARGUMENT_BYTES:
        return []
    return large


class _OutOfMemoryError(Exception):
    """git reached its memory limit for a file or an expression."""


async def _search_others(repository: Repository, query: Query) -> tuple[SearchRows, _Others]:
    """Search the files not covered by the tracked ones: by name, or all if there are too many."""
    listed = await read_git(repository.root, _LIST, GitOptions(config=_SEARCH_EXISTING))
    if listed.exit_code != 0:
        raise GitError(f"git can't list the files: {listed.complaint}")
    is_shown = shown_untracked(repository)
    others = await asyncio.to_thread(_others, repository.root, listed.data, is_shown)
    found = SearchRows(acceptance(query))
    if sum(len(name) + 1 for name in others.names) > _MAX_ARGUMENT_BYTES:
        wanted = frozenset(others.names)
        found = SearchRows(
            acceptance(query),
            lambda name: name not in wanted and not is_shown(os.fsdecode(name)),
        )
        await _grep(repository, query, found, "--untracked")
    elif others.names:
        names = (name.decode("utf-8", "surrogateescape") for name in others.names)
        # Only by name: a tracked file may be ignored as well.
        only = ("--untracked", "--no-exclude-standard")
        await _grep(repository, query, found, *only, names=tuple(names))
    return found, others


def _others(root: Path, listed: bytes, is_shown: Callable[[str], bool]) -> _Others:
    """Select the files to search by name."""
    names: list[bytes] = []
    left_out = False
    prefix = os.fsencode(root) + b"/"
    for tag, name in _NEW_OR_ASSUMED.findall(listed):
        if tag == b"?" and (name.endswith(b"/") or not is_shown(os.fsdecode(name))):
            continue
        try:
            size = os.lstat(prefix + name).st_size
        except OSError:
            continue  # removed since git listed it
        if tag == b"?" and size > MAX_NEW_FILE_BYTES:
            left_out = True
        else:
            names.append(name)
    return _Others(names, left_out)


async def _grep(
    repository: Repository,
    query: Query,
    found: SearchRows,
    *switches: str,
    names: Sequence[str] = (),
    literal: bool = True,
) -> None:
    options = GitOptions(
        timeout_s=2 * TIMEOUT_S,  # the whole search has its own limit
        config=_SEARCH_EXISTING,
        on_data=found.feed,
        max_memory=MAX_MEMORY if query.use_regex else MAX_TEXT_MEMORY,
        bytewise=is_bytewise(query),
    )
    pathspecs = () if literal else ("--no-literal-pathspecs",)
    command = (
        *pathspecs,
        "grep",
        *switches,
        *switches_of(query),
        *(("--", *names) if names else ()),
    )
    output = await read_git(repository.root, command, options)
    if output.truncated or output.exit_code in {0, _NOTHING_FOUND}:
        return
    if "Memory exhausted" in output.complaint:
        raise InvalidParams("The expression needs too much memory; use fewer repetitions.")
    if "Out of memory" in output.complaint or "mmap failed" in output.complaint:
        raise _OutOfMemoryError(output.complaint)
    if query.use_regex and "-e option" in output.complaint:
        raise InvalidParams(f"The expression is not valid: {output.complaint}")
    raise GitError(f"git can't search: {output.complaint}")


def verify_rows(repository: Repository, found: SearchRows, begun_s: float) -> None:
    """Remove result lines that aren't in the repository's files because a link replaced a folder.

    Args:
        repository: the repository.
        found: git's result; modified.
        begun_s: time before the search, as from `time.time`.
    """
    unchanged = UnchangedFolders(repository, begun_s, MARGIN_S)
    for name, rows in list(found.files.items()):
        path = name.decode("utf-8", "surrogateescape")
        if unchanged.has(path.rpartition("/")[0]):
            continue
        own = _verified(repository, path, rows)
        if own:
            found.files[name] = own
        else:
            del found.files[name]


def _verified(repository: Repository, path: str, rows: list[Row]) -> list[Row]:
    """Return the rows that the file contains."""
    wanted: dict[int, list[Row]] = {}
    for row in rows:
        wanted.setdefault(row.number, []).append(row)
    present: set[int] = set()
    try:
        with descriptor_entries.open_entry(repository, path) as file:
            _read_lines(file, wanted, present)
    except (NotFound, OSError):
        return []
    return [row for row in rows if id(row) in present]


def _read_lines(file: IO[bytes], wanted: dict[int, list[Row]], present: set[int]) -> None:
    """Add the rows whose text is in their line to `present`."""
    last = max(wanted)
    number, before = 1, b""
    while number <= last:
        piece = file.readline(_PIECE_BYTES)
        if number in wanted:
            text = (before + piece).decode("utf-8", "replace")
            rows = wanted[number]
            present.update(id(row) for row in rows if row.text.removeprefix(_CUT) in text)
        if not piece:
            return
        before = piece[-_OVERLAP_BYTES:]
        if piece.endswith(b"\n"):
            number, before = number + 1, b""
