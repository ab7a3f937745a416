"""Finds changed files whose content a diff can't show: unreadable, special or too large files.

git aborts a whole diff at the first file that it can't read, and reads a shown file completely. So
such files are excluded from the comparison, and a line gives the reason.
"""

import asyncio
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import AcError, GitError
from jupyter_ac.git import descriptor_entries
from jupyter_ac.git.output_parsers import as_input
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git

SPECIAL: Final = "Not shown: a pipe, a socket or a device is in its place."
UNREADABLE: Final = "Not shown: the file may not be read; change its permissions."
TOO_LARGE: Final = "Too large to show."

EVERYTHING: Final = -1
"""A limit that every file exceeds."""

# This reads only the index and trees.
_CHANGED: Final = (
    *("diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-relative"),
    "--ignore-submodules=dirty",
)
_SIZES: Final = ("cat-file", "--batch-check=%(objectname) %(objectsize)")
_SUBMODULE: Final = "160000"
_UNQUOTED: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The parameters of a `git diff`.

    Attributes:
        what: `--cached`, or one or two hashes of commits; () for disk and index.
        paths: files or folders; () for all.
        config: configuration entries.
        variables: environment variables.
    """

    what: Sequence[str]
    paths: Sequence[str]
    config: Mapping[str, str]
    variables: Mapping[str, str]

    @property
    def options(self) -> GitOptions:
        """The options for running git."""
        return GitOptions(config=self.config, variables=self.variables)

    @property
    def reads_files(self) -> bool:
        """Whether files on disk are compared."""
        return "--cached" not in self.what and len(self.what) <= 1


@dataclass(frozen=True, slots=True)
class Unshown:
    """A changed file that is shown without its content.

    Attributes:
        name: git path.
        reason: a sentence.
    """

    name: str
    reason: str

    @property
    def row(self) -> str:
        """Its lines in a diff."""
        return f"diff --git {quoted(f'a/{self.name}')} {quoted(f'b/{self.name}')}\n{self.reason}\n"


async def unshown_files(
    repository: Repository, comparison: Comparison, limit: int
) -> list[Unshown]:
    """Return the changed files whose content a diff can't show, by name.

    Args:
        repository: the repository.
        comparison: the parameters.
        limit: maximum size of a file in bytes.

    Raises:
        GitError: git can't list the changes.
    """
    changes = await _changes(repository, comparison)
    sizes = await blob_sizes(repository, {blob for each in changes for blob in each.blobs})

    def unshown() -> Iterator[Unshown]:
        for change in changes:
            reason = _reason(repository, change, sizes, limit)
            if reason:
                yield Unshown(change.name, reason)

    found = await asyncio.to_thread(lambda: list(unshown()))
    return list({each.name: each for each in found}.values())


@dataclass(frozen=True, slots=True)
class _Change:
    """A changed file, or a submodule, which has neither blobs nor a file.

    Attributes:
        name: git path.
        blobs: hashes of its content before and after, if git has them.
        is_on_disk: whether the content after is the file on disk.
    """

    name: str
    blobs: tuple[str, ...]
    is_on_disk: bool


async def _changes(repository: Repository, comparison: Comparison) -> list[_Change]:
    command = (*_CHANGED, *comparison.what, "--", *comparison.paths)
    output = await read_git(repository.root, command, comparison.options)
    if output.exit_code != 0 or output.truncated:
        raise GitError(f"git can't compare: {output.complaint}")
    fields = output.data.decode("utf-8", "surrogateescape").split("\0")
    changes: list[_Change] = []
    for row, name in zip(fields[::2], fields[1::2], strict=False):
        old_mode, new_mode, old, new, word = row.removeprefix(":").split(" ")
        is_file = _SUBMODULE not in {old_mode, new_mode}
        blobs = tuple(blob for blob in (old, new) if is_file and blob.strip("0"))
        is_on_disk = is_file and word != "D" and not new.strip("0")
        changes.append(_Change(name, blobs, is_on_disk=is_on_disk))
    return changes


async def blob_sizes(repository: Repository, blobs: Iterable[str]) -> dict[str, int]:
    """Return the sizes of blobs by their given names; missing blobs are left out."""
    wanted = sorted(blobs)
    if not wanted:
        return {}
    options = GitOptions(stdin=as_input(wanted, b"\n"))
    output = await read_git(repository.root, _SIZES, options)
    lines = output.data.decode("ascii", "replace").splitlines()
    results = zip(wanted, map(str.split, lines), strict=False)
    return {name: int(words[1]) for name, words in results if words[1:] and words[1].isdecimal()}


def _reason(repository: Repository, change: _Change, sizes: Mapping[str, int], limit: int) -> str:
    found = descriptor_entries.lstat(repository, change.name) if change.is_on_disk else None
    if found is not None and descriptor_entries.is_special(found.st_mode):
        return SPECIAL
    known = [sizes.get(blob, 0) for blob in change.blobs]
    if found is not None and stat.S_ISREG(found.st_mode):
        known.append(found.st_size)
        if not _is_readable(repository, change.name):
            return UNREADABLE
    return TOO_LARGE if max(known, default=0) > limit else ""


def _is_readable(repository: Repository, name: str) -> bool:
    with suppress(AcError, OSError), descriptor_entries.open_entry(repository, name):
        return True
    return False


def without(paths: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return pathspecs (non-literal ones) that exclude some files.

    Args:
        paths: files or folders; none for all.
        names: the files to exclude.
    """
    wanted = [f":(top,literal){path}" for path in paths] or [":(top)"]
    return [*wanted, *(f":(top,exclude,literal){name}" for name in names)]


def quoted(name: str) -> str:
    """Quote a name as git does in a diff."""
    if not any(letter in _UNQUOTED or letter < " " or letter == "\x7f" for letter in name):
        return name
    return '"' + "".join(_UNQUOTED.get(letter, _octal(letter)) for letter in name) + '"'


def _octal(letter: str) -> str:
    return f"\\{ord(letter):03o}" if letter < " " or letter == "\x7f" else letter


def size_on_disk(repository: Repository, name: str) -> int:
    """Return the size of a regular file in bytes; 0 if there is none."""
    found = descriptor_entries.lstat(repository, name)
    return found.st_size if found is not None and stat.S_ISREG(found.st_mode) else 0
