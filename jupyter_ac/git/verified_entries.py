"""Index entries beside files that we have read ourselves, one folder after the other.

git opens a file by its whole path, and may have read elsewhere while a folder was a link.
"""

import asyncio
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from jupyter_ac.errors import AcError, GitError, TooLarge
from jupyter_ac.git.disk_entries import look_at
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath

_MOST_FILES: Final = 500
"""Each is a git of its own."""

_ROW: Final = re.compile(r"(\d+) ([0-9a-f]+) 0\t(.*)", re.DOTALL)
_LINK: Final = "120000"
_SHA1_DIGITS: Final = 40


def blob_name(data: bytes, like: str) -> str:
    """Return the name of a content, in the form that another name has."""
    new = hashlib.sha1 if len(like) == _SHA1_DIGITS else hashlib.sha256
    return new(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


async def other_than_own(
    git: Git, names: Sequence[str], rows: Iterable[str], most_filtered: int | None = None
) -> list[str]:
    """Return the files whose index entry isn't what staging the files themselves makes it.

    Args:
        git: alone with the repository.
        names: of the files.
        rows: what `ls-files --stage` says of them.
        most_filtered: how many contents git may be asked about; what is left isn't taken for the
            same. None for all of them.
    """
    held = {match[3]: (match[1], match[2]) for row in rows if (match := _ROW.fullmatch(row))}
    same, filtered = await asyncio.to_thread(_compared, git.repository, names, held)
    for name, data in list(filtered.items())[:most_filtered]:
        with suppress(GitError):  # what its filter fails at isn't told to be the same
            output = await git.run("hash-object", "--stdin", f"--path={name}", stdin=data)
            if output.data.decode("ascii").strip() == held[name][1]:
                same.add(name)
    return [name for name in names if name not in same]


def _compared(
    repository: Repository, names: Iterable[str], held: Mapping[str, tuple[str, str]]
) -> tuple[set[str], dict[str, bytes]]:
    """Return the files that are the same byte for byte, and the contents that may be so for git.

    Args:
        repository: where they are.
        names: of the files.
        held: mode and blob of those that the index has.
    """
    same: set[str] = set()
    filtered: dict[str, bytes] = {}
    for name in names:
        try:
            found = look_at(repository, RepoPath(name), MAX_FILE_BYTES)
        except AcError:  # a link or a folder, also on the way
            continue
        mode, blob = held.get(name, ("", ""))
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


async def own_entries(git: Git, names: Sequence[str]) -> list[str]:
    """Return rows for `update-index --index-info` of these files as they are on disk, if they are.

    Raises:
        TooLarge: there are too many, or one is too long.
        AcError: one can't be read, or is no file.
        GitError: git can't store its content.
    """
    if len(names) > _MOST_FILES:
        raise TooLarge(f"These are more than {_MOST_FILES} files.")
    found: list[str] = []
    for name in names:
        entry = await asyncio.to_thread(look_at, git.repository, RepoPath(name), MAX_FILE_BYTES)
        if entry.exists:
            how = ("--no-filters",) if entry.is_link else (f"--path={name}",)
            output = await git.run("hash-object", "-w", "--stdin", *how, stdin=entry.data)
            found.append(f"{entry.git_mode} {output.data.decode('ascii').strip()} 0\t{name}")
    return found
