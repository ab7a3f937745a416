"""Produces unified diffs in one fixed format, independent of the user's configuration.

Unreadable and too large files don't make a diff fail: they are named without their content.
"""

import asyncio
import os
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from jupyter_ac.errors import GitError, TimedOut, TooLarge
from jupyter_ac.git.diff_verification import files_in_diff, name_on_disk, unverified_files
from jupyter_ac.git.folder_race_checks import retry_while_changing
from jupyter_ac.git.output_parsers import decoded
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.refs import resolve_commit
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, GitOutput, read_git
from jupyter_ac.git.undiffable_files import (
    EVERYTHING,
    TOO_LARGE,
    Comparison,
    Unshown,
    blob_sizes,
    size_on_disk,
    unshown_files,
    without,
)
from jupyter_ac.git.write_commands import index_variables

MAX_DIFF_BYTES: Final = 32 * 1024 * 1024

MAX_SHOWN_FILE_BYTES: Final = 64 * 1024 * 1024
"""Content of larger files is left out: git needs many times their size in memory."""

_FIRST_S: Final = 2.0
_TRIES: Final = ((MAX_SHOWN_FILE_BYTES, 10.0), (1024 * 1024, 12.0), (EVERYTHING, 0.0))
"""Retries for a diff that is slow or too long: files above the first value, in bytes, are left

out; the second value is the time limit in seconds.
"""

_MOST_PATTERN_BYTES: Final = 256 * 1024

_UNSHOWN: Final = re.compile(
    rb"^(index ([0-9a-f]+)\.\.([0-9a-f]+)(?: [0-7]+)?\n)Binary files ([^\n]*) differ$", re.MULTILINE
)

DIFF: Final = (
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--unified=3",
    "--inter-hunk-context=0",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--find-renames",
    "--ignore-submodules=dirty",
)
"""The command for a diff in the fixed format."""


async def staged_diff(repository: Repository, index: Path | None = None) -> str:
    """Return the diff from the last commit to the index; "" if they are equal.

    Args:
        repository: the repository.
        index: another index file; None for git's own.

    Raises:
        GitError: git can't compare.
        TooLarge: even the names of the files are longer than `MAX_DIFF_BYTES`.
        TimedOut: it took too long.
    """
    return await _diff(repository, ("--cached",), index=index)


async def unstaged_diff(repository: Repository) -> str:
    """Return the diff from the index to the tracked files on disk; raises as `staged_diff`."""
    return await _diff(repository, ())


async def diff_to(repository: Repository, ref: str) -> str:
    """Return the diff from a commit to the tracked files on disk.

    Raises:
        InvalidParams, NotFound: `ref` is not a commit.
        AcError: as `staged_diff`.
    """
    return await _diff(repository, (await resolve_commit(repository, ref),))


async def diff_between(repository: Repository, what: Sequence[str], *paths: str) -> str:
    """Return the diff of selected files or folders; raises as `staged_diff`.

    Args:
        repository: the repository.
        what: two hashes of commits, or `--cached`.
        paths: validated or from git.
    """
    return await _diff(repository, what, *paths)


async def _diff(
    repository: Repository, what: Sequence[str], *paths: str, index: Path | None = None
) -> str:
    """Compare all files; on failure leave out unreadable, then large ones, then all content."""
    config = dict((await program_policy(repository)).reading())
    config["core.bigFileThreshold"] = str(MAX_SHOWN_FILE_BYTES)
    comparison = Comparison(what, paths, config, index_variables(index))
    tries: Sequence[tuple[int, float]] = _TRIES
    try:
        return await decoded(await _whole(repository, comparison))
    except (TooLarge, TimedOut, GitError) as error:
        problem = error
    if isinstance(problem, TooLarge):
        tries = tries[1:]
    for limit, timeout_s in tries:
        left_out = await unshown_files(repository, comparison, limit)
        if not left_out and isinstance(problem, GitError):
            break
        try:
            diff = await _without(repository, comparison, left_out, timeout_s)
            return await decoded(diff)
        except (TooLarge, TimedOut) as error:
            problem = error
    raise problem


async def _whole(repository: Repository, comparison: Comparison) -> bytes:
    """Return the diff of all files; those above `MAX_SHOWN_FILE_BYTES` are named only.

    Raises:
        GitError: git can't compare a file.
        TooLarge: the diff is too long.
        TimedOut: it took too long.
    """
    command = (*DIFF, *comparison.what, "--", *comparison.paths)
    return await _named(repository, await _run(repository, comparison, command, _FIRST_S))


async def _without(
    repository: Repository,
    comparison: Comparison,
    left_out: Sequence[Unshown],
    timeout_s: float,
) -> bytes:
    """Return the diff without some files, plus a line for each of these; raises as `_whole`."""
    rows = os.fsencode("".join(each.row for each in left_out))
    if not timeout_s:
        return _bounded(rows)
    patterns = without(comparison.paths, [each.name for each in left_out])
    if sum(map(len, patterns)) > _MOST_PATTERN_BYTES:
        raise _too_long()
    command = ("--no-literal-pathspecs", *DIFF, *comparison.what, "--", *patterns)
    diff = await _run(repository, comparison, command, timeout_s)
    return _bounded(await _named(repository, diff) + rows)


async def _run(
    repository: Repository, comparison: Comparison, command: Sequence[str], timeout_s: float
) -> bytes:
    options = replace(comparison.options, max_bytes=MAX_DIFF_BYTES, timeout_s=timeout_s)
    if comparison.reads_files:
        output = await _read_own(repository, command, options)
    else:
        output = await read_git(repository.root, command, options)
    if output.truncated:
        raise _too_long()
    if output.exit_code != 0:
        raise GitError(f"git can't compare: {output.complaint}")
    return output.data


async def _named(repository: Repository, diff: bytes) -> bytes:
    """Mark files as too large that git treats as binary because of their size."""
    found = list(_UNSHOWN.finditer(diff))
    if not found:
        return diff
    blobs = {match[side].decode("ascii") for match in found for side in (2, 3)}
    sizes = await blob_sizes(repository, blobs)

    def row(match: re.Match[bytes]) -> bytes:
        old, new = (sizes.get(match[side].decode("ascii")) for side in (2, 3))
        if new is None:
            new = size_on_disk(repository, _new_name(match[4]))
        is_large = max(old or 0, new) > MAX_SHOWN_FILE_BYTES
        return match[1] + TOO_LARGE.encode() if is_large else match[0]

    return _UNSHOWN.sub(row, diff)


def _bounded(diff: bytes) -> bytes:
    if len(diff) > MAX_DIFF_BYTES:
        raise _too_long()
    return diff


def _too_long() -> TooLarge:
    return TooLarge(
        f"The diff is longer than {MAX_DIFF_BYTES >> 20} MiB; "
        "commit or leave out the largest files first."
    )


async def _read_own(
    repository: Repository, command: Sequence[str], options: GitOptions
) -> GitOutput:
    """Compare files on disk and verify that their content came from inside the repository."""

    async def unproved(output: GitOutput, names: Collection[str]) -> Collection[str]:
        return await asyncio.to_thread(unverified_files, repository, output.data, names)

    return await retry_while_changing(
        repository,
        lambda: read_git(repository.root, command, options),
        lambda output: () if output.truncated else files_in_diff(output.data),
        unproved,
    )


def _new_name(both: bytes) -> str:
    """Return the second name in `a/x and b/y`; "" if there is no such file."""
    at = both.rfind(b' and "b/') if both.endswith(b'"') else both.rfind(b" and b/")
    return name_on_disk(both[at:].removeprefix(b" and ")) if at >= 0 else ""
