"""Lists the files of a working tree, with the blob hashes that git knows.

The hashes come from git's index, for files that haven't changed since git read them. Links,
submodules, repositories inside this one, and files that aren't on disk are left out.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions
from jupyter_ac.git.task_groups import gather
from jupyter_ac.git.tree.scan import read_list
from jupyter_ac.git.untracked_files import untracked_filter
from jupyter_ac.ids import RepoPath

Listing: TypeAlias = dict[RepoPath, str]
"""File → hash of its content, "" when git's index doesn't know it."""

MAX_FILES: Final = 200_000
"""More of a tree aren't indexed; those that come first by name are."""

_TRACKED: Final = ("ls-files", "-z", "--stage", "-v", "--")
_UNTRACKED: Final = ("ls-files", "-z", "--others", "--exclude-standard", "--")
# It compares what the file system says of a file, not its content.
_CHANGED: Final = ("diff-files", "-z", "--name-only", "--ignore-submodules=all", "--")
_TIMEOUT_S: Final = 120.0
_PLAIN_MODES: Final = frozenset({"100644", "100755", "100664"})
_TRUSTED_TAG: Final = "H"
_MODE: Final = slice(2, 8)
_HASH_AT: Final = 9


async def list_tree(
    repository: Repository, under: Sequence[str] = (), *, with_jupyter_files: bool = False
) -> Listing:
    """List the files of a working tree that are shown.

    Args:
        repository: which one.
        under: files and folders to look at; none for all.
        with_jupyter_files: also untracked ones that Jupyter writes beside documents.

    Raises:
        GitError: git can't read the repository.
        TimedOut: it took too long.
    """
    options = GitOptions(timeout_s=_TIMEOUT_S)
    tracked, untracked, changed = await gather(
        read_list(repository, (*_TRACKED, *under), options),
        read_list(repository, (*_UNTRACKED, *under), options),
        _changed(repository, under),
    )
    is_shown = untracked_filter(with_jupyter_files=with_jupyter_files)
    return await asyncio.to_thread(_listed, tracked, untracked, changed, is_shown)


async def _changed(repository: Repository, under: Sequence[str]) -> bytes:
    # Filters could see the files that were changed in the moment that the index was written.
    options = GitOptions(timeout_s=_TIMEOUT_S, config=(await program_policy(repository)).reading())
    return await read_list(repository, (*_CHANGED, *under), options)


def _listed(
    tracked: bytes, untracked: bytes, changed: bytes, is_shown: Callable[[str], bool]
) -> Listing:
    found: Listing = {}
    for row in names_in(tracked):
        at = row.index("\t")
        if row[_MODE] in _PLAIN_MODES:
            # The last digit is 0 where no merge has left several contents.
            is_known = row[0] == _TRUSTED_TAG and row[at - 1] == "0"
            found[RepoPath(row[at + 1 :])] = row[_HASH_AT : at - 2] if is_known else ""
    for name in names_in(changed):
        if name in found:
            found[RepoPath(name)] = ""
    for name in names_in(untracked):
        if not name.endswith("/") and is_shown(name):
            found[RepoPath(name)] = ""
    return found


def cut(listing: Listing, most: int = MAX_FILES) -> Listing:
    """Return the files that come first by name, when there are too many."""
    if len(listing) <= most:
        return listing
    return {path: listing[path] for path in sorted(listing)[:most]}
