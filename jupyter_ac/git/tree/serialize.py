"""Serializes the file tree: as JSON for `get_file_tree`, or as a flat list of the files on disk.

The JSON is ASCII only: other characters in names are escaped, lone surrogates included.
"""

import asyncio
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from json.encoder import encode_basestring_ascii as quoted
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict

from jupyter_ac.git.output_parsers import DiffStat, names_in
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.task_groups import gather
from jupyter_ac.git.temp_files import without_temp_files
from jupyter_ac.git.tree.entries import EMPTY, Folder
from jupyter_ac.git.tree.scan import LIST_TRACKED, read_list
from jupyter_ac.git.untracked_files import shown_untracked

DEEPEST: Final = 200
"""Maximum depth of nested folders; JSON parsers fail beyond some depth."""

_ENDS: Final = ("]},", "]}")
"""The end of a folder that others follow, and of the last one."""

Filled: TypeAlias = Mapping[str, Folder]


class Node(TypedDict):
    """A file or a folder.

    Attributes:
        path: relative to the repository, "" for its top folder.
        lines: 0 for folders and binary files.
        children: of a folder, folders first; a folder more than `DEEPEST` levels down has its path
            below the folder at that level as its name.
        mtime: of a file, seconds since 1970; 0 for a deleted one.
        is_binary: of a file.
        submodule: true for a nested repository, which is shown as a file.
        link: true for a symbolic link.
    """

    name: str
    path: str
    type: Literal["file", "dir"]
    lines: int
    children: NotRequired["list[Node]"]
    mtime: NotRequired[float]
    is_binary: NotRequired[bool]
    submodule: NotRequired[bool]
    link: NotRequired[bool]


class FileTree(TypedDict):
    """The tree, and lists of paths by state.

    Attributes:
        diff_stats: changed files by path.
        operation: an unfinished merge, rebase, cherry-pick, revert or bisect.
    """

    tree: Node
    modified: list[str]
    staged: list[str]
    untracked: list[str]
    deleted: list[str]
    conflicted: list[str]
    diff_stats: dict[str, DiffStat]
    operation: str | None


@dataclass(frozen=True, slots=True)
class Lists:
    """Paths by state, each list sorted, and changed lines by path.

    They include paths that are not in the tree, such as the old name of a renamed file.
    """

    modified: Sequence[str] = ()
    staged: Sequence[str] = ()
    untracked: Sequence[str] = ()
    deleted: Sequence[str] = ()
    conflicted: Sequence[str] = ()
    diff_stats: Mapping[str, DiffStat] = field(default_factory=dict)


def serialize(name: str, filled: Filled, lists: Lists, operation: str | None) -> list[str]:
    """Serialize a `FileTree` to JSON, in parts to be joined.

    Args:
        name: name of the repository.
        filled: files by folder.
        lists: paths by state.
        operation: the unfinished operation of git.
    """
    pieces = ['{"tree":']
    _add_folders(pieces, name, subfolders(filled), filled)
    by_state = {
        "modified": lists.modified,
        "staged": lists.staged,
        "untracked": lists.untracked,
        "deleted": lists.deleted,
        "conflicted": lists.conflicted,
    }
    pieces += [f',"{key}":[{",".join(map(quoted, paths))}]' for key, paths in by_state.items()]
    stats = [
        f'{quoted(path)}:{{"additions":{stat["additions"]},"deletions":{stat["deletions"]}}}'
        for path, stat in lists.diff_stats.items()
    ]
    pieces.append(f',"diff_stats":{{{",".join(stats)}}}')
    pieces.append(f',"operation":{"null" if operation is None else quoted(operation)}}}')
    return pieces


def subfolders(filled: Iterable[str]) -> dict[str, list[str]]:
    """Return the subfolders of each folder, sorted.

    Args:
        filled: folders that contain files; their parents, including "", are added.
    """
    inner: dict[str, list[str]] = {"": []}
    for folder in filled:
        at = folder
        while at not in inner:
            inner[at] = []
            at = at.rpartition("/")[0]
    for folder in sorted(inner):
        if folder:
            inner[folder.rpartition("/")[0]].append(folder)
    return inner


def _add_folders(
    pieces: list[str], name: str, inner: Mapping[str, list[str]], filled: Filled
) -> None:
    """Add all folders recursively; below `DEEPEST` levels they become siblings."""
    pieces.append(_head(name, ""))
    # Stack of open folders, each with its remaining subfolders in reverse order.
    levels: list[tuple[str, list[str]]] = [("", inner[""][::-1])]
    while levels:
        folder, coming = levels[-1]
        if coming:
            below = coming.pop()
            pieces.append(_head(below[len(folder) + 1 :] if folder else below, below))
            levels.append((below, [*reversed(_inside(below, len(levels), inner, filled))]))
            continue
        levels.pop()
        own = filled.get(folder, EMPTY).json
        if own and pieces[-1] in _ENDS:
            pieces.append(",")
        is_last = not levels or not levels[-1][1]
        pieces += (own, _ENDS[is_last])


def _inside(
    folder: str, depth: int, inner: Mapping[str, list[str]], filled: Filled
) -> Sequence[str]:
    """Return the folders shown directly in a folder."""
    if depth != DEEPEST:
        return inner[folder] if depth < DEEPEST else ()
    found, todo = [], [folder]
    for each in todo:
        todo += inner[each]
        found += [each] if each in filled and each != folder else []
    return found


def _head(name: str, folder: str) -> str:
    return f'{{"name":{quoted(name)},"path":{quoted(folder)},"type":"dir","lines":0,"children":['


LIST_UNTRACKED: Final = ("ls-files", "-z", "--others", "--exclude-standard")


async def flat_file_list(repository: Repository) -> str:
    """Return the paths of all files on disk, sorted, one per line; "" if there are none.

    Left out are ignored and deleted files, nested repositories, hidden untracked files, and files
    whose names contain a line end.

    Raises:
        GitError: git can't read the repository.
        TimedOut: it took too long.
    """
    tracked, untracked = await gather(
        read_list(repository, LIST_TRACKED), read_list(repository, LIST_UNTRACKED)
    )
    return await asyncio.to_thread(_flatten, repository, tracked, untracked)


def _flatten(repository: Repository, tracked: bytes, untracked: bytes) -> str:
    prefix = f"{repository.root}/"
    is_shown = shown_untracked(repository)
    # git's order is nearly sorted: sorting many names from scratch would block all threads.
    names = dict.fromkeys(without_temp_files(names_in(tracked)))
    names |= dict.fromkeys(filter(is_shown, names_in(untracked)))
    return "\n".join(
        sorted([name for name in names if "\n" not in name and _is_on_disk(prefix + name)])
    )


def _is_on_disk(absolute: str) -> bool:
    try:
        return not stat.S_ISDIR(os.lstat(absolute).st_mode)
    except (OSError, ValueError):
        return False
