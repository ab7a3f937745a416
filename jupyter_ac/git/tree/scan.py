"""Scans a repository: the state according to git and the file system.

If two scans give the same result nothing has changed, and everything derived from it is still
valid. Only the list of tracked files isn't read again while the index file is unchanged.

Counts the lines of a file.
"""

import asyncio
import logging
import os
import stat
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jupyter_ac.errors import GitError, TimedOut
from jupyter_ac.git import output_parsers, status
from jupyter_ac.git.configuration import read_configuration, values_in
from jupyter_ac.git.descriptor_entries import is_special
from jupyter_ac.git.files import BINARY_PROBE_BYTES
from jupyter_ac.git.plain_files import read_regular
from jupyter_ac.git.program_policy import policy_of
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, GitOptions, read_git
from jupyter_ac.git.status import GitStatus
from jupyter_ac.git.task_groups import gather, grouped
from jupyter_ac.git.tree.disk import Disk, is_unsettled, stat_files
from jupyter_ac.git.undiffable_files import without
from jupyter_ac.git.unlinked_files import open_unlinked

MAX_COUNTED_BYTES: Final = 64 * 1024 * 1024
"""Longer files have 0 lines: reading them would take too long."""

_CHUNK_BYTES: Final = 1024 * 1024
_LEAST_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class LineCount:
    """Number of line ends in a file, and whether it is binary (then 0)."""

    lines: int
    is_binary: bool


NOTHING: Final = LineCount(0, is_binary=False)


def count_lines(root: str, path: str) -> LineCount:
    """Count the lines of a file.

    Links, files behind a link, pipes, unreadable and very long files have 0 lines.

    Args:
        root: top of the working tree, links resolved.
        path: relative to it.
    """
    try:
        descriptor = open_unlinked(root, path)
    except OSError:
        return NOTHING
    try:
        found = os.fstat(descriptor)
        return _count(descriptor, found.st_size) if stat.S_ISREG(found.st_mode) else NOTHING
    except OSError:
        return NOTHING
    finally:
        os.close(descriptor)


def _count(descriptor: int, size: int) -> LineCount:
    # One byte more than expected: a shorter read means the end.
    wanted = min(max(size + 1, _LEAST_BYTES), _CHUNK_BYTES)
    chunk = os.read(descriptor, wanted)
    if b"\0" in chunk[:BINARY_PROBE_BYTES]:
        return LineCount(0, is_binary=True)
    if size > MAX_COUNTED_BYTES:
        return NOTHING
    lines = chunk.count(b"\n")
    while len(chunk) == wanted:
        chunk = os.read(descriptor, wanted)
        lines += chunk.count(b"\n")
    return LineCount(lines, is_binary=False)


_logger = logging.getLogger(__name__)

LIST_TRACKED: Final = ("ls-files", "-z", "--cached")
MAX_PATHS: Final = 64
"""With more changed files no names are passed to git: matching names would be slower."""

MAX_COMPARED_BYTES: Final = 4 * MAX_COUNTED_BYTES
"""Limit for all changed files whose lines are counted; smaller files come first."""

_LINES_S: Final = 15.0
_STATUS: Final = (*status.STATUS, "--branch", "--no-ahead-behind")
_CHECKSUM_BYTES: Final = 20

Index = tuple[object, ...]
"""Identity of an index file; () if it can't be determined."""


@dataclass(frozen=True, slots=True)
class GitAnswers:
    """Output of git commands.

    Attributes:
        config: git's configuration.
        index: identity of the index that `tracked` comes from.
        tracked: names in the index.
        status: output of `git status`.
    """

    config: bytes = b""
    index: Index = field(default=(), compare=False)
    tracked: bytes = b""
    status: bytes = b""


async def ask(
    repository: Repository, before: GitAnswers, names: Sequence[str]
) -> tuple[GitAnswers, Disk]:
    """Run git, and read file attributes in parallel.

    Args:
        repository: the repository.
        before: result of the previous scan.
        names: files whose attributes to read.

    Raises:
        GitError: git can't read the repository.
        TimedOut: it took too long.
    """
    async with grouped() as tasks:
        reading = tasks.create_task(asyncio.to_thread(stat_files, repository.root, names))
        listing = tasks.create_task(_ask_tracked(repository, before))
        asking = tasks.create_task(_ask_status(repository))
    config, states = asking.result()
    index, tracked = listing.result()
    return GitAnswers(config, index, tracked, states), reading.result()


