"""Writes files of a commit into a folder, read from git's objects: nothing is checked out.

No filter and no text conversion runs. What isn't a small regular file is left out.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.errors import GitError
from jupyter_ac.git.output_parsers import as_input
from jupyter_ac.git.paths import is_stored_path
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git

MAX_FILES: Final = 2000
MAX_FILE_BYTES: Final = 1024 * 1024
MAX_BYTES: Final = 24 * 1024 * 1024
"""Bytes of all files together; those behind are left out."""

_TREE: Final = ("ls-tree", "-r", "-z", "--full-tree", "--long")
_REGULAR: Final = frozenset({"100644", "100755"})
_MAX_TREE_BYTES: Final = 64 * 1024 * 1024
_HEADER_BYTES: Final = 256


@dataclass(frozen=True, slots=True)
class _TreeFile:
    path: str
    name: str
    size: int


async def export_files(
    repository: Repository, commit: str, paths: Sequence[str], folder: Path
) -> int:
    """Write files of a commit into a folder, and return how many there are.

    Args:
        repository: has the commit.
        commit: its full hash.
        paths: as git names them; those that the commit doesn't have are left out.
        folder: an empty one.

    Raises:
        GitError: git can't read the commit.
    """
    files = await _files(repository, commit, frozenset(paths))
    if not files:
        return 0
    options = GitOptions(
        stdin=as_input((file.name for file in files), b"\n"),
        max_bytes=MAX_BYTES + _HEADER_BYTES * len(files),
    )
    output = await read_git(repository.root, ("cat-file", "--batch"), options)
    if output.exit_code != 0 or output.truncated:
        raise GitError(f"git can't read the files of {commit[:10]}: {output.complaint}")
    return await asyncio.to_thread(_write, folder, files, output.data)


async def _files(repository: Repository, commit: str, paths: frozenset[str]) -> list[_TreeFile]:
    options = GitOptions(max_bytes=_MAX_TREE_BYTES)
    output = await read_git(repository.root, (*_TREE, commit), options)
    if output.exit_code != 0:
        raise GitError(f"git can't read the files of {commit[:10]}: {output.complaint}")
    found: list[_TreeFile] = []
    left = MAX_BYTES
    for file in _small_files(output.data):
        if file.path in paths and file.size <= left and len(found) < MAX_FILES:
            left -= file.size
            found.append(file)
    return found


def _small_files(tree: bytes) -> Iterator[_TreeFile]:
    for row in tree.decode("utf-8", "surrogateescape").split("\0"):
        facts, _, path = row.partition("\t")
        mode, _, rest = facts.partition(" ")
        if mode not in _REGULAR or not is_stored_path(path):
            continue
        _, name, size = rest.split()
        if int(size) <= MAX_FILE_BYTES:
            yield _TreeFile(path, name, int(size))


def _write(folder: Path, files: Sequence[_TreeFile], data: bytes) -> int:
    """Write the files, which the output of `cat-file --batch` holds in this order."""
    count = at = 0
    for file in files:
        start = data.index(b"\n", at) + 1
        at = start + file.size + 1
        path = folder / file.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as target:
                target.write(data[start : at - 1])
        except OSError:  # a name that this file system doesn't take, or has in another case
            continue
        count += 1
    return count
