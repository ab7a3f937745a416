"""Compares index entries with the files as read by this process, one folder after the other.

git opens a file by its whole path, and may have read from elsewhere while a folder was a link.
"""

import asyncio
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from jupyter_ac.errors import AcError, GitError, TooLarge
from jupyter_ac.git.disk_entries import read_entry
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath

_MOST_FILES: Final = 500
"""Each file needs a git process."""

_ROW: Final = re.compile(r"(\d+) ([0-9a-f]+) 0\t(.*)", re.DOTALL)
_LINK: Final = "120000"
_SHA1_DIGITS: Final = 40


def blob_name(data: bytes, like: str) -> str:
    """Return the git hash of a content, with the same algorithm as another hash."""
    new = hashlib.sha1 if len(like) == _SHA1_DIGITS else hashlib.sha256
    return new(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


async def unverified_entries(
    git: Git, names: Sequence[str], rows: Iterable[str], most_filtered: int | None = None
) -> list[str]:
    """Return the files whose index entry differs from the result of staging the file.

    Args:
        git: with exclusive access to the repository.
        names: of the files.
        rows: output of `ls-files --stage` for them.
        most_filtered: maximum number of contents to hash with git's filters; the remaining ones
            count as different. None for no limit.
    """
    staged = {match[3]: (match[1], match[2]) for row in rows if (match := _ROW.fullmatch(row))}
    same, filtered = await asyncio.to_thread(_compared, git.repository, names, staged)
    for name, data in list(filtered.items())[:most_filtered]:
        with suppress(GitError):  # if its filter fails it counts as different
            output = await git.run("hash-object", "--stdin", f"--path={name}", stdin=data)
            if output.data.decode("ascii").strip() == staged[name][1]:
                same.add(name)
    return [name for name in names if name not in same]


def _compared(
    repository: Repository, names: Iterable[str], staged: Mapping[str, tuple[str, str]]
) -> tuple[set[str], dict[str, bytes]]:
    """Return the files that are equal byte for byte, and contents that may be equal after filters.

    Args:
        repository: the repository.
        names: of the files.
        staged: mode and blob of those in the index.
    """
    same: set[str] = set()
    filtered: dict[str, bytes] = {}
    for name in names:
        try:
            found = read_entry(repository, RepoPath(name), MAX_FILE_BYTES)
        except AcError:  # a link or a folder, also on the way
            continue
        mode, blob = staged.get(name, ("", ""))
        if not found.exists or not blob:
            if not found.exists and not blob:
                same.add(name)
        elif found.is_link and mode != _LINK:
            continue
        elif blob_name(found.data, blob) == blob:
            same.add(name)
        elif not found.is_link:
            filtered[name] = found.data
    return same, filtered


async def entries_from_disk(git: Git, names: Sequence[str]) -> list[str]:
    """Return rows for `update-index --index-info` of the files that exist on disk.

    Raises:
        TooLarge: there are too many, or one is too large.
        AcError: one can't be read, or is not a file.
        GitError: git can't store its content.
    """
    if len(names) > _MOST_FILES:
        raise TooLarge(f"There are more than {_MOST_FILES} files.")
    found: list[str] = []
    for name in names:
        entry = await asyncio.to_thread(read_entry, git.repository, RepoPath(name), MAX_FILE_BYTES)
        if entry.exists:
            how = ("--no-filters",) if entry.is_link else (f"--path={name}",)
            output = await git.run("hash-object", "-w", "--stdin", *how, stdin=entry.data)
            found.append(f"{entry.git_mode} {output.data.decode('ascii').strip()} 0\t{name}")
    return found