async def ask_changed_lines(
    repository: Repository, answers: GitAnswers, found: GitStatus, disk: Disk
) -> dict[str, output_parsers.DiffStat] | None:
    """Run git to count added and deleted lines of the changed files.

    Files are left out for which git would fail or take long: special files, and the largest ones.

    Returns:
        None if git fails or takes too long: a file may be unreadable, or a partial clone lacks its
            old content.
    """
    paths = sorted({*found.modified, *found.staged, *found.deleted, *found.conflicted})
    commands: list[tuple[str, ...]] = []
    if found.staged or found.conflicted:
        commands.append((*output_parsers.STAGED, *_names(paths)))
    unread = await asyncio.to_thread(_unread, paths, disk)
    if not unread.issuperset(found.modified + found.deleted):
        commands.append(_leaving_out(output_parsers.UNSTAGED, paths, unread))
    config = dict(await _reading(repository, answers.config))
    config["core.bigFileThreshold"] = str(MAX_COUNTED_BYTES)
    options = GitOptions(config=config, timeout_s=_LINES_S)
    try:
        outputs = await gather(*(read_list(repository, each, options) for each in commands))
    except (GitError, TimedOut) as error:
        _logger.info("changed lines are not known: %s", error)
        return None
    return await asyncio.to_thread(output_parsers.parse, *outputs)


def _names(paths: Sequence[str]) -> tuple[str, ...]:
    return ("--", *paths) if len(paths) <= MAX_PATHS else ()


def _leaving_out(
    command: Sequence[str], paths: Sequence[str], unread: Collection[str]
) -> tuple[str, ...]:
    names = _names([path for path in paths if path not in unread])
    if names or not unread:
        return (*command, *names)
    return ("--no-literal-pathspecs", *command, "--", *without((), unread))


def _unread(paths: Sequence[str], disk: Disk) -> set[str]:
    """Return the changed files that git can't read, or would read for too long."""
    found = {path: one for path in paths if (one := disk.find(path)) is not None and one.mode}
    files = {path for path, one in found.items() if stat.S_ISREG(int(one.mode))}
    unread = {path for path, one in found.items() if is_special(int(one.mode))}
    left = float(MAX_COMPARED_BYTES)
    for path in sorted(files, key=lambda path: found[path].size):
        left -= found[path].size
        if left < 0 or found[path].size > MAX_COUNTED_BYTES:
            unread.add(path)
    return unread


async def read_list(
    repository: Repository, command: Sequence[str], options: GitOptions = DEFAULTS
) -> bytes:
    """Run a command that lists files, and return its output.

    Raises:
        GitError: git can't list them, or there are too many.
        TimedOut: it took too long.
    """
    answer = await read_git(repository.root, command, options)
    if answer.exit_code != 0 or answer.truncated:
        raise GitError(f"git can't list the files: {answer.complaint}")
    return answer.data


def attribute_files(repository: Repository, answers: GitAnswers, found: GitStatus) -> list[str]:
    """Return the attributes files that may apply to changed files; they affect their line counts.

    Those in folders have paths relative to the repository.
    """
    folders = {""}
    for path in (*found.modified, *found.staged, *found.deleted, *found.conflicted):
        folder = path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return [
        str(repository.common_dir / "info" / "attributes"),
        "/etc/gitattributes",
        *map(os.path.expanduser, _attributes_of_the_user(answers.config)),
        *(f"{folder}/.gitattributes".lstrip("/") for folder in sorted(folders)),
    ]


def _attributes_of_the_user(config: bytes) -> Iterator[str]:
    yield f"{os.environ.get('XDG_CONFIG_HOME') or '~/.config'}/git/attributes"
    yield from values_in(config, "core.attributesfile")


async def _ask_status(repository: Repository) -> tuple[bytes, bytes]:
    """Return the configuration, and the status under it: filters may affect the status."""
    config = await read_configuration(repository)
    options = GitOptions(config=await _reading(repository, config))
    return config, await read_list(repository, _STATUS, options)


async def _reading(repository: Repository, config: bytes) -> Mapping[str, str]:
    policy = await asyncio.to_thread(policy_of, repository, config)
    return policy.reading()


async def _ask_tracked(repository: Repository, before: GitAnswers) -> tuple[Index, bytes]:
    index = await asyncio.to_thread(_index_of, repository.git_dir)
    if index and index == before.index:
        return index, before.tracked
    return index, await read_list(repository, LIST_TRACKED)


def _index_of(git_dir: Path) -> Index:
    try:
        found = (git_dir / "index").stat()
        checksum = read_regular(git_dir / "index", _CHECKSUM_BYTES, from_end=True)
    except OSError:
        return ()
    if not any(checksum) and is_unsettled(found.st_ctime, time.time()):
        return ()  # with `index.skipHash` the next index may look the same
    return checksum, found.st_mtime, found.st_ctime, found.st_size, found.st_ino
