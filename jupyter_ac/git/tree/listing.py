"""The repository's files as a tree, with what git says about each.

The files are those that git tracks, those that it neither tracks nor ignores, and those that were
deleted. All names come unquoted from `-z` output; ones that aren't UTF-8 hold lone surrogates.
"""

import asyncio
import json
import os
import stat
from typing import Final

from jupyter_ac.git.drafts import without_drafts
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.together import together
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.tree.look import LIST_TRACKED, read_list
from jupyter_ac.git.tree.spelling import FileTree

LIST_UNTRACKED: Final = ("ls-files", "-z", "--others", "--exclude-standard")


async def file_tree(repository: Repository) -> FileTree:
    """Return the tree of a repository's files, for one time; a `TreeCache` is for several.

    Raises:
        GitError: git can't read the repository.
        TimedOut: it took too long.
    """
    snapshot = await TreeCache(repository).snapshot()
    tree: FileTree = await asyncio.to_thread(lambda: json.loads(snapshot.encoded.text))
    return tree


async def flat_file_list(repository: Repository) -> str:
    """Return the paths of all files that are on disk, sorted, one a line; "" when there are none.

    Ignored and deleted files and nested repositories aren't among them, nor are the files whose
    names hold a line end.
    """
    outputs = await together(
        read_list(repository, LIST_TRACKED), read_list(repository, LIST_UNTRACKED)
    )
    return await asyncio.to_thread(_flatten, repository, outputs)


def _names(output: bytes) -> list[str]:
    return [name for name in output.decode("utf-8", "surrogateescape").split("\0") if name]


def _flatten(repository: Repository, outputs: list[bytes]) -> str:
    prefix = f"{repository.root}/"
    # In git's order, which leaves little to sort: to sort many holds up all threads.
    names = dict.fromkeys(name for output in outputs for name in without_drafts(_names(output)))
    return "\n".join(
        sorted([name for name in names if "\n" not in name and _is_on_disk(prefix + name)])
    )


def _is_on_disk(absolute: str) -> bool:
    try:
        return not stat.S_ISDIR(os.lstat(absolute).st_mode)
    except (OSError, ValueError):
        return False
