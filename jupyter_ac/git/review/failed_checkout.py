"""A checkout that git gave up in the middle: a filter failed, or the disk is full.

HEAD and index are the old ones then, but some files are the new ones, and look like changes.
"""

import asyncio
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.git.discarding import remove_files
from jupyter_ac.git.name_lists import as_input
from jupyter_ac.git.staging import feed
from jupyter_ac.git.write_commands import Git

_DIFFERENT: Final = ("diff-tree", "-r", "-z", "--raw", "--no-renames")
_HASH: Final = ("hash-object", "--stdin-paths")
_RESTORE: Final = (
    *("checkout", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul"),
    "HEAD",
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file that HEAD and the other commit have differently; "A", "D", or another letter."""

    path: str
    letter: str
    blob: str


async def take_back(git: Git, target: str) -> None:
    """Make the files as HEAD has them that the failed checkout of a commit has made as it has them.

    A file is touched only where its content is exactly that commit's: nothing is lost with it.

    Raises:
        GitError: git can't; the files stay as they are.
        AccessDenied: a file can't be removed.
    """
    entries = list(_entries((await git.run(*_DIFFERENT, "HEAD", target, "--")).data))
    kinds = await asyncio.to_thread(_kinds, git.repository.root, entries)
    written = [entry for entry in entries if kinds[entry.path] == "file" and entry.letter != "D"]
    hashes = await _hashes(git, [entry.path for entry in written])
    ours = [entry for entry, found in zip(written, hashes, strict=True) if found == entry.blob]
    added = [entry.path for entry in ours if entry.letter == "A"]
    await asyncio.to_thread(remove_files, git.repository, added)
    lost = [e.path for e in entries if e.letter == "D" and kinds[e.path] == "none"]
    back = [*(entry.path for entry in ours if entry.letter != "A"), *lost]
    await feed(git, _RESTORE, back)


def _entries(data: bytes) -> Iterator[_Entry]:
    fields = data.decode("utf-8", "surrogateescape").split("\0")
    for about, path in zip(fields[::2], fields[1::2], strict=False):
        _old, _new, _before, blob, letter = about.split(" ")
        # git takes names line by line where they are hashed.
        if "\n" not in path:
            yield _Entry(path, letter, blob)


def _kinds(root: Path, entries: list[_Entry]) -> dict[str, str]:
    return {entry.path: _kind(root / entry.path) for entry in entries}


def _kind(place: Path) -> str:
    try:
        mode = os.lstat(place).st_mode
    except OSError:
        return "none"
    if stat.S_ISLNK(mode):
        return "link"
    return "file" if stat.S_ISREG(mode) else "other"


async def _hashes(git: Git, paths: list[str]) -> list[str]:
    if not paths:
        return []
    return (await git.run(*_HASH, stdin=as_input(paths, b"\n"))).data.decode("ascii").split()
